# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, l_0_weight: "f32[6, 6]", l_0_bias: "f32[6]", l_1_weight: "f32[6, 6]", l_1_bias: "f32[6]", l_2_weight: "f32[6, 6]", l_2_bias: "f32[6]", l_3_weight: "f32[6, 6]", l_3_bias: "f32[6]", n_0_weight: "f32[6]", n_0_bias: "f32[6]", n_1_weight: "f32[6]", n_1_bias: "f32[6]", n_2_weight: "f32[6]", n_2_bias: "f32[6]", n_3_weight: "f32[6]", n_3_bias: "f32[6]", o_weight: "f32[3, 6]", o_bias: "f32[3]", x: "f32[5, 6]"):
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

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        empty: "f32[237]" = torch.ops.aten.empty.memory_format([237], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        view_default_34: "f32[237]" = torch.ops.aten.view.default(empty, [-1])
        slice_tensor_17: "f32[3]" = torch.ops.aten.slice.Tensor(view_default_34, 0, 234, 237);  view_default_34 = None
        view_default_35: "f32[3]" = torch.ops.aten.view.default(slice_tensor_17, [3]);  slice_tensor_17 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t: "f32[6, 6]" = torch.ops.aten.t.default(alias);  alias = None
        addmm: "f32[5, 6]" = torch.ops.aten.addmm.default(alias_1, x, t);  alias_1 = t = None
        native_layer_norm = torch.ops.aten.native_layer_norm.default(addmm, [6], alias_8, alias_9, 1e-05)
        getitem: "f32[5, 6]" = native_layer_norm[0]
        getitem_1: "f32[5, 1]" = native_layer_norm[1]
        getitem_2: "f32[5, 1]" = native_layer_norm[2];  native_layer_norm = None
        t_1: "f32[6, 6]" = torch.ops.aten.t.default(alias_2);  alias_2 = None
        addmm_1: "f32[5, 6]" = torch.ops.aten.addmm.default(alias_3, getitem, t_1);  alias_3 = None
        native_layer_norm_1 = torch.ops.aten.native_layer_norm.default(addmm_1, [6], alias_10, alias_11, 1e-05)
        getitem_3: "f32[5, 6]" = native_layer_norm_1[0]
        getitem_4: "f32[5, 1]" = native_layer_norm_1[1]
        getitem_5: "f32[5, 1]" = native_layer_norm_1[2];  native_layer_norm_1 = None
        t_2: "f32[6, 6]" = torch.ops.aten.t.default(alias_4);  alias_4 = None
        addmm_2: "f32[5, 6]" = torch.ops.aten.addmm.default(alias_5, getitem_3, t_2);  alias_5 = None
        native_layer_norm_2 = torch.ops.aten.native_layer_norm.default(addmm_2, [6], alias_12, alias_13, 1e-05)
        getitem_6: "f32[5, 6]" = native_layer_norm_2[0]
        getitem_7: "f32[5, 1]" = native_layer_norm_2[1]
        getitem_8: "f32[5, 1]" = native_layer_norm_2[2];  native_layer_norm_2 = None
        t_3: "f32[6, 6]" = torch.ops.aten.t.default(alias_6);  alias_6 = None
        addmm_3: "f32[5, 6]" = torch.ops.aten.addmm.default(alias_7, getitem_6, t_3);  alias_7 = None
        native_layer_norm_3 = torch.ops.aten.native_layer_norm.default(addmm_3, [6], alias_14, alias_15, 1e-05)
        getitem_9: "f32[5, 6]" = native_layer_norm_3[0]
        getitem_10: "f32[5, 1]" = native_layer_norm_3[1]
        getitem_11: "f32[5, 1]" = native_layer_norm_3[2];  native_layer_norm_3 = None

        # File: norms.py:109 in forward, called from norms.py:38 in dst, code: return s.o(x)
        t_4: "f32[6, 3]" = torch.ops.aten.t.default(alias_16);  alias_16 = None
        addmm_4: "f32[5, 3]" = torch.ops.aten.addmm.default(alias_17, getitem_9, t_4);  alias_17 = None

        # File: norms.py:111 in <lambda>, called from norms.py:38 in dst
        pow_1: "f32[5, 3]" = torch.ops.aten.pow.Tensor_Scalar(addmm_4, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1);  pow_1 = None

        # File: norms.py:38 in dst, code: l=lf(w,**k); l.backward(); a=l.detach().clone(); dist.all_reduce(a)
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format)

        # File: norms.py:111 in <lambda>, called from norms.py:38 in dst
        expand: "f32[5, 3]" = torch.ops.aten.expand.default(ones_like, [5, 3]);  ones_like = None
        div: "f32[5, 3]" = torch.ops.aten.div.Scalar(expand, 15);  expand = None
        pow_2: "f32[5, 3]" = torch.ops.aten.pow.Tensor_Scalar(addmm_4, 1.0);  addmm_4 = None
        mul: "f32[5, 3]" = torch.ops.aten.mul.Scalar(pow_2, 2.0);  pow_2 = None
        mul_1: "f32[5, 3]" = torch.ops.aten.mul.Tensor(div, mul);  div = mul = None

        # File: norms.py:109 in forward, called from norms.py:38 in dst, code: return s.o(x)
        t_5: "f32[3, 6]" = torch.ops.aten.t.default(t_4);  t_4 = None
        mm: "f32[5, 6]" = torch.ops.aten.mm.default(mul_1, t_5);  t_5 = None
        t_6: "f32[3, 5]" = torch.ops.aten.t.default(mul_1)
        mm_1: "f32[3, 6]" = torch.ops.aten.mm.default(t_6, getitem_9);  t_6 = getitem_9 = None
        t_7: "f32[6, 3]" = torch.ops.aten.t.default(mm_1);  mm_1 = None
        sum_1: "f32[1, 3]" = torch.ops.aten.sum.dim_IntList(mul_1, [0], True);  mul_1 = None
        view: "f32[3]" = torch.ops.aten.view.default(sum_1, [3]);  sum_1 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_18: "f32[3]" = torch.ops.aten.alias.default(view);  view = None
        copy: "f32[3]" = torch.ops.aten.copy.default(view_default_35, alias_18);  view_default_35 = None
        view_default_36: "f32[237]" = torch.ops.aten.view.default(empty, [-1]);  empty = None
        view_default_37: "f32[3]" = torch.ops.aten.view.default(copy, [-1]);  copy = None
        slice_scatter_default: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_36, view_default_37, 0, 234, 237);  view_default_36 = view_default_37 = None
        view_default_38: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default, [237]);  slice_scatter_default = None

        # File: norms.py:109 in forward, called from norms.py:38 in dst, code: return s.o(x)
        t_8: "f32[3, 6]" = torch.ops.aten.t.default(t_7);  t_7 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_19: "f32[3, 6]" = torch.ops.aten.alias.default(t_8);  t_8 = None
        view_default_41: "f32[237]" = torch.ops.aten.view.default(view_default_38, [-1])
        slice_tensor_19: "f32[18]" = torch.ops.aten.slice.Tensor(view_default_41, 0, 216, 234);  view_default_41 = None
        view_default_42: "f32[3, 6]" = torch.ops.aten.view.default(slice_tensor_19, [3, 6]);  slice_tensor_19 = None
        copy_1: "f32[3, 6]" = torch.ops.aten.copy.default(view_default_42, alias_19);  view_default_42 = None
        view_default_43: "f32[237]" = torch.ops.aten.view.default(view_default_38, [-1]);  view_default_38 = None
        view_default_44: "f32[18]" = torch.ops.aten.view.default(copy_1, [-1]);  copy_1 = None
        slice_scatter_default_1: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_43, view_default_44, 0, 216, 234);  view_default_43 = view_default_44 = None
        view_default_45: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_1, [237]);  slice_scatter_default_1 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        native_layer_norm_backward = torch.ops.aten.native_layer_norm_backward.default(mm, addmm_3, [6], getitem_10, getitem_11, alias_14, alias_15, [True, True, True]);  mm = addmm_3 = getitem_10 = getitem_11 = alias_14 = alias_15 = None
        getitem_12: "f32[5, 6]" = native_layer_norm_backward[0]
        getitem_13: "f32[6]" = native_layer_norm_backward[1]
        getitem_14: "f32[6]" = native_layer_norm_backward[2];  native_layer_norm_backward = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_20: "f32[6]" = torch.ops.aten.alias.default(getitem_13);  getitem_13 = None
        view_default_48: "f32[237]" = torch.ops.aten.view.default(view_default_45, [-1])
        slice_tensor_21: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_48, 0, 204, 210);  view_default_48 = None
        view_default_49: "f32[6]" = torch.ops.aten.view.default(slice_tensor_21, [6]);  slice_tensor_21 = None
        copy_2: "f32[6]" = torch.ops.aten.copy.default(view_default_49, alias_20);  view_default_49 = None
        view_default_50: "f32[237]" = torch.ops.aten.view.default(view_default_45, [-1]);  view_default_45 = None
        view_default_51: "f32[6]" = torch.ops.aten.view.default(copy_2, [-1]);  copy_2 = None
        slice_scatter_default_2: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_50, view_default_51, 0, 204, 210);  view_default_50 = view_default_51 = None
        view_default_52: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_2, [237]);  slice_scatter_default_2 = None
        alias_21: "f32[6]" = torch.ops.aten.alias.default(getitem_14);  getitem_14 = None
        view_default_55: "f32[237]" = torch.ops.aten.view.default(view_default_52, [-1])
        slice_tensor_23: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_55, 0, 210, 216);  view_default_55 = None
        view_default_56: "f32[6]" = torch.ops.aten.view.default(slice_tensor_23, [6]);  slice_tensor_23 = None
        copy_3: "f32[6]" = torch.ops.aten.copy.default(view_default_56, alias_21);  view_default_56 = None
        view_default_57: "f32[237]" = torch.ops.aten.view.default(view_default_52, [-1]);  view_default_52 = None
        view_default_58: "f32[6]" = torch.ops.aten.view.default(copy_3, [-1]);  copy_3 = None
        slice_scatter_default_3: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_57, view_default_58, 0, 210, 216);  view_default_57 = view_default_58 = None
        view_default_59: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_3, [237]);  slice_scatter_default_3 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_9: "f32[6, 6]" = torch.ops.aten.t.default(t_3);  t_3 = None
        mm_2: "f32[5, 6]" = torch.ops.aten.mm.default(getitem_12, t_9);  t_9 = None
        t_10: "f32[6, 5]" = torch.ops.aten.t.default(getitem_12)
        mm_3: "f32[6, 6]" = torch.ops.aten.mm.default(t_10, getitem_6);  t_10 = getitem_6 = None
        t_11: "f32[6, 6]" = torch.ops.aten.t.default(mm_3);  mm_3 = None
        sum_2: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_12, [0], True);  getitem_12 = None
        view_1: "f32[6]" = torch.ops.aten.view.default(sum_2, [6]);  sum_2 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_22: "f32[6]" = torch.ops.aten.alias.default(view_1);  view_1 = None
        view_default_62: "f32[237]" = torch.ops.aten.view.default(view_default_59, [-1])
        slice_tensor_25: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_62, 0, 162, 168);  view_default_62 = None
        view_default_63: "f32[6]" = torch.ops.aten.view.default(slice_tensor_25, [6]);  slice_tensor_25 = None
        copy_4: "f32[6]" = torch.ops.aten.copy.default(view_default_63, alias_22);  view_default_63 = None
        view_default_64: "f32[237]" = torch.ops.aten.view.default(view_default_59, [-1]);  view_default_59 = None
        view_default_65: "f32[6]" = torch.ops.aten.view.default(copy_4, [-1]);  copy_4 = None
        slice_scatter_default_4: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_64, view_default_65, 0, 162, 168);  view_default_64 = view_default_65 = None
        view_default_66: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_4, [237]);  slice_scatter_default_4 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_12: "f32[6, 6]" = torch.ops.aten.t.default(t_11);  t_11 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_23: "f32[6, 6]" = torch.ops.aten.alias.default(t_12);  t_12 = None
        view_default_69: "f32[237]" = torch.ops.aten.view.default(view_default_66, [-1])
        slice_tensor_27: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_69, 0, 126, 162);  view_default_69 = None
        view_default_70: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_27, [6, 6]);  slice_tensor_27 = None
        copy_5: "f32[6, 6]" = torch.ops.aten.copy.default(view_default_70, alias_23);  view_default_70 = None
        view_default_71: "f32[237]" = torch.ops.aten.view.default(view_default_66, [-1]);  view_default_66 = None
        view_default_72: "f32[36]" = torch.ops.aten.view.default(copy_5, [-1]);  copy_5 = None
        slice_scatter_default_5: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_71, view_default_72, 0, 126, 162);  view_default_71 = view_default_72 = None
        view_default_73: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_5, [237]);  slice_scatter_default_5 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        native_layer_norm_backward_1 = torch.ops.aten.native_layer_norm_backward.default(mm_2, addmm_2, [6], getitem_7, getitem_8, alias_12, alias_13, [True, True, True]);  mm_2 = addmm_2 = getitem_7 = getitem_8 = alias_12 = alias_13 = None
        getitem_15: "f32[5, 6]" = native_layer_norm_backward_1[0]
        getitem_16: "f32[6]" = native_layer_norm_backward_1[1]
        getitem_17: "f32[6]" = native_layer_norm_backward_1[2];  native_layer_norm_backward_1 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_24: "f32[6]" = torch.ops.aten.alias.default(getitem_16);  getitem_16 = None
        view_default_76: "f32[237]" = torch.ops.aten.view.default(view_default_73, [-1])
        slice_tensor_29: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_76, 0, 192, 198);  view_default_76 = None
        view_default_77: "f32[6]" = torch.ops.aten.view.default(slice_tensor_29, [6]);  slice_tensor_29 = None
        copy_6: "f32[6]" = torch.ops.aten.copy.default(view_default_77, alias_24);  view_default_77 = None
        view_default_78: "f32[237]" = torch.ops.aten.view.default(view_default_73, [-1]);  view_default_73 = None
        view_default_79: "f32[6]" = torch.ops.aten.view.default(copy_6, [-1]);  copy_6 = None
        slice_scatter_default_6: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_78, view_default_79, 0, 192, 198);  view_default_78 = view_default_79 = None
        view_default_80: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_6, [237]);  slice_scatter_default_6 = None
        alias_25: "f32[6]" = torch.ops.aten.alias.default(getitem_17);  getitem_17 = None
        view_default_83: "f32[237]" = torch.ops.aten.view.default(view_default_80, [-1])
        slice_tensor_31: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_83, 0, 198, 204);  view_default_83 = None
        view_default_84: "f32[6]" = torch.ops.aten.view.default(slice_tensor_31, [6]);  slice_tensor_31 = None
        copy_7: "f32[6]" = torch.ops.aten.copy.default(view_default_84, alias_25);  view_default_84 = None
        view_default_85: "f32[237]" = torch.ops.aten.view.default(view_default_80, [-1]);  view_default_80 = None
        view_default_86: "f32[6]" = torch.ops.aten.view.default(copy_7, [-1]);  copy_7 = None
        slice_scatter_default_7: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_85, view_default_86, 0, 198, 204);  view_default_85 = view_default_86 = None
        view_default_87: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_7, [237]);  slice_scatter_default_7 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_13: "f32[6, 6]" = torch.ops.aten.t.default(t_2);  t_2 = None
        mm_4: "f32[5, 6]" = torch.ops.aten.mm.default(getitem_15, t_13);  t_13 = None
        t_14: "f32[6, 5]" = torch.ops.aten.t.default(getitem_15)
        mm_5: "f32[6, 6]" = torch.ops.aten.mm.default(t_14, getitem_3);  t_14 = getitem_3 = None
        t_15: "f32[6, 6]" = torch.ops.aten.t.default(mm_5);  mm_5 = None
        sum_3: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_15, [0], True);  getitem_15 = None
        view_2: "f32[6]" = torch.ops.aten.view.default(sum_3, [6]);  sum_3 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_26: "f32[6]" = torch.ops.aten.alias.default(view_2);  view_2 = None
        view_default_90: "f32[237]" = torch.ops.aten.view.default(view_default_87, [-1])
        slice_tensor_33: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_90, 0, 120, 126);  view_default_90 = None
        view_default_91: "f32[6]" = torch.ops.aten.view.default(slice_tensor_33, [6]);  slice_tensor_33 = None
        copy_8: "f32[6]" = torch.ops.aten.copy.default(view_default_91, alias_26);  view_default_91 = None
        view_default_92: "f32[237]" = torch.ops.aten.view.default(view_default_87, [-1]);  view_default_87 = None
        view_default_93: "f32[6]" = torch.ops.aten.view.default(copy_8, [-1]);  copy_8 = None
        slice_scatter_default_8: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_92, view_default_93, 0, 120, 126);  view_default_92 = view_default_93 = None
        view_default_94: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_8, [237]);  slice_scatter_default_8 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_16: "f32[6, 6]" = torch.ops.aten.t.default(t_15);  t_15 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_27: "f32[6, 6]" = torch.ops.aten.alias.default(t_16);  t_16 = None
        view_default_97: "f32[237]" = torch.ops.aten.view.default(view_default_94, [-1])
        slice_tensor_35: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_97, 0, 84, 120);  view_default_97 = None
        view_default_98: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_35, [6, 6]);  slice_tensor_35 = None
        copy_9: "f32[6, 6]" = torch.ops.aten.copy.default(view_default_98, alias_27);  view_default_98 = None
        view_default_99: "f32[237]" = torch.ops.aten.view.default(view_default_94, [-1]);  view_default_94 = None
        view_default_100: "f32[36]" = torch.ops.aten.view.default(copy_9, [-1]);  copy_9 = None
        slice_scatter_default_9: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_99, view_default_100, 0, 84, 120);  view_default_99 = view_default_100 = None
        view_default_101: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_9, [237]);  slice_scatter_default_9 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        native_layer_norm_backward_2 = torch.ops.aten.native_layer_norm_backward.default(mm_4, addmm_1, [6], getitem_4, getitem_5, alias_8, alias_11, [True, True, True]);  mm_4 = addmm_1 = getitem_4 = getitem_5 = alias_10 = alias_11 = None
        getitem_18: "f32[5, 6]" = native_layer_norm_backward_2[0]
        getitem_19: "f32[6]" = native_layer_norm_backward_2[1]
        getitem_20: "f32[6]" = native_layer_norm_backward_2[2];  native_layer_norm_backward_2 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_28: "f32[6]" = torch.ops.aten.alias.default(getitem_19);  getitem_19 = None
        view_default_104: "f32[237]" = torch.ops.aten.view.default(view_default_101, [-1])
        slice_tensor_37: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_104, 0, 180, 186);  view_default_104 = None
        view_default_105: "f32[6]" = torch.ops.aten.view.default(slice_tensor_37, [6]);  slice_tensor_37 = None
        copy_10: "f32[6]" = torch.ops.aten.copy.default(view_default_105, alias_28);  view_default_105 = None
        view_default_106: "f32[237]" = torch.ops.aten.view.default(view_default_101, [-1]);  view_default_101 = None
        view_default_107: "f32[6]" = torch.ops.aten.view.default(copy_10, [-1]);  copy_10 = None
        slice_scatter_default_10: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_106, view_default_107, 0, 180, 186);  view_default_106 = view_default_107 = None
        view_default_108: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_10, [237]);  slice_scatter_default_10 = None
        alias_29: "f32[6]" = torch.ops.aten.alias.default(getitem_20);  getitem_20 = None
        view_default_111: "f32[237]" = torch.ops.aten.view.default(view_default_108, [-1])
        slice_tensor_39: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_111, 0, 186, 192);  view_default_111 = None
        view_default_112: "f32[6]" = torch.ops.aten.view.default(slice_tensor_39, [6]);  slice_tensor_39 = None
        copy_11: "f32[6]" = torch.ops.aten.copy.default(view_default_112, alias_29);  view_default_112 = None
        view_default_113: "f32[237]" = torch.ops.aten.view.default(view_default_108, [-1]);  view_default_108 = None
        view_default_114: "f32[6]" = torch.ops.aten.view.default(copy_11, [-1]);  copy_11 = None
        slice_scatter_default_11: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_113, view_default_114, 0, 186, 192);  view_default_113 = view_default_114 = None
        view_default_115: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_11, [237]);  slice_scatter_default_11 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_17: "f32[6, 6]" = torch.ops.aten.t.default(t_1);  t_1 = None
        mm_6: "f32[5, 6]" = torch.ops.aten.mm.default(getitem_18, t_17);  t_17 = None
        t_18: "f32[6, 5]" = torch.ops.aten.t.default(getitem_18)
        mm_7: "f32[6, 6]" = torch.ops.aten.mm.default(t_18, getitem);  t_18 = getitem = None
        t_19: "f32[6, 6]" = torch.ops.aten.t.default(mm_7);  mm_7 = None
        sum_4: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_18, [0], True);  getitem_18 = None
        view_3: "f32[6]" = torch.ops.aten.view.default(sum_4, [6]);  sum_4 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_30: "f32[6]" = torch.ops.aten.alias.default(view_3);  view_3 = None
        view_default_118: "f32[237]" = torch.ops.aten.view.default(view_default_115, [-1])
        slice_tensor_41: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_118, 0, 78, 84);  view_default_118 = None
        view_default_119: "f32[6]" = torch.ops.aten.view.default(slice_tensor_41, [6]);  slice_tensor_41 = None
        copy_12: "f32[6]" = torch.ops.aten.copy.default(view_default_119, alias_30);  view_default_119 = None
        view_default_120: "f32[237]" = torch.ops.aten.view.default(view_default_115, [-1]);  view_default_115 = None
        view_default_121: "f32[6]" = torch.ops.aten.view.default(copy_12, [-1]);  copy_12 = None
        slice_scatter_default_12: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_120, view_default_121, 0, 78, 84);  view_default_120 = view_default_121 = None
        view_default_122: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_12, [237]);  slice_scatter_default_12 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_20: "f32[6, 6]" = torch.ops.aten.t.default(t_19);  t_19 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_31: "f32[6, 6]" = torch.ops.aten.alias.default(t_20);  t_20 = None
        view_default_125: "f32[237]" = torch.ops.aten.view.default(view_default_122, [-1])
        slice_tensor_43: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_125, 0, 42, 78);  view_default_125 = None
        view_default_126: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_43, [6, 6]);  slice_tensor_43 = None
        copy_13: "f32[6, 6]" = torch.ops.aten.copy.default(view_default_126, alias_31);  view_default_126 = None
        view_default_127: "f32[237]" = torch.ops.aten.view.default(view_default_122, [-1]);  view_default_122 = None
        view_default_128: "f32[36]" = torch.ops.aten.view.default(copy_13, [-1]);  copy_13 = None
        slice_scatter_default_13: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_127, view_default_128, 0, 42, 78);  view_default_127 = view_default_128 = None
        view_default_129: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_13, [237]);  slice_scatter_default_13 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        native_layer_norm_backward_3 = torch.ops.aten.native_layer_norm_backward.default(mm_6, addmm, [6], getitem_1, getitem_2, alias_8, alias_9, [True, True, True]);  mm_6 = addmm = getitem_1 = getitem_2 = alias_8 = alias_9 = None
        getitem_21: "f32[5, 6]" = native_layer_norm_backward_3[0]
        getitem_22: "f32[6]" = native_layer_norm_backward_3[1]
        getitem_23: "f32[6]" = native_layer_norm_backward_3[2];  native_layer_norm_backward_3 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_32: "f32[6]" = torch.ops.aten.alias.default(getitem_22);  getitem_22 = None
        view_default_132: "f32[237]" = torch.ops.aten.view.default(view_default_129, [-1])
        slice_tensor_45: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_132, 0, 168, 174);  view_default_132 = None
        view_default_133: "f32[6]" = torch.ops.aten.view.default(slice_tensor_45, [6]);  slice_tensor_45 = None
        copy_14: "f32[6]" = torch.ops.aten.copy.default(view_default_133, alias_32);  view_default_133 = None
        view_default_134: "f32[237]" = torch.ops.aten.view.default(view_default_129, [-1]);  view_default_129 = None
        view_default_135: "f32[6]" = torch.ops.aten.view.default(copy_14, [-1]);  copy_14 = None
        slice_scatter_default_14: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_134, view_default_135, 0, 168, 174);  view_default_134 = view_default_135 = None
        view_default_136: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_14, [237]);  slice_scatter_default_14 = None
        alias_33: "f32[6]" = torch.ops.aten.alias.default(getitem_23);  getitem_23 = None
        view_default_139: "f32[237]" = torch.ops.aten.view.default(view_default_136, [-1])
        slice_tensor_47: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_139, 0, 174, 180);  view_default_139 = None
        view_default_140: "f32[6]" = torch.ops.aten.view.default(slice_tensor_47, [6]);  slice_tensor_47 = None
        copy_15: "f32[6]" = torch.ops.aten.copy.default(view_default_140, alias_33);  view_default_140 = None
        view_default_141: "f32[237]" = torch.ops.aten.view.default(view_default_136, [-1]);  view_default_136 = None
        view_default_142: "f32[6]" = torch.ops.aten.view.default(copy_15, [-1]);  copy_15 = None
        slice_scatter_default_15: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_141, view_default_142, 0, 174, 180);  view_default_141 = view_default_142 = None
        view_default_143: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_15, [237]);  slice_scatter_default_15 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_21: "f32[6, 5]" = torch.ops.aten.t.default(getitem_21)
        mm_8: "f32[6, 6]" = torch.ops.aten.mm.default(t_21, x);  t_21 = x = None
        t_22: "f32[6, 6]" = torch.ops.aten.t.default(mm_8);  mm_8 = None
        sum_5: "f32[1, 6]" = torch.ops.aten.sum.dim_IntList(getitem_21, [0], True);  getitem_21 = None
        view_4: "f32[6]" = torch.ops.aten.view.default(sum_5, [6]);  sum_5 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_34: "f32[6]" = torch.ops.aten.alias.default(view_4);  view_4 = None
        view_default_146: "f32[237]" = torch.ops.aten.view.default(view_default_143, [-1])
        slice_tensor_49: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_146, 0, 36, 42);  view_default_146 = None
        view_default_147: "f32[6]" = torch.ops.aten.view.default(slice_tensor_49, [6]);  slice_tensor_49 = None
        copy_16: "f32[6]" = torch.ops.aten.copy.default(view_default_147, alias_34);  view_default_147 = None
        view_default_148: "f32[237]" = torch.ops.aten.view.default(view_default_143, [-1]);  view_default_143 = None
        view_default_149: "f32[6]" = torch.ops.aten.view.default(copy_16, [-1]);  copy_16 = None
        slice_scatter_default_16: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_148, view_default_149, 0, 36, 42);  view_default_148 = view_default_149 = None
        view_default_150: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_16, [237]);  slice_scatter_default_16 = None

        # File: norms.py:108 in forward, called from norms.py:38 in dst, code: for l,n in zip(s.l,s.n): x=n(x+l(x)) if s.r else n(l(x))
        t_23: "f32[6, 6]" = torch.ops.aten.t.default(t_22);  t_22 = None

        # File: norms.py:34 in dst, code: if wrap=='ddp': w=DDP(model)
        alias_35: "f32[6, 6]" = torch.ops.aten.alias.default(t_23);  t_23 = None
        view_default_153: "f32[237]" = torch.ops.aten.view.default(view_default_150, [-1])
        slice_tensor_51: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_153, 0, 0, 36);  view_default_153 = None
        view_default_154: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_51, [6, 6]);  slice_tensor_51 = None
        copy_17: "f32[6, 6]" = torch.ops.aten.copy.default(view_default_154, alias_35);  view_default_154 = None
        view_default_155: "f32[237]" = torch.ops.aten.view.default(view_default_150, [-1]);  view_default_150 = None
        view_default_156: "f32[36]" = torch.ops.aten.view.default(copy_17, [-1]);  copy_17 = None
        slice_scatter_default_17: "f32[237]" = torch.ops.aten.slice_scatter.default(view_default_155, view_default_156, 0, 0, 36);  view_default_155 = view_default_156 = None
        view_default_157: "f32[237]" = torch.ops.aten.view.default(slice_scatter_default_17, [237]);  slice_scatter_default_17 = None
        all_reduce: "f32[237]" = torch.ops._c10d_functional.all_reduce.default(view_default_157, 'sum', '0')
        wait_tensor: "f32[237]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_5: "f32[237]" = torch.ops.aten.view.default(wait_tensor, [237]);  wait_tensor = None
        copy_18: "f32[237]" = torch.ops.aten.copy.default(view_default_157, view_5);  view_default_157 = view_5 = None
        div_1: "f32[237]" = torch.ops.aten.div.Tensor(copy_18, 2);  copy_18 = None
        view_default_196: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_71: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_196, 0, 0, 36);  view_default_196 = None
        view_default_197: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_71, [6, 6]);  slice_tensor_71 = None
        copy_19: "f32[6, 6]" = torch.ops.aten.copy.default(alias_35, view_default_197);  alias_35 = view_default_197 = None
        alias_36: "f32[6, 6]" = torch.ops.aten.alias.default(copy_19);  copy_19 = None
        t_26: "f32[6, 6]" = torch.ops.aten.t.default(alias_36);  alias_36 = None
        t_27: "f32[6, 6]" = torch.ops.aten.t.default(t_26);  t_26 = None
        t_28: "f32[6, 6]" = torch.ops.aten.t.default(t_27);  t_27 = None
        t_29: "f32[6, 6]" = torch.ops.aten.t.default(t_28);  t_28 = None
        alias_37: "f32[6, 6]" = torch.ops.aten.alias.default(t_29);  t_29 = None
        view_default_198: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_72: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_198, 0, 36, 42);  view_default_198 = None
        view_default_199: "f32[6]" = torch.ops.aten.view.default(slice_tensor_72, [6]);  slice_tensor_72 = None
        copy_20: "f32[6]" = torch.ops.aten.copy.default(alias_34, view_default_199);  alias_34 = view_default_199 = None
        alias_38: "f32[6]" = torch.ops.aten.alias.default(copy_20);  copy_20 = None
        view_7: "f32[1, 6]" = torch.ops.aten.view.default(alias_38, [1, 6]);  alias_38 = None
        view_8: "f32[6]" = torch.ops.aten.view.default(view_7, [6]);  view_7 = None
        alias_39: "f32[6]" = torch.ops.aten.alias.default(view_8);  view_8 = None
        view_default_200: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_73: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_200, 0, 42, 78);  view_default_200 = None
        view_default_201: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_73, [6, 6]);  slice_tensor_73 = None
        copy_21: "f32[6, 6]" = torch.ops.aten.copy.default(alias_31, view_default_201);  alias_31 = view_default_201 = None
        alias_40: "f32[6, 6]" = torch.ops.aten.alias.default(copy_21);  copy_21 = None
        t_32: "f32[6, 6]" = torch.ops.aten.t.default(alias_40);  alias_40 = None
        t_33: "f32[6, 6]" = torch.ops.aten.t.default(t_32);  t_32 = None
        t_34: "f32[6, 6]" = torch.ops.aten.t.default(t_33);  t_33 = None
        t_35: "f32[6, 6]" = torch.ops.aten.t.default(t_34);  t_34 = None
        alias_41: "f32[6, 6]" = torch.ops.aten.alias.default(t_35);  t_35 = None
        view_default_202: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_74: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_202, 0, 78, 84);  view_default_202 = None
        view_default_203: "f32[6]" = torch.ops.aten.view.default(slice_tensor_74, [6]);  slice_tensor_74 = None
        copy_22: "f32[6]" = torch.ops.aten.copy.default(alias_30, view_default_203);  alias_30 = view_default_203 = None
        alias_42: "f32[6]" = torch.ops.aten.alias.default(copy_22);  copy_22 = None
        view_10: "f32[1, 6]" = torch.ops.aten.view.default(alias_42, [1, 6]);  alias_42 = None
        view_11: "f32[6]" = torch.ops.aten.view.default(view_10, [6]);  view_10 = None
        alias_43: "f32[6]" = torch.ops.aten.alias.default(view_11);  view_11 = None
        view_default_204: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_75: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_204, 0, 84, 120);  view_default_204 = None
        view_default_205: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_75, [6, 6]);  slice_tensor_75 = None
        copy_23: "f32[6, 6]" = torch.ops.aten.copy.default(alias_27, view_default_205);  alias_27 = view_default_205 = None
        alias_44: "f32[6, 6]" = torch.ops.aten.alias.default(copy_23);  copy_23 = None
        t_38: "f32[6, 6]" = torch.ops.aten.t.default(alias_44);  alias_44 = None
        t_39: "f32[6, 6]" = torch.ops.aten.t.default(t_38);  t_38 = None
        t_40: "f32[6, 6]" = torch.ops.aten.t.default(t_39);  t_39 = None
        t_41: "f32[6, 6]" = torch.ops.aten.t.default(t_40);  t_40 = None
        alias_45: "f32[6, 6]" = torch.ops.aten.alias.default(t_41);  t_41 = None
        view_default_206: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_76: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_206, 0, 120, 126);  view_default_206 = None
        view_default_207: "f32[6]" = torch.ops.aten.view.default(slice_tensor_76, [6]);  slice_tensor_76 = None
        copy_24: "f32[6]" = torch.ops.aten.copy.default(alias_26, view_default_207);  alias_26 = view_default_207 = None
        alias_46: "f32[6]" = torch.ops.aten.alias.default(copy_24);  copy_24 = None
        view_13: "f32[1, 6]" = torch.ops.aten.view.default(alias_46, [1, 6]);  alias_46 = None
        view_14: "f32[6]" = torch.ops.aten.view.default(view_13, [6]);  view_13 = None
        alias_47: "f32[6]" = torch.ops.aten.alias.default(view_14);  view_14 = None
        view_default_208: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_77: "f32[36]" = torch.ops.aten.slice.Tensor(view_default_208, 0, 126, 162);  view_default_208 = None
        view_default_209: "f32[6, 6]" = torch.ops.aten.view.default(slice_tensor_77, [6, 6]);  slice_tensor_77 = None
        copy_25: "f32[6, 6]" = torch.ops.aten.copy.default(alias_23, view_default_209);  alias_23 = view_default_209 = None
        alias_48: "f32[6, 6]" = torch.ops.aten.alias.default(copy_25);  copy_25 = None
        t_44: "f32[6, 6]" = torch.ops.aten.t.default(alias_48);  alias_48 = None
        t_45: "f32[6, 6]" = torch.ops.aten.t.default(t_44);  t_44 = None
        t_46: "f32[6, 6]" = torch.ops.aten.t.default(t_45);  t_45 = None
        t_47: "f32[6, 6]" = torch.ops.aten.t.default(t_46);  t_46 = None
        alias_49: "f32[6, 6]" = torch.ops.aten.alias.default(t_47);  t_47 = None
        view_default_210: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_78: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_210, 0, 162, 168);  view_default_210 = None
        view_default_211: "f32[6]" = torch.ops.aten.view.default(slice_tensor_78, [6]);  slice_tensor_78 = None
        copy_26: "f32[6]" = torch.ops.aten.copy.default(alias_22, view_default_211);  alias_22 = view_default_211 = None
        alias_50: "f32[6]" = torch.ops.aten.alias.default(copy_26);  copy_26 = None
        view_16: "f32[1, 6]" = torch.ops.aten.view.default(alias_50, [1, 6]);  alias_50 = None
        view_17: "f32[6]" = torch.ops.aten.view.default(view_16, [6]);  view_16 = None
        alias_51: "f32[6]" = torch.ops.aten.alias.default(view_17);  view_17 = None
        view_default_212: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_79: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_212, 0, 168, 174);  view_default_212 = None
        view_default_213: "f32[6]" = torch.ops.aten.view.default(slice_tensor_79, [6]);  slice_tensor_79 = None
        copy_27: "f32[6]" = torch.ops.aten.copy.default(alias_32, view_default_213);  alias_32 = view_default_213 = None
        alias_52: "f32[6]" = torch.ops.aten.alias.default(copy_27);  copy_27 = None
        alias_53: "f32[6]" = torch.ops.aten.alias.default(alias_52);  alias_52 = None
        view_default_214: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_80: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_214, 0, 174, 180);  view_default_214 = None
        view_default_215: "f32[6]" = torch.ops.aten.view.default(slice_tensor_80, [6]);  slice_tensor_80 = None
        copy_28: "f32[6]" = torch.ops.aten.copy.default(alias_33, view_default_215);  alias_33 = view_default_215 = None
        alias_54: "f32[6]" = torch.ops.aten.alias.default(copy_28);  copy_28 = None
        alias_55: "f32[6]" = torch.ops.aten.alias.default(alias_54);  alias_54 = None
        view_default_216: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_81: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_216, 0, 180, 186);  view_default_216 = None
        view_default_217: "f32[6]" = torch.ops.aten.view.default(slice_tensor_81, [6]);  slice_tensor_81 = None
        copy_29: "f32[6]" = torch.ops.aten.copy.default(alias_28, view_default_217);  alias_28 = view_default_217 = None
        alias_56: "f32[6]" = torch.ops.aten.alias.default(copy_29);  copy_29 = None
        alias_57: "f32[6]" = torch.ops.aten.alias.default(alias_56);  alias_56 = None
        view_default_218: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_82: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_218, 0, 186, 192);  view_default_218 = None
        view_default_219: "f32[6]" = torch.ops.aten.view.default(slice_tensor_82, [6]);  slice_tensor_82 = None
        copy_30: "f32[6]" = torch.ops.aten.copy.default(alias_29, view_default_219);  alias_29 = view_default_219 = None
        alias_58: "f32[6]" = torch.ops.aten.alias.default(copy_30);  copy_30 = None
        alias_59: "f32[6]" = torch.ops.aten.alias.default(alias_58);  alias_58 = None
        view_default_220: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_83: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_220, 0, 192, 198);  view_default_220 = None
        view_default_221: "f32[6]" = torch.ops.aten.view.default(slice_tensor_83, [6]);  slice_tensor_83 = None
        copy_31: "f32[6]" = torch.ops.aten.copy.default(alias_24, view_default_221);  alias_24 = view_default_221 = None
        alias_60: "f32[6]" = torch.ops.aten.alias.default(copy_31);  copy_31 = None
        alias_61: "f32[6]" = torch.ops.aten.alias.default(alias_60);  alias_60 = None
        view_default_222: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_84: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_222, 0, 198, 204);  view_default_222 = None
        view_default_223: "f32[6]" = torch.ops.aten.view.default(slice_tensor_84, [6]);  slice_tensor_84 = None
        copy_32: "f32[6]" = torch.ops.aten.copy.default(alias_25, view_default_223);  alias_25 = view_default_223 = None
        alias_62: "f32[6]" = torch.ops.aten.alias.default(copy_32);  copy_32 = None
        alias_63: "f32[6]" = torch.ops.aten.alias.default(alias_62);  alias_62 = None
        view_default_224: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_85: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_224, 0, 204, 210);  view_default_224 = None
        view_default_225: "f32[6]" = torch.ops.aten.view.default(slice_tensor_85, [6]);  slice_tensor_85 = None
        copy_33: "f32[6]" = torch.ops.aten.copy.default(alias_20, view_default_225);  alias_20 = view_default_225 = None
        alias_64: "f32[6]" = torch.ops.aten.alias.default(copy_33);  copy_33 = None
        alias_65: "f32[6]" = torch.ops.aten.alias.default(alias_64);  alias_64 = None
        view_default_226: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_86: "f32[6]" = torch.ops.aten.slice.Tensor(view_default_226, 0, 210, 216);  view_default_226 = None
        view_default_227: "f32[6]" = torch.ops.aten.view.default(slice_tensor_86, [6]);  slice_tensor_86 = None
        copy_34: "f32[6]" = torch.ops.aten.copy.default(alias_21, view_default_227);  alias_21 = view_default_227 = None
        alias_66: "f32[6]" = torch.ops.aten.alias.default(copy_34);  copy_34 = None
        alias_67: "f32[6]" = torch.ops.aten.alias.default(alias_66);  alias_66 = None
        view_default_228: "f32[237]" = torch.ops.aten.view.default(div_1, [-1])
        slice_tensor_87: "f32[18]" = torch.ops.aten.slice.Tensor(view_default_228, 0, 216, 234);  view_default_228 = None
        view_default_229: "f32[3, 6]" = torch.ops.aten.view.default(slice_tensor_87, [3, 6]);  slice_tensor_87 = None
        copy_35: "f32[3, 6]" = torch.ops.aten.copy.default(alias_19, view_default_229);  alias_19 = view_default_229 = None
        alias_68: "f32[3, 6]" = torch.ops.aten.alias.default(copy_35);  copy_35 = None
        t_50: "f32[6, 3]" = torch.ops.aten.t.default(alias_68);  alias_68 = None
        t_51: "f32[3, 6]" = torch.ops.aten.t.default(t_50);  t_50 = None
        t_52: "f32[6, 3]" = torch.ops.aten.t.default(t_51);  t_51 = None
        t_53: "f32[3, 6]" = torch.ops.aten.t.default(t_52);  t_52 = None
        alias_69: "f32[3, 6]" = torch.ops.aten.alias.default(t_53);  t_53 = None
        view_default_230: "f32[237]" = torch.ops.aten.view.default(div_1, [-1]);  div_1 = None
        slice_tensor_88: "f32[3]" = torch.ops.aten.slice.Tensor(view_default_230, 0, 234, 237);  view_default_230 = None
        view_default_231: "f32[3]" = torch.ops.aten.view.default(slice_tensor_88, [3]);  slice_tensor_88 = None
        copy_36: "f32[3]" = torch.ops.aten.copy.default(alias_18, view_default_231);  alias_18 = view_default_231 = None
        alias_70: "f32[3]" = torch.ops.aten.alias.default(copy_36);  copy_36 = None
        view_19: "f32[1, 3]" = torch.ops.aten.view.default(alias_70, [1, 3]);  alias_70 = None
        view_20: "f32[3]" = torch.ops.aten.view.default(view_19, [3]);  view_19 = None
        alias_71: "f32[3]" = torch.ops.aten.alias.default(view_20);  view_20 = None

        # File: norms.py:38 in dst, code: l=lf(w,**k); l.backward(); a=l.detach().clone(); dist.all_reduce(a)
        alias_72: "f32[]" = torch.ops.aten.alias.default(mean);  mean = None
        clone: "f32[]" = torch.ops.aten.clone.default(alias_72);  alias_72 = None
        all_reduce_1: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor_1: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_21: "f32[]" = torch.ops.aten.view.default(wait_tensor_1, []);  wait_tensor_1 = None
        copy_37: "f32[]" = torch.ops.aten.copy.default(clone, view_21);  clone = view_21 = None

        # File: norms.py:39 in dst, code: return {'loss':a/dist.get_world_size(),'grads':{n:p.grad for n,p in model.named_parameters() if p.requires_grad and p.grad is not None}}
        div_2: "f32[]" = torch.ops.aten.div.Tensor(copy_37, 2);  copy_37 = None
        return [div_2, alias_37, alias_39, alias_41, alias_43, alias_45, alias_47, alias_49, alias_51, alias_53, alias_55, alias_57, alias_59, alias_61, alias_63, alias_65, alias_67, alias_69, alias_71]

