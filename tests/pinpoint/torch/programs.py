"""Programs of which tests/pinpoint/torch holds the captures. `python3 programs.py NAME DEFECT FOLDER` captures one."""
import contextlib
import functools
import os
import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gg_torch


def weight(*shape):
    return (torch.randn(*shape) * 0.3).requires_grad_(True)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, defect):
        ctx.defect = defect
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        if ctx.defect != "copy-unreduced":
            g = g.contiguous().clone()
            dist.all_reduce(g)
        return g, None


class Reduce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g


class Gated:
    """Two gated layers, columns and rows over tp."""
    ranks, case = {"tp": 2}, dict(placements={f"{w}{k}": ("tp", 1) if w != "down" else "tp" for w in ("gate", "up", "down") for k in range(2)})
    defects = ["copy-unreduced"]

    @staticmethod
    def args():
        return {"p": {f"{w}{k}": weight(*s) for k in range(2) for w, s in (("norm", (6,)), ("gate", (6, 8)), ("up", (6, 8)), ("down", (8, 6)))}, "x": torch.randn(4, 6)}

    @staticmethod
    def run(p, x, copy, reduce):
        for k in range(2):
            h = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * p[f"norm{k}"]
            h = copy(h)
            x = x + reduce((F.silu(h @ p[f"gate{k}"]) * (h @ p[f"up{k}"])) @ p[f"down{k}"])
        return x.square().sum()

    @staticmethod
    def sequential(p, x):
        loss = Gated.run(p, x, lambda t: t, lambda t: t)
        return {"loss": loss, "grads": gg_torch.grads(loss, p)}

    @staticmethod
    def distributed(p, x, defect=None):
        loss = Gated.run(p, x, lambda t: Copy.apply(t, defect), Reduce.apply)
        return {"loss": loss, "grads": gg_torch.grads(loss, p)}


class Weighted:
    """Regression with a weight a row, two micro-batches, gradients over dp."""
    ranks, case = {"dp": 2}, dict(batch={"x": "dp", "y": "dp", "m": "dp"}, ranges={"m": [0.1, 1.0]})
    defects = ["means-of-ranks", "sum-not-mean"]

    @staticmethod
    def args():
        return {"p": {"a": weight(5, 7), "b": weight(7, 3)}, "x": torch.randn(8, 5), "y": torch.randn(8, 3), "m": torch.rand(8)}

    @staticmethod
    def losses(p, x, y, m):
        return ((torch.tanh(x @ p["a"]) @ p["b"] - y).square().sum(-1) * m).sum()

    @staticmethod
    def sequential(p, x, y, m):
        loss = Weighted.losses(p, x, y, m) / m.sum()
        return {"loss": loss, "grads": gg_torch.grads(loss, p)}

    @staticmethod
    def distributed(p, x, y, m, defect=None):
        n = dist.get_world_size()
        total = m.sum()
        if defect != "means-of-ranks":
            dist.all_reduce(total)
        loss, grads = 0.0, None
        for k in range(2):
            part = Weighted.losses(p, x[2 * k:2 * k + 2], y[2 * k:2 * k + 2], m[2 * k:2 * k + 2]) / total
            g = gg_torch.grads(part, p)
            loss, grads = loss + part.detach(), g if grads is None else {name: grads[name] + g[name] for name in g}
        loss = loss.clone()
        dist.all_reduce(loss)
        for g in grads.values():
            dist.all_reduce(g)
        if defect == "means-of-ranks":
            loss, grads = loss / n, {name: g / n for name, g in grads.items()}
        if defect == "sum-not-mean":
            grads = {name: g * n for name, g in grads.items()}
        return {"loss": loss, "grads": grads}


