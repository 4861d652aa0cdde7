#!/usr/bin/env python3
"""JAX functions under jit with random shardings on 8 devices, captured by gg_jax before and after XLA's partitioner, each
decided by gg-harness: all must be read, and none may take longer than LIMIT or be refuted, unless JAX itself gives other
results on 8 devices than on one (then XLA's partitioner is wrong). The share that is proved is printed, and the seconds of slow ones.

usage: programs.py GG_HARNESS FOLDER [--further] [NAME...]     (in the environment of scripts/requirements.txt)
--further: the functions of further.py, which want flax and optax besides (scripts/requirements-further.txt); skipped without them.
"""
import os
import random
import subprocess
import sys
import time
import zlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8 --xla_backend_optimization_level=0"  # the texts are of interest
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../harness/capture"))

import gg_jax
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))
F = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)
I = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.int32)
U = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.uint32)
B = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.bool_)
C = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.complex64)
H = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.bfloat16)
X = F(8, 16)
PROGRAMS = {}
BUDGET, LIMIT, SLOW = "20", 120, 5  # seconds: of gg-harness itself, of its process, from which on they are printed

for name in ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "erf", "erfc", "exp",
             "expm1", "exp2", "floor", "is_finite", "lgamma", "log", "log1p", "logistic", "neg", "round", "rsqrt", "sign",
             "sin", "sinh", "sqrt", "square", "tan", "tanh", "erf_inv", "digamma", "integer_pow", "cumsum", "cumprod",
             "cummax", "cummin", "cumlogsumexp", "reciprocal"]:
    fn = getattr(lax, name)
    PROGRAMS[name] = ((lambda fn: lambda x: fn(x, 3))(fn) if name == "integer_pow" else fn, (X,))
for name in ["add", "sub", "mul", "div", "max", "min", "pow", "rem", "atan2", "nextafter", "eq", "ne", "lt", "le", "gt", "ge"]:
    PROGRAMS[name] = (getattr(lax, name), (X, X))
for name in ["population_count", "clz", "bitwise_not"]:
    PROGRAMS[name] = (getattr(lax, name), (I(8, 16),))
for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"]:
    PROGRAMS[name] = (getattr(lax, name), (I(8, 16), I(8, 16)))
