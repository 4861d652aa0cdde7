#!/usr/bin/env python3
"""gg_jax as its page shows it: capture, capture_pair and partition write cases that are decided. usage: captures.py GG_HARNESS FOLDER;
closing line: N passed, M failed"""
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../harness/capture"), os.path.join(HERE, "..")]

import gg_jax
import jax
import jax.numpy as jnp
import numpy as np
from counted import answer, counted
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))
X, W, V = (jax.ShapeDtypeStruct(dims, jnp.float32) for dims in ((8, 16), (16, 32), (32, 16)))
TEXT = """HloModule text, entry_computation_layout={(f32[8,16]{1,0}, f32[16,32]{1,0})->f32[8,32]{1,0}}

ENTRY %main (x: f32[8,16], w: f32[16,32]) -> f32[8,32] {
  %x = f32[8,16]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}
  %w = f32[16,32]{1,0} parameter(1), sharding={devices=[4,1]<=[4]}
  ROOT %y = f32[8,32]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, sharding={replicated}
}
"""


def layer(x, w, v):
    return jnp.tanh(x @ w) @ v


def shard(reduce):
    def part(x, w, v):
        y = layer(x, w, v)
        return lax.psum(y, "tp") if reduce else y
    return jax.shard_map(part, mesh=MESH, in_specs=(P("dp"), P(None, "tp"), P("tp")), out_specs=P("dp"), check_vma=False)


def rolled(mesh, step):
    """Blocks of rows go round by `step` devices of the mesh."""
    part = lambda x: lax.ppermute(x, "x", [(k, (k + step) % 8) for k in range(8)])
    return jax.shard_map(part, mesh=mesh, in_specs=P("x"), out_specs=P("x"))


def main(harness, folder):
    put = lambda x, spec: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(MESH, spec))
    at = lambda name: os.path.join(folder, name)
    specs = (P("dp"), P(None, "tp"), P("tp"))
    gg_jax.capture(layer, tuple(map(put, (X, W, V), specs)), folder=at("capture"))
    gg_jax.capture(layer, (X, W, V), in_shardings=tuple(NamedSharding(MESH, s) for s in specs), out_shardings=NamedSharding(MESH, P("dp")),
                   folder=at("in_shardings"))
    gg_jax.capture_pair(layer, shard(True), (X, W, V), MESH, specs, P("dp"), folder=at("pair"))
    gg_jax.capture_pair(layer, shard(False), (X, W, V), MESH, specs, P("dp"), folder=at("pair_without_psum"))
    with_more = lambda f: lambda params, unused: f(*params["all"])  # a leaf that is none, an argument that no program reads
    gg_jax.capture_pair(with_more(layer), with_more(shard(True)), ({"all": (X, W, V), "activation": None}, jnp.zeros(4)), MESH,
                        ({"all": specs, "activation": None}, P("dp")), P("dp"), folder=at("none_and_unused"))
    same = jax.shard_map(lambda p: p["w"], mesh=MESH, in_specs=({"w": P("dp")},), out_specs=P("dp"))
    gg_jax.capture_pair(lambda p: jnp.abs(p["w"]), same, ({"w": X},), MESH, ({"w": P("dp")},), P("dp"), folder=at("named_range"), ranges={"p['w']": (0, 1)})
    turn = lambda z, w, s: (z * jnp.exp(s * 1j) @ w, jnp.real(z) * s)
    turned = lambda bias: jax.shard_map(lambda z, w, s: jax.tree.map(lambda y: y + bias, turn(z, w, s)), mesh=MESH, in_specs=(P("dp"), P(None, "tp"), P()), out_specs=(P("dp", "tp"), P("dp")))
    complexes = (jax.ShapeDtypeStruct((4, 6), jnp.complex64), jax.ShapeDtypeStruct((6, 8), jnp.complex64), jax.ShapeDtypeStruct((), jnp.float32))
    for name, bias in (("complex", 0), ("complex_with_bias", 1)):
        gg_jax.capture_pair(turn, turned(bias), complexes, MESH, (P("dp"), P(None, "tp"), P()), (P("dp", "tp"), P("dp")), folder=at(name), ranges={2: (0, 3), "z": (-1, 1)})
    ring = Mesh(np.array(jax.devices())[[3, 1, 0, 2, 6, 7, 5, 4]], ("x",))  # the ranks are places in the mesh, not numbers of devices
    for name, step in (("permuted_mesh", 1), ("permuted_mesh_backwards", -1)):
        gg_jax.capture_pair(lambda x: jnp.roll(x, 2, 0), rolled(ring, step), (jax.ShapeDtypeStruct((16, 3), jnp.float32),), ring, (P("x"),), P("x"), folder=at(name))
    gg_jax.partition(TEXT, 4, folder=at("partition"))
    wanted = [("capture", 0, "proved claim=partitioner"), ("in_shardings", 0, "proved claim=partitioner"), ("pair", 0, "proved claim=refinement"),
              ("none_and_unused", 0, "proved claim=refinement"), ("named_range", 0, "assumptions=finite-inputs,range("), ("complex", 0, "proved claim=refinement"), ("complex_with_bias", 1, "refuted"), ("permuted_mesh", 0, "proved claim=refinement"), ("permuted_mesh_backwards", 1, "refuted"), ("pair_without_psum", 1, "missing all-reduce over tp"), ("partition", 0, "proved claim=partitioner")]
    return counted((name, answer([harness, "check", at(name), "--witness", at(name) + ".witness"], code, text)) for name, code, text in wanted)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
