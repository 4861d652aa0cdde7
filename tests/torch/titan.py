"""torchtitan's Llama 3 from PyPI, one layer, tensor parallel with sequence parallelism: `python3 titan.py GG_HARNESS`. Skipped (77) without torch or torchtitan (scripts/venv.sh torch-extra).

On a CPU without flex attention: its attention is torch's, its rotary embedding the one of cosines and sines. The gradients of its norms are partial sums, which is right, and what
one has who takes them as they are is wrong."""
import functools
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "harness", "capture"))
VOCABULARY, LENGTH, WIDTH = 64, 8, 32


def configured():
    """The configuration of the model, and how the library splits it."""
    from torch.nn.attention import SDPBackend
    from torchtitan.models import llama3
    from torchtitan.models.common import Embedding, Linear, RMSNorm
    from torchtitan.models.common.attention import ScaledDotProductAttention
    from torchtitan.models.common.rope import CosSinRoPE
    from torchtitan.models.llama3.sharding import set_llama3_sharding_config
    ScaledDotProductAttention.sdpa_backends = [SDPBackend.MATH]
    llama3.get_attention_config = lambda _: ScaledDotProductAttention.Config()
    rope = CosSinRoPE.Config(dim=WIDTH // 4, max_seq_len=LENGTH, theta=10000.0, scaling="none")
    layers = llama3._build_llama3_layers(n_layers=1, dim=WIDTH, n_heads=4, hidden_dim=2 * WIDTH, rope=rope, attn_backend="sdpa", fuse_qkv=False)
    config = llama3.Llama3Model.Config(dim=WIDTH, vocab_size=VOCABULARY, layers=layers,
                                       tok_embeddings=Embedding.Config(num_embeddings=VOCABULARY, embedding_dim=WIDTH, param_init=llama3._EMBEDDING_INIT),
                                       norm=RMSNorm.Config(normalized_shape=WIDTH, param_init=llama3._NORM_INIT),
                                       lm_head=Linear.Config(in_features=WIDTH, out_features=VOCABULARY, param_init=llama3._output_linear_init(WIDTH)))
    set_llama3_sharding_config(config, enable_sp=True)
    return config


def args(parallel=False):
    import torch
    from torchtitan.distributed import parallel_dims
    model = configured().build()
    model.init_states()
    if parallel:
        parallel_dims.device_type, n = "cpu", torch.distributed.get_world_size()
        model.parallelize(parallel_dims.ParallelDims(dp_replicate=1, dp_shard=1, cp=1, tp=n, pp=1, ep=1, world_size=n, spmd_backend="partial_dtensor"))
    draw = lambda: torch.randint(0, VOCABULARY, (2, LENGTH))
    return {"model": model, "tokens": draw(), "labels": draw()}


def step(model, tokens, labels, reduced=True):
    import torch
    from torch.distributed.tensor import DTensor
    logits = model(tokens)
    logits = logits.full_tensor() if isinstance(logits, DTensor) else logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    own = lambda g: g.to_local() if isinstance(g, DTensor) and g.placements[0].is_partial() and not reduced else g
    return {"loss": loss, "grads": {name: own(p.grad) for name, p in model.named_parameters()}}


def verdict_of(tool, folder, command):
    done = subprocess.run([tool, command, folder], capture_output=True, text=True)
    return (done.stdout.strip().splitlines() or [done.stderr])[-1]


def problem(tool, reduced):
    import gg_torch
    with tempfile.TemporaryDirectory() as folder:
        gg_torch.pair(step, functools.partial(step, reduced=reduced), args, {"tp": 2}, folder, dist_args=functools.partial(args, True),
                      ranges={"tokens": [0, VOCABULARY], "labels": [0, VOCABULARY]})
        verdict = verdict_of(tool, folder, "check" if reduced else "run")
    return None if verdict.startswith(("proved", "unknown") if reduced else "refuted") else verdict


def main():
    if any(importlib.util.find_spec(name) is None for name in ("torch", "torchtitan")):
        print("torchtitan skipped: it is not there (scripts/venv.sh torch-extra)")
        return 77
    logging.disable(logging.WARNING)
    import torchtitan.models.llama3  # noqa: F401  once, before the forks
    tool = os.path.abspath(sys.argv[1])
    return counted((name, problem(tool, reduced)) for name, reduced in (("llama3", True), ("llama3-norms-unreduced", False)))


if __name__ == "__main__":
    sys.exit(main())
