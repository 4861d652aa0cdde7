# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[5, 7]", b: "f32[7, 3]", x: "f32[8, 5]", y: "f32[8, 3]", m: "f32[8]"):
        # No stacktrace found for following nodes
        alias: "f32[5, 7]" = torch.ops.aten.alias.default(a)
        alias_1: "f32[7, 3]" = torch.ops.aten.alias.default(b)

        # File: programs.py:82 in losses
        mm: "f32[8, 7]" = torch.ops.aten.mm.default(x, alias)
        tanh: "f32[8, 7]" = torch.ops.aten.tanh.default(mm)
        alias_2: "f32[8, 7]" = torch.ops.aten.alias.default(tanh)
        mm_1: "f32[8, 3]" = torch.ops.aten.mm.default(tanh, alias_1)
        sub: "f32[8, 3]" = torch.ops.aten.sub.Tensor(mm_1, y)
        pow_1: "f32[8, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 2)
        sum_1: "f32[8]" = torch.ops.aten.sum.dim_IntList(pow_1, [-1])
        mul: "f32[8]" = torch.ops.aten.mul.Tensor(sum_1, m)
        sum_2: "f32[]" = torch.ops.aten.sum.default(mul)

        # File: programs.py:86 in sequential
        sum_3: "f32[]" = torch.ops.aten.sum.default(m)
        div: "f32[]" = torch.ops.aten.div.Tensor(sum_2, sum_3)

        # File: programs.py:87 in sequential
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(div, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:86 in sequential
        div_1: "f32[]" = torch.ops.aten.div.Tensor(ones_like, sum_3)

        # File: programs.py:82 in losses
        expand: "f32[8]" = torch.ops.aten.expand.default(div_1, [8])
        mul_1: "f32[8]" = torch.ops.aten.mul.Tensor(expand, m)
        unsqueeze: "f32[8, 1]" = torch.ops.aten.unsqueeze.default(mul_1, -1)
        expand_1: "f32[8, 3]" = torch.ops.aten.expand.default(unsqueeze, [8, 3])
        pow_2: "f32[8, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 1.0)
        mul_2: "f32[8, 3]" = torch.ops.aten.mul.Scalar(pow_2, 2.0)
        mul_3: "f32[8, 3]" = torch.ops.aten.mul.Tensor(expand_1, mul_2)
        t: "f32[7, 8]" = torch.ops.aten.t.default(tanh)
        mm_2: "f32[7, 3]" = torch.ops.aten.mm.default(t, mul_3)
        t_1: "f32[3, 7]" = torch.ops.aten.t.default(alias_1)
        mm_3: "f32[8, 7]" = torch.ops.aten.mm.default(mul_3, t_1)
        alias_3: "f32[8, 7]" = torch.ops.aten.alias.default(alias_2)
        tanh_backward: "f32[8, 7]" = torch.ops.aten.tanh_backward.default(mm_3, alias_3)
        t_2: "f32[5, 8]" = torch.ops.aten.t.default(x)
        mm_4: "f32[5, 7]" = torch.ops.aten.mm.default(t_2, tanh_backward)
        return [div, mm_4, mm_2]

