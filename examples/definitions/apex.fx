# Operators of apex and of Megatron's fused kernels (apex/normalization/fused_layer_norm.py: manual_rms_norm; megatron/core/fusions: the torch paths of
# FusedScaleMaskSoftmax). A definition is one of rank 2; reshape before and after as the modules do.
# Operator: apex.fused_rms_norm_affine_fwd.default
class rms_norm_fwd(torch.nn.Module):
    def forward(self, input: "T[n, d]", weight: "T[d]", normalized_shape: "Scalar", eps: "Scalar"):
        square: "T[n, d]" = torch.ops.aten.mul.Tensor(input, input)
        mean: "T[n, 1]" = torch.ops.aten.mean.dim(square, [-1], True)
        add: "T[n, 1]" = torch.ops.aten.add.Scalar(mean, eps)
        rsqrt: "T[n, 1]" = torch.ops.aten.rsqrt.default(add)
        normal: "T[n, d]" = torch.ops.aten.mul.Tensor(input, rsqrt)
        out: "T[n, d]" = torch.ops.aten.mul.Tensor(normal, weight)
        invvar: "T[n]" = torch.ops.aten.view.default(rsqrt, [n])
        return (out, invvar)

# Operator: apex.fused_rms_norm_affine_bwd.default
class rms_norm_bwd(torch.nn.Module):
    def forward(self, grad_output: "T[n, d]", invvar: "T[n]", input: "T[n, d]", normalized_shape: "Scalar", weight: "T[d]", eps: "Scalar"):
        scale: "T[n, 1]" = torch.ops.aten.unsqueeze.default(invvar, 1)
        normal: "T[n, d]" = torch.ops.aten.mul.Tensor(input, scale)
        by_weight: "T[n, d]" = torch.ops.aten.mul.Tensor(grad_output, normal)
        grad_weight: "T[d]" = torch.ops.aten.sum.dim_IntList(by_weight, [0])
        g: "T[n, d]" = torch.ops.aten.mul.Tensor(grad_output, weight)
        along: "T[n, d]" = torch.ops.aten.mul.Tensor(g, normal)
        mean: "T[n, 1]" = torch.ops.aten.mean.dim(along, [-1], True)
        back: "T[n, d]" = torch.ops.aten.mul.Tensor(normal, mean)
        apart: "T[n, d]" = torch.ops.aten.sub.Tensor(g, back)
        grad_input: "T[n, d]" = torch.ops.aten.mul.Tensor(apart, scale)
        return (grad_input, grad_weight)

# Operator: apex.scaled_softmax_fwd.default
class scaled_softmax(torch.nn.Module):
    def forward(self, input: "T[b, h, s, t]", scale: "Scalar"):
        mul: "T[b, h, s, t]" = torch.ops.aten.mul.Scalar(input, scale)
        out: "T[b, h, s, t]" = torch.ops.aten._softmax.default(mul, -1, False)
        return out

# Operator: apex.scaled_masked_softmax_fwd.default
class scaled_masked_softmax(torch.nn.Module):
    def forward(self, input: "T[b, h, s, t]", mask: "b8[m, 1, s, t]", scale: "Scalar"):
        mul: "T[b, h, s, t]" = torch.ops.aten.mul.Scalar(input, scale)
        fill: "T[b, h, s, t]" = torch.ops.aten.masked_fill.Scalar(mul, mask, -10000.0)
        out: "T[b, h, s, t]" = torch.ops.aten._softmax.default(fill, -1, False)
        return out

# Operator: apex.scaled_upper_triang_masked_softmax_fwd.default
class scaled_upper_triang_masked_softmax(torch.nn.Module):
    def forward(self, input: "T[b, s, s]", scale: "Scalar"):
        mul: "T[b, s, s]" = torch.ops.aten.mul.Scalar(input, scale)
        ones: "b8[s, s]" = torch.ops.aten.full.default([s, s], True, dtype = torch.bool, device = device(type='cpu'), pin_memory = False)
        above: "b8[s, s]" = torch.ops.aten.triu.default(ones, 1)
        fill: "T[b, s, s]" = torch.ops.aten.masked_fill.Scalar(mul, above, -inf)
        out: "T[b, s, s]" = torch.ops.aten._softmax.default(fill, -1, False)
        return out

# Operator: apex.scaled_softmax_bwd.default
class scaled_softmax_bwd(torch.nn.Module):
    def forward(self, grad: "T[b, h, s, t]", softmax: "T[b, h, s, t]", scale: "Scalar"):
        back: "T[b, h, s, t]" = torch.ops.aten._softmax_backward_data.default(grad, softmax, -1, torch.T)
        out: "T[b, h, s, t]" = torch.ops.aten.mul.Scalar(back, scale)
        return out

# Operator: apex.scaled_masked_softmax_bwd.default
class scaled_masked_softmax_bwd(torch.nn.Module):
    def forward(self, grad: "T[b, h, s, t]", softmax: "T[b, h, s, t]", scale: "Scalar"):
        back: "T[b, h, s, t]" = torch.ops.aten._softmax_backward_data.default(grad, softmax, -1, torch.T)
        out: "T[b, h, s, t]" = torch.ops.aten.mul.Scalar(back, scale)
        return out

# Operator: apex.scaled_upper_triang_masked_softmax_bwd.default
class scaled_upper_triang_masked_softmax_bwd(torch.nn.Module):
    def forward(self, grad: "T[b, s, t]", softmax: "T[b, s, t]", scale: "Scalar"):
        back: "T[b, s, t]" = torch.ops.aten._softmax_backward_data.default(grad, softmax, -1, torch.T)
        out: "T[b, s, t]" = torch.ops.aten.mul.Scalar(back, scale)
        return out
