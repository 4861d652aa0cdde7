"""Captures JAX programs as cases of gg-harness. One file, needs jax only; every function writes a CASE folder.

    import gg_jax
    gg_jax.capture(step, (state, batch), folder="step")            # before and after XLA's partitioner: claim=partitioner
    gg_jax.capture_pair(step, step_shard_map, args, mesh, in_specs, out_specs, folder="pair")   # claim=refinement
    gg_jax.partition(hlo_text, 8, folder="text")                   # XLA's partitioner on HLO text with shardings

then `gg-harness check step`. Several CPU devices: XLA_FLAGS=--xla_force_host_platform_device_count=8 before jax is imported.
Tested with jax 0.10.2 and 0.11.2.
"""
import glob
import inspect
import json
import os
import shutil
import tempfile

import jax
from jax.sharding import NamedSharding, PartitionSpec

DUMP = {"xla_dump_hlo_as_text": True, "xla_dump_large_constants": True, "xla_dump_hlo_pass_re": "spmd"}


def capture(fn, args, in_shardings=None, out_shardings=None, *, folder, **jit_options):
    """Compiles jit(fn) for `args` (arrays or ShapeDtypeStructs with shardings) and writes sequential.hlo (just before
    spmd-partitioning, global shapes) and distributed.hlo (just after it). The relation is read from the shardings."""
    if in_shardings is not None:
        jit_options["in_shardings"] = in_shardings
    if out_shardings is not None:
        jit_options["out_shardings"] = out_shardings
    lowered = jax.jit(fn, **jit_options).lower(*args)
    before, after = _dumped(lambda options: lowered.compile(compiler_options=options))
    return _write(folder, before, after)


def capture_pair(sequential, distributed, args, mesh, in_specs, out_specs, *, folder, ranges=None):
    """`sequential(*args)` for one device against `distributed(*args)`, which uses shard_map (or annotations) over `mesh`.
    Specs are pytrees of PartitionSpec like the arguments and the result; None = replicated. `ranges`: {input: [lo, hi]}, by
    position among the leaves of `args`, by the name of an argument of `sequential` (all its leaves), or by that of a leaf (`"p['w']"`).
    Both return the same pytree: lax.top_k gives a list, which is no tuple. Over explicit axes (jax.make_mesh) jax wants in_specs to be
    those of shard_map itself; over jax.sharding.Mesh(devices, names) it moves the inputs. The distributed text is what XLA makes of the
    program before it partitions it: a loop of which nothing is used is gone."""
    shapes = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), args)
    text = jax.jit(sequential, keep_unused=True).lower(*shapes).as_text(dialect="hlo")
    results = jax.eval_shape(sequential, *shapes)
    inputs, outputs = _specs(in_specs, args), _specs(out_specs, results)
    placed = jax.tree.map(lambda x, s: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, s)), tuple(args),
                          jax.tree.unflatten(jax.tree.structure(tuple(args)), inputs))
    result = jax.tree.unflatten(jax.tree.structure(results), [NamedSharding(mesh, s) for s in outputs])
    lowered = jax.jit(distributed, out_shardings=result, keep_unused=True).lower(*placed)
    _, after = _dumped(lambda options: lowered.compile(compiler_options=options))
    # Partition k runs on the k-th device of the mesh, whatever that device's number is: the mesh's own order is that of the ranks.
    relation = {"mesh": [[name, size] for name, size in mesh.shape.items()]}
    relation["inputs"], relation["outputs"] = _texts(inputs, args), _texts(outputs, results)
    if ranges:
        relation["ranges"] = _ranges(ranges, sequential, args)
    return _write(folder, text, after, relation)


