# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, norm0: "f32[6]", gate0: "f32[6, 4]", up0: "f32[6, 4]", down0: "f32[4, 6]", norm1: "f32[6]", gate1: "f32[6, 4]", up1: "f32[6, 4]", down1: "f32[4, 6]", x: "f32[4, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[6]" = torch.ops.aten.alias.default(norm0)
        alias_1: "f32[6, 4]" = torch.ops.aten.alias.default(gate0)
        alias_2: "f32[6, 4]" = torch.ops.aten.alias.default(up0)
        alias_3: "f32[4, 6]" = torch.ops.aten.alias.default(down0)
        alias_4: "f32[6]" = torch.ops.aten.alias.default(norm1)
        alias_5: "f32[6, 4]" = torch.ops.aten.alias.default(gate1)
        alias_6: "f32[6, 4]" = torch.ops.aten.alias.default(up1)
        alias_7: "f32[4, 6]" = torch.ops.aten.alias.default(down1)

        # File: programs.py:55 in run
        pow_1: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(x, 2)
        mean: "f32[4, 1]" = torch.ops.aten.mean.dim(pow_1, [-1], True)
        add: "f32[4, 1]" = torch.ops.aten.add.Tensor(mean, 1e-05)
        rsqrt: "f32[4, 1]" = torch.ops.aten.rsqrt.default(add)
        mul: "f32[4, 6]" = torch.ops.aten.mul.Tensor(x, rsqrt)
        mul_1: "f32[4, 6]" = torch.ops.aten.mul.Tensor(mul, alias)

        # File: programs.py:21 in forward
        view: "f32[4, 6]" = torch.ops.aten.view.default(mul_1, [4, 6])

        # File: programs.py:57 in run
        mm: "f32[4, 4]" = torch.ops.aten.mm.default(view, alias_1)
        silu: "f32[4, 4]" = torch.ops.aten.silu.default(mm)
        mm_1: "f32[4, 4]" = torch.ops.aten.mm.default(view, alias_2)
        mul_2: "f32[4, 4]" = torch.ops.aten.mul.Tensor(silu, mm_1)
        mm_2: "f32[4, 6]" = torch.ops.aten.mm.default(mul_2, alias_3)

        # File: programs.py:34 in forward
        clone: "f32[4, 6]" = torch.ops.aten.clone.default(mm_2)

        # File: programs.py:35 in forward
        all_reduce: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor: "f32[4, 6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce)
        view_1: "f32[4, 6]" = torch.ops.aten.view.default(wait_tensor, [4, 6])
        copy: "f32[4, 6]" = torch.ops.aten.copy.default(clone, view_1)

        # File: programs.py:57 in run
        add_1: "f32[4, 6]" = torch.ops.aten.add.Tensor(x, copy)

        # File: programs.py:55 in run
        pow_2: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add_1, 2)
        mean_1: "f32[4, 1]" = torch.ops.aten.mean.dim(pow_2, [-1], True)
        add_2: "f32[4, 1]" = torch.ops.aten.add.Tensor(mean_1, 1e-05)
        rsqrt_1: "f32[4, 1]" = torch.ops.aten.rsqrt.default(add_2)
        alias_8: "f32[4, 1]" = torch.ops.aten.alias.default(rsqrt_1)
        mul_3: "f32[4, 6]" = torch.ops.aten.mul.Tensor(add_1, rsqrt_1)
        mul_4: "f32[4, 6]" = torch.ops.aten.mul.Tensor(mul_3, alias_4)

        # File: programs.py:21 in forward
        view_2: "f32[4, 6]" = torch.ops.aten.view.default(mul_4, [4, 6])

        # File: programs.py:57 in run
        mm_3: "f32[4, 4]" = torch.ops.aten.mm.default(view_2, alias_5)
        silu_1: "f32[4, 4]" = torch.ops.aten.silu.default(mm_3)
        mm_4: "f32[4, 4]" = torch.ops.aten.mm.default(view_2, alias_6)
        mul_5: "f32[4, 4]" = torch.ops.aten.mul.Tensor(silu_1, mm_4)
        mm_5: "f32[4, 6]" = torch.ops.aten.mm.default(mul_5, alias_7)

        # File: programs.py:34 in forward
        clone_1: "f32[4, 6]" = torch.ops.aten.clone.default(mm_5)

        # File: programs.py:35 in forward
        all_reduce_1: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(clone_1, 'sum', '0')
        wait_tensor_1: "f32[4, 6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1)
        view_3: "f32[4, 6]" = torch.ops.aten.view.default(wait_tensor_1, [4, 6])
        copy_1: "f32[4, 6]" = torch.ops.aten.copy.default(clone_1, view_3)

        # File: programs.py:57 in run
        add_3: "f32[4, 6]" = torch.ops.aten.add.Tensor(add_1, copy_1)

        # File: programs.py:58 in run
        pow_3: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add_3, 2)
        sum_1: "f32[]" = torch.ops.aten.sum.default(pow_3)

        # File: programs.py:68 in distributed
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(sum_1, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:58 in run
        expand: "f32[4, 6]" = torch.ops.aten.expand.default(ones_like, [4, 6])
        pow_4: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add_3, 1.0)
        mul_6: "f32[4, 6]" = torch.ops.aten.mul.Scalar(pow_4, 2.0)
        mul_7: "f32[4, 6]" = torch.ops.aten.mul.Tensor(expand, mul_6)

        # File: programs.py:57 in run
        t: "f32[4, 4]" = torch.ops.aten.t.default(mul_5)
        mm_6: "f32[4, 6]" = torch.ops.aten.mm.default(t, mul_7)
        t_1: "f32[6, 4]" = torch.ops.aten.t.default(alias_7)
        mm_7: "f32[4, 4]" = torch.ops.aten.mm.default(mul_7, t_1)
        mul_8: "f32[4, 4]" = torch.ops.aten.mul.Tensor(mm_7, silu_1)
        mul_9: "f32[4, 4]" = torch.ops.aten.mul.Tensor(mm_7, mm_4)
        t_2: "f32[6, 4]" = torch.ops.aten.t.default(view_2)
        mm_8: "f32[6, 4]" = torch.ops.aten.mm.default(t_2, mul_8)
        t_3: "f32[4, 6]" = torch.ops.aten.t.default(alias_6)
        mm_9: "f32[4, 6]" = torch.ops.aten.mm.default(mul_8, t_3)
        silu_backward: "f32[4, 4]" = torch.ops.aten.silu_backward.default(mul_9, mm_3)
        t_4: "f32[6, 4]" = torch.ops.aten.t.default(view_2)
        mm_10: "f32[6, 4]" = torch.ops.aten.mm.default(t_4, silu_backward)
        t_5: "f32[4, 6]" = torch.ops.aten.t.default(alias_5)
        mm_11: "f32[4, 6]" = torch.ops.aten.mm.default(silu_backward, t_5)
        add_4: "f32[4, 6]" = torch.ops.aten.add.Tensor(mm_9, mm_11)

        # File: programs.py:55 in run
        mul_10: "f32[4, 6]" = torch.ops.aten.mul.Tensor(add_4, mul_3)
        mul_11: "f32[4, 6]" = torch.ops.aten.mul.Tensor(add_4, alias_4)
        sum_2: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(mul_10, [0], True)
        view_4: "f32[6]" = torch.ops.aten.view.default(sum_2, [6])
        mul_12: "f32[4, 6]" = torch.ops.aten.mul.Tensor(mul_11, add_1)
        mul_13: "f32[4, 6]" = torch.ops.aten.mul.Tensor(mul_11, rsqrt_1)
        sum_3: "f32[4, 1]" = torch.ops.aten.sum.dim_IntList(mul_12, [1], True)
        add_5: "f32[4, 6]" = torch.ops.aten.add.Tensor(mul_7, mul_13)
        alias_9: "f32[4, 1]" = torch.ops.aten.alias.default(alias_8)
        pow_5: "f32[4, 1]" = torch.ops.aten.pow.Tensor_Scalar(alias_9, 3)
        mul_14: "f32[4, 1]" = torch.ops.aten.mul.Scalar(sum_3, -0.5)
        mul_15: "f32[4, 1]" = torch.ops.aten.mul.Tensor(mul_14, pow_5)
        expand_1: "f32[4, 6]" = torch.ops.aten.expand.default(mul_15, [4, 6])
        div: "f32[4, 6]" = torch.ops.aten.div.Scalar(expand_1, 6)
        pow_6: "f32[4, 6]" = torch.ops.aten.pow.Tensor_Scalar(add_1, 1.0)
        mul_16: "f32[4, 6]" = torch.ops.aten.mul.Scalar(pow_6, 2.0)
        mul_17: "f32[4, 6]" = torch.ops.aten.mul.Tensor(div, mul_16)
        add_6: "f32[4, 6]" = torch.ops.aten.add.Tensor(add_5, mul_17)

        # File: programs.py:57 in run
        t_6: "f32[4, 4]" = torch.ops.aten.t.default(mul_2)
        mm_12: "f32[4, 6]" = torch.ops.aten.mm.default(t_6, add_6)
        t_7: "f32[6, 4]" = torch.ops.aten.t.default(alias_3)
        mm_13: "f32[4, 4]" = torch.ops.aten.mm.default(add_6, t_7)
        mul_18: "f32[4, 4]" = torch.ops.aten.mul.Tensor(mm_13, silu)
        mul_19: "f32[4, 4]" = torch.ops.aten.mul.Tensor(mm_13, mm_1)
        t_8: "f32[6, 4]" = torch.ops.aten.t.default(view)
        mm_14: "f32[6, 4]" = torch.ops.aten.mm.default(t_8, mul_18)
        t_9: "f32[4, 6]" = torch.ops.aten.t.default(alias_2)
        mm_15: "f32[4, 6]" = torch.ops.aten.mm.default(mul_18, t_9)
        silu_backward_1: "f32[4, 4]" = torch.ops.aten.silu_backward.default(mul_19, mm)
        t_10: "f32[6, 4]" = torch.ops.aten.t.default(view)
        mm_16: "f32[6, 4]" = torch.ops.aten.mm.default(t_10, silu_backward_1)
        t_11: "f32[4, 6]" = torch.ops.aten.t.default(alias_1)
        mm_17: "f32[4, 6]" = torch.ops.aten.mm.default(silu_backward_1, t_11)
        add_7: "f32[4, 6]" = torch.ops.aten.add.Tensor(mm_15, mm_17)

        # File: programs.py:55 in run
        mul_20: "f32[4, 6]" = torch.ops.aten.mul.Tensor(add_7, mul)
        sum_4: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(mul_20, [0], True)
        view_5: "f32[6]" = torch.ops.aten.view.default(sum_4, [6])
        return [sum_1, view_5, mm_16, mm_14, mm_12, view_4, mm_10, mm_8, mm_6]

