# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, arg_0_norm_weight: "f32[4]", arg_0_up_weight: "f32[4, 4]", arg_1_norm_weight: "f32[4]", arg_1_up_weight: "f32[4, 4]", arg_2_norm_weight: "f32[4]", arg_2_up_weight: "f32[4, 4]", arg_3_norm_weight: "f32[4]", arg_3_up_weight: "f32[4, 4]", arg_4_norm_weight: "f32[4]", arg_4_up_weight: "f32[4, 4]", x: "f32[3, 4]"):
        # No stacktrace found for following nodes
        alias: "f32[4]" = torch.ops.aten.alias.default(arg_0_norm_weight);  arg_0_norm_weight = None
        alias_1: "f32[4, 4]" = torch.ops.aten.alias.default(arg_0_up_weight);  arg_0_up_weight = None
        alias_2: "f32[4]" = torch.ops.aten.alias.default(arg_1_norm_weight);  arg_1_norm_weight = None
        alias_3: "f32[4, 4]" = torch.ops.aten.alias.default(arg_1_up_weight);  arg_1_up_weight = None
        alias_4: "f32[4]" = torch.ops.aten.alias.default(arg_2_norm_weight);  arg_2_norm_weight = None
        alias_5: "f32[4, 4]" = torch.ops.aten.alias.default(arg_2_up_weight);  arg_2_up_weight = None
        alias_6: "f32[4]" = torch.ops.aten.alias.default(arg_3_norm_weight);  arg_3_norm_weight = None
        alias_7: "f32[4, 4]" = torch.ops.aten.alias.default(arg_3_up_weight);  arg_3_up_weight = None
        alias_8: "f32[4]" = torch.ops.aten.alias.default(arg_4_norm_weight);  arg_4_norm_weight = None
        alias_9: "f32[4, 4]" = torch.ops.aten.alias.default(arg_4_up_weight);  arg_4_up_weight = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        pow_1: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(x, 2)
        mean: "f32[3, 1]" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None
        add: "f32[3, 1]" = torch.ops.aten.add.Tensor(mean, 1e-05);  mean = None
        rsqrt: "f32[3, 1]" = torch.ops.aten.rsqrt.default(add);  add = None
        mul: "f32[3, 4]" = torch.ops.aten.mul.Tensor(x, rsqrt);  rsqrt = None
        mul_1: "f32[3, 4]" = torch.ops.aten.mul.Tensor(alias, mul);  alias = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        t: "f32[4, 4]" = torch.ops.aten.t.default(alias_1);  alias_1 = None
        mm: "f32[3, 4]" = torch.ops.aten.mm.default(mul_1, t)
        tanh: "f32[3, 4]" = torch.ops.aten.tanh.default(mm);  mm = None
        alias_10: "f32[3, 4]" = torch.ops.aten.alias.default(tanh)
        add_1: "f32[3, 4]" = torch.ops.aten.add.Tensor(x, tanh);  x = tanh = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        pow_2: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_1, 2)
        mean_1: "f32[3, 1]" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None
        add_2: "f32[3, 1]" = torch.ops.aten.add.Tensor(mean_1, 1e-05);  mean_1 = None
        rsqrt_1: "f32[3, 1]" = torch.ops.aten.rsqrt.default(add_2);  add_2 = None
        alias_11: "f32[3, 1]" = torch.ops.aten.alias.default(rsqrt_1)
        mul_2: "f32[3, 4]" = torch.ops.aten.mul.Tensor(add_1, rsqrt_1)
        mul_3: "f32[3, 4]" = torch.ops.aten.mul.Tensor(alias_2, mul_2)

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        t_1: "f32[4, 4]" = torch.ops.aten.t.default(alias_3);  alias_3 = None
        mm_1: "f32[3, 4]" = torch.ops.aten.mm.default(mul_3, t_1)
        tanh_1: "f32[3, 4]" = torch.ops.aten.tanh.default(mm_1);  mm_1 = None
        alias_12: "f32[3, 4]" = torch.ops.aten.alias.default(tanh_1)
        add_3: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_1, tanh_1);  tanh_1 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        pow_3: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_3, 2)
        mean_2: "f32[3, 1]" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None
        add_4: "f32[3, 1]" = torch.ops.aten.add.Tensor(mean_2, 1e-05);  mean_2 = None
        rsqrt_2: "f32[3, 1]" = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        alias_13: "f32[3, 1]" = torch.ops.aten.alias.default(rsqrt_2)
        mul_4: "f32[3, 4]" = torch.ops.aten.mul.Tensor(add_3, rsqrt_2)
        mul_5: "f32[3, 4]" = torch.ops.aten.mul.Tensor(alias_4, mul_4)

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        t_2: "f32[4, 4]" = torch.ops.aten.t.default(alias_5);  alias_5 = None
        mm_2: "f32[3, 4]" = torch.ops.aten.mm.default(mul_5, t_2)
        tanh_2: "f32[3, 4]" = torch.ops.aten.tanh.default(mm_2);  mm_2 = None
        alias_14: "f32[3, 4]" = torch.ops.aten.alias.default(tanh_2)
        add_5: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_3, tanh_2);  tanh_2 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        pow_4: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_5, 2)
        mean_3: "f32[3, 1]" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None
        add_6: "f32[3, 1]" = torch.ops.aten.add.Tensor(mean_3, 1e-05);  mean_3 = None
        rsqrt_3: "f32[3, 1]" = torch.ops.aten.rsqrt.default(add_6);  add_6 = None
        alias_15: "f32[3, 1]" = torch.ops.aten.alias.default(rsqrt_3)
        mul_6: "f32[3, 4]" = torch.ops.aten.mul.Tensor(add_5, rsqrt_3)
        mul_7: "f32[3, 4]" = torch.ops.aten.mul.Tensor(alias_6, mul_6)

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        t_3: "f32[4, 4]" = torch.ops.aten.t.default(alias_7);  alias_7 = None
        mm_3: "f32[3, 4]" = torch.ops.aten.mm.default(mul_7, t_3)
        tanh_3: "f32[3, 4]" = torch.ops.aten.tanh.default(mm_3);  mm_3 = None
        alias_16: "f32[3, 4]" = torch.ops.aten.alias.default(tanh_3)
        add_7: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_5, tanh_3);  tanh_3 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        pow_5: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_7, 2)
        mean_4: "f32[3, 1]" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None
        add_8: "f32[3, 1]" = torch.ops.aten.add.Tensor(mean_4, 1e-05);  mean_4 = None
        rsqrt_4: "f32[3, 1]" = torch.ops.aten.rsqrt.default(add_8);  add_8 = None
        alias_17: "f32[3, 1]" = torch.ops.aten.alias.default(rsqrt_4)
        mul_8: "f32[3, 4]" = torch.ops.aten.mul.Tensor(add_7, rsqrt_4)
        mul_9: "f32[3, 4]" = torch.ops.aten.mul.Tensor(alias_8, mul_8)

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        t_4: "f32[4, 4]" = torch.ops.aten.t.default(alias_9);  alias_9 = None
        mm_4: "f32[3, 4]" = torch.ops.aten.mm.default(mul_9, t_4)
        tanh_4: "f32[3, 4]" = torch.ops.aten.tanh.default(mm_4);  mm_4 = None
        alias_18: "f32[3, 4]" = torch.ops.aten.alias.default(tanh_4)
        add_9: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_7, tanh_4);  tanh_4 = None

        # File: gains.py:35 in step, called from gains.py:45 in distributed, code: loss = x.square().mean()
        pow_6: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_9, 2)
        mean_5: "f32[]" = torch.ops.aten.mean.default(pow_6);  pow_6 = None

        # File: gains.py:36 in step, called from gains.py:45 in distributed, code: return loss, gg_torch.grads(loss, dict(layers.named_parameters()))
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean_5, pin_memory = False, memory_format = torch.preserve_format)

        # File: gains.py:35 in step, called from gains.py:45 in distributed, code: loss = x.square().mean()
        expand: "f32[3, 4]" = torch.ops.aten.expand.default(ones_like, [3, 4]);  ones_like = None
        div: "f32[3, 4]" = torch.ops.aten.div.Scalar(expand, 12);  expand = None
        pow_7: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_9, 1.0);  add_9 = None
        mul_10: "f32[3, 4]" = torch.ops.aten.mul.Scalar(pow_7, 2.0);  pow_7 = None
        mul_11: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div, mul_10);  div = mul_10 = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        alias_19: "f32[3, 4]" = torch.ops.aten.alias.default(alias_18);  alias_18 = None
        tanh_backward: "f32[3, 4]" = torch.ops.aten.tanh_backward.default(mul_11, alias_19);  alias_19 = None
        t_5: "f32[4, 3]" = torch.ops.aten.t.default(tanh_backward)
        mm_5: "f32[4, 4]" = torch.ops.aten.mm.default(t_5, mul_9);  t_5 = mul_9 = None
        t_6: "f32[4, 4]" = torch.ops.aten.t.default(mm_5);  mm_5 = None
        t_7: "f32[4, 4]" = torch.ops.aten.t.default(t_4);  t_4 = None
        mm_6: "f32[3, 4]" = torch.ops.aten.mm.default(tanh_backward, t_7);  tanh_backward = t_7 = None
        t_8: "f32[4, 4]" = torch.ops.aten.t.default(t_6);  t_6 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        mul_12: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_6, alias_8);  alias_8 = None
        mul_13: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_6, mul_8);  mm_6 = mul_8 = None
        sum_1: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(mul_13, [0], True);  mul_13 = None
        view: "f32[4]" = torch.ops.aten.view.default(sum_1, [4]);  sum_1 = None
        mul_14: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_12, add_7)
        mul_15: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_12, rsqrt_4);  mul_12 = rsqrt_4 = None
        sum_2: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_14, [1], True);  mul_14 = None
        add_10: "f32[3, 4]" = torch.ops.aten.add.Tensor(mul_11, mul_15);  mul_11 = mul_15 = None
        alias_20: "f32[3, 1]" = torch.ops.aten.alias.default(alias_17);  alias_17 = None
        pow_8: "f32[3, 1]" = torch.ops.aten.pow.Tensor_Scalar(alias_20, 3);  alias_20 = None
        mul_16: "f32[3, 1]" = torch.ops.aten.mul.Scalar(sum_2, -0.5);  sum_2 = None
        mul_17: "f32[3, 1]" = torch.ops.aten.mul.Tensor(mul_16, pow_8);  mul_16 = pow_8 = None
        expand_1: "f32[3, 4]" = torch.ops.aten.expand.default(mul_17, [3, 4]);  mul_17 = None
        div_1: "f32[3, 4]" = torch.ops.aten.div.Scalar(expand_1, 4);  expand_1 = None
        pow_9: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_7, 1.0);  add_7 = None
        mul_18: "f32[3, 4]" = torch.ops.aten.mul.Scalar(pow_9, 2.0);  pow_9 = None
        mul_19: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div_1, mul_18);  div_1 = mul_18 = None
        add_11: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_10, mul_19);  add_10 = mul_19 = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        alias_21: "f32[3, 4]" = torch.ops.aten.alias.default(alias_16);  alias_16 = None
        tanh_backward_1: "f32[3, 4]" = torch.ops.aten.tanh_backward.default(add_11, alias_21);  alias_21 = None
        t_9: "f32[4, 3]" = torch.ops.aten.t.default(tanh_backward_1)
        mm_7: "f32[4, 4]" = torch.ops.aten.mm.default(t_9, mul_7);  t_9 = mul_7 = None
        t_10: "f32[4, 4]" = torch.ops.aten.t.default(mm_7);  mm_7 = None
        t_11: "f32[4, 4]" = torch.ops.aten.t.default(t_3);  t_3 = None
        mm_8: "f32[3, 4]" = torch.ops.aten.mm.default(tanh_backward_1, t_11);  tanh_backward_1 = t_11 = None
        t_12: "f32[4, 4]" = torch.ops.aten.t.default(t_10);  t_10 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        mul_20: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_8, alias_6);  alias_6 = None
        mul_21: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_8, mul_6);  mm_8 = mul_6 = None
        sum_3: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(mul_21, [0], True);  mul_21 = None
        view_1: "f32[4]" = torch.ops.aten.view.default(sum_3, [4]);  sum_3 = None
        mul_22: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_20, add_5)
        mul_23: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_20, rsqrt_3);  mul_20 = rsqrt_3 = None
        sum_4: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_22, [1], True);  mul_22 = None
        add_12: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_11, mul_23);  add_11 = mul_23 = None
        alias_22: "f32[3, 1]" = torch.ops.aten.alias.default(alias_15);  alias_15 = None
        pow_10: "f32[3, 1]" = torch.ops.aten.pow.Tensor_Scalar(alias_22, 3);  alias_22 = None
        mul_24: "f32[3, 1]" = torch.ops.aten.mul.Scalar(sum_4, -0.5);  sum_4 = None
        mul_25: "f32[3, 1]" = torch.ops.aten.mul.Tensor(mul_24, pow_10);  mul_24 = pow_10 = None
        expand_2: "f32[3, 4]" = torch.ops.aten.expand.default(mul_25, [3, 4]);  mul_25 = None
        div_2: "f32[3, 4]" = torch.ops.aten.div.Scalar(expand_2, 4);  expand_2 = None
        pow_11: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_5, 1.0);  add_5 = None
        mul_26: "f32[3, 4]" = torch.ops.aten.mul.Scalar(pow_11, 2.0);  pow_11 = None
        mul_27: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div_2, mul_26);  div_2 = mul_26 = None
        add_13: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_12, mul_27);  add_12 = mul_27 = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        alias_23: "f32[3, 4]" = torch.ops.aten.alias.default(alias_14);  alias_14 = None
        tanh_backward_2: "f32[3, 4]" = torch.ops.aten.tanh_backward.default(add_13, alias_23);  alias_23 = None
        t_13: "f32[4, 3]" = torch.ops.aten.t.default(tanh_backward_2)
        mm_9: "f32[4, 4]" = torch.ops.aten.mm.default(t_13, mul_5);  t_13 = mul_5 = None
        t_14: "f32[4, 4]" = torch.ops.aten.t.default(mm_9);  mm_9 = None
        t_15: "f32[4, 4]" = torch.ops.aten.t.default(t_2);  t_2 = None
        mm_10: "f32[3, 4]" = torch.ops.aten.mm.default(tanh_backward_2, t_15);  tanh_backward_2 = t_15 = None
        t_16: "f32[4, 4]" = torch.ops.aten.t.default(t_14);  t_14 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        mul_28: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_10, alias_4);  alias_4 = None
        mul_29: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_10, mul_4);  mm_10 = mul_4 = None
        sum_5: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(mul_29, [0], True);  mul_29 = None
        view_2: "f32[4]" = torch.ops.aten.view.default(sum_5, [4]);  sum_5 = None
        mul_30: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_28, add_3)
        mul_31: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_28, rsqrt_2);  mul_28 = rsqrt_2 = None
        sum_6: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_30, [1], True);  mul_30 = None
        add_14: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_13, mul_31);  add_13 = mul_31 = None
        alias_24: "f32[3, 1]" = torch.ops.aten.alias.default(alias_13);  alias_13 = None
        pow_12: "f32[3, 1]" = torch.ops.aten.pow.Tensor_Scalar(alias_24, 3);  alias_24 = None
        mul_32: "f32[3, 1]" = torch.ops.aten.mul.Scalar(sum_6, -0.5);  sum_6 = None
        mul_33: "f32[3, 1]" = torch.ops.aten.mul.Tensor(mul_32, pow_12);  mul_32 = pow_12 = None
        expand_3: "f32[3, 4]" = torch.ops.aten.expand.default(mul_33, [3, 4]);  mul_33 = None
        div_3: "f32[3, 4]" = torch.ops.aten.div.Scalar(expand_3, 4);  expand_3 = None
        pow_13: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_3, 1.0);  add_3 = None
        mul_34: "f32[3, 4]" = torch.ops.aten.mul.Scalar(pow_13, 2.0);  pow_13 = None
        mul_35: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div_3, mul_34);  div_3 = mul_34 = None
        add_15: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_14, mul_35);  add_14 = mul_35 = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        alias_25: "f32[3, 4]" = torch.ops.aten.alias.default(alias_12);  alias_12 = None
        tanh_backward_3: "f32[3, 4]" = torch.ops.aten.tanh_backward.default(add_15, alias_25);  alias_25 = None
        t_17: "f32[4, 3]" = torch.ops.aten.t.default(tanh_backward_3)
        mm_11: "f32[4, 4]" = torch.ops.aten.mm.default(t_17, mul_3);  t_17 = mul_3 = None
        t_18: "f32[4, 4]" = torch.ops.aten.t.default(mm_11);  mm_11 = None
        t_19: "f32[4, 4]" = torch.ops.aten.t.default(t_1);  t_1 = None
        mm_12: "f32[3, 4]" = torch.ops.aten.mm.default(tanh_backward_3, t_19);  tanh_backward_3 = t_19 = None
        t_20: "f32[4, 4]" = torch.ops.aten.t.default(t_18);  t_18 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        mul_36: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_12, alias_2);  alias_2 = None
        mul_37: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_12, mul_2);  mm_12 = mul_2 = None
        sum_7: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(mul_37, [0], True);  mul_37 = None
        view_3: "f32[4]" = torch.ops.aten.view.default(sum_7, [4]);  sum_7 = None
        mul_38: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_36, add_1)
        mul_39: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mul_36, rsqrt_1);  mul_36 = rsqrt_1 = None
        sum_8: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_38, [1], True);  mul_38 = None
        add_16: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_15, mul_39);  add_15 = mul_39 = None
        alias_26: "f32[3, 1]" = torch.ops.aten.alias.default(alias_11);  alias_11 = None
        pow_14: "f32[3, 1]" = torch.ops.aten.pow.Tensor_Scalar(alias_26, 3);  alias_26 = None
        mul_40: "f32[3, 1]" = torch.ops.aten.mul.Scalar(sum_8, -0.5);  sum_8 = None
        mul_41: "f32[3, 1]" = torch.ops.aten.mul.Tensor(mul_40, pow_14);  mul_40 = pow_14 = None
        expand_4: "f32[3, 4]" = torch.ops.aten.expand.default(mul_41, [3, 4]);  mul_41 = None
        div_4: "f32[3, 4]" = torch.ops.aten.div.Scalar(expand_4, 4);  expand_4 = None
        pow_15: "f32[3, 4]" = torch.ops.aten.pow.Tensor_Scalar(add_1, 1.0);  add_1 = None
        mul_42: "f32[3, 4]" = torch.ops.aten.mul.Scalar(pow_15, 2.0);  pow_15 = None
        mul_43: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div_4, mul_42);  div_4 = mul_42 = None
        add_17: "f32[3, 4]" = torch.ops.aten.add.Tensor(add_16, mul_43);  add_16 = mul_43 = None

        # File: gains.py:34 in step, called from gains.py:45 in distributed, code: x = x + torch.tanh(layer["up"](layer["norm"](x)))
        alias_27: "f32[3, 4]" = torch.ops.aten.alias.default(alias_10);  alias_10 = None
        tanh_backward_4: "f32[3, 4]" = torch.ops.aten.tanh_backward.default(add_17, alias_27);  add_17 = alias_27 = None
        t_21: "f32[4, 3]" = torch.ops.aten.t.default(tanh_backward_4)
        mm_13: "f32[4, 4]" = torch.ops.aten.mm.default(t_21, mul_1);  t_21 = mul_1 = None
        t_22: "f32[4, 4]" = torch.ops.aten.t.default(mm_13);  mm_13 = None
        t_23: "f32[4, 4]" = torch.ops.aten.t.default(t);  t = None
        mm_14: "f32[3, 4]" = torch.ops.aten.mm.default(tanh_backward_4, t_23);  tanh_backward_4 = t_23 = None
        t_24: "f32[4, 4]" = torch.ops.aten.t.default(t_22);  t_22 = None

        # File: gains.py:18 in forward, called from gains.py:34 in step, called from gains.py:45 in distributed, code: return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
        mul_44: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_14, mul);  mm_14 = mul = None
        sum_9: "f32[1, 4]" = torch.ops.aten.sum.dim_IntList(mul_44, [0], True);  mul_44 = None
        view_4: "f32[4]" = torch.ops.aten.view.default(sum_9, [4]);  sum_9 = None

        # File: gains.py:51 in distributed, code: return {"loss": mean(loss.detach()), "grads": {name: t if defect and name in ("1.norm.weight", "3.norm.weight") else mean(t) for name, t in grads.items()}}
        alias_28: "f32[]" = torch.ops.aten.alias.default(mean_5);  mean_5 = None

        # File: gains.py:48 in mean, called from gains.py:51 in distributed, code: t = t.clone()
        clone: "f32[]" = torch.ops.aten.clone.default(alias_28);  alias_28 = None

        # File: gains.py:49 in mean, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_5: "f32[]" = torch.ops.aten.view.default(wait_tensor, []);  wait_tensor = None
        copy: "f32[]" = torch.ops.aten.copy.default(clone, view_5);  clone = view_5 = None

        # File: gains.py:50 in mean, called from gains.py:51 in distributed, code: return t / 2
        div_5: "f32[]" = torch.ops.aten.div.Tensor(copy, 2);  copy = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_1: "f32[4]" = torch.ops.aten.clone.default(view_4);  view_4 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_1: "f32[4]" = torch.ops._c10d_functional.all_reduce.default(clone_1, 'sum', '0')
        wait_tensor_1: "f32[4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_6: "f32[4]" = torch.ops.aten.view.default(wait_tensor_1, [4]);  wait_tensor_1 = None
        copy_1: "f32[4]" = torch.ops.aten.copy.default(clone_1, view_6);  clone_1 = view_6 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_6: "f32[4]" = torch.ops.aten.div.Tensor(copy_1, 2);  copy_1 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_2: "f32[4, 4]" = torch.ops.aten.clone.default(t_24);  t_24 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_2: "f32[4, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_2, 'sum', '0')
        wait_tensor_2: "f32[4, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2);  all_reduce_2 = None
        view_7: "f32[4, 4]" = torch.ops.aten.view.default(wait_tensor_2, [4, 4]);  wait_tensor_2 = None
        copy_2: "f32[4, 4]" = torch.ops.aten.copy.default(clone_2, view_7);  clone_2 = view_7 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_7: "f32[4, 4]" = torch.ops.aten.div.Tensor(copy_2, 2);  copy_2 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_3: "f32[4, 4]" = torch.ops.aten.clone.default(t_20);  t_20 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_3: "f32[4, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_3, 'sum', '0')
        wait_tensor_3: "f32[4, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_3);  all_reduce_3 = None
        view_8: "f32[4, 4]" = torch.ops.aten.view.default(wait_tensor_3, [4, 4]);  wait_tensor_3 = None
        copy_3: "f32[4, 4]" = torch.ops.aten.copy.default(clone_3, view_8);  clone_3 = view_8 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_8: "f32[4, 4]" = torch.ops.aten.div.Tensor(copy_3, 2);  copy_3 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_4: "f32[4]" = torch.ops.aten.clone.default(view_2);  view_2 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_4: "f32[4]" = torch.ops._c10d_functional.all_reduce.default(clone_4, 'sum', '0')
        wait_tensor_4: "f32[4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_4);  all_reduce_4 = None
        view_9: "f32[4]" = torch.ops.aten.view.default(wait_tensor_4, [4]);  wait_tensor_4 = None
        copy_4: "f32[4]" = torch.ops.aten.copy.default(clone_4, view_9);  clone_4 = view_9 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_9: "f32[4]" = torch.ops.aten.div.Tensor(copy_4, 2);  copy_4 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_5: "f32[4, 4]" = torch.ops.aten.clone.default(t_16);  t_16 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_5: "f32[4, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_5, 'sum', '0')
        wait_tensor_5: "f32[4, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_5);  all_reduce_5 = None
        view_10: "f32[4, 4]" = torch.ops.aten.view.default(wait_tensor_5, [4, 4]);  wait_tensor_5 = None
        copy_5: "f32[4, 4]" = torch.ops.aten.copy.default(clone_5, view_10);  clone_5 = view_10 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_10: "f32[4, 4]" = torch.ops.aten.div.Tensor(copy_5, 2);  copy_5 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_6: "f32[4, 4]" = torch.ops.aten.clone.default(t_12);  t_12 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_6: "f32[4, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_6, 'sum', '0')
        wait_tensor_6: "f32[4, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_6);  all_reduce_6 = None
        view_11: "f32[4, 4]" = torch.ops.aten.view.default(wait_tensor_6, [4, 4]);  wait_tensor_6 = None
        copy_6: "f32[4, 4]" = torch.ops.aten.copy.default(clone_6, view_11);  clone_6 = view_11 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_11: "f32[4, 4]" = torch.ops.aten.div.Tensor(copy_6, 2);  copy_6 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_7: "f32[4]" = torch.ops.aten.clone.default(view);  view = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_7: "f32[4]" = torch.ops._c10d_functional.all_reduce.default(clone_7, 'sum', '0')
        wait_tensor_7: "f32[4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_7);  all_reduce_7 = None
        view_12: "f32[4]" = torch.ops.aten.view.default(wait_tensor_7, [4]);  wait_tensor_7 = None
        copy_7: "f32[4]" = torch.ops.aten.copy.default(clone_7, view_12);  clone_7 = view_12 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_12: "f32[4]" = torch.ops.aten.div.Tensor(copy_7, 2);  copy_7 = None

        # File: gains.py:48 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: t = t.clone()
        clone_8: "f32[4, 4]" = torch.ops.aten.clone.default(t_8);  t_8 = None

        # File: gains.py:49 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: dist.all_reduce(t)
        all_reduce_8: "f32[4, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_8, 'sum', '0')
        wait_tensor_8: "f32[4, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_8);  all_reduce_8 = None
        view_13: "f32[4, 4]" = torch.ops.aten.view.default(wait_tensor_8, [4, 4]);  wait_tensor_8 = None
        copy_8: "f32[4, 4]" = torch.ops.aten.copy.default(clone_8, view_13);  clone_8 = view_13 = None

        # File: gains.py:50 in mean, called from gains.py:51 in <dictcomp>, called from gains.py:51 in distributed, code: return t / 2
        div_13: "f32[4, 4]" = torch.ops.aten.div.Tensor(copy_8, 2);  copy_8 = None
        return [div_5, div_6, div_7, view_3, div_8, div_9, div_10, view_1, div_11, div_12, div_13]

