"""Cross entropy over a vocabulary that is split over the ranks, with label smoothing."""
import torch
import torch.distributed as dist

import gg_torch

RANKS = {"tp": 2}
CASE = dict(placements={"head": ("tp", 1)}, ranges={"labels": [0, 8]})
DEFECTS = {"smoothing-over-own-part": "NVIDIA/Megatron-LM#737: the mean of the log-probabilities is taken over the rank's own part of the vocabulary",
           "unreduced-target": "modelscope/ms-swift#9947: the ranks that do not own the target get other gradients of the logits",
           "sum-of-whole-logits": "NVIDIA/Megatron-LM#7452 (row 2): exponentials of logits that are whole on every rank are summed over ranks"}
VOCABULARY, SMOOTHING = 8, 0.125


def args():
    return {"head": torch.randn(8, VOCABULARY, requires_grad=True), "x": torch.randn(4, 8, requires_grad=True), "labels": torch.randint(0, VOCABULARY, (4,))}


def sequential(head, x, labels):
    loss = torch.nn.functional.cross_entropy(x @ head, labels, label_smoothing=SMOOTHING)
    return {"loss": loss, "grads": gg_torch.grads(loss, {"head": head, "x": x})}


class Loss(torch.autograd.Function):
    """A loss a token from the rank's part of the logits."""

    @staticmethod
    def forward(ctx, logits, labels, defect):
        part = logits.shape[-1]
        first = dist.get_rank() * part
        largest = logits.max(-1).values
        dist.all_reduce(largest, op=dist.ReduceOp.MAX)
        shifted = logits - largest[:, None]
        total = shifted.exp().sum(-1)
        dist.all_reduce(total)
        outside = (labels < first) | (labels >= first + part)
        own = (labels - first).masked_fill(outside, 0)
        target = shifted.gather(-1, own[:, None])[:, 0].masked_fill(outside, 0.0)
        dist.all_reduce(target)
        mean = shifted.sum(-1) / VOCABULARY
        if defect == "smoothing-over-own-part":
            mean = shifted.mean(-1)  # wrong: smoothing-over-own-part
        else:
            dist.all_reduce(mean)
        ctx.save_for_backward(shifted.exp() / total[:, None], own, outside)
        ctx.defect = defect
        return (1 - SMOOTHING) * (total.log() - target) + SMOOTHING * (total.log() - mean)

    @staticmethod
    def backward(ctx, g):
        softmax, own, outside = ctx.saved_tensors
        hot = torch.nn.functional.one_hot(own, softmax.shape[-1]).to(g.dtype).masked_fill(outside[:, None], 0.0)
        if ctx.defect == "unreduced-target":
            softmax = softmax.masked_fill(outside[:, None], 0.0)  # wrong: unreduced-target
        return g[:, None] * (softmax - (1 - SMOOTHING) * hot - SMOOTHING / VOCABULARY), None, None  # wrong: unreduced-target


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        dist.all_reduce(g)
        return g


def distributed(head, x, labels, defect=None):
    logits = Copy.apply(x) @ head
    if defect == "sum-of-whole-logits":
        parts = [torch.empty_like(logits) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, logits.detach())
        whole = torch.cat(parts, -1)
        total = whole.exp().sum(-1)
        dist.all_reduce(total)  # wrong: sum-of-whole-logits
        loss = (total.log() - (1 - SMOOTHING) * whole.gather(-1, labels[:, None])[:, 0] - SMOOTHING * whole.mean(-1)).mean()
        true = Loss.apply(logits, labels, None).mean()
        return {"loss": loss, "grads": gg_torch.grads(true, {"head": head, "x": x})}
    loss = Loss.apply(logits, labels, defect).mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, {"head": head, "x": x})}
