"""A mixture of experts: tokens and experts split over the ranks, one slot a token at every expert, all-to-all there and back."""
import torch
import torch.distributed as dist
import torch.nn.functional as F

import gg_torch

RANKS = {"ep": 2}
CASE = dict(batch={"x": "ep"}, placements={"up": "ep", "down": "ep"}, outputs={"y": "ep"})
DEFECTS = {"combine-order": "NVIDIA-NeMo/Automodel#2995: what comes back is taken in the order of the experts, it arrived in that of the ranks",
           "gate-gradient-unreduced": "pytorch/torchtitan#2416: the gradient of the router comes from the rank's tokens only",
           "expert-gradients-doubled": "pytorch/pytorch#160285: gradients of the experts are those of a sum over the ranks' tokens, the others of a mean"}
EXPERTS, WIDTH = 4, 8


class AllToAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        received = torch.empty_like(x, memory_format=torch.contiguous_format)
        dist.all_to_all_single(received, x.contiguous())
        return received

    @staticmethod
    def backward(ctx, g):
        return AllToAll.forward(ctx, g)


def args():
    p = {"gate": torch.randn(WIDTH, EXPERTS, requires_grad=True), "up": torch.randn(EXPERTS, WIDTH, 16, requires_grad=True),
         "down": torch.randn(EXPERTS, 16, WIDTH, requires_grad=True)}
    return {"p": p, "x": torch.randn(8, WIDTH)}


def routed(gate, x):
    """[tokens, experts]: the probability of the chosen expert, 0 elsewhere; and which was chosen."""
    probability = torch.softmax(x @ gate, -1)
    chosen = F.one_hot(probability.argmax(-1), EXPERTS).to(x.dtype)
    return probability * chosen, chosen


def experts(p, slots):
    return torch.bmm(F.silu(torch.bmm(slots, p["up"])), p["down"])


def sequential(p, x):
    weight, chosen = routed(p["gate"], x)
    y = (experts(p, chosen.T[:, :, None] * x) * weight.T[:, :, None]).sum(0)
    loss = y.square().mean()
    return {"y": y, "loss": loss, "grads": gg_torch.grads(loss, p)}


def distributed(p, x, defect=None):
    n, tokens = dist.get_world_size(), x.shape[0]
    weight, chosen = routed(p["gate"], x)  # wrong: gate-gradient-unreduced
    there = AllToAll.apply(chosen.T[:, :, None] * x)  # [rank, own expert] x tokens
    slots = there.view(n, EXPERTS // n, tokens, WIDTH).transpose(0, 1).reshape(EXPERTS // n, n * tokens, WIDTH)
    done = experts(p, slots).view(EXPERTS // n, n, tokens, WIDTH)  # wrong: combine-order
    if defect == "combine-order":
        back = AllToAll.apply(done.reshape(EXPERTS, tokens, WIDTH))  # wrong: combine-order
    else:
        back = AllToAll.apply(done.transpose(0, 1).reshape(EXPERTS, tokens, WIDTH))  # wrong: expert-gradients-doubled
    y = (back * weight.T[:, :, None]).sum(0)  # wrong: expert-gradients-doubled
    loss = y.square().mean()
    g = gg_torch.grads(loss, p)
    if defect != "gate-gradient-unreduced":
        dist.all_reduce(g["gate"])
        g["gate"] = g["gate"] / n
    if defect != "expert-gradients-doubled":  # wrong: expert-gradients-doubled
        g["up"], g["down"] = g["up"] / n, g["down"] / n
    mean = loss.detach() / n
    dist.all_reduce(mean)
    return {"y": y, "loss": mean, "grads": g}
