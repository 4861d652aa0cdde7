# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, g: "f32[6]", b: "f32[6]", w: "f32[6, 6]", x: "f32[8, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[6]" = torch.ops.aten.alias.default(g)
        alias_1: "f32[6]" = torch.ops.aten.alias.default(b)
        alias_2: "f32[6, 6]" = torch.ops.aten.alias.default(w)

        # File: programs.py:191 in sequential
        native_layer_norm = torch.ops.aten.native_layer_norm.default(x, [6], alias, alias_1, 1e-05)
        getitem: "f32[8, 6]" = native_layer_norm[0]
        getitem_1: "f32[8, 1]" = native_layer_norm[1]
        getitem_2: "f32[8, 1]" = native_layer_norm[2]
        mm: "f32[8, 6]" = torch.ops.aten.mm.default(getitem, alias_2)
        relu: "f32[8, 6]" = torch.ops.aten.relu.default(mm)
        alias_3: "f32[8, 6]" = torch.ops.aten.alias.default(relu)
        add: "f32[8, 6]" = torch.ops.aten.add.Tensor(x, relu)

        # File: programs.py:192 in sequential
        pow_1: "f32[8, 6]" = torch.ops.aten.pow.Tensor_Scalar(add, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1)
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format)
        expand: "f32[8, 6]" = torch.ops.aten.expand.default(ones_like, [8, 6])
        div: "f32[8, 6]" = torch.ops.aten.div.Scalar(expand, 48)
        pow_2: "f32[8, 6]" = torch.ops.aten.pow.Tensor_Scalar(add, 1.0)
        mul: "f32[8, 6]" = torch.ops.aten.mul.Scalar(pow_2, 2.0)
        mul_1: "f32[8, 6]" = torch.ops.aten.mul.Tensor(div, mul)

        # File: programs.py:191 in sequential
        alias_4: "f32[8, 6]" = torch.ops.aten.alias.default(alias_3)
        threshold_backward: "f32[8, 6]" = torch.ops.aten.threshold_backward.default(mul_1, alias_4, 0)
        t: "f32[6, 8]" = torch.ops.aten.t.default(getitem)
        mm_1: "f32[6, 6]" = torch.ops.aten.mm.default(t, threshold_backward)
        t_1: "f32[6, 6]" = torch.ops.aten.t.default(alias_2)
        mm_2: "f32[8, 6]" = torch.ops.aten.mm.default(threshold_backward, t_1)
        native_layer_norm_backward = torch.ops.aten.native_layer_norm_backward.default(mm_2, x, [6], getitem_1, getitem_2, alias, alias_1, [False, True, True])
        getitem_4: "f32[6]" = native_layer_norm_backward[1]
        getitem_5: "f32[6]" = native_layer_norm_backward[2]
        return [add, getitem_4, getitem_5, mm_1]

