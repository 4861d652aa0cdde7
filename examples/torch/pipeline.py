"""A pipeline of two stages by torch.distributed.pipelining (GPipe, two micro-batches)."""
import torch
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

import gg_torch

RANKS = {"pp": 2}
CASE = dict()
DEFECTS = {"gradients-not-divided": "deepspeedai/DeepSpeed#7773: the gradients of the micro-batches are summed, not divided by their number",
           "sum-loss": "pytorch/torchtitan#2972: the backward pass starts at the sum, the division is left to the metric",
           "micro-batches-out-of-order": "pytorch/torchtitan: targets of a micro-batch meet the outputs of another"}
MICRO_BATCHES = 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8, bias=False)

    def forward(self, x):
        return x + self.down(torch.tanh(self.up(x)))


def args():
    return {"model": nn.ModuleDict({"stage0": Block(), "stage1": Block()}), "x": torch.randn(4, 8), "target": torch.randn(4, 8)}


def dist_args():
    made = args()
    rank = torch.distributed.get_rank()
    del made["model"][f"stage{1 - rank}"], made["target" if rank == 0 else "x"]
    return made


def sequential(model, x, target):
    losses = [(model["stage1"](model["stage0"](part)) - t).square().mean() for part, t in zip(x.chunk(MICRO_BATCHES), target.chunk(MICRO_BATCHES))]
    loss = torch.stack(losses).mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, model)}


def distributed(model, x=None, target=None, defect=None):
    rank = torch.distributed.get_rank()
    example = torch.zeros(4 // MICRO_BATCHES, 8)
    stage = PipelineStage(model[f"stage{rank}"], rank, 2, torch.device("cpu"), input_args=example.requires_grad_(rank == 1), output_args=example.clone().requires_grad_(True))

    def loss_of(y, t):
        if defect == "sum-loss":
            return (y - t).square().sum()  # wrong: sum-loss
        return (y - t).square().mean()  # wrong: gradients-not-divided

    schedule = ScheduleGPipe(stage, MICRO_BATCHES, loss_fn=loss_of, scale_grads=defect != "gradients-not-divided")  # wrong: gradients-not-divided
    losses = []
    if defect == "micro-batches-out-of-order" and target is not None:
        target = torch.cat(list(reversed(target.chunk(MICRO_BATCHES))))  # wrong: micro-batches-out-of-order
    schedule.step(*([x] if rank == 0 else []), target=target, losses=losses if rank == 1 else None)
    grads = {name: p.grad for name, p in model.named_parameters()}
    return {"grads": grads} if rank == 0 else {"loss": torch.stack(losses).mean(), "grads": grads}