PROGRAMS.update({
    "clamp": (lambda x: lax.clamp(-0.5, x, 0.5), (X,)),
    "select": (lax.select, (B(8, 16), X, X)),
    "convert": (lambda x: x.astype(jnp.int32), (X,)),
    "bitcast_to_float": (lambda x: lax.bitcast_convert_type(x, jnp.float32), (U(8, 16),)),
    "bitcast_to_int": (lambda x: lax.bitcast_convert_type(x, jnp.int32), (X,)),
    "bitcast_narrow": (lambda x: lax.bitcast_convert_type(x, jnp.uint8), (U(8, 16),)),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 8, 7), (X,)),
    "broadcast": (lambda x: lax.broadcast(x, (4,)), (X,)),
    "broadcast_in_dim": (lambda x: lax.broadcast_in_dim(x, (16, 4, 8), (2, 0)), (F(8, 16),)),
    "concatenate": (lambda x, y: lax.concatenate([x, y], 0), (X, F(4, 16))),
    "pad": (lambda x: lax.pad(x, 0.0, [(1, 2, 1), (0, -3, 0)]), (X,)),
    "reshape": (lambda x: x.reshape(4, 2, 32 // 2), (X,)),
    "reshape_merge": (lambda x: x.reshape(-1), (X,)),
    "rev": (lambda x: lax.rev(x, (1,)), (X,)),
    "slice": (lambda x: lax.slice(x, (1, 2), (7, 14), (2, 3)), (X,)),
    "transpose": (lambda x: x.T, (X,)),
    "squeeze": (lambda x: jnp.squeeze(x, 1), (F(8, 1, 16),)),
    "iota": (lambda x: x + lax.broadcasted_iota(jnp.float32, (8, 16), 1), (X,)),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 0), (4, 16)), (X, I())),
    "dynamic_update_slice": (lambda x, y, i: lax.dynamic_update_slice(x, y, (i, 2)), (X, F(4, 8), I())),
    "take": (lambda x, i: jnp.take(x, i, 0), (X, I(8))),
    "take_along_axis": (lambda x, i: jnp.take_along_axis(x, i, 1), (X, I(8, 4))),
    "at_add": (lambda x, i, y: x.at[i].add(y), (X, I(8), F(8, 16))),
    "at_max": (lambda x, i, y: x.at[i].max(y), (X, I(8), F(8, 16))),
    "segment_sum": (lambda x, i: jax.ops.segment_sum(x, i, 4), (X, I(8))),
    "dot": (lambda x, y: x @ y, (X, F(16, 8))),
    "dot_batch": (lambda x, y: jnp.einsum("bij,bjk->bik", x, y), (F(4, 8, 8), F(4, 8, 8))),
    "dot_bf16": (lambda x, y: x @ y, (H(8, 16), H(16, 8))),
    "conv": (lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME"), (F(2, 4, 8, 8), F(4, 4, 3, 3))),
    "conv_stride": (lambda x, k: lax.conv_general_dilated(x, k, (2, 2), "VALID"), (F(2, 4, 8, 8), F(8, 4, 2, 2))),
    "sum": (lambda x: jnp.sum(x, 0), (X,)),
    "sum_all": (jnp.sum, (X,)),
    "prod": (lambda x: jnp.prod(x, 1), (X,)),
    "max_reduce": (lambda x: jnp.max(x, 0), (X,)),
    "argmax": (lambda x: jnp.argmax(x, 1), (X,)),
    "argmin": (lambda x: jnp.argmin(x, 0), (X,)),
    "mean": (lambda x: jnp.mean(x, 0), (X,)),
    "var": (lambda x: jnp.var(x, 1), (X,)),
    "std": (jnp.std, (X,)),
    "norm": (jnp.linalg.norm, (X,)),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, 1), (X,)),
    "softmax": (lambda x: jax.nn.softmax(x, -1), (X,)),
    "log_softmax": (lambda x: jax.nn.log_softmax(x, 0), (X,)),
    "gelu": (jax.nn.gelu, (X,)),
    "silu": (jax.nn.silu, (X,)),
    "relu": (jax.nn.relu, (X,)),
    "elu": (jax.nn.elu, (X,)),
    "softplus": (jax.nn.softplus, (X,)),
    "one_hot": (lambda i: jax.nn.one_hot(i, 16), (I(8),)),
    "sort": (lambda x: jnp.sort(x, 1), (X,)),
    "argsort": (lambda x: jnp.argsort(x, 0), (X,)),
    "sort_pair": (lambda x, y: lax.sort((x, y), num_keys=1), (X, X)),
    "top_k": (lambda x: lax.top_k(x, 4), (X,)),
    "median": (lambda x: jnp.median(x, 0), (X,)),
    "any": (lambda x: jnp.any(x, 0), (B(8, 16),)),
    "all": (jnp.all, (B(8, 16),)),
    "where": (lambda c, x: jnp.where(c, x, 0.0), (B(8, 16), X)),
    "tril": (jnp.tril, (F(16, 16),)),
    "diag": (jnp.diag, (F(16, 16),)),
    "trace": (jnp.trace, (F(16, 16),)),
    "roll": (lambda x: jnp.roll(x, 3, 0), (X,)),
    "diff": (lambda x: jnp.diff(x, axis=1), (X,)),
    "stack": (lambda x, y: jnp.stack([x, y], 1), (X, X)),
    "tile": (lambda x: jnp.tile(x, (2, 1)), (X,)),
    "repeat": (lambda x: jnp.repeat(x, 2, 0), (X,)),
    "outer": (jnp.outer, (F(8), F(16))),
    "kron": (jnp.kron, (F(2, 4), F(4, 2))),
    "cross": (jnp.cross, (F(8, 3), F(8, 3))),
    "interp": (lambda x: jnp.interp(x, jnp.arange(4.0), jnp.arange(4.0) ** 2), (F(16),)),
    "searchsorted": (lambda x, v: jnp.searchsorted(jnp.sort(x), v), (F(16), F(8))),
    "histogram": (lambda x: jnp.bincount(x, length=8), (I(16),)),
    "nan_to_num": (jnp.nan_to_num, (X,)),
    "clip": (lambda x: jnp.clip(x, -0.3, 0.3), (X,)),
    "floor_divide": (lambda x, y: x // (jnp.abs(y) + 1), (I(8, 16), I(8, 16))),
    "mod": (lambda x, y: jnp.mod(x, jnp.abs(y) + 1), (X, X)),
    "divmod": (lambda x: jnp.divmod(x, 3), (I(8, 16),)),
    "logaddexp": (jnp.logaddexp, (X, X)),
    "hypot": (jnp.hypot, (X, X)),
    "sinc": (jnp.sinc, (X,)),
    "reduce_window": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"), (X,)),
    "avg_pool": (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 4), (1, 1), "SAME") / 4, (X,)),
    "max_pool_grad": (lambda x: jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID") ** 2))(x), (X,)),
    "scan": (lambda x: lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(16), x), (X,)),
    "fori_loop": (lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.tanh(y) + x, x), (X,)),
    "while_loop": (lambda x: lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, s[1] * 0.5), (0, x))[1], (X,)),
    "cond": (lambda i, x: lax.cond(i > 2, jnp.sin, jnp.cos, x), (I(), X)),
    "switch": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x), (I(), X)),
    "map": (lambda x: lax.map(lambda r: r / (1 + jnp.sum(r * r)), x), (X,)),
    "associative_scan": (lambda x: lax.associative_scan(jnp.add, x, axis=0), (X,)),
    "grad_mlp": (lambda x, w, v: jax.grad(lambda w, v: jnp.sum(jnp.tanh(x @ w) @ v), (0, 1))(w, v), (X, F(16, 32), F(32, 8))),
    "uniform": (lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (8, 16)), (U(2),)),
    "normal": (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (8, 16)), (U(2),)),
    "bernoulli": (lambda k: jax.random.bernoulli(jax.random.wrap_key_data(k), 0.3, (8, 16)), (U(2),)),
    "permutation": (lambda k, x: jax.random.permutation(jax.random.wrap_key_data(k), x), (U(2), X)),
    "randint": (lambda k: jax.random.randint(jax.random.wrap_key_data(k), (16,), 0, 100), (U(2),)),
    "rng_bits": (lambda k: lax.rng_bit_generator(k, (8, 16))[1], (U(4),)),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T + 8 * jnp.eye(8)), (F(8, 8),)),
    "triangular_solve": (lambda a, b: jax.scipy.linalg.solve_triangular(a + 4 * jnp.eye(8), b, lower=True), (F(8, 8), F(8, 16))),
    "qr": (jnp.linalg.qr, (F(8, 8),)),
    "svd": (lambda x: jnp.linalg.svd(x, compute_uv=False), (F(8, 8),)),
    "eigh": (lambda x: jnp.linalg.eigh(x + x.T)[0], (F(8, 8),)),
    "solve": (jnp.linalg.solve, (F(8, 8), F(8))),
    "inv": (jnp.linalg.inv, (F(8, 8),)),
    "det": (jnp.linalg.det, (F(4, 4),)),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), (X,)),
    "rfft": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), (X,)),
    "complex": (lambda x, y: jnp.real(lax.complex(x, y) * lax.complex(y, x)), (X, X)),
    "fft2": (lambda x: jnp.real(jnp.fft.ifft2(jnp.fft.fft2(x))), (F(4, 8, 8),)),
    "complex_mul": (lambda x, y: x * y, (C(8, 16), C(8, 16))),
    "complex_dot": (lambda x, y: x @ y, (C(8, 16), C(16, 8))),
    "complex_sum": (lambda x: jnp.sum(x * jnp.conj(x), 0), (C(8, 16),)),
    "complex_loop": (lambda z: lax.fori_loop(0, 3, lambda i, z: z * z + 0.1j, z), (C(8, 16),)),
    "complex_exp": (lambda x: jnp.angle(jnp.exp(1j * x) + 2), (X,)),
    "rotary": (lambda x, f: lax.complex(*jnp.split(x, 2, -1)) * jnp.exp(1j * f), (X, F(8, 8))),
    "poly": (lambda x: jnp.polyval(jnp.array([1.0, -2.0, 0.5]), x), (X,)),
    "convolve": (lambda x, y: jnp.convolve(x, y, mode="same"), (F(16), F(4))),
    "vander": (lambda x: jnp.vander(x, 4), (F(16),)),
    "gather_nd": (lambda x, i, j: x[i, j], (X, I(8), I(8))),
    "at_set": (lambda x, i, y: x.at[i].set(y), (X, I(4), F(4, 16))),
    "at_mul": (lambda x, i, y: x.at[:, i].multiply(y), (X, I(8), F(8, 8))),
    "scatter_min": (lambda x, i, y: x.at[i].min(y), (X, I(8), F(8, 16))),
    "select_and_gather": (lambda x: jnp.take(jnp.where(x > 0, x, -x), jnp.array([3, 1, 2]), 0), (X,)),
    "percentile": (lambda x: jnp.percentile(x, 30, axis=1), (X,)),
    "cov": (lambda x: jnp.cov(x), (X,)),
    "layer_norm": (lambda x, g: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g, (X, F(16))),
    "attention": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), (F(2, 8, 4, 8), F(2, 8, 4, 8), F(2, 8, 4, 8))),
    "grad_softmax": (lambda x, y: jax.grad(lambda x: -jnp.sum(y * jax.nn.log_softmax(x)))(x), (X, X)),
    "grad_conv": (lambda x, k: jax.grad(lambda k: jnp.sum(lax.conv_general_dilated(x, k, (1, 1), "SAME") ** 2))(k), (F(2, 4, 8, 8), F(4, 4, 3, 3))),
    "hessian": (lambda x: jax.hessian(lambda x: jnp.sum(x ** 3))(x), (F(8),)),
    "vmap_dot": (lambda x, w: jax.vmap(lambda r: jnp.tanh(r @ w))(x), (X, F(16, 8))),
    "remat": (lambda x, w: jax.grad(lambda w: jnp.sum(jax.checkpoint(lambda w: jnp.sin(x @ w))(w)))(w), (X, F(16, 8))),
    "categorical": (lambda k, x: jax.random.categorical(jax.random.wrap_key_data(k), x), (U(2), X)),
    "f8": (lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32) * 2, (X,)),
    "int4": (lambda x: x.astype(jnp.int4).astype(jnp.int32) + 1, (I(8, 16),)),
    "psum_scatter": (jax.shard_map(lambda x: lax.psum_scatter(x, "b", tiled=True), mesh=MESH, in_specs=P("a", None),
                                   out_specs=P(("a", "b"), None), check_vma=False), (F(16, 16),)),
    "ppermute": (jax.shard_map(lambda x: lax.ppermute(x, "b", [(k, (k + 1) % 4) for k in range(4)]), mesh=MESH,
                               in_specs=P("a", "b"), out_specs=P("a", "b")), (X,)),
    "all_to_all": (jax.shard_map(lambda x: lax.all_to_all(x, "b", 1, 0, tiled=True), mesh=MESH, in_specs=P("b", None),
                                 out_specs=P(None, "b")), (F(16, 16),)),
})


