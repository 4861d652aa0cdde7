#!/usr/bin/env python3
"""Compares the operators of examples/definitions/*.fx, and those that are known and that torch has not, with their reference arithmetic in torch, in float64, on random instances.
usage: definitions.py FX_RUN FILE.fx... ; exit code 1 where something differs or an operator has no reference, 77 (skipped) without torch."""
import json
import re
import subprocess
import sys

try:
    import torch
    from torch.nn import functional as F
    from referee import graph, plain, same
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROUNDS = 20
BUILT_IN = {"apex.fused_layer_norm_affine_fwd.default", "apex.fused_layer_norm_affine_bwd.default", "gg.dropout.default"}  # rows of models/fx


def rms(x, w, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


def gradients(f, inputs, g):
    xs = [x.clone().requires_grad_() for x in inputs]
    return torch.autograd.grad(f(*xs), xs, g)


def glu(act, x):
    a, b = x.chunk(2, -1)
    return act(a) * b


def rope(t, freqs):
    r = freqs.shape[-1]
    front, rest = t[..., :r], t[..., r:]
    a, b = front.chunk(2, -1)
    return torch.cat([front * freqs.cos() + torch.cat([-b, a], -1) * freqs.sin(), rest], -1)


def neox(positions, x, size, cache):
    cos, sin = cache[positions].chunk(2, -1)
    a, b = x.view(len(x), -1, size).chunk(2, -1)
    cos, sin = cos[:, None], sin[:, None]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).flatten(1)


def masked(x, mask, scale):
    return torch.softmax((x * scale).masked_fill(mask, -10000.0), -1)


def causal(x, scale):
    return torch.softmax((x * scale).masked_fill(torch.ones(x.shape[-2:], dtype=torch.bool).triu(1), float("-inf")), -1)


def draw(*shape):
    return torch.randn(*shape)


