"""GPTModel of megatron-core from PyPI, unmodified: two layers, tensor parallel over 4 ranks, with and without sequence parallelism."""
import sys

import torch
import torch.distributed as dist

import gg_torch

RANKS = {"tp": 4}
VOCABULARY, LENGTH = 64, 16


def model(sequence_parallel):
    from megatron.core import parallel_state
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer.transformer_config import TransformerConfig
    n = dist.get_world_size()
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=n)
    config = TransformerConfig(num_layers=2, hidden_size=32, num_attention_heads=4, use_cpu_initialization=True, hidden_dropout=0.0, attention_dropout=0.0,
                               tensor_model_parallel_size=n, sequence_parallel=sequence_parallel and n > 1, params_dtype=torch.float32, bias_dropout_fusion=False,
                               gradient_accumulation_fusion=False, masked_softmax_fusion=False, bias_activation_fusion=False)
    return GPTModel(config, get_gpt_layer_local_spec(), vocab_size=VOCABULARY, max_sequence_length=LENGTH, share_embeddings_and_output_weights=False)


def args(sequence_parallel=False):
    tokens = torch.randint(0, VOCABULARY, (2, LENGTH))
    return {"model": model(sequence_parallel), "tokens": tokens, "labels": torch.randint(0, VOCABULARY, (2, LENGTH)), "loss_mask": torch.rand(2, LENGTH) + 0.1}


def step(model, tokens, labels, loss_mask, finalize=True):
    from megatron.core.distributed import DistributedDataParallelConfig
    import megatron.core.distributed.finalize_model_grads
    position_ids = torch.arange(LENGTH).expand(2, LENGTH)
    mask = torch.ones(LENGTH, LENGTH).tril().logical_not()[None, None]
    losses = model(tokens, position_ids, mask, labels=labels)
    loss = (losses * loss_mask).sum() / loss_mask.sum()
    loss.backward()
    for p in model.parameters():
        p.main_grad = p.grad
    model.ddp_config = DistributedDataParallelConfig()
    if finalize:
        sys.modules["megatron.core.distributed.finalize_model_grads"]._allreduce_non_tensor_model_parallel_grads([model], model.config, None)
    return {"loss": loss, "grads": {name: p.main_grad for name, p in model.named_parameters()}}
