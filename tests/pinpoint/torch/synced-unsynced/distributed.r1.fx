# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, arg_0_weight: "f32[7, 5]", arg_0_bias: "f32[7]", arg_2_weight: "f32[3, 7]", arg_2_bias: "f32[3]", x: "f32[4, 5]", y: "f32[4, 3]"):
        # No stacktrace found for following nodes
        alias: "f32[7, 5]" = torch.ops.aten.alias.default(arg_0_weight);  arg_0_weight = None
        alias_1: "f32[7]" = torch.ops.aten.alias.default(arg_0_bias);  arg_0_bias = None
        alias_2: "f32[3, 7]" = torch.ops.aten.alias.default(arg_2_weight);  arg_2_weight = None
        alias_3: "f32[3]" = torch.ops.aten.alias.default(arg_2_bias);  arg_2_bias = None

        # File: programs.py:284 in distributed, code: F.mse_loss(parallel(x), y).backward()
        t: "f32[5, 7]" = torch.ops.aten.t.default(alias)
        addmm: "f32[4, 7]" = torch.ops.aten.addmm.default(alias_1, x, t);  t = None
        tanh: "f32[4, 7]" = torch.ops.aten.tanh.default(addmm);  addmm = None
        alias_4: "f32[4, 7]" = torch.ops.aten.alias.default(tanh)
        t_1: "f32[7, 3]" = torch.ops.aten.t.default(alias_2)
        addmm_1: "f32[4, 3]" = torch.ops.aten.addmm.default(alias_3, tanh, t_1)
        mse_loss: "f32[]" = torch.ops.aten.mse_loss.default(addmm_1, y)
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mse_loss, pin_memory = False, memory_format = torch.preserve_format);  mse_loss = None
        mse_loss_backward: "f32[4, 3]" = torch.ops.aten.mse_loss_backward.default(ones_like, addmm_1, y, 1);  ones_like = addmm_1 = y = None
        t_2: "f32[3, 7]" = torch.ops.aten.t.default(t_1);  t_1 = None
        mm: "f32[4, 7]" = torch.ops.aten.mm.default(mse_loss_backward, t_2);  t_2 = None
        t_3: "f32[3, 4]" = torch.ops.aten.t.default(mse_loss_backward)
        mm_1: "f32[3, 7]" = torch.ops.aten.mm.default(t_3, tanh);  t_3 = tanh = None
        t_4: "f32[7, 3]" = torch.ops.aten.t.default(mm_1);  mm_1 = None
        sum_1: "f32[1, 3]" = torch.ops.aten.sum.dim_IntList(mse_loss_backward, [0], True);  mse_loss_backward = None
        view: "f32[3]" = torch.ops.aten.view.default(sum_1, [3]);  sum_1 = None

        # File: programs.py:282 in distributed, code: parallel = DistributedDataParallel(model)
        alias_5: "f32[3]" = torch.ops.aten.alias.default(view);  view = None

        # File: programs.py:284 in distributed, code: F.mse_loss(parallel(x), y).backward()
        t_5: "f32[3, 7]" = torch.ops.aten.t.default(t_4);  t_4 = None

        # File: programs.py:282 in distributed, code: parallel = DistributedDataParallel(model)
        alias_6: "f32[3, 7]" = torch.ops.aten.alias.default(t_5);  t_5 = None

        # File: programs.py:284 in distributed, code: F.mse_loss(parallel(x), y).backward()
        alias_7: "f32[4, 7]" = torch.ops.aten.alias.default(alias_4);  alias_4 = None
        tanh_backward: "f32[4, 7]" = torch.ops.aten.tanh_backward.default(mm, alias_7);  mm = alias_7 = None
        t_6: "f32[7, 4]" = torch.ops.aten.t.default(tanh_backward)
        mm_2: "f32[7, 5]" = torch.ops.aten.mm.default(t_6, x);  t_6 = x = None
        t_7: "f32[5, 7]" = torch.ops.aten.t.default(mm_2);  mm_2 = None
        sum_2: "f32[1, 7]" = torch.ops.aten.sum.dim_IntList(tanh_backward, [0], True);  tanh_backward = None
        view_1: "f32[7]" = torch.ops.aten.view.default(sum_2, [7]);  sum_2 = None

        # File: programs.py:282 in distributed, code: parallel = DistributedDataParallel(model)
        alias_8: "f32[7]" = torch.ops.aten.alias.default(view_1);  view_1 = None

        # File: programs.py:284 in distributed, code: F.mse_loss(parallel(x), y).backward()
        t_8: "f32[7, 5]" = torch.ops.aten.t.default(t_7);  t_7 = None

        # File: programs.py:282 in distributed, code: parallel = DistributedDataParallel(model)
        alias_9: "f32[7, 5]" = torch.ops.aten.alias.default(t_8);  t_8 = None

        # File: programs.py:271 in stepped, called from programs.py:285 in distributed, code: nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        linalg_vector_norm: "f32[]" = torch.ops.aten.linalg_vector_norm.default(alias_9, 2.0)
        linalg_vector_norm_1: "f32[]" = torch.ops.aten.linalg_vector_norm.default(alias_8, 2.0)
        linalg_vector_norm_2: "f32[]" = torch.ops.aten.linalg_vector_norm.default(alias_6, 2.0)
        linalg_vector_norm_3: "f32[]" = torch.ops.aten.linalg_vector_norm.default(alias_5, 2.0)
        stack: "f32[4]" = torch.ops.aten.stack.default([linalg_vector_norm, linalg_vector_norm_1, linalg_vector_norm_2, linalg_vector_norm_3]);  linalg_vector_norm = linalg_vector_norm_1 = linalg_vector_norm_2 = linalg_vector_norm_3 = None
        linalg_vector_norm_4: "f32[]" = torch.ops.aten.linalg_vector_norm.default(stack, 2.0);  stack = None
        add: "f32[]" = torch.ops.aten.add.Tensor(linalg_vector_norm_4, 1e-06);  linalg_vector_norm_4 = None
        reciprocal: "f32[]" = torch.ops.aten.reciprocal.default(add);  add = None
        mul: "f32[]" = torch.ops.aten.mul.Tensor(reciprocal, 0.5);  reciprocal = None
        clamp: "f32[]" = torch.ops.aten.clamp.default(mul, None, 1.0);  mul = None
        mul_1: "f32[7, 5]" = torch.ops.aten.mul.Tensor(alias_9, clamp);  alias_9 = None
        alias_10: "f32[7, 5]" = torch.ops.aten.alias.default(mul_1);  mul_1 = None
        t_11: "f32[5, 7]" = torch.ops.aten.t.default(alias_10);  alias_10 = None
        t_12: "f32[7, 5]" = torch.ops.aten.t.default(t_11);  t_11 = None
        t_13: "f32[5, 7]" = torch.ops.aten.t.default(t_12);  t_12 = None
        t_14: "f32[7, 5]" = torch.ops.aten.t.default(t_13);  t_13 = None
        alias_11: "f32[7, 5]" = torch.ops.aten.alias.default(t_14);  t_14 = None
        mul_2: "f32[7]" = torch.ops.aten.mul.Tensor(alias_8, clamp);  alias_8 = None
        alias_12: "f32[7]" = torch.ops.aten.alias.default(mul_2);  mul_2 = None
        view_3: "f32[1, 7]" = torch.ops.aten.view.default(alias_12, [1, 7]);  alias_12 = None
        view_4: "f32[7]" = torch.ops.aten.view.default(view_3, [7]);  view_3 = None
        alias_13: "f32[7]" = torch.ops.aten.alias.default(view_4);  view_4 = None
        mul_3: "f32[3, 7]" = torch.ops.aten.mul.Tensor(alias_6, clamp);  alias_6 = None
        alias_14: "f32[3, 7]" = torch.ops.aten.alias.default(mul_3);  mul_3 = None
        t_17: "f32[7, 3]" = torch.ops.aten.t.default(alias_14);  alias_14 = None
        t_18: "f32[3, 7]" = torch.ops.aten.t.default(t_17);  t_17 = None
        t_19: "f32[7, 3]" = torch.ops.aten.t.default(t_18);  t_18 = None
        t_20: "f32[3, 7]" = torch.ops.aten.t.default(t_19);  t_19 = None
        alias_15: "f32[3, 7]" = torch.ops.aten.alias.default(t_20);  t_20 = None
        mul_4: "f32[3]" = torch.ops.aten.mul.Tensor(alias_5, clamp);  alias_5 = clamp = None
        alias_16: "f32[3]" = torch.ops.aten.alias.default(mul_4);  mul_4 = None
        view_6: "f32[1, 3]" = torch.ops.aten.view.default(alias_16, [1, 3]);  alias_16 = None
        view_7: "f32[3]" = torch.ops.aten.view.default(view_6, [3]);  view_6 = None
        alias_17: "f32[3]" = torch.ops.aten.alias.default(view_7);  view_7 = None

        # File: programs.py:272 in stepped, called from programs.py:285 in distributed, code: torch.optim.AdamW(model.parameters(), lr=0.01, foreach=False).step()
        zeros_like: "f32[7, 5]" = torch.ops.aten.zeros_like.default(alias, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_1: "f32[7, 5]" = torch.ops.aten.zeros_like.default(alias, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_2: "f32[7]" = torch.ops.aten.zeros_like.default(alias_1, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_3: "f32[7]" = torch.ops.aten.zeros_like.default(alias_1, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_4: "f32[3, 7]" = torch.ops.aten.zeros_like.default(alias_2, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_5: "f32[3, 7]" = torch.ops.aten.zeros_like.default(alias_2, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_6: "f32[3]" = torch.ops.aten.zeros_like.default(alias_3, pin_memory = False, memory_format = torch.preserve_format)
        zeros_like_7: "f32[3]" = torch.ops.aten.zeros_like.default(alias_3, pin_memory = False, memory_format = torch.preserve_format)
        mul_5: "f32[7, 5]" = torch.ops.aten.mul.Tensor(alias, 0.9999);  alias = None
        alias_18: "f32[7, 5]" = torch.ops.aten.alias.default(mul_5);  mul_5 = None
        alias_19: "f32[7, 5]" = torch.ops.aten.alias.default(alias_18);  alias_18 = None
        lerp: "f32[7, 5]" = torch.ops.aten.lerp.Scalar(zeros_like, alias_11, 0.09999999999999998);  zeros_like = None
        mul_6: "f32[7, 5]" = torch.ops.aten.mul.Tensor(zeros_like_1, 0.999);  zeros_like_1 = None
        addcmul: "f32[7, 5]" = torch.ops.aten.addcmul.default(mul_6, alias_11, alias_11, value = 0.0010000000000000009);  mul_6 = alias_11 = None
        sqrt: "f32[7, 5]" = torch.ops.aten.sqrt.default(addcmul);  addcmul = None
        div: "f32[7, 5]" = torch.ops.aten.div.Tensor(sqrt, 0.031622776601683805);  sqrt = None
        add_2: "f32[7, 5]" = torch.ops.aten.add.Tensor(div, 1e-08);  div = None
        addcdiv: "f32[7, 5]" = torch.ops.aten.addcdiv.default(alias_19, lerp, add_2, value = -0.10000000000000002);  alias_19 = lerp = add_2 = None
        alias_20: "f32[7, 5]" = torch.ops.aten.alias.default(addcdiv);  addcdiv = None
        mul_7: "f32[7]" = torch.ops.aten.mul.Tensor(alias_1, 0.9999);  alias_1 = None
        alias_22: "f32[7]" = torch.ops.aten.alias.default(mul_7);  mul_7 = None
        alias_23: "f32[7]" = torch.ops.aten.alias.default(alias_22);  alias_22 = None
        lerp_1: "f32[7]" = torch.ops.aten.lerp.Scalar(zeros_like_2, alias_13, 0.09999999999999998);  zeros_like_2 = None
        mul_8: "f32[7]" = torch.ops.aten.mul.Tensor(zeros_like_3, 0.999);  zeros_like_3 = None
        addcmul_1: "f32[7]" = torch.ops.aten.addcmul.default(mul_8, alias_13, alias_13, value = 0.0010000000000000009);  mul_8 = alias_13 = None
        sqrt_1: "f32[7]" = torch.ops.aten.sqrt.default(addcmul_1);  addcmul_1 = None
        div_1: "f32[7]" = torch.ops.aten.div.Tensor(sqrt_1, 0.031622776601683805);  sqrt_1 = None
        add_4: "f32[7]" = torch.ops.aten.add.Tensor(div_1, 1e-08);  div_1 = None
        addcdiv_1: "f32[7]" = torch.ops.aten.addcdiv.default(alias_23, lerp_1, add_4, value = -0.10000000000000002);  alias_23 = lerp_1 = add_4 = None
        alias_24: "f32[7]" = torch.ops.aten.alias.default(addcdiv_1);  addcdiv_1 = None
        mul_9: "f32[3, 7]" = torch.ops.aten.mul.Tensor(alias_2, 0.9999);  alias_2 = None
        alias_26: "f32[3, 7]" = torch.ops.aten.alias.default(mul_9);  mul_9 = None
        alias_27: "f32[3, 7]" = torch.ops.aten.alias.default(alias_26);  alias_26 = None
        lerp_2: "f32[3, 7]" = torch.ops.aten.lerp.Scalar(zeros_like_4, alias_15, 0.09999999999999998);  zeros_like_4 = None
        mul_10: "f32[3, 7]" = torch.ops.aten.mul.Tensor(zeros_like_5, 0.999);  zeros_like_5 = None
        addcmul_2: "f32[3, 7]" = torch.ops.aten.addcmul.default(mul_10, alias_15, alias_15, value = 0.0010000000000000009);  mul_10 = alias_15 = None
        sqrt_2: "f32[3, 7]" = torch.ops.aten.sqrt.default(addcmul_2);  addcmul_2 = None
        div_2: "f32[3, 7]" = torch.ops.aten.div.Tensor(sqrt_2, 0.031622776601683805);  sqrt_2 = None
        add_6: "f32[3, 7]" = torch.ops.aten.add.Tensor(div_2, 1e-08);  div_2 = None
        addcdiv_2: "f32[3, 7]" = torch.ops.aten.addcdiv.default(alias_27, lerp_2, add_6, value = -0.10000000000000002);  alias_27 = lerp_2 = add_6 = None
        alias_28: "f32[3, 7]" = torch.ops.aten.alias.default(addcdiv_2);  addcdiv_2 = None
        mul_11: "f32[3]" = torch.ops.aten.mul.Tensor(alias_3, 0.9999);  alias_3 = None
        alias_30: "f32[3]" = torch.ops.aten.alias.default(mul_11);  mul_11 = None
        alias_31: "f32[3]" = torch.ops.aten.alias.default(alias_30);  alias_30 = None
        lerp_3: "f32[3]" = torch.ops.aten.lerp.Scalar(zeros_like_6, alias_17, 0.09999999999999998);  zeros_like_6 = None
        mul_12: "f32[3]" = torch.ops.aten.mul.Tensor(zeros_like_7, 0.999);  zeros_like_7 = None
        addcmul_3: "f32[3]" = torch.ops.aten.addcmul.default(mul_12, alias_17, alias_17, value = 0.0010000000000000009);  mul_12 = alias_17 = None
        sqrt_3: "f32[3]" = torch.ops.aten.sqrt.default(addcmul_3);  addcmul_3 = None
        div_3: "f32[3]" = torch.ops.aten.div.Tensor(sqrt_3, 0.031622776601683805);  sqrt_3 = None
        add_8: "f32[3]" = torch.ops.aten.add.Tensor(div_3, 1e-08);  div_3 = None
        addcdiv_3: "f32[3]" = torch.ops.aten.addcdiv.default(alias_31, lerp_3, add_8, value = -0.10000000000000002);  alias_31 = lerp_3 = add_8 = None
        alias_32: "f32[3]" = torch.ops.aten.alias.default(addcdiv_3);  addcdiv_3 = None

        # No stacktrace found for following nodes
        alias_38: "f32[7, 5]" = torch.ops.aten.alias.default(alias_20);  alias_20 = None
        alias_39: "f32[7, 5]" = torch.ops.aten.alias.default(alias_38);  alias_38 = None
        alias_40: "f32[7]" = torch.ops.aten.alias.default(alias_24);  alias_24 = None
        alias_41: "f32[7]" = torch.ops.aten.alias.default(alias_40);  alias_40 = None
        alias_42: "f32[3, 7]" = torch.ops.aten.alias.default(alias_28);  alias_28 = None
        alias_43: "f32[3, 7]" = torch.ops.aten.alias.default(alias_42);  alias_42 = None
        alias_44: "f32[3]" = torch.ops.aten.alias.default(alias_32);  alias_32 = None
        alias_45: "f32[3]" = torch.ops.aten.alias.default(alias_44);  alias_44 = None
        return [alias_39, alias_41, alias_43, alias_45]

