"""Steps of torch's own parallel libraries, each right and with a defect: `python3 parallel.py GG_HARNESS [NAME ...]`. Skipped (77) without torch (scripts/venv.sh torch)."""
import functools
import importlib.util
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "harness", "capture"))


def programs():
    """{name: (wanted verdict, options of gg_torch.pair)}."""
    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    import gg_torch

    # ------------------------------------------------------------------------------------------------------------------------- optimizers

    def stated():
        """A model, and AdamW's moments as inputs beside it."""
        model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
        return {"model": model, "x": torch.randn(4, 4), "moments": {f"{kind}.{name}": torch.rand_like(p) * 0.1 for name, p in model.named_parameters() for kind in ("first", "second")}}

    def updated(model, x, moments, wrong=False, **how):
        """A step of AdamW on gradients that are averaged over the ranks, or summed where it is wrong."""
        model(x).square().mean().backward()
        n = dist.get_world_size()
        for p in model.parameters():
            if n > 1:
                dist.all_reduce(p.grad)
            p.grad /= 1 if wrong else n
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, **how)
        for name, p in model.named_parameters():
            optimizer.state[p] = {"step": torch.tensor(3.0), "exp_avg": moments[f"first.{name}"], "exp_avg_sq": moments[f"second.{name}"]}
        optimizer.step()
        return {"model": dict(model.named_parameters()), "first": {name: optimizer.state[p]["exp_avg"] for name, p in model.named_parameters()}}

    def optimizer(wrong, **how):
        step = functools.partial(updated, **how)
        return dict(sequential=step, distributed=functools.partial(step, wrong=wrong), args=stated, ranks={"dp": 2}, batch={"x": "dp"})

    # ------------------------------------------------------------------------------------------------------------------------ fully_shard

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8, bias=False)

        def forward(self, x):
            return x + self.down(torch.relu(self.up(x)))

    def trained():
        return {"model": nn.Sequential(Layer(), Layer()), "x": torch.randn(8, 8), "y": torch.randn(8, 8)}

    def gradients(model, loss):
        loss.backward()
        return {"loss": loss.detach(), "grads": {name: p.grad for name, p in model.named_parameters()}}

    def sequential(model, x, y):
        return gradients(model, (model(x) - y).square().mean())

    def low_precision(model, x, y):
        """Parameters and activations of bf16, gradients of f32: what the policy says."""
        low = {name: p.to(torch.bfloat16) for name, p in model.named_parameters()}
        loss = (torch.func.functional_call(model, low, (x.to(torch.bfloat16),)).float() - y).square().mean()
        return {"loss": loss, "grads": gg_torch.grads(loss, model)}

    def sharded(model, x, y, axes, wrong=False, **policy):
        """fully_shard over the given axes; wrong: every rank takes the sum of its own tokens' losses."""
        given = gg_torch.mesh()[axes]
        for layer in model:
            fully_shard(layer, mesh=given, **policy)
        fully_shard(model, mesh=given, **policy)
        losses = (model(x).float() - y).square()
        result = gradients(model, losses.sum() if wrong else losses.mean())
        mean = losses.detach().mean()
        for axis in axes:
            dist.all_reduce(mean, group=gg_torch.group(axis))
        return {**result, "loss": mean / given.size()}

    def columns_and_rows():
        made = trained()
        for layer in made["model"]:
            parallelize_module(layer, gg_torch.mesh()["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
        return made

    def shards(*axes, wrong, original=sequential, policy={}, **more):
        split = list(axes)
        return dict(sequential=original, distributed=functools.partial(sharded, axes=axes, wrong=wrong, **policy), args=trained, batch={"x": (split, 0), "y": (split, 0)}, **more)

    bf16 = dict(mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32))
    grid = {"rep": 2, "dp": 2}
    both = dict(ranks={"dp": 2, "tp": 2}, dist_args=columns_and_rows)
    pairs = {"adamw-foreach": optimizer, "adamw-fused": functools.partial(optimizer, fused=True), "adamw-loop": functools.partial(optimizer, foreach=False),
             "hsdp": lambda wrong: shards("rep", "dp", wrong=wrong, ranks=grid), "fsdp-tp": lambda wrong: shards("dp", wrong=wrong, **both),
             "fsdp-bf16": lambda wrong: shards("dp", wrong=wrong, original=low_precision, policy=bf16, ranks={"dp": 2})}
    return {f"{name}-{'wrong' if wrong else 'ok'}": ("refuted" if wrong else "proved", make(wrong)) for name, make in pairs.items() for wrong in (False, True)}


def problem(tool, want, options):
    import gg_torch
    with tempfile.TemporaryDirectory() as folder:
        try:
            gg_torch.pair(out=folder, **options)
        except gg_torch.CaptureError as e:
            return f"not captured: {e}"
        done = subprocess.run([tool, "prove" if want == "proved" else "run", folder], capture_output=True, text=True)
    said = done.stdout + done.stderr
    return None if (done.stdout.strip().splitlines() or [""])[-1].startswith(want) else said[-1500:]


def tested(what, programs):
    """The exit code of a test of these programs."""
    if importlib.util.find_spec("torch") is None:
        print(f"{what} skipped: no torch (scripts/venv.sh torch)")
        return 77
    tool, found = os.path.abspath(sys.argv[1]), programs()
    return counted((name, problem(tool, *found[name])) for name in sys.argv[2:] or found)


if __name__ == "__main__":
    sys.exit(tested("parallel libraries", programs))
