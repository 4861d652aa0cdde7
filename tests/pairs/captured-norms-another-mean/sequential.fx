# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, l_0_weight: "f32[6, 6]", l_0_bias: "f32[6]", l_1_weight: "f32[6, 6]", l_1_bias: "f32[6]", l_2_weight: "f32[6, 6]", l_2_bias: "f32[6]", l_3_weight: "f32[6, 6]", l_3_bias: "f32[6]", n_0_weight: "f32[6]", n_0_bias: "f32[6]", n_1_weight: "f32[6]", n_1_bias: "f32[6]", n_2_weight: "f32[6]", n_2_bias: "f32[6]", n_3_weight: "f32[6]", n_3_bias: "f32[6]", o_weight: "f32[3, 6]", o_bias: "f32[3]", x: "f32[10, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[6, 6]" = torch.ops.aten.alias.default(l_0_weight);  l_0_weight = None
        alias_1: "f32[6]" = torch.ops.aten.alias.default(l_0_bias);  l_0_bias = None
        alias_2: "f32[6, 6]" = torch.ops.aten.alias.default(l_1_weight);  l_1_weight = None
        alias_3: "f32[6]" = torch.ops.aten.alias.default(l_1_bias);  l_1_bias = None
        alias_4: "f32[6, 6]" = torch.ops.aten.alias.default(l_2_weight);  l_2_weight = None
        alias_5: "f32[6]" = torch.ops.aten.alias.default(l_2_bias);  l_2_bias = None
        alias_6: "f32[6, 6]" = torch.ops.aten.alias.default(l_3_weight);  l_3_weight = None
        alias_7: "f32[6]" = torch.ops.aten.alias.default(l_3_bias);  l_3_bias = None
        alias_8: "f32[6]" = torch.ops.aten.alias.default(n_0_weight);  n_0_weight = None
        alias_9: "f32[6]" = torch.ops.aten.alias.default(n_0_bias);  n_0_bias = None
        alias_10: "f32[6]" = torch.ops.aten.alias.default(n_1_weight);  n_1_weight = None
        alias_11: "f32[6]" = torch.ops.aten.alias.default(n_1_bias);  n_1_bias = None
        alias_12: "f32[6]" = torch.ops.aten.alias.default(n_2_weight);  n_2_weight = None
        alias_13: "f32[6]" = torch.ops.aten.alias.default(n_2_bias);  n_2_bias = None
        alias_14: "f32[6]" = torch.ops.aten.alias.default(n_3_weight);  n_3_weight = None
        alias_15: "f32[6]" = torch.ops.aten.alias.default(n_3_bias);  n_3_bias = None
        alias_16: "f32[3, 6]" = torch.ops.aten.alias.default(o_weight);  o_weight = None
        alias_17: "f32[3]" = torch.ops.aten.alias.default(o_bias);  o_bias = None

        # File: norms.py:108 in forward, called from norms.py:32 in seq, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t: "f32[6, 6]" = torch.ops.aten.t.default(alias);  alias = None
        addmm: "f32[10, 6]" = torch.ops.aten.addmm.default(alias_1, x, t);  alias_1 = t = None
        native_layer_norm = torch.ops.aten.native_layer_norm.default(addmm, [6], alias_8, alias_9, 1e-05)
        getitem: "f32[10, 6]" = native_layer_norm[0]
        getitem_1: "f32[10, 1]" = native_layer_norm[1]
        getitem_2: "f32[10, 1]" = native_layer_norm[2];  native_layer_norm = None
        t_1: "f32[6, 6]" = torch.ops.aten.t.default(alias_2);  alias_2 = None
        addmm_1: "f32[10, 6]" = torch.ops.aten.addmm.default(alias_3, getitem, t_1);  alias_3 = None
        native_layer_norm_1 = torch.ops.aten.native_layer_norm.default(addmm_1, [6], alias_10, alias_11, 1e-05)
        getitem_3: "f32[10, 6]" = native_layer_norm_1[0]
        getitem_4: "f32[10, 1]" = native_layer_norm_1[1]
        getitem_5: "f32[10, 1]" = native_layer_norm_1[2];  native_layer_norm_1 = None
        t_2: "f32[6, 6]" = torch.ops.aten.t.default(alias_4);  alias_4 = None
        addmm_2: "f32[10, 6]" = torch.ops.aten.addmm.default(alias_5, getitem_3, t_2);  alias_5 = None
        native_layer_norm_2 = torch.ops.aten.native_layer_norm.default(addmm_2, [6], alias_12, alias_13, 1e-05)
        getitem_6: "f32[10, 6]" = native_layer_norm_2[0]
        getitem_7: "f32[10, 1]" = native_layer_norm_2[1]
        getitem_8: "f32[10, 1]" = native_layer_norm_2[2];  native_layer_norm_2 = None
        t_3: "f32[6, 6]" = torch.ops.aten.t.default(alias_6);  alias_6 = None
        addmm_3: "f32[10, 6]" = torch.ops.aten.addmm.default(alias_7, getitem_6, t_3);  alias_7 = None
        native_layer_norm_3 = torch.ops.aten.native_layer_norm.default(addmm_3, [6], alias_14, alias_15, 1e-05)
        getitem_9: "f32[10, 6]" = native_layer_norm_3[0]
        getitem_10: "f32[10, 1]" = native_layer_norm_3[1]
        getitem_11: "f32[10, 1]" = native_layer_norm_3[2];  native_layer_norm_3 = None

        # File: norms.py:109 in forward, called from norms.py:32 in seq, code: return s.o(x)
        t_4: "f32[6, 3]" = torch.ops.aten.t.default(alias_16);  alias_16 = None
        addmm_4: "f32[10, 3]" = torch.ops.aten.addmm.default(alias_17, getitem_9, t_4);  alias_17 = None

        # File: norms.py:111 in <lambda>, called from norms.py:32 in seq
        pow_1: "f32[10, 3]" = torch.ops.aten.pow.Tensor_Scalar(addmm_4, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1);  pow_1 = None

        # File: norms.py:32 in seq, code: l=lf(model,**k); l.backward(); return {'loss':l,'grads':{n:p.grad for n,p in model.named_parameters() if p.requires_grad and p.grad is not None}}
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format)

        # File: norms.py:111 in <lambda>, called from norms.py:32 in seq
        expand: "f32[10, 3]" = torch.ops.aten.expand.default(ones_like, [10, 3]);  ones_like = None
        div: "f32[10, 3]" = torch.ops.aten.div.Scalar(expand, 30);  expand = None
        pow_2: "f32[10, 3]" = torch.ops.aten.pow.Tensor_Scalar(addmm_4, 1.0);  addmm_4 = None
        mul: "f32[10, 3]" = torch.ops.aten.mul.Scalar(pow_2, 2.0);  pow_2 = None
        mul_1: "f32[10, 3]" = torch.ops.aten.mul.Tensor(div, mul);  div = mul = None

        # File: norms.py:109 in forward, called from norms.py:32 in seq, code: return s.o(x)
        t_5: "f32[3, 6]" = torch.ops.aten.t.default(t_4);  t_4 = None
        mm: "f32[10, 6]" = torch.ops.aten.mm.default(mul_1, t_5);  t_5 = None
        t_6: "f32[3, 10]" = torch.ops.aten.t.default(mul_1)
        mm_1: "f32[3, 6]" = torch.ops.aten.mm.default(t_6, getitem_9);  t_6 = getitem_9 = None
        t_7: "f32[6, 3]" = torch.ops.aten.t.default(mm_1);  mm_1 = None
        sum_1: "f32[1, 3]" = torch.ops.aten.sum.dim_IntList(mul_1, [0], True);  mul_1 = None
        view: "f32[3]" = torch.ops.aten.view.default(sum_1, [3]);  sum_1 = None
        alias_18: "f32[3]" = torch.ops.aten.alias.default(view);  view = None
        t_8: "f32[3, 6]" = torch.ops.aten.t.default(t_7);  t_7 = None
        alias_19: "f32[3, 6]" = torch.ops.aten.alias.default(t_8);  t_8 = None

        # File: norms.py:108 in forward, called from norms.py:32 in seq, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        native_layer_norm_backward = torch.ops.aten.native_layer_norm_backward.default(mm, addmm_3, [6], getitem_10, getitem_11, alias_14, alias_15, [True, True, True]);  mm = addmm_3 = getitem_10 = getitem_11 = alias_14 = alias_15 = None
        getitem_12: "f32[10, 6]" = native_layer_norm_backward[0]
        getitem_13: "f32[6]" = native_layer_norm_backward[1]
        getitem_14: "f32[6]" = native_layer_norm_backward[2];  native_layer_norm_backward = None
        alias_20: "f32[6]" = torch.ops.aten.alias.default(getitem_13);  getitem_13 = None
        alias_21: "f32[6]" = torch.ops.aten.alias.default(getitem_14);  getitem_14 = None
        t_9: "f32[6, 6]" = torch.ops.aten.t.default(t_3);  t_3 = None
        mm_2: "f32[10, 6]" = torch.ops.aten.mm.default(getitem_12, t_9);  t_9 = None
        t_10: "f32[6, 10]" = torch.ops.aten.t.default(getitem_12)
        mm_3: "f32[6, 6]" = torch.ops.aten.mm.default(t_10, getitem_6);  t_10 = getitem_6 = None
        t_11: "f32[6, 6]" = torch.ops.aten.t.default(mm_3);  mm_3 = None
        sum_2: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_12, [0], True);  getitem_12 = None
        view_1: "f32[6]" = torch.ops.aten.view.default(sum_2, [6]);  sum_2 = None
        alias_22: "f32[6]" = torch.ops.aten.alias.default(view_1);  view_1 = None
        t_12: "f32[6, 6]" = torch.ops.aten.t.default(t_11);  t_11 = None
        alias_23: "f32[6, 6]" = torch.ops.aten.alias.default(t_12);  t_12 = None
        native_layer_norm_backward_1 = torch.ops.aten.native_layer_norm_backward.default(mm_2, addmm_2, [6], getitem_7, getitem_8, alias_12, alias_13, [True, True, True]);  mm_2 = addmm_2 = getitem_7 = getitem_8 = alias_12 = alias_13 = None
        getitem_15: "f32[10, 6]" = native_layer_norm_backward_1[0]
        getitem_16: "f32[6]" = native_layer_norm_backward_1[1]
        getitem_17: "f32[6]" = native_layer_norm_backward_1[2];  native_layer_norm_backward_1 = None
        alias_24: "f32[6]" = torch.ops.aten.alias.default(getitem_16);  getitem_16 = None
        alias_25: "f32[6]" = torch.ops.aten.alias.default(getitem_17);  getitem_17 = None
        t_13: "f32[6, 6]" = torch.ops.aten.t.default(t_2);  t_2 = None
        mm_4: "f32[10, 6]" = torch.ops.aten.mm.default(getitem_15, t_13);  t_13 = None
        t_14: "f32[6, 10]" = torch.ops.aten.t.default(getitem_15)
        mm_5: "f32[6, 6]" = torch.ops.aten.mm.default(t_14, getitem_3);  t_14 = getitem_3 = None
        t_15: "f32[6, 6]" = torch.ops.aten.t.default(mm_5);  mm_5 = None
        sum_3: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_15, [0], True);  getitem_15 = None
        view_2: "f32[6]" = torch.ops.aten.view.default(sum_3, [6]);  sum_3 = None
        alias_26: "f32[6]" = torch.ops.aten.alias.default(view_2);  view_2 = None
        t_16: "f32[6, 6]" = torch.ops.aten.t.default(t_15);  t_15 = None
        alias_27: "f32[6, 6]" = torch.ops.aten.alias.default(t_16);  t_16 = None
        native_layer_norm_backward_2 = torch.ops.aten.native_layer_norm_backward.default(mm_4, addmm_1, [6], getitem_4, getitem_5, alias_10, alias_11, [True, True, True]);  mm_4 = addmm_1 = getitem_4 = getitem_5 = alias_10 = alias_11 = None
        getitem_18: "f32[10, 6]" = native_layer_norm_backward_2[0]
        getitem_19: "f32[6]" = native_layer_norm_backward_2[1]
        getitem_20: "f32[6]" = native_layer_norm_backward_2[2];  native_layer_norm_backward_2 = None
        alias_28: "f32[6]" = torch.ops.aten.alias.default(getitem_19);  getitem_19 = None
        alias_29: "f32[6]" = torch.ops.aten.alias.default(getitem_20);  getitem_20 = None
        t_17: "f32[6, 6]" = torch.ops.aten.t.default(t_1);  t_1 = None
        mm_6: "f32[10, 6]" = torch.ops.aten.mm.default(getitem_18, t_17);  t_17 = None
        t_18: "f32[6, 10]" = torch.ops.aten.t.default(getitem_18)
        mm_7: "f32[6, 6]" = torch.ops.aten.mm.default(t_18, getitem);  t_18 = getitem = None
        t_19: "f32[6, 6]" = torch.ops.aten.t.default(mm_7);  mm_7 = None
        sum_4: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_18, [0], True);  getitem_18 = None
        view_3: "f32[6]" = torch.ops.aten.view.default(sum_4, [6]);  sum_4 = None
        alias_30: "f32[6]" = torch.ops.aten.alias.default(view_3);  view_3 = None
        t_20: "f32[6, 6]" = torch.ops.aten.t.default(t_19);  t_19 = None
        alias_31: "f32[6, 6]" = torch.ops.aten.alias.default(t_20);  t_20 = None
        native_layer_norm_backward_3 = torch.ops.aten.native_layer_norm_backward.default(mm_6, addmm, [6], getitem_1, getitem_2, alias_8, alias_9, [True, True, True]);  mm_6 = addmm = getitem_1 = getitem_2 = alias_8 = alias_9 = None
        getitem_21: "f32[10, 6]" = native_layer_norm_backward_3[0]
        getitem_22: "f32[6]" = native_layer_norm_backward_3[1]
        getitem_23: "f32[6]" = native_layer_norm_backward_3[2];  native_layer_norm_backward_3 = None
        alias_32: "f32[6]" = torch.ops.aten.alias.default(getitem_22);  getitem_22 = None
        alias_33: "f32[6]" = torch.ops.aten.alias.default(getitem_23);  getitem_23 = None
        t_21: "f32[6, 10]" = torch.ops.aten.t.default(getitem_21)
        mm_8: "f32[6, 6]" = torch.ops.aten.mm.default(t_21, x);  t_21 = x = None
        t_22: "f32[6, 6]" = torch.ops.aten.t.default(mm_8);  mm_8 = None
        sum_5: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_21, [0], True);  getitem_21 = None
        view_4: "f32[6]" = torch.ops.aten.view.default(sum_5, [6]);  sum_5 = None
        alias_34: "f32[6]" = torch.ops.aten.alias.default(view_4);  view_4 = None
        t_23: "f32[6, 6]" = torch.ops.aten.t.default(t_22);  t_22 = None
        alias_35: "f32[6, 6]" = torch.ops.aten.alias.default(t_23);  t_23 = None
        return [mean, alias_35, alias_34, alias_31, alias_30, alias_27, alias_26, alias_23, alias_22, alias_32, alias_33, alias_28, alias_29, alias_24, alias_25, alias_20, alias_21, alias_19, alias_18]

