#!/usr/bin/env python3
"""`compare` on dumps of real runs: gradients of a small tensor-parallel layer with a norm, a sequential run and one file a rank
written by gg_dump.py; right, and with the gradient of the norm left unreduced. jax: 4 CPU devices in one process; torch: 2
processes over gloo. usage: compare_runs.py GG_HARNESS FOLDER [jax | torch]; closing line: N passed, M failed (77 without the framework)
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../../harness/compare"), os.path.join(HERE, "..")]
import gg_dump
from counted import answer, counted

BATCH, WIDTH, HIDDEN = 8, 16, 32


def numbers(*dims):
    """The same on every rank, different everywhere."""
    import numpy as np
    return np.random.default_rng(sum(dims) * 31 + len(dims)).normal(0, 0.3, dims).astype(np.float32)


def relation(folder, ranks):
    with open(os.path.join(folder, "relation.json"), "w") as f:
        json.dump({"mesh": [["tp", ranks]], "default": "replicated",
                   "tensors": {"w1.grad": [[], ["tp"]], "w2.grad": [["tp"], []], "hidden": [[], ["tp"]]}}, f)


def run_jax(folder):
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.sharding import Mesh, PartitionSpec as P
    x, g, w1, w2 = numbers(BATCH, WIDTH), 1 + numbers(WIDTH), numbers(WIDTH, HIDDEN), numbers(HIDDEN, WIDTH)

    def grads(x, g, w1, w2, reduce=lambda v: v, unreduced=False):
        """By hand, as a framework does it: the gradient of the norm needs a sum over the ranks."""
        scale = lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)
        h = jnp.tanh((x * scale * g) @ w1)
        y = reduce(h @ w2)
        dy = 2 * y / y.size
        dh = (dy @ w2.T) * (1 - h * h)
        dn = dh @ w1.T
        dg = jnp.sum(dn * x * scale, 0)
        return {"hidden": h, "loss": jnp.mean(y * y), "norm.grad": dg if unreduced else reduce(dg), "w1.grad": (x * scale * g).T @ dh,
                "w2.grad": h.T @ dy}

    gg_dump.write(f"{folder}/seq/all.safetensors", jax.jit(grads)(x, g, w1, w2))
    mesh = Mesh(np.array(jax.devices()), ("tp",))
    for name, unreduced in (("good", False), ("bad", True)):
        part = lambda *a: jax.tree.map(lambda v: v[None], grads(*a, lambda v: lax.psum(v, "tp"), unreduced))
        f = jax.jit(jax.shard_map(part, mesh=mesh, in_specs=(P(), P(), P(None, "tp"), P("tp", None)), out_specs=P("tp"), check_vma=False))
        out = f(x, g, w1, w2)
        for rank in range(4):
            gg_dump.write(f"{folder}/{name}/rank{rank}.safetensors", {k: np.asarray(v)[rank] for k, v in out.items()})
    relation(folder, 4)


def torch_grads(torch, x, g, w1, w2, reduce=lambda v: v, unreduced=False):
    g, w1, w2 = (v.clone().requires_grad_() for v in (g, w1, w2))
    h = torch.tanh((x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * g) @ w1)
    y = h @ w2
    whole = reduce(y.detach().clone())
    y.backward(2 * whole / whole.numel())  # the backward of an all-reduce in forward
    return {"hidden": h.detach(), "loss": (whole * whole).mean(), "norm.grad": g.grad if unreduced else reduce(g.grad.clone()), "w1.grad": w1.grad,
            "w2.grad": w2.grad}


def torch_rank(folder, rank, ranks):
    import torch
    import torch.distributed as dist
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=ranks)

    def reduce(v):
        dist.all_reduce(v)
        return v
    x, g, w1, w2 = (torch.from_numpy(v) for v in (numbers(BATCH, WIDTH), 1 + numbers(WIDTH), numbers(WIDTH, HIDDEN), numbers(HIDDEN, WIDTH)))
    for name, unreduced in (("good", False), ("bad", True)):
        out = torch_grads(torch, x, g, w1.chunk(ranks, 1)[rank], w2.chunk(ranks, 0)[rank], reduce, unreduced)
        gg_dump.write(f"{folder}/{name}/rank{rank}.safetensors", out)
    dist.destroy_process_group()


def run_torch(folder):
    import torch
    x, g, w1, w2 = (torch.from_numpy(v) for v in (numbers(BATCH, WIDTH), 1 + numbers(WIDTH), numbers(WIDTH, HIDDEN), numbers(HIDDEN, WIDTH)))
    gg_dump.write(f"{folder}/seq/all.safetensors", torch_grads(torch, x, g, w1, w2))
    ranks = [subprocess.Popen([sys.executable, __file__, "rank", folder, str(rank), "2"]) for rank in range(2)]
    if any(process.wait() != 0 for process in ranks):
        raise RuntimeError("a rank failed")
    relation(folder, 2)


def main(harness, folder, framework):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        {"jax": run_jax, "torch": run_torch}[framework](folder)
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    wanted = [("seq good", 2, "unknown reason=agrees-only tensors=5 not-compared=0"), ("seq bad", 1, "marked=norm.grad"),
              ("seq bad", 1, "> norm.grad"), ("bad", 1, "norm.grad"), ("good", 2, "not-compared=0")]
    return counted((arguments, answer([harness, "compare", *arguments.split(), "--relation", "relation.json"], code, text, cwd=folder)) for arguments, code, text in wanted)


if __name__ == "__main__":
    if sys.argv[1] == "rank":
        torch_rank(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "jax"))