def _ranges(ranges, sequential, args):
    """Ranges by the position of the leaf: how XLA's text names it a caller cannot know."""
    names = list(inspect.signature(sequential).parameters)
    leaves = []
    for k, argument in enumerate(args):
        name = names[k] if k < len(names) else ""
        leaves += [(name, name + jax.tree_util.keystr(path), leaf) for path, leaf in jax.tree_util.tree_flatten_with_path(argument)[0]]
    known = [key for number, (*text, leaf) in enumerate(leaves) for key in [(number, *text)] * _parts(leaf)]
    found = {}
    for key, span in ranges.items():
        at = [str(place) for place, keys in enumerate(known) if key in keys]
        found.update({k: list(span) for k in at or [str(key)]})
    return found


def partition(hlo_text, n, *, folder):
    """Runs XLA's own propagation and partitioner on HLO text with `sharding=` annotations for n partitions."""
    import numpy as np
    from jax._src import compiler, xla_bridge
    from jaxlib import _hlo, _jax
    module = _hlo.hlo_module_from_text(hlo_text)
    computation = _hlo.XlaComputation(module.as_serialized_hlo_module_proto())
    mlir = _jax.mlir.xla_computation_to_mlir_module(computation)
    backend = xla_bridge.get_backend()
    devices = jax.devices()[:n]

    def build(options):
        compile_options = compiler.get_compile_options(
            num_replicas=1, num_partitions=n, device_assignment=np.arange(n).reshape(1, n), env_options_overrides=options)
        compile_options.executable_build_options.use_spmd_partitioning = True
        compile_options.executable_build_options.use_shardy_partitioner = False
        backend.compile_and_load(mlir, _jax.DeviceList(tuple(devices)), compile_options)

    return _write(folder, *_dumped(build))


def _dumped(build):
    """Texts before and after spmd-partitioning of what build(compiler options) compiles; the cache is passed by."""
    folder = tempfile.mkdtemp()
    cached = jax.config.jax_enable_compilation_cache
    try:
        jax.config.update("jax_enable_compilation_cache", False)
        build({"xla_dump_to": folder, **DUMP})
        texts = []
        for pattern in ("*.before_spmd-partitioning.txt", "*.after_spmd-partitioning.*.txt"):
            found = sorted(glob.glob(os.path.join(folder, pattern)))
            if not found:
                raise RuntimeError("XLA's partitioner did not run: is the program placed on several devices?")
            with open(found[-1]) as f:
                texts.append(f.read())
        return texts
    finally:
        jax.config.update("jax_enable_compilation_cache", cached)
        shutil.rmtree(folder, ignore_errors=True)


def _specs(specs, tree):
    """One PartitionSpec a leaf of `tree`; specs may be a prefix of it, None = replicated."""
    leaf = lambda s: s is None or isinstance(s, PartitionSpec)
    tree = tuple(tree) if isinstance(tree, list) else tree
    full = jax.tree.map(lambda s, part: jax.tree.map(lambda _: s or PartitionSpec(), part), specs, tree, is_leaf=leaf)
    return jax.tree.leaves(full, is_leaf=lambda s: isinstance(s, PartitionSpec))  # a None of `tree` has no leaf


def _parts(leaf):
    """A complex leaf is two in a relation: its real and its imaginary part."""
    return 2 if jax.numpy.issubdtype(leaf.dtype, jax.numpy.complexfloating) else 1


def _texts(specs, tree):
    return [text for s, leaf in zip(specs, jax.tree.leaves(tree)) for text in [_text(s)] * _parts(leaf)]


def _text(spec):
    """`P('dp', None, ('tp', 'sp'))`."""
    return "P(" + ", ".join(repr(part) for part in spec) + ")" if len(spec) else "replicated"


def _write(folder, sequential, distributed, relation=None):
    os.makedirs(folder, exist_ok=True)
    for name, text in (("sequential.hlo", sequential), ("distributed.hlo", distributed)):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    if relation is not None:
        with open(os.path.join(folder, "relation.json"), "w") as f:
            json.dump(relation, f, indent=1)
    elif os.path.exists(os.path.join(folder, "relation.json")):
        os.remove(os.path.join(folder, "relation.json"))
    return folder
