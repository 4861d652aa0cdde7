"""Steps whose ranks run different programs, each right and with defects: `python3 stages.py GG_HARNESS [NAME ...]`. Skipped (77) without torch.

megatron (two stages by two: tied embeddings, gradients over data parallelism, one norm of all), tied (one embedding on two stages), schedule (torch's 1F1B), redundancy (torch's ZeroRedundancyOptimizer), owned
(parameters updated by their owners and broadcast), leader (one rank computes for all), chain (four stages, the result broadcast), ring (products with weights in shards, activations sent around)."""
import sys

from parallel import tested


def programs():
    """{name: (wanted verdict, options of gg_torch.pair)}."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch import nn
    from torch.distributed.optim import ZeroRedundancyOptimizer
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B

    import gg_torch
    from pieces import leaf, ranks, summed

    pairs = {}

    def program(*defects):
        def add(make):
            pairs.update({f"{make.__name__}-{defect or 'ok'}": ("refuted" if defect else "proved", make(defect)) for defect in (None, *defects)})
            return make
        return add

    def shifted(x):
        """What the rank before holds."""
        n, r = ranks()
        got = torch.empty_like(x)
        for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, x.contiguous(), (r + 1) % n), dist.P2POp(dist.irecv, got, (r - 1) % n)]):
            work.wait()
        return got

    words = {"ids": [0, 5], "labels": [0, 5]}

    def text():
        return {"ids": torch.randint(0, 5, (4,)), "labels": torch.randint(0, 5, (4,))}

    @program("embedding", "norm")
    def megatron(wrong):
        def clipped(grads, norm):
            return {"norm": norm, "grads": {name: g * torch.clamp(0.5 / (norm + 1e-6), max=1.0) for name, g in grads.items()}}

        def sequential(emb, w, v, ids, labels):
            loss = F.cross_entropy(torch.tanh(F.embedding(ids, emb) @ w) @ v @ emb.T, labels)
            grads = gg_torch.grads(loss, {"emb": emb, "w": w, "v": v})
            return clipped(grads, sum(g.square().sum() for g in grads.values()).sqrt())

        def distributed(emb, w, v, ids, labels):
            stages, rank = gg_torch.group("pp"), dist.get_rank()
            if rank < 2:
                x = torch.tanh(F.embedding(ids, emb) @ w)
                dist.send(x.detach(), rank + 2)
                back = torch.empty_like(x)
                dist.recv(back, rank + 2)
                grads = dict(zip(("emb", "w"), torch.autograd.grad(x, (emb, w), back)))
            else:
                x = torch.empty(2, 3)
                dist.recv(x, rank - 2)
                x.requires_grad_()
                *found, back = torch.autograd.grad(F.cross_entropy(x @ v @ emb.T, labels), (emb, v, x))
                dist.send(back, rank - 2)
                grads = dict(zip(("emb", "v"), found))
            grads = {name: g.clone() for name, g in grads.items()}
            for g in grads.values():
                dist.all_reduce(g, group=gg_torch.group("dp"))
                g /= 2
            if wrong != "embedding":
                dist.all_reduce(grads["emb"], group=stages)
            squares = sum(g.square().sum() for name, g in grads.items() if name != "emb" or rank < 2)
            if wrong != "norm":
                dist.all_reduce(squares, group=stages)
            return clipped(grads, squares.sqrt())
        return dict(sequential=sequential, distributed=distributed, args=lambda: {"emb": leaf(5, 3), "w": leaf(3, 3), "v": leaf(3, 3), **text()}, ranks={"pp": 2, "dp": 2},
                    batch={"ids": "dp", "labels": "dp"}, ranges=words)

    @program("apart")
    def tied(wrong):
        def sequential(emb, w, ids, labels):
            return {"grads": gg_torch.grads(F.cross_entropy(torch.tanh(F.embedding(ids, emb) @ w) @ emb.T, labels), {"emb": emb})}

        def distributed(emb, w, ids, labels):
            if dist.get_rank() == 0:
                x = torch.tanh(F.embedding(ids, emb) @ w)
                dist.send(x.detach(), 1)
                back = torch.empty_like(x)
                dist.recv(back, 1)
                g = torch.autograd.grad(x, emb, back)[0]
            else:
                x = torch.empty(4, 3)
                dist.recv(x, 0)
                g, back = torch.autograd.grad(F.cross_entropy(x.requires_grad_() @ emb.T, labels), (emb, x))
                dist.send(back, 0)
            return {"grads": {"emb": g if wrong else summed([g.clone()])[0]}}
        return dict(sequential=sequential, distributed=distributed, args=lambda: {"emb": leaf(5, 3), "w": torch.randn(3, 3), **text()}, ranks={"pp": 2}, ranges=words)

    @program("summed")
    def schedule(wrong):
        class Part(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(4, 4)

            def forward(self, x):
                return x + torch.tanh(self.a(x))

        def sequential(model, x, y):
            for part in model:
                x = part(x)
            return {"grads": gg_torch.grads((x - y).square().mean(), model)}

        def distributed(model, x, y):
            n, r = ranks()
            example = torch.zeros(1, 4)
            stage = PipelineStage(model[r], r, n, torch.device("cpu"), input_args=example.requires_grad_(r == 1), output_args=example.clone().requires_grad_(True))
            steps = Schedule1F1B(stage, 4, loss_fn=lambda o, t: (o - t).square().mean(), scale_grads=not wrong)
            steps.step(*([x] if r == 0 else []), target=y if r == 1 else None)
            return {"grads": {f"{r}.{name}": p.grad for name, p in model[r].named_parameters()}}
        return dict(sequential=sequential, distributed=distributed, args=lambda: {"model": nn.ModuleList([Part(), Part()]), "x": torch.randn(4, 4), "y": torch.randn(4, 4)}, ranks={"pp": 2})

    @program("summed")
    def redundancy(wrong):
        def step(model, x, optimizer, n):
            model(x).square().mean().backward()
            for p in model.parameters():
                if n > 1:
                    dist.all_reduce(p.grad)
                p.grad /= 1 if wrong else n
            optimizer(model.parameters()).step()
            return {"model": dict(model.named_parameters())}
        adam = dict(lr=0.01, eps=0.5)
        return dict(sequential=lambda model, x: step(model, x, lambda p: torch.optim.Adam(p, **adam), 1),
                    distributed=lambda model, x: step(model, x, lambda p: ZeroRedundancyOptimizer(p, optimizer_class=torch.optim.Adam, **adam), 2),
                    args=lambda: {"model": nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2)), "x": torch.randn(4, 3)}, ranks={"dp": 2}, batch={"x": "dp"})

    @program("halved", "kept")
    def owned(wrong):
        def gradients(a, b, x):
            return gg_torch.grads((torch.tanh(x @ a) @ b).square().mean(), {"a": a, "b": b})

        def moved(p, g):
            return p.detach() - 0.01 * g / (g.square().sqrt() + 1e-3)

        def sequential(a, b, x):
            g = gradients(a, b, x)
            return {"a": moved(a, g["a"]), "b": moved(b, g["b"])}

        def distributed(a, b, x):
            n, r = ranks()
            g = {name: t / n for name, t in zip("ab", summed(list(gradients(a, b, x).values())))}
            new = {"a": moved(a, g["a"]) if r == 0 else a.detach().clone(), "b": moved(b, g["b"] / (2 if wrong == "halved" else 1)) if r == 1 else b.detach().clone()}
            dist.broadcast(new["a"], 0)
            if wrong != "kept":
                dist.broadcast(new["b"], 1)
            return new
        return dict(sequential=sequential, distributed=distributed, args=lambda: {"a": leaf(3, 4), "b": leaf(4, 2), "x": torch.randn(4, 3)}, ranks={"dp": 2}, batch={"x": "dp"})

    @program("halved")
    def leader(wrong):
        def distributed(x, w):
            n, r = ranks()
            h = x @ w
            every = h.new_empty(n * h.shape[0], h.shape[1])
            dist.all_gather_into_tensor(every, h)
            y = torch.softmax(every * 0.5 if wrong else every, 0) if r == 0 else torch.empty_like(every)
            dist.broadcast(y, 0)
            return {"y": y.chunk(n)[r]}
        return dict(sequential=lambda x, w: {"y": torch.softmax(x @ w, 0)}, distributed=distributed, args=lambda: {"x": torch.randn(4, 3), "w": torch.randn(3, 3)}, ranks={"dp": 2},
                    batch={"x": "dp"}, outputs={"y": "dp"})

    @program("skipped")
    def chain(wrong):
        def sequential(w, x):
            for own in w:
                x = torch.tanh(x @ own)
            return {"y": x}

        def distributed(w, x):
            n, r = ranks()
            if r > 0:
                x = torch.empty_like(x)
                dist.recv(x, r - 1)
            if not wrong or r != 2:
                x = torch.tanh(x @ w[0])
            if r + 1 < n:
                dist.send(x, r + 1)
            y = x.clone()
            dist.broadcast(y, n - 1)
            return {"y": y}
        return dict(sequential=sequential, distributed=distributed, args=lambda: {"w": torch.randn(4, 3, 3), "x": torch.randn(2, 3)}, ranks={"pp": 4}, placements={"w": "pp"})

    @program("misplaced")
    def ring(wrong):
        """torch's async tensor parallelism: blocks of activations are multiplied as they arrive, sums leave as they are ready."""
        def distributed(x, w, v):
            n, r = ranks()
            parts, block = [None] * n, x
            for step in range(n):
                parts[(r + step if wrong else r - step) % n] = torch.relu(block @ w)
                block = shifted(block) if step + 1 < n else block
            total = None
            for step in range(n):
                own = parts[(r - step - 1) % n] @ v
                total = own if total is None else total + own
                total = shifted(total) if step + 1 < n else total
            return {"y": total}
        return dict(sequential=lambda x, w, v: {"y": torch.relu(x @ w) @ v}, distributed=distributed, args=lambda: {"x": torch.randn(6, 4), "w": torch.randn(4, 6), "v": torch.randn(6, 4)},
                    ranks={"tp": 3}, placements={"x": "tp", "w": ("tp", 1), "v": "tp"}, outputs={"y": "tp"})

    return pairs


if __name__ == "__main__":
    sys.exit(tested("stages", programs))
