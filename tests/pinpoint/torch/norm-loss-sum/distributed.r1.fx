# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, g: "f32[6]", b: "f32[6]", w: "f32[6, 6]", x: "f32[4, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[6]" = torch.ops.aten.alias.default(g)
        alias_1: "f32[6]" = torch.ops.aten.alias.default(b)
        alias_2: "f32[6, 6]" = torch.ops.aten.alias.default(w)

        # File: programs.py:197 in distributed
        native_layer_norm = torch.ops.aten.native_layer_norm.default(x, [6], alias, alias_1, 1e-05)
        getitem: "f32[4, 6]" = native_layer_norm[0]
        getitem_1: "f32[4, 1]" = native_layer_norm[1]
        getitem_2: "f32[4, 1]" = native_layer_norm[2]
        mm: "f32[4, 6]" = torch.ops.aten.mm.default(getitem, alias_2)
        relu: "f32[4, 6]" = torch.ops.aten.relu.default(mm)
        alias_3: "f32[4, 6]" = torch.ops.aten.alias.default(relu)
        add: "f32[4, 6]" = torch.ops.aten.add.Tensor(x, relu)

        # File: programs.py:198 in distributed
        pow_1: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add, 2)

        # File: programs.py:200 in distributed
        sum_1: "f32[]" = torch.ops.aten.sum.default(pow_1)

        # File: programs.py:203 in distributed
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(sum_1, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:200 in distributed
        expand: "f32[4, 6]" = torch.ops.aten.expand.default(ones_like, [4, 6])

        # File: programs.py:198 in distributed
        pow_2: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add, 1.0)
        mul: "f32[4, 6]" = torch.ops.aten.mul.Scalar(pow_2, 2.0)
        mul_1: "f32[4, 6]" = torch.ops.aten.mul.Tensor(expand, mul)

        # File: programs.py:197 in distributed
        alias_4: "f32[4, 6]" = torch.ops.aten.alias.default(alias_3)
        threshold_backward: "f32[4, 6]" = torch.ops.aten.threshold_backward.default(mul_1, alias_4, 0)
        t: "f32[6, 4]" = torch.ops.aten.t.default(getitem)
        mm_1: "f32[6, 6]" = torch.ops.aten.mm.default(t, threshold_backward)
        t_1: "f32[6, 6]" = torch.ops.aten.t.default(alias_2)
        mm_2: "f32[4, 6]" = torch.ops.aten.mm.default(threshold_backward, t_1)
        native_layer_norm_backward = torch.ops.aten.native_layer_norm_backward.default(mm_2, x, [6], getitem_1, getitem_2, alias, alias_1, [False, True, True])
        getitem_4: "f32[6]" = native_layer_norm_backward[1]
        getitem_5: "f32[6]" = native_layer_norm_backward[2]

        # File: programs.py:206 in distributed
        all_reduce: "f32[6]" = torch.ops._c10d_functional.all_reduce.default(getitem_4, 'sum', '0')
        wait_tensor: "f32[6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce)
        view: "f32[6]" = torch.ops.aten.view.default(wait_tensor, [6])
        copy: "f32[6]" = torch.ops.aten.copy.default(getitem_4, view)

        # File: programs.py:207 in distributed
        div: "f32[6]" = torch.ops.aten.div.Tensor(copy, 2)

        # File: programs.py:206 in distributed
        all_reduce_1: "f32[6]" = torch.ops._c10d_functional.all_reduce.default(getitem_5, 'sum', '0')
        wait_tensor_1: "f32[6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1)
        view_1: "f32[6]" = torch.ops.aten.view.default(wait_tensor_1, [6])
        copy_1: "f32[6]" = torch.ops.aten.copy.default(getitem_5, view_1)

        # File: programs.py:207 in distributed
        div_1: "f32[6]" = torch.ops.aten.div.Tensor(copy_1, 2)

        # File: programs.py:206 in distributed
        all_reduce_2: "f32[6, 6]" = torch.ops._c10d_functional.all_reduce.default(mm_1, 'sum', '0')
        wait_tensor_2: "f32[6, 6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2)
        view_2: "f32[6, 6]" = torch.ops.aten.view.default(wait_tensor_2, [6, 6])
        copy_2: "f32[6, 6]" = torch.ops.aten.copy.default(mm_1, view_2)

        # File: programs.py:207 in distributed
        div_2: "f32[6, 6]" = torch.ops.aten.div.Tensor(copy_2, 2)
        return [add, div, div_1, div_2]

