"""GPTModel of megatron-core from PyPI, unmodified: two layers, tensor parallel, with and without sequence parallelism, and parts of it that
NVIDIA/Megatron-LM#7452 reports. PROGRAMS says what each must be decided as."""
import functools
import sys

import torch
import torch.distributed as dist

import gg_torch

VOCABULARY, LENGTH = 64, 16
GROUPS = dict(hidden_dropout=0.0, attention_dropout=0.0, use_cpu_initialization=True, params_dtype=torch.float32, bias_dropout_fusion=False,
              gradient_accumulation_fusion=False, masked_softmax_fusion=False, bias_activation_fusion=False)


def configured(hidden_size=32, **given):
    """A configuration for all ranks as one tensor parallel group, and its process groups; of one rank the sequential one."""
    from megatron.core import parallel_state
    from megatron.core.process_groups_config import ProcessGroupCollection
    from megatron.core.transformer.transformer_config import TransformerConfig
    n = dist.get_world_size()
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=n)
    given["sequence_parallel"] = given.get("sequence_parallel", False) and n > 1
    config = TransformerConfig(num_layers=2, hidden_size=hidden_size, num_attention_heads=4, tensor_model_parallel_size=n, **GROUPS, **given)
    return config, ProcessGroupCollection.use_mpu_process_groups()


def finalize(module):
    """The last part of Megatron's step: gradients that the ranks of a tensor parallel group sum."""
    from megatron.core.distributed import DistributedDataParallelConfig
    import megatron.core.distributed.finalize_model_grads
    for p in module.parameters():
        p.main_grad = torch.zeros_like(p) if p.grad is None else p.grad
    module.ddp_config = DistributedDataParallelConfig()
    sys.modules["megatron.core.distributed.finalize_model_grads"]._allreduce_non_tensor_model_parallel_grads([module], module.config, None)


# ----------------------------------------------------------------------------------------------------------------------------- whole models

def args(sequence_parallel=False, tied=False, **given):
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    config, _ = configured(sequence_parallel=sequence_parallel)
    model = GPTModel(config, get_gpt_layer_local_spec(), vocab_size=VOCABULARY, max_sequence_length=LENGTH, share_embeddings_and_output_weights=tied, **given)
    draw = lambda: torch.randint(0, VOCABULARY, (2, LENGTH))
    return {"model": model, "tokens": draw(), "labels": draw(), "loss_mask": torch.rand(2, LENGTH) + 0.1}


def step(model, tokens, labels, loss_mask, finalized=True):
    position_ids = torch.arange(LENGTH).expand(2, LENGTH)
    mask = torch.ones(LENGTH, LENGTH).tril().logical_not()[None, None]
    losses = model(tokens, position_ids, mask, labels=labels)
    loss = (losses * loss_mask).sum() / loss_mask.sum()
    loss.backward()
    if finalized:
        finalize(model)
    return {"loss": loss, "grads": {name: p.main_grad if finalized else p.grad for name, p in model.named_parameters()}}


# ------------------------------------------------------------------------------------------------------------------------ parts of a model

def smoothed_args():
    configured()
    return {"logits": torch.randn(4, 2, 16, requires_grad=True), "target": torch.randint(0, 16, (4, 2))}


def smoothed(logits, target, smoothing=0.1):
    from megatron.core.tensor_parallel.cross_entropy import vocab_parallel_cross_entropy
    loss = vocab_parallel_cross_entropy(logits.clone(), target, smoothing)
    return {"loss": loss, "grads": gg_torch.grads(loss.sum(), {"logits": logits})}


def router_args(padded):
    from megatron.core.transformer.moe.router import TopKRouter
    config, groups = configured(8, num_moe_experts=4, moe_router_topk=2, moe_router_pre_softmax=True, moe_aux_loss_coeff=0.1, moe_router_load_balancing_type="aux_loss",
                                sequence_parallel=True, calculate_per_token_loss=True, add_bias_linear=False)
    router = TopKRouter(config, groups)
    router.set_layer_number(1)
    return {"router": router, "x": torch.randn(8, 2, 8), **({"padding": torch.rand(8, 2) < 0.3} if padded else {})}


