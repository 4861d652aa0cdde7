"""How a test of a framework's repository looks: `PYTHONPATH=harness/capture pytest -p gg_testing examples/torch --gg-harness build/gg-harness`."""
import functools

import pytest
import torch
import torch.distributed as dist
from gg_testing import assert_refines


class Reduce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def args():
    return {"up": torch.randn(8, 16, requires_grad=True), "down": torch.randn(16, 8, requires_grad=True), "x": torch.randn(4, 8)}


def mlp(up, down, x, reduce=lambda y: y):
    loss = reduce(torch.relu(x @ up) @ down).square().mean()
    loss.backward()
    return {"loss": loss, "grads": {"up": up.grad, "down": down.grad}}


tensor_parallel = functools.partial(mlp, reduce=Reduce.apply)
SPLIT = dict(mesh={"tp": 2}, placements={"up": ("tp", 1), "down": "tp"})


def test_tensor_parallel_mlp(tmp_path):
    assert_refines(sequential=mlp, distributed=tensor_parallel, args=args, folder=tmp_path, **SPLIT)


def test_a_missing_reduction_fails(tmp_path):
    with pytest.raises(pytest.fail.Exception, match="missing all-reduce over tp"):
        assert_refines(sequential=mlp, distributed=mlp, args=args, folder=tmp_path, **SPLIT)


@pytest.mark.gg_slow
def test_wide(tmp_path):
    wide = lambda: {"up": torch.randn(64, 256, requires_grad=True), "down": torch.randn(256, 64, requires_grad=True), "x": torch.randn(16, 64)}
    assert_refines(sequential=mlp, distributed=tensor_parallel, args=wide, folder=tmp_path, **SPLIT)