def random_spec(rng, dims):
    """Axes over dimensions that they divide, each axis at most once."""
    parts, axes = [], [("a", 2), ("b", 4)]
    for n in dims:
        fitting = [axis for axis in axes if n % axis[1] == 0]
        if fitting and rng.random() < 0.6:
            axis = rng.choice(fitting)
            axes.remove(axis)
            parts.append(axis[0])
        else:
            parts.append(None)
    return P(*parts)


def placed(rng, x):
    spec = random_spec(rng, x.shape)
    if jnp.issubdtype(x.dtype, jnp.unsignedinteger) and x.shape in ((2,), (4,)):
        spec = P()  # keys of random numbers
    return jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(MESH, spec))


def decide(harness, case):
    """(verdict, closing line, messages) of a captured case."""
    try:
        run = subprocess.run([harness, "check", case, "--witness", case + ".witness", "--budget-seconds", BUDGET],
                             capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "too slow", f"no answer in {LIMIT} s at --budget-seconds {BUDGET}", ""
    verdict = {0: "proved", 1: "refuted", 2: "unknown", 3: "refused"}.get(run.returncode, "broken")
    return verdict, (run.stdout.strip().splitlines() or [""])[-1], run.stderr


def jax_differs(fn, args):
    """Does JAX compute something else on the sharded arguments than on one device? Says so with both values."""
    rng = np.random.default_rng(0)
    def draw(x):
        if jnp.issubdtype(x.dtype, jnp.inexact):
            return rng.normal(size=x.shape).astype(x.dtype)
        return rng.integers(0, 2, x.shape).astype(x.dtype)
    values = jax.tree.map(draw, args)
    alone = jax.tree.leaves(jax.jit(fn)(*values))
    there = jax.tree.leaves(jax.jit(fn)(*jax.tree.map(lambda v, x: jax.device_put(v, x.sharding), values, args)))
    for a, b in zip(alone, there):
        a, b = np.asarray(a), np.asarray(b)
        if not np.allclose(a, b, rtol=1e-3, atol=1e-3, equal_nan=True):
            at = np.unravel_index(np.argmax(np.abs(a.astype(np.complex128) - b)), a.shape)
            return f"one device {a[at]}, eight devices {b[at]} at {list(map(int, at))}"
    return ""


def chosen(names):
    """The functions that are asked for, by name."""
    further = "--further" in names
    names = [n for n in names if n != "--further"]
    programs = PROGRAMS
    if further:
        try:
            from further import FURTHER as programs
        except ModuleNotFoundError as missing:
            print(f"skipped: {missing}")
            sys.exit(77)
    return {n: p for n, p in programs.items() if not names or n in names}, names


def main(harness, folder, names):
    counts = dict.fromkeys(["proved", "unknown", "refused", "refuted", "wrong in JAX", "broken", "too slow", "not captured"], 0)
    bad = []
    programs, names = chosen(names)
    for name, (fn, args) in programs.items():
        rng = random.Random(zlib.crc32(name.encode()))
        case = os.path.join(folder, name)
        args = jax.tree.map(lambda x: placed(rng, x), args)
        try:
            gg_jax.capture(fn, args, folder=case)
        except Exception as error:  # jax itself refuses: not about gg-harness
            counts["not captured"] += 1
            print(f"{name}: not captured: {str(error).splitlines()[0][:150]}")
            continue
        start = time.monotonic()
        verdict, line, messages = decide(harness, case)
        seconds = time.monotonic() - start
        if verdict == "refuted" and (values := jax_differs(fn, args)):
            verdict = "wrong in JAX"
            print(f"{name}: refuted, and so does JAX: {values}")
        counts[verdict] += 1
        if verdict in ("unknown", "refused") or names:
            print(f"{name}: {line[:150] or messages.splitlines()[0]}")
        if seconds > SLOW:
            print(f"{name}: {seconds:.1f} s")
        if verdict not in ("proved", "unknown", "wrong in JAX"):
            bad.append(name)
            print(f"FAIL {name}: {verdict}: {line[:200]} {messages[:300]}")
        sys.stdout.flush()
    total = sum(counts.values()) - counts["not captured"]
    print(f"{total} programs: " + ", ".join(f"{v} {k}" for k, v in counts.items())
          + f"; read {total - counts['refused'] - counts['broken']} of {total}; proved {100 * counts['proved'] // max(1, total)} %")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
