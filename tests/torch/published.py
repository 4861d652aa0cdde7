"""Steps of published libraries, each right and with two defects of its own kind: `python3 published.py GG_HARNESS [NAME ...]`. Skipped (77) without torch.

llama (Meta's rotary embedding as complex numbers, tensor parallel), context (the same under context parallelism), synchronised (batch norm in training, its running statistics),
latent (DeepSeek's latent attention), parallel (GPT-NeoX's parallel residual), siglip (open_clip's sigmoid loss), dino (the teacher's centre), vicreg (gathered features), patches (DistriFusion's
group norm over patches), bags (torchrec's row-wise tables), axial (FastFold's dynamic axial parallelism), muon (orthogonalised momentum in shards), relative (T5's table, cut by every rank), normed (QK norm over the heads of all ranks)."""
import math
import sys

from parallel import tested

RIGHT, FIRST, SECOND = range(3)
WANTED = {}


def programs():
    """{name: (wanted verdict, options of gg_torch.pair)}."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F

    import gg_torch
    from pieces import Copied, Exchanged, Gathered, Programs, Summed, leaf, ranks, summed

    program = Programs()

    def turned(x, turns):
        """x [.., s, h, d] as complex pairs, turned by turns [s, d / 2]."""
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(z * turns[:, None]).flatten(-2).type_as(x)

    def angles(s, d):
        t = torch.outer(torch.arange(s).float(), 1 / 100.0 ** (torch.arange(0, d, 2).float() / d))
        return torch.polar(torch.ones_like(t), t)

    def heads_first(x):
        return x.transpose(-3, -2)

    def attended(q, k, v):
        return heads_first(torch.softmax(heads_first(q) @ heads_first(k).transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ heads_first(v)).flatten(-2)

    def stepped(run, names):
        """A step that gives its loss and the gradients of these arguments."""
        def step(**given):
            loss = run(**given)
            return {"loss": loss, "grads": gg_torch.grads(loss, {name: given[name] for name in names})}
        return step

    @program
    def llama(wrong):
        def run(side):
            def forward(x, turns, wq, wk, wv, wo):
                h = Copied.apply(x) if side else x
                q, k, v = ((h @ w).unflatten(-1, (-1, 4)) for w in (wq, wk, wv))
                again = turns.conj() if side and wrong == FIRST else turns
                y = attended(turned(q, turns), k if side and wrong == SECOND else turned(k, again), v) @ wo
                return (x + (Summed.apply(y) if side else y)).square().mean()
            return stepped(forward, ("wq", "wk", "wv", "wo"))

        def args():
            return {"x": torch.randn(2, 3, 8), "turns": angles(3, 4), "wq": leaf(8, 16), "wk": leaf(8, 16), "wv": leaf(8, 16), "wo": leaf(16, 8)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"tp": 2}, placements={"wq": ("tp", 1), "wk": ("tp", 1), "wv": ("tp", 1), "wo": "tp"})

    @program
    def context(wrong):
        """Queries of the own positions, keys and values of all."""
        def run(side):
            def forward(x, turns, wq, wk, wv):
                n, r = ranks()
                own = x.shape[0]
                here = turns[r * own:(r + 1) * own] if side and wrong != FIRST else turns[:own]
                q, k, v = ((x @ w).unflatten(-1, (-1, 4)) for w in (wq, wk, wv))
                q, k = turned(q, here), turned(k, here)
                if side:
                    k, v = Gathered.apply(k), v.repeat(n, 1, 1) if wrong == SECOND else Gathered.apply(v)
                return {"y": attended(q, k, v)}
            return forward

        def args():
            return {"x": torch.randn(4, 8), "turns": angles(4, 4), "wq": leaf(8, 8), "wk": leaf(8, 8), "wv": leaf(8, 8)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"cp": 2}, placements={"x": "cp"}, outputs={"y": "cp"})

    @program
    def synchronised(wrong):
        def args():
            return {"x": torch.randn(6, 3, 2), "w": leaf(3), "b": leaf(3), "mean": torch.zeros(3), "var": torch.ones(3)}

        def sequential(x, w, b, mean, var):
            mean, var = mean.clone(), var.clone()
            loss = F.batch_norm(x, mean, var, w, b, True, 0.25, 1e-3).pow(3).mean()
            return {"loss": loss, "mean": mean, "var": var, "grads": gg_torch.grads(loss, {"w": w, "b": b})}

        class Over(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return summed([x.clone()])[0]

            @staticmethod
            def backward(ctx, g):
                return summed([g.clone()])[0]

        def distributed(x, w, b, mean, var):
            n, _ = ranks()
            count = n * x.shape[0] * x.shape[2]
            total = x.sum((0, 2))
            m = (total if wrong == FIRST else Over.apply(total) / n) * n / count
            apart = x - m[:, None]
            squares = Over.apply(apart.square().sum((0, 2)))
            y = apart * torch.rsqrt(squares / count + 1e-3)[:, None] * w[:, None] + b[:, None]
            loss = y.pow(3).mean()
            grads = gg_torch.grads(loss, {"w": w, "b": b})
            for g in summed(grads.values()):
                g.div_(n)
            mean = 0.75 * mean + 0.25 * m.detach()
            var = 0.75 * var + 0.25 * squares.detach() / (count if wrong == SECOND else count - 1)
            return {"loss": summed([loss.detach().clone()])[0] / n, "mean": mean, "var": var, "grads": grads}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp"})

    @program
    def latent(wrong):
        """DeepSeek: keys and values of all heads from one short vector, which every rank computes; what is not split is copied."""
        def run(side):
            def forward(x, down, norm, uk, uv, wq, wo):
                c = F.rms_norm(x @ down, (2,), norm, 1e-5)
                h = x
                if side:
                    c, h = c if wrong == FIRST else Copied.apply(c), Copied.apply(x)
                q, k, v = ((a @ w).unflatten(-1, (-1, 2)) for a, w in ((h, wq), (c, uk), (c, uv)))
                y = attended(q, k, v) @ wo
                if side:
                    y = Summed.apply(y / (2 if wrong == SECOND else 1))
                return (x + y).square().mean()
            return stepped(forward, ("down", "norm", "uk", "uv", "wq", "wo"))

        def args():
            return {"x": torch.randn(3, 4), "down": leaf(4, 2), "norm": leaf(2), "uk": leaf(2, 4), "uv": leaf(2, 4), "wq": leaf(4, 4), "wo": leaf(4, 4)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"tp": 2}, placements={"uk": ("tp", 1), "uv": ("tp", 1), "wq": ("tp", 1), "wo": "tp"})

    @program
    def parallel(wrong):
        """GPT-NeoX: attention and MLP of one input, one reduction for both; biases and the residual once."""
        def run(side):
            def forward(x, a1, a2, m1, m2, bias):
                h = Copied.apply(x) if side else x
                both = torch.tanh(F.layer_norm(h, (8,)) @ a1) @ a2 + F.gelu(F.layer_norm(h, (8,)) @ m1) @ m2
                if not side:
                    return (x + both + bias).square().mean()
                y = {RIGHT: lambda: x + Summed.apply(both) + bias, FIRST: lambda: x + Summed.apply(both + bias), SECOND: lambda: Summed.apply(x + both) + bias}[wrong]()
                return y.square().mean()
            return stepped(forward, ("a1", "a2", "m1", "m2", "bias"))

        def args():
            return {"x": torch.randn(3, 8), "a1": leaf(8, 8), "a2": leaf(8, 8), "m1": leaf(8, 16), "m2": leaf(16, 8), "bias": leaf(8)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"tp": 2}, placements={"a1": ("tp", 1), "a2": "tp", "m1": ("tp", 1), "m2": "tp"})

    @program
    def siglip(wrong):
        """open_clip: every image against the texts of all ranks, a pair of one place counts as equal."""
        def run(side):
            def forward(image, text, scale, bias):
                n, r = ranks()
                every = Gathered.apply(text) if side else text
                logits = image @ every.T * scale.exp() + bias
                first = r * image.shape[0] if side and wrong != FIRST else 0
                equal = torch.arange(image.shape[0])[:, None] + first == torch.arange(every.shape[0])[None, :]
                return -F.logsigmoid(torch.where(equal, logits, -logits)).sum() / (image.shape[0] if side and wrong == SECOND else 4)
            return forward

        def sequential(**given):
            loss = run(False)(**given)
            return {"loss": loss, "grads": gg_torch.grads(loss, {"image": given["image"], "scale": given["scale"]})}

        def distributed(**given):
            loss = run(True)(**given)
            grads = gg_torch.grads(loss, {"image": given["image"], "scale": given["scale"]})
            summed([grads["scale"]])
            return {"loss": summed([loss.detach().clone()])[0], "grads": grads}

        def args():
            return {"image": leaf(4, 3), "text": leaf(4, 3), "scale": leaf(), "bias": leaf()}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"image": "dp", "text": "dp"})

    @program
    def dino(wrong):
        """The student learns the teacher's sharpened, centred answers; the centre follows the mean of all ranks."""
        def loss_of(student, teacher, centre):
            return -(torch.softmax((teacher - centre) / 0.25, -1) * torch.log_softmax(student / 0.5, -1)).sum(-1).mean()

        def sequential(w, x, teacher, centre):
            loss = loss_of(x @ w, teacher, centre)
            return {"loss": loss, "centre": centre * 0.75 + teacher.mean(0) * 0.25, "grads": gg_torch.grads(loss, {"w": w})}

        def distributed(w, x, teacher, centre):
            n, _ = ranks()
            loss = loss_of(x @ w, teacher, centre)
            grads = gg_torch.grads(loss, {"w": w})
            for g in summed(grads.values()):
                g.div_(n)
            total = teacher.sum(0)
            if wrong != FIRST:
                summed([total])
            centre = centre * 0.75 + total / (len(teacher) * (1 if wrong == SECOND else n)) * 0.25
            return {"loss": summed([loss.detach().clone()])[0] / n, "centre": centre, "grads": grads}

        def args():
            return {"w": leaf(3, 5), "x": torch.randn(4, 3), "teacher": torch.randn(4, 5), "centre": torch.randn(5)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp", "teacher": "dp"})

    @program
    def vicreg(wrong):
        """Variance and covariance of the features of all ranks; every rank has the whole loss, its gradient is its part of the sum."""
        def loss_of(z):
            apart = z - z.mean(0)
            covariance = apart.T @ apart / (z.shape[0] - 1)
            spread = torch.sqrt(apart.square().sum(0) / (z.shape[0] - 1) + 1e-4)
            others = covariance.square().sum() - covariance.diagonal().square().sum()
            return F.relu(1 - spread).mean() + others / z.shape[1]

        def run(side):
            def forward(w, x):
                z = x @ w
                if side and wrong != FIRST:
                    z = Gathered.apply(z)
                return loss_of(z)
            return forward

        def distributed(w, x):
            n, _ = ranks()
            loss = run(True)(w, x)
            grads = gg_torch.grads(loss, {"w": w})
            for g in summed(grads.values()):
                g.div_(n if wrong != SECOND else 1)
            return {"loss": loss, "grads": grads}

        def args():
            return {"w": leaf(3, 4), "x": torch.randn(6, 3)}
        return dict(sequential=stepped(run(False), ("w",)), distributed=distributed, args=args, ranks={"dp": 2}, batch={"x": "dp"})

    @program
    def patches(wrong):
        """DistriFusion: an image in stripes; the statistics of a group norm are those of the whole image."""
        def sequential(x, w, b):
            return {"y": F.silu(F.group_norm(x, 2, w, b, 1e-3))}

        def distributed(x, w, b):
            n, _ = ranks()
            grouped = x.unflatten(1, (2, -1))
            sums = torch.stack([grouped.mean((2, 3, 4)), grouped.square().mean((2, 3, 4))])
            if wrong != FIRST:
                summed([sums])
                sums = sums / (n if wrong != SECOND else 1)
            mean, square = sums
            variance = square - mean.square()
            y = ((grouped - mean[:, :, None, None, None]) * torch.rsqrt(variance + 1e-3)[:, :, None, None, None]).flatten(1, 2)
            return {"y": F.silu(y * w[:, None, None] + b[:, None, None])}

        def args():
            return {"x": torch.randn(2, 4, 4, 3), "w": leaf(4), "b": leaf(4)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"sp": 2}, placements={"x": ("sp", 2)}, outputs={"y": ("sp", 2)})

    @program
    def bags(wrong):
        """torchrec: a table by rows; bags of the whole batch are looked up, summed over the ranks and scattered by example."""
        def args():
            return {"table": torch.randn(8, 3), "ids": torch.randint(0, 8, (4, 2))}

        def distributed(table, ids):
            n, r = ranks()
            own = table.shape[0]
            here = ids - r * own
            outside = (here < 0) | (here >= (own if wrong != FIRST else own - 1))
            rows = F.embedding(here.masked_fill(outside, 0), table).masked_fill(outside[..., None], 0.0).sum(1)
            got = rows.new_empty(rows.shape[0] // n, rows.shape[1])
            if wrong == SECOND:
                got.copy_(rows[r * len(got):(r + 1) * len(got)])
            else:
                dist.reduce_scatter_tensor(got, rows)
            return {"y": got}
        return dict(sequential=lambda table, ids: {"y": F.embedding(ids, table).sum(1)}, distributed=distributed, args=args, ranks={"ep": 2}, placements={"table": "ep"}, outputs={"y": "ep"},
                    ranges={"ids": [0, 8]})

    @program
    def axial(wrong):
        """FastFold: attention along one axis, an exchange of the axes, a mixing along the other one."""
        def along(x):  # [s, t, c], over t
            return torch.softmax(x @ x.transpose(1, 2), -1) @ x

        def exchanged(x, cut, n):
            """[a / n, b, c] as [a, b / n, c] of all ranks."""
            parts = torch.stack(x.chunk(n, 1))  # [n, a / n, b / n, c]
            return Exchanged.apply(parts).flatten(0, 1) if cut else Exchanged.apply(parts).transpose(0, 1).flatten(0, 1)

        def sequential(x, w):
            y = along(x).transpose(0, 1)
            return {"y": torch.relu(along(y) @ w)}

        def distributed(x, w):
            n, _ = ranks()
            y = along(x)
            if wrong != SECOND:
                y = exchanged(y, wrong != FIRST, n)
            else:
                y = y.repeat(n, 1, 1)[:, :y.shape[1] // n]
            return {"y": torch.relu(along(y.transpose(0, 1)) @ w)}

        def args():
            return {"x": torch.randn(4, 4, 3), "w": leaf(3, 3)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dap": 2}, placements={"x": "dap"}, outputs={"y": "dap"})

    @program
    def muon(wrong):
        """Momentum in shards of rows; orthogonalised whole, by Newton and Schulz."""
        def orthogonal(g):
            x = g / (g.norm() + 1e-6)
            for _ in range(2):
                a = x @ x.T
                x = 3.5 * x - 4.75 * (a @ x) + 2.0 * (a @ (a @ x))
            return x

        def sequential(w, m, g):
            m = 0.875 * m + g
            return {"w": w - 0.125 * orthogonal(m), "m": m}

        def distributed(w, m, g):
            n, r = ranks()
            own = g.new_empty(g.shape[0] // n, g.shape[1])
            dist.reduce_scatter_tensor(own, g / n)
            m = 0.875 * m + own
            if wrong == FIRST:
                return {"w": w - 0.125 * orthogonal(m), "m": m}
            whole = m.new_empty(g.shape)
            dist.all_gather_into_tensor(whole, m)
            rows = orthogonal(whole)[r * len(m):(r + 1) * len(m)] if wrong != SECOND else orthogonal(whole)[:len(m)]
            return {"w": w - 0.125 * rows, "m": m}

        def args():
            return {"w": torch.randn(4, 3), "m": torch.randn(4, 3), "g": torch.randn(4, 3)}
        return dict(sequential=sequential, distributed=distributed, args=args, ranks={"dp": 2}, placements={"w": "dp", "m": "dp"}, outputs={"w": "dp", "m": "dp"})

    @program
    def relative(wrong):
        """T5: the columns of a rank's heads, of a table of relative positions that all ranks have, whose gradients are summed; its embedding is its head too."""
        names = ("emb", "rel", "wq", "wk", "wv", "wo", "norm")

        def run(side):
            def forward(seen, ids, emb, rel, wq, wk, wv, wo, norm):
                heads = wq.shape[0] // 2
                copied, joined = (Copied.apply, Summed.apply) if side else (lambda a: a,) * 2
                x = F.embedding(ids, emb)
                h, e = copied(x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * norm), copied(seen)
                q, k, v = ((a @ w.T).view(len(a), heads, 2).transpose(0, 1) for a, w in ((h, wq), (e, wk), (e, wv)))
                bias = F.embedding((torch.arange(4)[:, None] - torch.arange(3)).clamp(-2, 2) + 2, rel)
                first = ranks()[1] * heads if side and wrong != FIRST else 0
                bias = bias[..., first:first + heads] if side else bias
                y = torch.softmax(q @ k.transpose(1, 2) + bias.permute(2, 0, 1), -1) @ v
                y = x + joined(y.transpose(0, 1).reshape(4, heads * 2) @ wo.T)
                return F.cross_entropy((y * 0.5) @ emb.T, ids)
            return stepped(forward, names)

        def distributed(**given):
            found = run(True)(**given)
            if wrong != SECOND:
                summed([found["grads"]["rel"]])
            return found

        def args():
            return {"seen": torch.randn(3, 4), "ids": torch.randint(0, 6, (4,)), "emb": leaf(6, 4), "rel": leaf(5, 4), "wq": leaf(8, 4), "wk": leaf(8, 4), "wv": leaf(8, 4), "wo": leaf(4, 8), "norm": leaf(4)}
        return dict(sequential=run(False), distributed=distributed, args=args, ranks={"tp": 2}, placements={"wq": "tp", "wk": "tp", "wv": "tp", "wo": ("tp", 1)}, ranges={"ids": [0, 6]})

    @program
    def normed(wrong):
        """OLMo: queries are normalised over the channels of all heads, which the ranks share."""
        def run(side):
            def forward(x, wq, scale, wo):
                h = Copied.apply(x) if side else x
                q = h @ wq
                squares = q.square().sum(-1, keepdim=True)
                if side and wrong != FIRST:
                    squares = Summed.apply(squares) if wrong == SECOND else Copied.apply(Summed.apply(squares))
                y = (q * torch.rsqrt(squares / (q.shape[-1] * (2 if side else 1)) + 1e-3) * scale) @ wo
                return (x + (Summed.apply(y) if side else y)).square().mean()
            return stepped(forward, ("wq", "scale", "wo"))

        def args():
            return {"x": torch.randn(3, 4), "wq": leaf(4, 8), "scale": leaf(8), "wo": leaf(8, 4)}
        return dict(sequential=run(False), distributed=run(True), args=args, ranks={"tp": 2}, placements={"wq": ("tp", 1), "scale": "tp", "wo": "tp"})

    return {name: (WANTED.get(name, want), options) for name, (want, options) in program.each("first", "second").items()}


if __name__ == "__main__":
    sys.exit(tested("published steps", programs))