class Exchange(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        received = torch.empty_like(x)
        dist.all_to_all_single(received, x.contiguous())
        return received

    @staticmethod
    def backward(ctx, g):
        return Exchange.forward(ctx, g)


class Heads:
    """Tokens over cp, heads exchanged for tokens and back."""
    ranks, case = {"cp": 2}, dict(batch={"x": "cp"}, outputs={"y": "cp"})
    defects = ["blocks-out-of-order"]

    @staticmethod
    def args():
        return {"w": torch.randn(6, 12), "x": torch.randn(8, 6)}

    @staticmethod
    def sequential(w, x):
        h = (x @ w).view(8, 4, 3)
        return {"y": torch.softmax(h, 0).cumsum(0).reshape(8, 12)}

    @staticmethod
    def distributed(w, x, defect=None):
        n, own = dist.get_world_size(), x.shape[0]
        h = (x @ w).view(own, n, 4 // n, 3).transpose(0, 1).reshape(n * own, 4 // n, 3)
        h = torch.softmax(Exchange.apply(h), 0).cumsum(0)
        back = Exchange.apply(h).view(n, own, 4 // n, 3)
        if defect == "blocks-out-of-order":
            return {"y": back.reshape(own, 12)}
        return {"y": back.transpose(0, 1).reshape(own, 12)}


class Stages:
    """Two stages forward, two micro-batches."""
    ranks, case = {"pp": 2}, {}
    defects = ["received-out-of-order"]

    @staticmethod
    def args():
        return {"first": torch.randn(5, 4), "second": torch.randn(4, 3), "x": torch.randn(4, 5), "t": torch.randn(4, 3)}

    @staticmethod
    def dist_args():
        made = Stages.args()
        for name in (("second", "t"), ("first", "x"))[dist.get_rank()]:
            del made[name]
        return made

    @staticmethod
    def sequential(first, second, x, t):
        parts = [torch.tanh(a @ first) for a in x.chunk(2)]
        return {"sent": torch.cat(parts), "loss": sum((a @ second - b).square().sum() for a, b in zip(parts, t.chunk(2)))}

    @staticmethod
    def distributed(first=None, second=None, x=None, t=None, defect=None):
        if first is not None:
            parts = [torch.tanh(part @ first) for part in x.chunk(2)]
            for part in parts:
                dist.send(part, 1)
            return {"sent": torch.cat(parts)}
        parts = [torch.empty(2, 4) for _ in range(2)]
        for k in reversed(range(2)) if defect else range(2):
            dist.recv(parts[k], 0)
        return {"loss": sum((a @ second - b).square().sum() for a, b in zip(parts, t.chunk(2)))}


class Norm:
    """Tokens over sp: the norm's weights see the rank's tokens only."""
    ranks, case = {"sp": 2}, dict(batch={"x": "sp"}, outputs={"y": "sp"})
    defects = ["norm-unreduced", "loss-sum"]

    @staticmethod
    def args():
        return {"p": {"g": weight(6), "b": weight(6), "w": weight(6, 6)}, "x": torch.randn(8, 6)}

    @staticmethod
    def sequential(p, x):
        y = x + torch.relu(F.layer_norm(x, (6,), p["g"], p["b"]) @ p["w"])
        return {"y": y, "grads": gg_torch.grads(y.square().mean(), p)}

    @staticmethod
    def distributed(p, x, defect=None):
        n = dist.get_world_size()
        y = x + torch.relu(F.layer_norm(x, (6,), p["g"], p["b"]) @ p["w"])
        loss = y.square()
        if defect == "loss-sum":
            loss = loss.sum()
        else:
            loss = loss.mean()
        grads = gg_torch.grads(loss, p)
        for name in grads:
            if defect != "norm-unreduced" or name == "w":
                dist.all_reduce(grads[name])
            grads[name] = grads[name] / n
        return {"y": y, "grads": grads}


class Clipped:
    """A step of AdamW behind a clip by the norm of all gradients, data over dp."""
    ranks, case = {"dp": 2}, dict(batch={"x": "dp", "y": "dp"}, ranges={f"v['{w}']": [0.0, 1.0] for w in "ab"})
    defects = ["one-unreduced", "clipped-before"]

    @staticmethod
    def args():
        each = lambda made: {"a": made(5, 7), "b": made(7, 3)}
        return {"p": each(weight), "m": each(torch.randn), "v": each(torch.rand), "x": torch.randn(8, 5), "y": torch.randn(8, 3)}

    @staticmethod
    def grads(p, x, y):
        return gg_torch.grads((torch.tanh(x @ p["a"]) @ p["b"] - y).square().mean(), p)

    @staticmethod
    def clipped(grads):
        scale = torch.clamp(1.0 / (torch.stack([g.norm() for g in grads.values()]).norm() + 1e-6), max=1.0)
        return {name: g * scale for name, g in grads.items()}

    @staticmethod
    def stepped(p, m, v, grads):
        out = {}
        for name, g in grads.items():
            first, second = m[name] * 0.9 + 0.1 * g, v[name] * 0.95 + 0.05 * g * g
            out[name] = p[name].detach() * 0.999 - 0.01 * (first / 0.1) / ((second / 0.05).sqrt() + 1e-8)
            out["m" + name], out["v" + name] = first, second
        return out

    @staticmethod
    def sequential(p, m, v, x, y):
        return Clipped.stepped(p, m, v, Clipped.clipped(Clipped.grads(p, x, y)))

    @staticmethod
    def distributed(p, m, v, x, y, defect=None):
        grads = Clipped.grads(p, x, y)
        if defect == "clipped-before":
            grads = Clipped.clipped(grads)
        for name in grads:
            if defect != "one-unreduced" or name == "b":
                dist.all_reduce(grads[name])
                grads[name] = grads[name] / dist.get_world_size()
        return Clipped.stepped(p, m, v, grads if defect == "clipped-before" else Clipped.clipped(grads))


class Synced:
    """DistributedDataParallel, clip_grad_norm_ and AdamW."""
    ranks, case = {"dp": 2}, dict(batch={"x": "dp", "y": "dp"})
    defects = ["unsynced"]

    @staticmethod
    def args():
        return {"model": nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3)), "x": torch.randn(8, 5), "y": torch.randn(8, 3)}

    @staticmethod
    def stepped(model):
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        torch.optim.AdamW(model.parameters(), lr=0.01, foreach=False).step()
        return {"p": {name: p.detach() for name, p in model.named_parameters()}}

    @staticmethod
    def sequential(model, x, y):
        F.mse_loss(model(x), y).backward()
        return Synced.stepped(model)

    @staticmethod
    def distributed(model, x, y, defect=None):
        parallel = DistributedDataParallel(model)
        with parallel.no_sync() if defect else contextlib.nullcontext():
            F.mse_loss(parallel(x), y).backward()
        return Synced.stepped(model)


class GatheredRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        rows = torch.empty(dist.get_world_size() * x.shape[0], *x.shape[1:])
        dist.all_gather_into_tensor(rows, x.contiguous())
        return rows

    @staticmethod
    def backward(ctx, g):
        g = g.contiguous().clone()
        dist.all_reduce(g)
        return g.chunk(dist.get_world_size())[dist.get_rank()]


class Contrast:
    """A contrastive loss of the rank's own rows against all, data over dp."""
    ranks, case = {"dp": 2}, dict(batch={"x": "dp", "y": "dp"})
    defects = ["gathered-is-constant", "labels-no-offset"]

    @staticmethod
    def args():
        return {"p": {"a": weight(5, 4), "b": weight(6, 4)}, "x": torch.randn(6, 5), "y": torch.randn(6, 6)}

    @staticmethod
    def features(p, x, y):
        return F.normalize(x @ p["a"], dim=-1), F.normalize(y @ p["b"], dim=-1)

    @staticmethod
    def sequential(p, x, y):
        a, b = Contrast.features(p, x, y)
        s, own = 3.0 * a @ b.T, torch.arange(len(x))
        loss = (F.cross_entropy(s, own) + F.cross_entropy(s.T, own)) / 2
        return {"loss": loss, "grads": gg_torch.grads(loss, p)}

    @staticmethod
    def distributed(p, x, y, defect=None):
        a, b = Contrast.features(p, x, y)
        all_a, all_b = (GatheredRows.apply(t.detach() if defect == "gathered-is-constant" else t) for t in (a, b))
        own = torch.arange(len(x)) + (0 if defect == "labels-no-offset" else dist.get_rank() * len(x))
        loss = (F.cross_entropy(3.0 * a @ all_b.T, own) + F.cross_entropy(3.0 * b @ all_a.T, own)) / 2
        grads, loss = gg_torch.grads(loss, p), loss.detach().clone()
        for t in (loss, *grads.values()):
            dist.all_reduce(t)
        return {"loss": loss / dist.get_world_size(), "grads": {name: g / dist.get_world_size() for name, g in grads.items()}}


class Decode:
    """One step of decoding against a cache over cp, each rank's output by its own softmax."""
    ranks, case = {"cp": 2}, dict(batch={"k": "cp", "v": "cp"})
    defects = ["shares-of-logarithms"]

    @staticmethod
    def args():
        return {"q": torch.randn(3, 4), "k": torch.randn(8, 4), "v": torch.randn(8, 5)}

    @staticmethod
    def sequential(q, k, v):
        return {"o": torch.softmax(q @ k.T * 0.5, -1) @ v}

    @staticmethod
    def distributed(q, k, v, defect=None):
        s = q @ k.T * 0.5
        own, o = torch.logsumexp(s, -1), torch.softmax(s, -1) @ v
        every = torch.empty(dist.get_world_size() * len(own))
        dist.all_gather_into_tensor(every, own)
        every = every.view(-1, len(own))
        o = o * (own / every.sum(0) if defect else torch.exp(own - torch.logsumexp(every, 0)))[:, None]
        dist.all_reduce(o)
        return {"o": o}


class Layer:
    """A layer of a decoder, heads and hidden columns over tp: what its operators are told beside tensors."""
    ranks, case = {"tp": 2}, dict(placements={"q": ("tp", 1), "k": ("tp", 1), "v": ("tp", 1), "o": "tp", "up": ("tp", 1), "down": "tp"})
    defects = ["not-causal", "gelu-exact", "small-epsilon"]

    @staticmethod
    def args():
        return {"p": {"q": weight(8, 8), "k": weight(8, 8), "v": weight(8, 8), "o": weight(8, 8), "norm": weight(8), "up": weight(8, 12), "down": weight(12, 8)}, "x": torch.randn(2, 5, 8)}

    @staticmethod
    def run(p, x, reduce, defect=None):
        q, k, v = ((x @ p[w]).unflatten(-1, (-1, 4)).transpose(1, 2) for w in "qkv")
        a = F.scaled_dot_product_attention(q, k, v, is_causal=defect != "not-causal")
        x = x + reduce(a.transpose(1, 2).flatten(2) @ p["o"])
        h = F.layer_norm(x, (8,), p["norm"], eps=1e-2 if defect == "small-epsilon" else 1e-1)
        return {"y": x + reduce(F.gelu(h @ p["up"], approximate="none" if defect == "gelu-exact" else "tanh") @ p["down"])}

    @staticmethod
    def sequential(p, x):
        with torch.no_grad():
            return Layer.run(p, x, lambda y: y)

    @staticmethod
    def distributed(p, x, defect=None):
        with torch.no_grad():
            return Layer.run(p, x, Reduce.apply, defect)


class Exchange:
    """Attention over a whole sequence by a part of the heads: an exchange before it and one behind it, the sequence over sp."""
    ranks, case = {"sp": 2}, dict(placements={"x": ("sp", 1)}, outputs={"y": [[], ["sp"], []]})
    defects = ["not-transposed"]

    @staticmethod
    def args():
        return {"p": {"qkv": weight(4, 24), "o": weight(8, 4)}, "x": torch.randn(2, 6, 4)}

    @staticmethod
    def step(p, x, before, behind):
        q, k, v = (x @ p["qkv"]).view(2, -1, 3, 4, 2).unbind(2)
        q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        return y, y.square().mean()

    @staticmethod
    def sequential(p, x):
        y, loss = Exchange.step(p, x, lambda t: t, lambda t: t)
        return {"y": y, "grads": gg_torch.grads(loss, p)}

    @staticmethod
    def distributed(p, x, defect=None):
        def before(t):
            b, s, h, d = t.shape
            blocks = t.reshape(2, b, s, h // 2, d) if defect else t.reshape(b, s, 2, h // 2, d).permute(2, 0, 1, 3, 4)
            blocks = blocks.contiguous()
            return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)

        def behind(t):
            b, s, h, d = t.shape
            blocks = t.reshape(b, 2, s // 2, h, d).permute(1, 0, 2, 3, 4).contiguous()
            return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 2, 0, 3, 4).reshape(b, s // 2, 2 * h, d)

        y, loss = Exchange.step(p, x, before, behind)
        grads = gg_torch.grads(loss, p)
        for g in grads.values():
            dist.all_reduce(g)
        return {"y": y, "grads": {name: g / 2 for name, g in grads.items()}}


def main(name, defect, folder, program=None):
    program = program or globals()[name]
    defect = None if defect == "ok" else defect
    distributed = functools.partial(program.distributed, defect=defect) if defect else program.distributed
    gg_torch.pair(program.sequential, distributed, program.args, program.ranks, folder, dist_args=getattr(program, "dist_args", None), **program.case)


if __name__ == "__main__":
    main(*sys.argv[1:4])
