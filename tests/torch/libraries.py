"""Steps that users of published libraries write by hand, each right and with a defect: `python3 libraries.py GG_HARNESS [NAME ...]`. Skipped (77) without torch.

lora (peft under tensor parallelism), buckets (T5's relative positions by head), slopes (ALiBi by head), grouped (vLLM's fused QKV and gate with grouped queries), balance (load
balancing loss of Switch under data parallelism), contrast (open_clip's loss over gathered features), views (lightly's NT-Xent), statistics (synchronised batch norm), rotary (positions under context
parallelism), clip (ZeRO with a global norm), preference (DPO over uneven counts), tables (DLRM's tables by rank, exchanged for its batch)."""
import math
import sys

from parallel import tested

# Other verdicts than proved and refuted: products with weights that are joined first, whose pieces are read behind repeated heads, are not related.
WANTED = {"grouped-ok": "unknown"}


def programs():
    """{name: (wanted verdict, options of gg_torch.pair)}."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F

    import gg_torch

    from pieces import Copied, Gathered, Programs, Summed, ranks, summed

    def leaf(*shape):
        return torch.randn(*shape, requires_grad=True)

    program = Programs()

    @program
    def lora(wrong):
        def args():
            return {"w": torch.randn(8, 12), "a": leaf(8, 2), "b": leaf(2, 12), "v": torch.randn(12, 8), "x": torch.randn(4, 8)}

        def sequential(w, a, b, v, x):
            loss = (F.silu(x @ w + 2.0 * (x @ a) @ b) @ v).square().mean()
            return {"loss": loss, "grads": gg_torch.grads(loss, {"a": a, "b": b})}

        def distributed(w, a, b, v, x):
            low = x @ a
            h = x @ w + 2.0 * (low if wrong else Copied.apply(low)) @ b
            loss = Summed.apply(F.silu(h) @ v).square().mean()
            return {"loss": loss, "grads": gg_torch.grads(loss, {"a": a, "b": b})}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"tp": 2}, placements={"w": ("tp", 1), "b": ("tp", 1), "v": "tp"})

    def attention(q, k, v, bias):
        return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + bias, -1) @ v

    def heads(x, count):
        return x.unflatten(-1, (count, -1)).transpose(0, 1)

    @program
    def buckets(wrong):
        """T5: one number a head and bucket of the distance; a rank has the columns of its heads."""
        def args():
            return {"table": leaf(4, 4), "q": torch.randn(5, 8), "k": torch.randn(5, 8), "v": torch.randn(5, 8)}

        def step(table, q, k, v, column=None):
            n = table.shape[1]
            place = torch.arange(5)
            distance = (place[:, None] - place[None, :]).abs().clamp(max=3)
            bias = F.embedding(distance, table).permute(2, 0, 1)
            if column is not None:
                bias = bias[column:column + 1].expand(n, 5, 5)
            y = attention(heads(q, n), heads(k, n), heads(v, n), bias).transpose(0, 1).flatten(1)
            return {"y": y, "grads": gg_torch.grads(y.square().sum(), {"table": table})}
        split = {name: ("tp", 1) for name in ("table", "q", "k", "v")}
        return dict(sequential=step, distributed=(lambda table, q, k, v: step(table, q, k, v, 0)) if wrong else step, args=args, ranks={"tp": 2}, placements=split, outputs={"y": ("tp", 1)})

    @program
    def slopes(wrong):
        """ALiBi: a slope a head, by the head's number in the whole model."""
        def args():
            return {"q": leaf(5, 8), "k": leaf(5, 8), "v": leaf(5, 8)}

        def step(q, k, v, count, first):
            slope = torch.pow(2.0, -(torch.arange(first, first + count) + 1.0) * 2)
            place = torch.arange(5)
            bias = slope[:, None, None] * (place[None, :] - place[:, None])
            hidden = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)
            y = attention(heads(q, count), heads(k, count), heads(v, count), bias.masked_fill(hidden, float("-inf"))).transpose(0, 1).flatten(1)
            return {"y": y, "grads": gg_torch.grads(y.square().sum(), {"q": q, "k": k, "v": v})}
        split = {name: ("tp", 1) for name in "qkv"}
        return dict(sequential=lambda q, k, v: step(q, k, v, 4, 0), distributed=lambda q, k, v: step(q, k, v, 2, 0 if wrong else 2 * dist.get_rank()),
                    args=args, ranks={"tp": 2}, placements=split, outputs={"y": ("tp", 1)})

    @program
    def grouped(wrong):
        """vLLM: q, k and v in one product, gate and up in another; each rank has its heads of each."""
        def args():
            return {"q": torch.randn(16, 8), "k": torch.randn(8, 8), "v": torch.randn(8, 8), "o": torch.randn(8, 16), "gate": torch.randn(12, 8), "up": torch.randn(12, 8), "down": torch.randn(8, 12), "x": torch.randn(5, 8)}

        def step(q, k, v, o, gate, up, down, x, exit, swapped=False):
            a, b, c = F.linear(x, torch.cat([q, k, v])).split([q.shape[0], k.shape[0], v.shape[0]], -1)
            size = 4
            a, b, c = (t.unflatten(-1, (-1, size)).transpose(0, 1)[None] for t in (a, b, c))
            y = F.scaled_dot_product_attention(a, b, c, is_causal=True, enable_gqa=True)[0].transpose(0, 1).flatten(1)
            x = x + exit(F.linear(y, o))
            one, two = F.linear(x, torch.cat([up, gate] if swapped else [gate, up])).chunk(2, -1)
            return {"y": x + exit(F.linear(F.silu(one) * two, down))}
        split = {**{name: "tp" for name in ("q", "k", "v", "gate", "up")}, "o": ("tp", 1), "down": ("tp", 1)}
        return dict(sequential=lambda **t: step(**t, exit=lambda y: y), distributed=lambda **t: step(**t, exit=Summed.apply, swapped=wrong), args=args, ranks={"tp": 2}, placements=split)

    @program
    def balance(wrong):
        """Switch: experts times the sum of (share of tokens) times (mean probability), over all tokens of the step."""
        def args():
            return {"router": leaf(6, 4), "x": torch.randn(8, 6)}

        def step(router, x, mean):
            p = torch.softmax(x @ router, -1)
            share = F.one_hot(p.argmax(-1), 4).to(p.dtype).mean(0)
            loss = 4 * (mean(share) * mean(p.mean(0))).sum()
            return loss, router

        def sequential(router, x):
            loss, router = step(router, x, lambda t: t)
            return {"loss": loss, "grads": gg_torch.grads(loss, {"router": router})}

        def distributed(router, x):
            loss, router = step(router, x, (lambda t: t) if wrong else (lambda t: Summed.apply(t) / 2))
            grads = gg_torch.grads(loss, {"router": router})
            summed(grads.values())
            loss = loss.detach().clone()
            if wrong:
                dist.all_reduce(loss)
                return {"loss": loss / 2, "grads": {name: g / 2 for name, g in grads.items()}}
            return {"loss": loss, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp"})

    @program
    def contrast(wrong):
        """open_clip: own rows against the columns of all ranks; the label of row i is i, plus where the rank's rows begin."""
        def args():
            return {"image": leaf(6, 4), "text": leaf(6, 4)}

        def loss_of(mine, all_, start):
            return F.cross_entropy(mine @ all_.T / 0.1, torch.arange(mine.shape[0]) + start)

        def sequential(image, text):
            a, b = F.normalize(image, dim=-1), F.normalize(text, dim=-1)
            loss = (loss_of(a, b, 0) + loss_of(b, a, 0)) / 2
            return {"loss": loss, "grads": gg_torch.grads(loss, {"image": image, "text": text})}

        def distributed(image, text):
            n, r = ranks()
            a, b = F.normalize(image, dim=-1), F.normalize(text, dim=-1)
            every_a, every_b = Gathered.apply(a), Gathered.apply(b)
            start = 0 if wrong else r * a.shape[0]
            loss = (loss_of(a, every_b, start) + loss_of(b, every_a, start)) / 2 / n
            grads = gg_torch.grads(loss, {"image": image, "text": text})
            loss = loss.detach().clone()
            dist.all_reduce(loss)
            return {"loss": loss, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"image": "dp", "text": "dp"})

    @program
    def views(wrong):
        """lightly's NTXentLoss: two views of an image, each against all others but itself; the rows of a rank lie further down in the mask."""
        def args():
            return {"one": leaf(4, 6), "two": leaf(4, 6)}

        def loss_of(one, two, ones, twos, start):
            n = one.shape[0]
            own = torch.zeros(n, ones.shape[0], dtype=torch.bool)
            own[:, start:start + n] = torch.eye(n, dtype=torch.bool)
            apart = [(a @ b.T / 0.5)[~own].view(n, -1) for a, b in ((one, ones), (two, twos))]
            logits = torch.cat([torch.cat([one @ twos.T / 0.5, apart[0]], 1), torch.cat([two @ ones.T / 0.5, apart[1]], 1)])
            return F.cross_entropy(logits, (torch.arange(n) + start).repeat(2))

        def sequential(one, two):
            a, b = F.normalize(one, dim=1), F.normalize(two, dim=1)
            loss = loss_of(a, b, a, b, 0)
            return {"loss": loss, "grads": gg_torch.grads(loss, {"one": one, "two": two})}

        def distributed(one, two):
            n, r = ranks()
            a, b = F.normalize(one, dim=1), F.normalize(two, dim=1)
            loss = loss_of(a, b, Gathered.apply(a), Gathered.apply(b), 0 if wrong else r * a.shape[0]) / n
            grads = gg_torch.grads(loss, {"one": one, "two": two})
            loss = loss.detach().clone()
            dist.all_reduce(loss)
            return {"loss": loss, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"one": "dp", "two": "dp"})

    @program
    def statistics(wrong):
        """Batch norm over the rows of all ranks: sums and squares are exchanged; wrong: variances of ranks are averaged."""
        def args():
            return {"weight": leaf(5), "bias": leaf(5), "x": torch.randn(8, 5)}

        def sequential(weight, bias, x):
            y = F.batch_norm(x, None, None, weight, bias, True, 0.1, 1e-5)
            return {"y": y, "grads": gg_torch.grads(y.pow(3).sum(), {"weight": weight, "bias": bias})}

        def distributed(weight, bias, x):
            n, _ = ranks()
            mean = Summed.apply(x.mean(0)) / n
            variance = Summed.apply(x.var(0, unbiased=False)) / n if wrong else Summed.apply(x.square().mean(0)) / n - mean.square()
            y = (x - mean) * torch.rsqrt(variance + 1e-5) * weight + bias
            grads = gg_torch.grads(y.pow(3).sum(), {"weight": weight, "bias": bias})
            summed(grads.values())
            return {"y": y, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp"}, outputs={"y": "dp"})

    @program
    def rotary(wrong):
        """Llama's rotation of pairs by position, keys and values gathered; a rank's positions begin at its part of the sequence."""
        def args():
            return {"q": leaf(2, 6, 4), "k": leaf(2, 6, 4), "v": leaf(2, 6, 4)}

        def turned(x, start):
            angle = torch.outer(torch.arange(start, start + x.shape[1]).to(x.dtype), 1.0 / 100 ** (torch.arange(0, 4, 2).to(x.dtype) / 4))
            angle = torch.cat([angle, angle], -1)
            half = torch.cat([-x[..., 2:], x[..., :2]], -1)
            return x * angle.cos() + half * angle.sin()

        def sequential(q, k, v):
            y = F.scaled_dot_product_attention(turned(q, 0)[None], turned(k, 0)[None], v[None])[0]
            return {"y": y, "grads": gg_torch.grads(y.square().sum(), {"q": q, "k": k, "v": v})}

        def distributed(q, k, v):
            start = 0 if wrong else q.shape[1] * dist.get_rank()
            every = [Gathered.apply(t.transpose(0, 1)).transpose(0, 1) for t in (turned(k, start), v)]
            y = F.scaled_dot_product_attention(turned(q, start)[None], *(t[None] for t in every))[0]
            return {"y": y, "grads": gg_torch.grads(y.square().sum(), {"q": q, "k": k, "v": v})}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"cp": 2}, placements={name: ("cp", 1) for name in "qkv"}, outputs={"y": ("cp", 1)})

    @program
    def clip(wrong):
        """ZeRO: gradients are scattered, the norm is that of all of them, each rank steps its part, parts are gathered."""
        def args():
            return {"w": leaf(8, 4), "x": torch.randn(6, 8), "y": torch.randn(6, 4)}

        def sequential(w, x, y):
            g = gg_torch.grads((x @ w - y).square().mean(), {"w": w})["w"]
            norm = g.square().sum().sqrt()
            return {"norm": norm, "w": w.detach() - 0.1 * g * torch.clamp(0.5 / (norm + 1e-6), max=1.0)}

        def distributed(w, x, y):
            n, r = ranks()
            g = gg_torch.grads((x @ w - y).square().mean() / n, {"w": w})["w"]
            own = g.new_empty(g.shape[0] // n, g.shape[1])
            dist.reduce_scatter_tensor(own, g)
            square = own.square().sum()
            if not wrong:
                dist.all_reduce(square)
            norm = square.sqrt()
            part = w.detach().chunk(n)[r] - 0.1 * own * torch.clamp(0.5 / (norm + 1e-6), max=1.0)
            whole = torch.empty_like(w)
            dist.all_gather_into_tensor(whole, part.contiguous())
            return {"norm": norm, "w": whole}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp", "y": "dp"})

    @program
    def preference(wrong):
        """DPO: log-probabilities of answers, summed where the mask counts, against a reference; the mean over the pairs of all ranks."""
        def args():
            return {"head": leaf(6, 9), "h": torch.randn(8, 5, 6), "labels": torch.randint(0, 9, (8, 5)), "mask": torch.randint(0, 2, (8, 5)), "reference": torch.randn(8)}

        def rewards(head, h, labels, mask, reference):
            logp = torch.log_softmax(h @ head, -1).gather(-1, labels[..., None])[..., 0]
            reward = 0.1 * ((logp * mask).sum(-1) - reference)
            chosen, rejected = reward.unflatten(0, (-1, 2)).unbind(1)
            return -F.logsigmoid(chosen - rejected), mask.sum()

        def sequential(head, h, labels, mask, reference):
            losses, count = rewards(head, h, labels, mask, reference)
            loss = losses.sum() / (count + 1)
            return {"loss": loss, "grads": gg_torch.grads(loss, {"head": head})}

        def distributed(head, h, labels, mask, reference):
            losses, count = rewards(head, h, labels, mask, reference)
            if not wrong:
                count = count.clone()
                dist.all_reduce(count)
            loss = losses.sum() / (count + 1)
            grads = gg_torch.grads(loss, {"head": head})
            summed(grads.values())
            loss = loss.detach().clone()
            dist.all_reduce(loss)
            return {"loss": loss, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={name: "dp" for name in ("h", "labels", "mask", "reference")},
                    ranges={"labels": [0, 9], "mask": [0, 2]})

    @program
    def tables(wrong):
        """DLRM: a rank looks the whole batch up in its tables and gets all tables' rows of its own part of the batch."""
        def args():
            return {"table": torch.randn(4, 7, 3), "ids": torch.randint(0, 7, (4, 6)), "dense": torch.randn(6, 3)}

        def interact(rows, dense):
            every = torch.cat([dense[:, None], rows], 1)
            return torch.relu(torch.bmm(every, every.transpose(1, 2))).flatten(1)

        def looked(table, ids):
            return torch.stack([F.embedding(i, t) for i, t in zip(ids.unbind(0), table.unbind(0))], 1)

        def distributed(table, ids, dense):
            n, _ = ranks()
            rows = looked(table, ids)  # [batch, own tables, 3]
            got = torch.empty_like(rows)
            dist.all_to_all_single(got, rows.contiguous())
            parts = got.unflatten(0, (n, -1))  # [rank, own batch, its tables, 3]
            rows = (parts.permute(1, 2, 0, 3) if wrong else parts.transpose(0, 1)).flatten(1, 2)
            return {"y": interact(rows, dense)}
        return dict(sequential=lambda table, ids, dense: {"y": interact(looked(table, ids), dense)}, distributed=distributed, args=args, ranks={"ep": 2},
                    placements={"table": "ep", "ids": "ep", "dense": "ep"}, outputs={"y": "ep"}, ranges={"ids": [0, 7]})

    return {name: (WANTED.get(name, want), options) for name, (want, options) in program.each("wrong").items()}


if __name__ == "__main__":
    sys.exit(tested("libraries", programs))
