"""What the pytest plugin does with the assumptions of a proof (tests/torch/plugin.py runs it)."""
import pytest
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
import torch.nn.functional as F

import gg_torch
from gg_testing import assert_refines


def bag(table, ids):
    return {"y": F.embedding(ids, table).sum(1)}


def split_bag(table, ids):
    rows, group = table.shape[0], gg_torch.group("tp")
    local = ids - dist.get_rank(group) * rows
    held = (local >= 0) & (local < rows)
    own = (F.embedding(local.clamp(0, rows - 1), table) * held[..., None]).sum(1)
    return {"y": fc.wait_tensor(fc.all_reduce(own, "sum", group))}


def embedding_args():
    return {"table": torch.randn(16, 3), "ids": torch.randint(0, 16, (5, 4))}


def test_indices_in_bounds_may_be_assumed(tmp_path):
    assert_refines(sequential=bag, distributed=split_bag, args=embedding_args, mesh={"tp": 4}, placements={"table": ("tp", 0)}, folder=tmp_path)


def mean(x):
    return {"y": x / 12}


def mean_by_literal(x):
    return {"y": x * (1 / 12)}


def test_other_assumptions_fail_unless_they_are_allowed(tmp_path):
    pair = dict(sequential=mean, distributed=mean_by_literal, args=lambda: {"x": torch.randn(4, 3)}, mesh={"tp": 2})
    with pytest.raises(pytest.fail.Exception, match="proved only under 'literal"):
        assert_refines(folder=tmp_path / "strict", **pair)
    assert_refines(folder=tmp_path / "allowed", allow_assumptions=["literal"], **pair)