def routed(router, x, padding=None):
    """The gradient of the auxiliary loss alone."""
    (0 * router(x, padding)[0]).sum().backward()
    finalize(router)
    return {"grads": {"weight": router.weight.main_grad}}


def delta_args():
    from megatron.core.ssm import gated_delta_net
    from megatron.core.tensor_parallel.layers import ColumnParallelLinear, RowParallelLinear
    from megatron.core.transformer.torch_norm import WrappedTorchNorm
    gated_delta_net.HAVE_FLA = True  # its kernel is not used here
    config, groups = configured(16, linear_conv_kernel_dim=2, linear_key_head_dim=4, linear_value_head_dim=4, linear_num_key_heads=4, linear_num_value_heads=4,
                                normalization="RMSNorm")
    parts = gated_delta_net.GatedDeltaNetSubmodules(in_proj=ColumnParallelLinear, out_norm=WrappedTorchNorm, out_proj=RowParallelLinear)
    return {"layer": gated_delta_net.GatedDeltaNet(config, parts, 1, pg_collection=groups), "heads": torch.randn(2, 4, 4, 4), "gate": torch.randn(2, 4, 4, 4)}


def normed(layer, heads, gate, reduced=False):
    """What follows the recurrence: the gated norm of each head, and the projection."""
    y = layer._apply_gated_norm(heads, gate).reshape(2, 4, -1).transpose(0, 1).contiguous()
    loss = layer.out_proj(y)[0].square().mean()
    loss.backward()
    finalize(layer)
    if reduced:
        dist.all_reduce(layer.out_norm.weight.main_grad)
    return {"loss": loss, "grads": {name: layer.get_parameter(name).main_grad for name in ("out_norm.weight", "out_proj.weight")}}


def program(want, place, sequential, distributed, args, tp=2, ranges=None, **options):
    return dict(want=want, place=place, sequential=sequential, distributed=distributed, args=args, ranks={"tp": tp}, ranges=ranges, **options)


WHOLE = dict(tp=4, ranges={"tokens": [0, VOCABULARY], "labels": [0, VOCABULARY], "loss_mask": [0.1, 1]})
HEADS = dict(placements={"heads": ("tp", 2), "gate": ("tp", 2)})
of = functools.partial
PROGRAMS = {
    "tp": program("proved", None, step, step, args, **WHOLE),
    "tp-sp": program("proved", None, step, step, of(args, True), **WHOLE),
    "norm-all-reduce-skipped": program("refuted", "transformer_layer.py:584", step, of(step, finalized=False), of(args, True), **WHOLE),  # NVIDIA/Megatron-LM#1446
    "tied-embeddings": program("proved", None, step, step, of(args, True, True), **{**WHOLE, "tp": 2}),
    "smoothing-off": program("proved", None, of(smoothed, smoothing=0.0), of(smoothed, smoothing=0.0), smoothed_args, placements={"logits": ("tp", 2)}, ranges={"target": [0, 16]}),
    "label-smoothing": program("refuted", "cross_entropy.py:181", smoothed, smoothed, smoothed_args, placements={"logits": ("tp", 2)}, ranges={"target": [0, 16]}),  # #7452, 1
    "logits-gathered": program("refuted", "cross_entropy.py", step, step, args, dist_args=of(args, parallel_output=False), **{**WHOLE, "tp": 2}),  # #7452, 2
    "padded-router": program("proved", None, routed, routed, of(router_args, True), batch={"x": "tp", "padding": "tp"}),  # #7452, 10: see docs/torch.md
    "router": program("refuted", "router.py:466", routed, routed, of(router_args, False), batch={"x": "tp"}),  # NVIDIA/Megatron-LM#5047
    "delta-norm": program("refuted", "gated_delta_net.py:416", normed, normed, delta_args, **HEADS),  # #7452, 11
    "delta-norm-reduced": program("proved", None, normed, of(normed, reduced=True), delta_args, **HEADS),
}
