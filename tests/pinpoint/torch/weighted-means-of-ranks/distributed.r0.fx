# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[5, 7]", b: "f32[7, 3]", x: "f32[4, 5]", y: "f32[4, 3]", m: "f32[4]"):
        # No stacktrace found for following nodes
        alias: "f32[5, 7]" = torch.ops.aten.alias.default(a)
        alias_1: "f32[7, 3]" = torch.ops.aten.alias.default(b)

        # File: programs.py:92 in distributed
        sum_1: "f32[]" = torch.ops.aten.sum.default(m)

        # File: programs.py:97 in distributed
        slice_1: "f32[2, 5]" = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
        slice_2: "f32[2, 3]" = torch.ops.aten.slice.Tensor(y, 0, 0, 2)
        slice_3: "f32[2]" = torch.ops.aten.slice.Tensor(m, 0, 0, 2)

        # File: programs.py:82 in losses
        mm: "f32[2, 7]" = torch.ops.aten.mm.default(slice_1, alias)
        tanh: "f32[2, 7]" = torch.ops.aten.tanh.default(mm)
        alias_2: "f32[2, 7]" = torch.ops.aten.alias.default(tanh)
        mm_1: "f32[2, 3]" = torch.ops.aten.mm.default(tanh, alias_1)
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm_1, slice_2)
        pow_1: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 2)
        sum_2: "f32[2]" = torch.ops.aten.sum.dim_IntList(pow_1, [-1])
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(sum_2, slice_3)
        sum_3: "f32[]" = torch.ops.aten.sum.default(mul)

        # File: programs.py:97 in distributed
        div: "f32[]" = torch.ops.aten.div.Tensor(sum_3, sum_1)

        # File: programs.py:98 in distributed
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(div, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:97 in distributed
        div_1: "f32[]" = torch.ops.aten.div.Tensor(ones_like, sum_1)

        # File: programs.py:82 in losses
        expand: "f32[2]" = torch.ops.aten.expand.default(div_1, [2])
        mul_1: "f32[2]" = torch.ops.aten.mul.Tensor(expand, slice_3)
        unsqueeze: "f32[2, 1]" = torch.ops.aten.unsqueeze.default(mul_1, -1)
        expand_1: "f32[2, 3]" = torch.ops.aten.expand.default(unsqueeze, [2, 3])
        pow_2: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 1.0)
        mul_2: "f32[2, 3]" = torch.ops.aten.mul.Scalar(pow_2, 2.0)
        mul_3: "f32[2, 3]" = torch.ops.aten.mul.Tensor(expand_1, mul_2)
        t: "f32[7, 2]" = torch.ops.aten.t.default(tanh)
        mm_2: "f32[7, 3]" = torch.ops.aten.mm.default(t, mul_3)
        t_1: "f32[3, 7]" = torch.ops.aten.t.default(alias_1)
        mm_3: "f32[2, 7]" = torch.ops.aten.mm.default(mul_3, t_1)
        alias_3: "f32[2, 7]" = torch.ops.aten.alias.default(alias_2)
        tanh_backward: "f32[2, 7]" = torch.ops.aten.tanh_backward.default(mm_3, alias_3)
        t_2: "f32[5, 2]" = torch.ops.aten.t.default(slice_1)
        mm_4: "f32[5, 7]" = torch.ops.aten.mm.default(t_2, tanh_backward)

        # File: programs.py:99 in distributed
        alias_4: "f32[]" = torch.ops.aten.alias.default(div)
        add: "f32[]" = torch.ops.aten.add.Tensor(alias_4, 0.0)

        # File: programs.py:97 in distributed
        slice_4: "f32[2, 5]" = torch.ops.aten.slice.Tensor(x, 0, 2, 4)
        slice_5: "f32[2, 3]" = torch.ops.aten.slice.Tensor(y, 0, 2, 4)
        slice_6: "f32[2]" = torch.ops.aten.slice.Tensor(m, 0, 2, 4)

        # File: programs.py:82 in losses
        mm_5: "f32[2, 7]" = torch.ops.aten.mm.default(slice_4, alias)
        tanh_1: "f32[2, 7]" = torch.ops.aten.tanh.default(mm_5)
        alias_5: "f32[2, 7]" = torch.ops.aten.alias.default(tanh_1)
        mm_6: "f32[2, 3]" = torch.ops.aten.mm.default(tanh_1, alias_1)
        sub_1: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm_6, slice_5)
        pow_3: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub_1, 2)
        sum_4: "f32[2]" = torch.ops.aten.sum.dim_IntList(pow_3, [-1])
        mul_4: "f32[2]" = torch.ops.aten.mul.Tensor(sum_4, slice_6)
        sum_5: "f32[]" = torch.ops.aten.sum.default(mul_4)

        # File: programs.py:97 in distributed
        div_2: "f32[]" = torch.ops.aten.div.Tensor(sum_5, sum_1)

        # File: programs.py:98 in distributed
        ones_like_1: "f32[]" = torch.ops.aten.ones_like.default(div_2, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:97 in distributed
        div_3: "f32[]" = torch.ops.aten.div.Tensor(ones_like_1, sum_1)

        # File: programs.py:82 in losses
        expand_2: "f32[2]" = torch.ops.aten.expand.default(div_3, [2])
        mul_5: "f32[2]" = torch.ops.aten.mul.Tensor(expand_2, slice_6)
        unsqueeze_1: "f32[2, 1]" = torch.ops.aten.unsqueeze.default(mul_5, -1)
        expand_3: "f32[2, 3]" = torch.ops.aten.expand.default(unsqueeze_1, [2, 3])
        pow_4: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub_1, 1.0)
        mul_6: "f32[2, 3]" = torch.ops.aten.mul.Scalar(pow_4, 2.0)
        mul_7: "f32[2, 3]" = torch.ops.aten.mul.Tensor(expand_3, mul_6)
        t_3: "f32[7, 2]" = torch.ops.aten.t.default(tanh_1)
        mm_7: "f32[7, 3]" = torch.ops.aten.mm.default(t_3, mul_7)
        t_4: "f32[3, 7]" = torch.ops.aten.t.default(alias_1)
        mm_8: "f32[2, 7]" = torch.ops.aten.mm.default(mul_7, t_4)
        alias_6: "f32[2, 7]" = torch.ops.aten.alias.default(alias_5)
        tanh_backward_1: "f32[2, 7]" = torch.ops.aten.tanh_backward.default(mm_8, alias_6)
        t_5: "f32[5, 2]" = torch.ops.aten.t.default(slice_4)
        mm_9: "f32[5, 7]" = torch.ops.aten.mm.default(t_5, tanh_backward_1)

        # File: programs.py:99 in distributed
        alias_7: "f32[]" = torch.ops.aten.alias.default(div_2)
        add_1: "f32[]" = torch.ops.aten.add.Tensor(add, alias_7)

        # File: programs.py:99 in <dictcomp>
        add_2: "f32[5, 7]" = torch.ops.aten.add.Tensor(mm_4, mm_9)
        add_3: "f32[7, 3]" = torch.ops.aten.add.Tensor(mm_2, mm_7)

        # File: programs.py:100 in distributed
        clone: "f32[]" = torch.ops.aten.clone.default(add_1)

        # File: programs.py:101 in distributed
        all_reduce: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce)
        view: "f32[]" = torch.ops.aten.view.default(wait_tensor, [])
        copy: "f32[]" = torch.ops.aten.copy.default(clone, view)

        # File: programs.py:103 in distributed
        all_reduce_1: "f32[5, 7]" = torch.ops._c10d_functional.all_reduce.default(add_2, 'sum', '0')
        wait_tensor_1: "f32[5, 7]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1)
        view_1: "f32[5, 7]" = torch.ops.aten.view.default(wait_tensor_1, [5, 7])
        copy_1: "f32[5, 7]" = torch.ops.aten.copy.default(add_2, view_1)
        all_reduce_2: "f32[7, 3]" = torch.ops._c10d_functional.all_reduce.default(add_3, 'sum', '0')
        wait_tensor_2: "f32[7, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2)
        view_2: "f32[7, 3]" = torch.ops.aten.view.default(wait_tensor_2, [7, 3])
        copy_2: "f32[7, 3]" = torch.ops.aten.copy.default(add_3, view_2)

        # File: programs.py:105 in distributed
        div_4: "f32[]" = torch.ops.aten.div.Tensor(copy, 2)

        # File: programs.py:105 in <dictcomp>
        div_5: "f32[5, 7]" = torch.ops.aten.div.Tensor(copy_1, 2)
        div_6: "f32[7, 3]" = torch.ops.aten.div.Tensor(copy_2, 2)
        return [div_4, div_5, div_6]