# operator: ((arguments, results[, what is written: positions of arguments]))
def cases():
    n, d = (int(torch.randint(1, 6, ())) for _ in range(2))
    x, y, w, b, g, eps = draw(n, d), draw(n, d), draw(d), draw(d), draw(n, d), 1e-5
    wide, scale = draw(n, 2 * d), 0.3
    scores, s_g = draw(2, 3, n, d), draw(2, 3, n, d)
    mask = torch.rand(2, 1, n, d) < 0.4
    square, q_g = draw(3, n, n), draw(3, n, n)
    mean, var = x.mean(-1), x.var(-1, unbiased=False)
    rsigma = torch.rsqrt(var + eps)
    t, freqs = draw(4, 2, 3, 6), draw(4, 1, 1, 4)
    positions, cache = torch.randint(0, 7, (n,)), draw(7, 4)
    q, k = draw(n, 12), draw(n, 8)
    soft, half = torch.softmax(scores * scale, -1), causal(square, scale)
    keep = torch.rand(n, d) < 0.7
    apex = [mean.clone(), rsigma.clone()]
    for statistic in apex:  # float32 whatever the input is; runs in float64 round nothing
        statistic.printed = torch.float32
    return {
        "apex.fused_layer_norm_affine_fwd.default": ([x, w, b, [d], eps], [F.layer_norm(x, (d,), w, b, eps), *apex]),
        "apex.fused_layer_norm_affine_bwd.default": ([g, mean, rsigma, x, [d], w, b, eps], list(gradients(lambda a, c, e: F.layer_norm(a, (d,), c, e, eps), [x, w, b], g))),
        "gg.dropout.default": ([x, 0.3, keep], [x * keep / 0.7, keep]),
        "_C.rms_norm.default": ([y, x, w, eps], [rms(x, w, eps)], [0]),
        "_C.fused_add_rms_norm.default": ([x, y, w, eps], [rms(x + y, w, eps), x + y], [0, 1]),
        "_C.silu_and_mul.default": ([y, wide], [glu(F.silu, wide)], [0]),
        "_C.gelu_and_mul.default": ([y, wide], [glu(F.gelu, wide)], [0]),
        "_C.rotary_embedding.default": ([positions, q, k, 4, cache, True], [neox(positions, q, 4, cache), neox(positions, k, 4, cache)], [1, 2]),
        "apex.fused_rms_norm_affine_fwd.default": ([x, w, [d], eps], [rms(x, w, eps), torch.rsqrt(x.pow(2).mean(-1) + eps)]),
        "apex.fused_rms_norm_affine_bwd.default": ([g, torch.rsqrt(x.pow(2).mean(-1) + eps), x, [d], w, eps], list(gradients(lambda a, c: rms(a, c, eps), [x, w], g))),
        "apex.scaled_softmax_fwd.default": ([scores, scale], soft),
        "apex.scaled_masked_softmax_fwd.default": ([scores, mask, scale], masked(scores, mask, scale)),
        "apex.scaled_upper_triang_masked_softmax_fwd.default": ([square, scale], half),
        "apex.scaled_softmax_bwd.default": ([s_g, soft, scale], gradients(lambda a: torch.softmax(a * scale, -1), [scores], s_g)[0]),
        "apex.scaled_masked_softmax_bwd.default": ([s_g, masked(scores, mask, scale), scale], scale * gradients(lambda a: torch.softmax(a, -1), [(scores * scale).masked_fill(mask, -10000.0)], s_g)[0]),
        "apex.scaled_upper_triang_masked_softmax_bwd.default": ([q_g, half, scale], gradients(lambda a: causal(a, scale), [square], q_g)[0]),
        "transformer_engine.fused_rope_forward.default": ([t, freqs], rope(t, freqs)),
        "transformer_engine.fused_rope_backward.default": ([t, freqs], gradients(lambda a: rope(a, freqs), [draw(4, 2, 3, 6)], t)[0]),
        "transformer_engine.swiglu.default": ([wide], glu(F.silu, wide)),
        "transformer_engine.dswiglu.default": ([g, wide], gradients(lambda a: glu(F.silu, a), [wide], g)[0]),
        "transformer_engine.layernorm_fwd.default": ([x, w, b, eps], [F.layer_norm(x, (d,), w, b, eps), mean, rsigma]),
        "transformer_engine.layernorm_bwd.default": ([g, x, mean, rsigma, w], list(gradients(lambda a, c, e: F.layer_norm(a, (d,), c, e, eps), [x, w, b], g))),
    }


def text_of(name, arguments, results, written=None):
    text, inputs, wanted = graph(name, arguments, {}, results)
    if written is None:
        return text, inputs, wanted
    names = [f"x{[k for k, a in enumerate(arguments) if isinstance(a, torch.Tensor)].index(w)}" for w in written]
    lines = [line for line in text.split("\n") if "getitem" not in line or "return" in line]
    return re.sub(r"return .*", f"return [{', '.join(names)}]", "\n".join(lines)), inputs, wanted


def main(program, files):
    torch.set_default_dtype(torch.float64)
    defined = {name for file in files for name in re.findall(r"^# Operator: (\S+)", open(file).read(), re.M)}
    defined |= BUILT_IN
    process = subprocess.Popen([program, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    problems, compared = [], 0
    for seed in range(ROUNDS):
        torch.manual_seed(seed)
        table = cases()
        if seed == 0:
            problems += [f"{name}: no reference in tests/torch/definitions.py" for name in sorted(defined - table.keys())] + [f"{name}: not defined" for name in sorted(table.keys() - defined)]
        for name, case in table.items():
            text, inputs, wanted = text_of(name, *case)
            process.stdin.write(json.dumps({"text": text, "inputs": [plain(x.detach()) for x in inputs]}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            compared += 1
            got = answer.get("outputs", [])
            if "error" in answer or any(len(plain(x)) != len(y) or any(not same(a, b) for a, b in zip(plain(x), y)) for x, y in zip(wanted, got)):
                problems.append(f"{name}: {answer.get('error', 'other values')}\n{text}")
    process.stdin.close()
    for problem in problems[:20]:
        print(problem)
    print(f"{len(defined)} operators, {compared} instances compared, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
