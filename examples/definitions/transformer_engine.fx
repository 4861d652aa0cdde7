# Operators of Transformer Engine, by the torch code that its tests compare them with (tests/pytorch/test_fused_rope.py, test_numerics.py: TorchLayerNorm,
# TorchGLU).
# Operator: transformer_engine.fused_rope_forward.default
# [sequence, batch, heads, head]: the first halves of a rotated part of width r, the rest stays.
class rope(torch.nn.Module):
    def forward(self, t: "T[s, b, h, d]", freqs: "T[s, 1, 1, r]"):
        half: "Sym((r//2))" = r // 2
        cos: "T[s, 1, 1, r]" = torch.ops.aten.cos.default(freqs)
        sin: "T[s, 1, 1, r]" = torch.ops.aten.sin.default(freqs)
        front: "T[s, b, h, r]" = torch.ops.aten.slice.Tensor(t, 3, 0, r)
        rest: "T[s, b, h, d-r]" = torch.ops.aten.slice.Tensor(t, 3, r, 9223372036854775807)
        a: "T[s, b, h, (r//2)]" = torch.ops.aten.slice.Tensor(front, 3, 0, half)
        c: "T[s, b, h, (r//2)]" = torch.ops.aten.slice.Tensor(front, 3, half, 9223372036854775807)
        neg: "T[s, b, h, (r//2)]" = torch.ops.aten.neg.default(c)
        turned: "T[s, b, h, r]" = torch.ops.aten.cat.default([neg, a], 3)
        x: "T[s, b, h, r]" = torch.ops.aten.mul.Tensor(front, cos)
        y: "T[s, b, h, r]" = torch.ops.aten.mul.Tensor(turned, sin)
        z: "T[s, b, h, r]" = torch.ops.aten.add.Tensor(x, y)
        out: "T[s, b, h, d]" = torch.ops.aten.cat.default([z, rest], 3)
        return out

# Operator: transformer_engine.fused_rope_backward.default
class rope_backward(torch.nn.Module):
    def forward(self, grad: "T[s, b, h, d]", freqs: "T[s, 1, 1, r]"):
        half: "Sym((r//2))" = r // 2
        cos: "T[s, 1, 1, r]" = torch.ops.aten.cos.default(freqs)
        sin: "T[s, 1, 1, r]" = torch.ops.aten.sin.default(freqs)
        front: "T[s, b, h, r]" = torch.ops.aten.slice.Tensor(grad, 3, 0, r)
        rest: "T[s, b, h, d-r]" = torch.ops.aten.slice.Tensor(grad, 3, r, 9223372036854775807)
        by_sin: "T[s, b, h, r]" = torch.ops.aten.mul.Tensor(front, sin)
        a: "T[s, b, h, (r//2)]" = torch.ops.aten.slice.Tensor(by_sin, 3, 0, half)
        c: "T[s, b, h, (r//2)]" = torch.ops.aten.slice.Tensor(by_sin, 3, half, 9223372036854775807)
        neg: "T[s, b, h, (r//2)]" = torch.ops.aten.neg.default(a)
        turned: "T[s, b, h, r]" = torch.ops.aten.cat.default([c, neg], 3)
        x: "T[s, b, h, r]" = torch.ops.aten.mul.Tensor(front, cos)
        z: "T[s, b, h, r]" = torch.ops.aten.add.Tensor(x, turned)
        out: "T[s, b, h, d]" = torch.ops.aten.cat.default([z, rest], 3)
        return out

# Operator: transformer_engine.swiglu.default
class swiglu(torch.nn.Module):
    def forward(self, input: "T[n, w]"):
        half: "Sym((w//2))" = w // 2
        gate: "T[n, (w//2)]" = torch.ops.aten.slice.Tensor(input, 1, 0, half)
        up: "T[n, (w//2)]" = torch.ops.aten.slice.Tensor(input, 1, half, 9223372036854775807)
        silu: "T[n, (w//2)]" = torch.ops.aten.silu.default(gate)
        out: "T[n, (w//2)]" = torch.ops.aten.mul.Tensor(silu, up)
        return out

# Operator: transformer_engine.dswiglu.default
class dswiglu(torch.nn.Module):
    def forward(self, grad: "T[n, d]", input: "T[n, 2*d]"):
        gate: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, 0, d)
        up: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, d, 9223372036854775807)
        silu: "T[n, d]" = torch.ops.aten.silu.default(gate)
        to_gate: "T[n, d]" = torch.ops.aten.mul.Tensor(grad, up)
        d_gate: "T[n, d]" = torch.ops.aten.silu_backward.default(to_gate, gate)
        d_up: "T[n, d]" = torch.ops.aten.mul.Tensor(grad, silu)
        out: "T[n, 2*d]" = torch.ops.aten.cat.default([d_gate, d_up], 1)
        return out

# Operator: transformer_engine.layernorm_fwd.default
class layernorm_fwd(torch.nn.Module):
    def forward(self, input: "T[n, d]", weight: "T[d]", bias: "T[d]", eps: "Scalar", zero_centered_gamma: "False" = False):
        native = torch.ops.aten.native_layer_norm.default(input, [d], weight, bias, eps)
        out: "T[n, d]" = native[0]
        mean: "T[n, 1]" = native[1]
        rstd: "T[n, 1]" = native[2]
        mu: "T[n]" = torch.ops.aten.view.default(mean, [n])
        rsigma: "T[n]" = torch.ops.aten.view.default(rstd, [n])
        return (out, mu, rsigma)

# Operator: transformer_engine.layernorm_bwd.default
class layernorm_bwd(torch.nn.Module):
    def forward(self, dz: "T[n, d]", x: "T[n, d]", mu: "T[n]", rsigma: "T[n]", gamma: "T[d]", zero_centered_gamma: "False" = False):
        mean: "T[n, 1]" = torch.ops.aten.unsqueeze.default(mu, 1)
        rstd: "T[n, 1]" = torch.ops.aten.unsqueeze.default(rsigma, 1)
        native = torch.ops.aten.native_layer_norm_backward.default(dz, x, [d], mean, rstd, gamma, gamma, [True, True, True])
        dx: "T[n, d]" = native[0]
        dgamma: "T[d]" = native[1]
        dbeta: "T[d]" = native[2]
        return (dx, dgamma, dbeta)
