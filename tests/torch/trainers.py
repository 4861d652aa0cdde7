"""Steps of training loops, each right and with two defects of its own kind: `python3 trainers.py GG_HARNESS [NAME ...]`. Skipped (77) without torch.

ignored (a mean over the labels that count, whichever rank has them), clipping (fully_shard, clip_grad_norm_), flat (the same with 16 parameters in one buffer), masked (the same of attention), sequence (Llama under sequence parallelism with loss_parallel), ring (ring attention with running
sums), mamba (a selective scan, its channels over the ranks), vit (images over data, heads over tensor parallelism), lamb (one trust ratio for shards), ceiling (the scale of fp8)."""
import math
import sys

from parallel import tested

RIGHT, FIRST, SECOND = range(3)


def programs():
    """{name: (wanted verdict, options of gg_torch.pair)}."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch import nn
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import DTensor, Replicate, Shard
    from torch.distributed.tensor.parallel import ColwiseParallel, PrepareModuleInput, RowwiseParallel, SequenceParallel, loss_parallel, parallelize_module

    import gg_torch
    from pieces import Copied, Programs, Summed, leaf, ranks, summed

    program = Programs()

    @program
    def ignored(wrong):
        """Mean of the labels that count, whichever rank has them."""
        def sequential(w, x, labels):
            loss = F.cross_entropy(x @ w, labels)
            return {"loss": loss, "grads": gg_torch.grads(loss, {"w": w})}

        def distributed(w, x, labels):
            count = (labels != -100).sum()
            if wrong != FIRST:
                summed([count])
            loss = F.cross_entropy(x @ w, labels, reduction="sum") / (count if wrong != SECOND else count + 1)
            grads = gg_torch.grads(loss, {"w": w})
            summed(grads.values())
            return {"loss": summed([loss.detach().clone()])[0], "grads": grads}

        def args():
            return {"w": leaf(4, 6), "x": torch.randn(8, 4), "labels": torch.tensor([0, 1, -100, 3, 5, -100, -100, 2])}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp", "labels": "dp"}, ranges={"labels": [0, 6]}, ignore={"labels": [-100, 0.3]})

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 4, bias=False)
        def forward(self, x):
            return x + self.down(torch.relu(self.up(x)))

    class Small(nn.Linear):
        def forward(self, x):
            return torch.tanh(super().forward(x))

    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.k, self.v, self.o = (nn.Linear(4, 4) for _ in range(4))
        def forward(self, x):
            q, k, v = (w(x).unflatten(-1, (2, 2)).transpose(1, 2) for w in (self.q, self.k, self.v))
            return x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))

    def clipped(wrong, model_of, *shape):
        def args():
            return {"model": model_of(), "x": torch.randn(4, *shape, 4), "y": torch.randn(4, *shape, 4)}

        def sequential(model, x, y):
            loss = (model(x) - y).square().mean()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            return {"norm": norm, "grads": {n: p.grad for n, p in model.named_parameters()}}

        def distributed(model, x, y):
            mesh = gg_torch.mesh()["dp"]
            for layer in model:
                if not isinstance(layer, Small):
                    fully_shard(layer, mesh=mesh)
            fully_shard(model, mesh=mesh)
            loss = (model(x) - y).square().mean()
            if wrong == SECOND:
                loss = loss * 2
            loss.backward()
            if wrong == FIRST:  # of the own shards
                norm = torch.nn.utils.get_total_norm([p.grad.to_local() for p in model.parameters()])
                torch.nn.utils.clip_grads_with_norm_(model.parameters(), 0.5, norm)
            else:
                norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                norm = norm.full_tensor() if isinstance(norm, DTensor) else norm
            return {"norm": norm, "grads": {n: p.grad for n, p in model.named_parameters()}}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp", "y": "dp"})

    @program
    def clipping(wrong):
        """fully_shard, clip_grad_norm_, SGD."""
        return clipped(wrong, lambda: nn.Sequential(Layer(), Layer()))

    @program
    def flat(wrong):
        """The same where one buffer holds the gradients of 16 parameters, at places that no extent divides."""
        return clipped(wrong, lambda: nn.Sequential(*(Small(4, 4) for _ in range(8))))

    @program
    def masked(wrong):
        """The same of attention with a mask, whose gradients are not known to be finite."""
        return clipped(wrong, lambda: nn.Sequential(Heads()), 3)

    @program
    def sequence(wrong):
        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.wq, self.wk, self.wv, self.wo = (nn.Linear(8, 8, bias=False) for _ in range(4))
            def forward(self, x):
                q, k, v = (w(x).unflatten(-1, (-1, 4)).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
                return self.wo(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))

        class Ffn(nn.Module):
            def __init__(self):
                super().__init__()
                self.w1, self.w3, self.w2 = nn.Linear(8, 12, bias=False), nn.Linear(8, 12, bias=False), nn.Linear(12, 8, bias=False)
            def forward(self, x):
                return self.w2(F.silu(self.w1(x)) * self.w3(x))

        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.an, self.mn, self.attention, self.ffn = nn.RMSNorm(8, eps=1e-3), nn.RMSNorm(8, eps=1e-3), Attention(), Ffn()
            def forward(self, x):
                h = x + self.attention(self.an(x))
                return h + self.ffn(self.mn(h))

        class Llama(nn.Module):
            def __init__(self):
                super().__init__()
                self.emb, self.layer, self.norm, self.out = nn.Embedding(16, 8), Layer(), nn.RMSNorm(8, eps=1e-3), nn.Linear(8, 16, bias=False)
            def forward(self, ids):
                return self.out(self.norm(self.layer(self.emb(ids))))

        def args():
            return {"model": Llama(), "ids": torch.randint(0, 16, (1, 4)), "labels": torch.randint(0, 16, (1, 4))}

        def dist_args():
            a = args()
            mesh = gg_torch.mesh()["tp"]
            m = a["model"]
            parallelize_module(m, mesh, {"emb": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)), "norm": SequenceParallel(),
                "out": ColwiseParallel(input_layouts=Shard(1), output_layouts=Shard(-1), use_local_output=False)})
            parallelize_module(m.layer, mesh, {"an": SequenceParallel(), "mn": SequenceParallel(),
                "attention": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
                "attention.wq": ColwiseParallel(), "attention.wk": ColwiseParallel(), "attention.wv": ColwiseParallel(), "attention.wo": RowwiseParallel(output_layouts=Shard(1)),
                "ffn": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
                "ffn.w1": ColwiseParallel(), "ffn.w3": ColwiseParallel(), "ffn.w2": RowwiseParallel(output_layouts=Shard(1))})
            return a

        def sequential(model, ids, labels):
            loss = F.cross_entropy(model(ids).flatten(0, 1), labels.flatten())
            loss.backward()
            return {"loss": loss.detach(), "grads": {n: p.grad for n, p in model.named_parameters()}}

        def distributed(model, ids, labels):
            with loss_parallel():
                logits = model(ids).flatten(0, 1)
                if wrong == SECOND:
                    logits = logits * 2
                loss = F.cross_entropy(logits, labels.flatten())
                loss.backward()
            grads = {n: p.grad for n, p in model.named_parameters()}
            if wrong == FIRST:
                grads = {n: DTensor.from_local(g.to_local(), g.device_mesh, [Replicate()]) if "norm" in n or ".an" in n or ".mn" in n else g for n, g in grads.items()}
            return {"loss": loss.detach(), "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, dist_args=dist_args, ranks={"tp": 2}, ranges={"ids": [0, 16], "labels": [0, 16]})

    @program
    def ring(wrong):
        """Ring attention, forward: running maximum and sum over the rounds."""
        def sequential(q, k, v):
            return {"y": torch.softmax(q @ k.T / 2, -1) @ v}

        def distributed(q, k, v):
            n, r = ranks()
            def passed(x):
                got = torch.empty_like(x)
                for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, x.contiguous(), (r + 1) % n), dist.P2POp(dist.irecv, got, (r - 1) % n)]):
                    work.wait()
                return got
            m = l = o = None
            for i in range(n):
                s = q @ k.T / 2
                mi = s.max(-1, keepdim=True)[0]
                if m is None:
                    m = mi
                    p = torch.exp(s - m)
                    l, o = p.sum(-1, keepdim=True), p @ v
                else:
                    new = torch.maximum(m, mi)
                    p, scale = torch.exp(s - new), torch.exp(m - new)
                    l = l * scale + p.sum(-1, keepdim=True)
                    o = (o * scale if wrong != FIRST else o) + p @ v
                    m = new
                if i + 1 < n:
                    k, v = passed(k), v if wrong == SECOND else passed(v)
            return {"y": o / l}

        def args():
            return {"q": torch.randn(8, 4), "k": torch.randn(8, 4), "v": torch.randn(8, 4)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"cp": 4}, placements={"q": "cp", "k": "cp", "v": "cp"}, outputs={"y": "cp"})

    @program
    def mamba(wrong):
        """Selective scan, channels over tp: x_proj row parallel (first all-reduce), out_proj row parallel (second)."""
        def run(side):
            def forward(x, win, wz, conv, wx, wdt, alog, d, wout):
                s, h = (Summed.apply, Copied.apply(x)) if side else (lambda a: a, x)
                u, z = h @ win, h @ wz  # [t, c]
                u = F.silu(u * conv[1] + F.pad(u, (0, 0, 1, 0))[:-1] * conv[0])
                proj = u @ wx
                if side and wrong != FIRST:
                    proj = Copied.apply(s(proj))
                dt, b, c = proj.split([2, 3, 3], -1)
                dt = F.softplus(dt @ wdt)  # [t, c]
                a = -torch.exp(alog)  # [c, n]
                state, ys = 0, []
                for t in range(x.shape[0]):
                    state = state * torch.exp(dt[t][:, None] * a) + (dt[t] * u[t])[:, None] * b[t][None]
                    ys.append((state * c[t][None]).sum(-1))
                y = (torch.stack(ys) + u * d) * (F.silu(z) if wrong != SECOND or not side else z)
                return (x + s(y @ wout)).square().mean()
            def step(**g):
                loss = forward(**g)
                return {"loss": loss}
            return step

        def args():
            return {"x": torch.randn(3, 4), "win": leaf(4, 8), "wz": leaf(4, 8), "conv": leaf(2, 8), "wx": leaf(8, 8), "wdt": leaf(2, 8), "alog": leaf(8, 3), "d": leaf(8), "wout": leaf(8, 4)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"tp": 2},
                    placements={"win": ("tp", 1), "wz": ("tp", 1), "conv": ("tp", 1), "wx": "tp", "wdt": ("tp", 1), "alog": "tp", "d": "tp", "wout": "tp"})

    @program
    def vit(wrong):
        """dp x tp: patches, heads over tp, images over dp; class by mean."""
        def run(side):
            def forward(x, labels, patch, pos, g, b, wq, wk, wv, wo, up, upb, down, downb, head):
                tp, cp = ((lambda a, f=f: f.apply(a, gg_torch.group("tp"))) if side else (lambda a: a) for f in (Summed, Copied))
                h = F.conv2d(x, patch, stride=2).flatten(2).transpose(1, 2) + pos
                a = cp(F.layer_norm(h, (4,), g, b))
                q, k, v = ((a @ w).unflatten(-1, (-1, 2)).transpose(1, 2) for w in (wq, wk, wv))
                y = (torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(2), -1) @ v).transpose(1, 2).flatten(2)
                h = h + tp(y @ wo)
                a = cp(F.layer_norm(h, (4,), g, b))
                m = F.gelu(a @ up + upb) @ down
                h = h + (tp(m + downb) if wrong == FIRST and side else tp(m) + downb)
                return F.cross_entropy(h.mean(1) @ head, labels)
            def step(**given):
                loss = forward(**given)
                names = [n for n in given if n not in ("x", "labels")]
                grads = gg_torch.grads(loss, {n: given[n] for n in names})
                if side:
                    for gr in grads.values():
                        dist.all_reduce(gr, group=gg_torch.group("dp"))
                        gr.div_(2 if wrong != SECOND else 4)
                    loss = loss.detach().clone()
                    dist.all_reduce(loss, group=gg_torch.group("dp"))
                    loss = loss / 2
                return {"loss": loss, "grads": grads}
            return step

        def args():
            return {"x": torch.randn(2, 2, 4, 4), "labels": torch.randint(0, 3, (2,)), "patch": leaf(4, 2, 2, 2), "pos": leaf(4, 4), "g": leaf(4), "b": leaf(4),
                    "wq": leaf(4, 4), "wk": leaf(4, 4), "wv": leaf(4, 4), "wo": leaf(4, 4), "up": leaf(4, 8), "upb": leaf(8), "down": leaf(8, 4), "downb": leaf(4), "head": leaf(4, 3)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"dp": 2, "tp": 2}, batch={"x": "dp", "labels": "dp"}, ranges={"labels": [0, 3]},
                    placements={"wq": ("tp", 1), "wk": ("tp", 1), "wv": ("tp", 1), "wo": "tp", "up": ("tp", 1), "upb": "tp", "down": "tp"})

    @program
    def lamb(wrong):
        """LAMB on sharded parameters: norms over all shards, trust 1 where one is zero."""
        def updated(w, m, v, g, norm):
            m, v = 0.875 * m + 0.125 * g, 0.75 * v + 0.25 * g * g
            u = m / (v.sqrt() + 1e-3) + 0.0625 * w
            of_w, of_u = norm(w), norm(u)
            one = torch.ones_like(of_w)
            return {"w": w - 0.5 * torch.where(of_w > 0, torch.where(of_u > 0, of_w / of_u, one), one) * u, "m": m, "v": v}

        def sequential(w, m, v, g):
            return updated(w, m, v, g, torch.linalg.vector_norm)

        def distributed(w, m, v, g):
            def norm(x):
                square = x.abs().sum() if wrong == FIRST else x.square().sum()
                return (square if wrong == SECOND else summed([square.clone()])[0]).sqrt()
            return updated(w, m, v, g, norm)

        def args():
            return {"w": torch.randn(8, 3), "m": torch.randn(8, 3), "v": torch.rand(8, 3), "g": torch.randn(8, 3)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, placements={n: "dp" for n in "wmvg"}, outputs={n: "dp" for n in "wmv"}, ranges={"v": [0, 4]})

    @program
    def ceiling(wrong):
        """A maximum that starts at zero (fp8 scales), over all ranks."""
        def sequential(x, w):
            top = x.abs().max()
            scale = 448.0 / torch.clamp(top, min=1e-3)
            return {"y": (x * scale).clamp(-448, 448) @ w / scale, "top": top}

        def distributed(x, w):
            top = torch.zeros(())
            for row in x:
                top = torch.maximum(top, row.abs().max() if wrong != SECOND else row.max())
            if wrong != FIRST:
                dist.all_reduce(top, dist.ReduceOp.MAX)
            scale = 448.0 / torch.clamp(top, min=1e-3)
            return {"y": (x * scale).clamp(-448, 448) @ w / scale, "top": top}

        def args():
            return {"x": torch.randn(4, 3), "w": leaf(3, 2)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp"}, outputs={"y": "dp"})

    return program.each("first", "second")


if __name__ == "__main__":
    sys.exit(tested("training steps", programs))
