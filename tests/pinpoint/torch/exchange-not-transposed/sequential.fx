# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, qkv: "f32[4, 24]", o: "f32[8, 4]", x: "f32[2, 6, 4]"):
        # No stacktrace found for following nodes
        alias: "f32[4, 24]" = torch.ops.aten.alias.default(qkv);  qkv = None
        alias_1: "f32[8, 4]" = torch.ops.aten.alias.default(o);  o = None

        # File: programs.py:398 in step, called from programs.py:405 in sequential, code: q, k, v = (x @ p["qkv"]).view(2, -1, 3, 4, 2).unbind(2)
        view: "f32[12, 4]" = torch.ops.aten.view.default(x, [12, 4]);  x = None
        mm: "f32[12, 24]" = torch.ops.aten.mm.default(view, alias);  alias = None
        _unsafe_view: "f32[2, 6, 24]" = torch.ops.aten._unsafe_view.default(mm, [2, 6, 24]);  mm = None
        view_1: "f32[2, 6, 3, 4, 2]" = torch.ops.aten.view.default(_unsafe_view, [2, -1, 3, 4, 2]);  _unsafe_view = None
        unbind = torch.ops.aten.unbind.int(view_1, 2);  view_1 = None
        getitem: "f32[2, 6, 4, 2]" = unbind[0]
        getitem_1: "f32[2, 6, 4, 2]" = unbind[1]
        getitem_2: "f32[2, 6, 4, 2]" = unbind[2];  unbind = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:405 in sequential, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose: "f32[2, 4, 6, 2]" = torch.ops.aten.transpose.int(getitem, 1, 2);  getitem = None
        transpose_1: "f32[2, 4, 6, 2]" = torch.ops.aten.transpose.int(getitem_1, 1, 2);  getitem_1 = None
        transpose_2: "f32[2, 4, 6, 2]" = torch.ops.aten.transpose.int(getitem_2, 1, 2);  getitem_2 = None

        # File: programs.py:400 in step, called from programs.py:405 in sequential, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        mul: "f32[2, 4, 6, 2]" = torch.ops.aten.mul.Scalar(transpose, 0.8408964152537145);  transpose = None
        transpose_3: "f32[2, 4, 2, 6]" = torch.ops.aten.transpose.int(transpose_1, -2, -1);  transpose_1 = None
        mul_1: "f32[2, 4, 2, 6]" = torch.ops.aten.mul.Scalar(transpose_3, 0.8408964152537145);  transpose_3 = None
        expand: "f32[2, 4, 6, 2]" = torch.ops.aten.expand.default(mul, [2, 4, 6, 2]);  mul = None
        clone: "f32[2, 4, 6, 2]" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        _unsafe_view_1: "f32[8, 6, 2]" = torch.ops.aten._unsafe_view.default(clone, [8, 6, 2]);  clone = None
        expand_1: "f32[2, 4, 2, 6]" = torch.ops.aten.expand.default(mul_1, [2, 4, 2, 6]);  mul_1 = None
        clone_1: "f32[2, 4, 2, 6]" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        _unsafe_view_2: "f32[8, 2, 6]" = torch.ops.aten._unsafe_view.default(clone_1, [8, 2, 6]);  clone_1 = None
        bmm: "f32[8, 6, 6]" = torch.ops.aten.bmm.default(_unsafe_view_1, _unsafe_view_2)
        _unsafe_view_3: "f32[2, 4, 6, 6]" = torch.ops.aten._unsafe_view.default(bmm, [2, 4, 6, 6]);  bmm = None
        _safe_softmax: "f32[2, 4, 6, 6]" = torch.ops.aten._safe_softmax.default(_unsafe_view_3, -1);  _unsafe_view_3 = None
        alias_2: "f32[2, 4, 6, 6]" = torch.ops.aten.alias.default(_safe_softmax)
        expand_2: "f32[2, 4, 6, 6]" = torch.ops.aten.expand.default(_safe_softmax, [2, 4, 6, 6]);  _safe_softmax = None
        view_2: "f32[8, 6, 6]" = torch.ops.aten.view.default(expand_2, [8, 6, 6]);  expand_2 = None
        expand_3: "f32[2, 4, 6, 2]" = torch.ops.aten.expand.default(transpose_2, [2, 4, 6, 2]);  transpose_2 = None
        clone_2: "f32[2, 4, 6, 2]" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        _unsafe_view_4: "f32[8, 6, 2]" = torch.ops.aten._unsafe_view.default(clone_2, [8, 6, 2]);  clone_2 = None
        bmm_1: "f32[8, 6, 2]" = torch.ops.aten.bmm.default(view_2, _unsafe_view_4)
        _unsafe_view_5: "f32[2, 4, 6, 2]" = torch.ops.aten._unsafe_view.default(bmm_1, [2, 4, 6, 2]);  bmm_1 = None
        transpose_4: "f32[2, 6, 4, 2]" = torch.ops.aten.transpose.int(_unsafe_view_5, 1, 2);  _unsafe_view_5 = None
        clone_3: "f32[2, 6, 4, 2]" = torch.ops.aten.clone.default(transpose_4, memory_format = torch.contiguous_format);  transpose_4 = None
        _unsafe_view_6: "f32[2, 6, 8]" = torch.ops.aten._unsafe_view.default(clone_3, [2, 6, 8]);  clone_3 = None
        view_3: "f32[12, 8]" = torch.ops.aten.view.default(_unsafe_view_6, [12, 8]);  _unsafe_view_6 = None
        mm_1: "f32[12, 4]" = torch.ops.aten.mm.default(view_3, alias_1)
        _unsafe_view_7: "f32[2, 6, 4]" = torch.ops.aten._unsafe_view.default(mm_1, [2, 6, 4]);  mm_1 = None

        # File: programs.py:401 in step, called from programs.py:405 in sequential, code: return y, y.square().mean()
        pow_1: "f32[2, 6, 4]" = torch.ops.aten.pow.Tensor_Scalar(_unsafe_view_7, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1);  pow_1 = None

        # File: programs.py:406 in sequential, code: return {"y": y, "grads": gg_torch.grads(loss, p)}
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format);  mean = None

        # File: programs.py:401 in step, called from programs.py:405 in sequential, code: return y, y.square().mean()
        expand_4: "f32[2, 6, 4]" = torch.ops.aten.expand.default(ones_like, [2, 6, 4]);  ones_like = None
        div: "f32[2, 6, 4]" = torch.ops.aten.div.Scalar(expand_4, 48);  expand_4 = None
        pow_2: "f32[2, 6, 4]" = torch.ops.aten.pow.Tensor_Scalar(_unsafe_view_7, 1.0)
        mul_2: "f32[2, 6, 4]" = torch.ops.aten.mul.Scalar(pow_2, 2.0);  pow_2 = None
        mul_3: "f32[2, 6, 4]" = torch.ops.aten.mul.Tensor(div, mul_2);  div = mul_2 = None

        # File: programs.py:400 in step, called from programs.py:405 in sequential, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        view_4: "f32[12, 4]" = torch.ops.aten.view.default(mul_3, [12, 4]);  mul_3 = None
        t: "f32[8, 12]" = torch.ops.aten.t.default(view_3);  view_3 = None
        mm_2: "f32[8, 4]" = torch.ops.aten.mm.default(t, view_4);  t = None
        t_1: "f32[4, 8]" = torch.ops.aten.t.default(alias_1);  alias_1 = None
        mm_3: "f32[12, 8]" = torch.ops.aten.mm.default(view_4, t_1);  view_4 = t_1 = None
        view_5: "f32[2, 6, 8]" = torch.ops.aten.view.default(mm_3, [2, 6, 8]);  mm_3 = None
        view_6: "f32[2, 6, 4, 2]" = torch.ops.aten.view.default(view_5, [2, 6, 4, 2]);  view_5 = None
        transpose_5: "f32[2, 4, 6, 2]" = torch.ops.aten.transpose.int(view_6, 1, 2);  view_6 = None
        clone_4: "f32[2, 4, 6, 2]" = torch.ops.aten.clone.default(transpose_5, memory_format = torch.contiguous_format);  transpose_5 = None
        _unsafe_view_8: "f32[8, 6, 2]" = torch.ops.aten._unsafe_view.default(clone_4, [8, 6, 2]);  clone_4 = None
        transpose_6: "f32[8, 6, 6]" = torch.ops.aten.transpose.int(view_2, 1, 2);  view_2 = None
        bmm_2: "f32[8, 6, 2]" = torch.ops.aten.bmm.default(transpose_6, _unsafe_view_8);  transpose_6 = None
        transpose_7: "f32[8, 2, 6]" = torch.ops.aten.transpose.int(_unsafe_view_4, 1, 2);  _unsafe_view_4 = None
        bmm_3: "f32[8, 6, 6]" = torch.ops.aten.bmm.default(_unsafe_view_8, transpose_7);  _unsafe_view_8 = transpose_7 = None
        view_7: "f32[2, 4, 6, 2]" = torch.ops.aten.view.default(bmm_2, [2, 4, 6, 2]);  bmm_2 = None
        view_8: "f32[2, 4, 6, 6]" = torch.ops.aten.view.default(bmm_3, [2, 4, 6, 6]);  bmm_3 = None
        alias_3: "f32[2, 4, 6, 6]" = torch.ops.aten.alias.default(alias_2);  alias_2 = None
        _softmax_backward_data: "f32[2, 4, 6, 6]" = torch.ops.aten._softmax_backward_data.default(view_8, alias_3, -1, torch.float32);  view_8 = alias_3 = None
        view_9: "f32[8, 6, 6]" = torch.ops.aten.view.default(_softmax_backward_data, [8, 6, 6]);  _softmax_backward_data = None
        transpose_8: "f32[8, 2, 6]" = torch.ops.aten.transpose.int(_unsafe_view_1, 1, 2);  _unsafe_view_1 = None
        bmm_4: "f32[8, 2, 6]" = torch.ops.aten.bmm.default(transpose_8, view_9);  transpose_8 = None
        transpose_9: "f32[8, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_2, 1, 2);  _unsafe_view_2 = None
        bmm_5: "f32[8, 6, 2]" = torch.ops.aten.bmm.default(view_9, transpose_9);  view_9 = transpose_9 = None
        view_10: "f32[2, 4, 2, 6]" = torch.ops.aten.view.default(bmm_4, [2, 4, 2, 6]);  bmm_4 = None
        view_11: "f32[2, 4, 6, 2]" = torch.ops.aten.view.default(bmm_5, [2, 4, 6, 2]);  bmm_5 = None
        mul_4: "f32[2, 4, 2, 6]" = torch.ops.aten.mul.Scalar(view_10, 0.8408964152537145);  view_10 = None
        transpose_10: "f32[2, 4, 6, 2]" = torch.ops.aten.transpose.int(mul_4, -2, -1);  mul_4 = None
        mul_5: "f32[2, 4, 6, 2]" = torch.ops.aten.mul.Scalar(view_11, 0.8408964152537145);  view_11 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:405 in sequential, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_11: "f32[2, 6, 4, 2]" = torch.ops.aten.transpose.int(view_7, 1, 2);  view_7 = None
        transpose_12: "f32[2, 6, 4, 2]" = torch.ops.aten.transpose.int(transpose_10, 1, 2);  transpose_10 = None
        transpose_13: "f32[2, 6, 4, 2]" = torch.ops.aten.transpose.int(mul_5, 1, 2);  mul_5 = None

        # File: programs.py:398 in step, called from programs.py:405 in sequential, code: q, k, v = (x @ p["qkv"]).view(2, -1, 3, 4, 2).unbind(2)
        stack: "f32[2, 6, 3, 4, 2]" = torch.ops.aten.stack.default([transpose_13, transpose_12, transpose_11], 2);  transpose_13 = transpose_12 = transpose_11 = None
        view_12: "f32[2, 6, 24]" = torch.ops.aten.view.default(stack, [2, 6, 24]);  stack = None
        view_13: "f32[12, 24]" = torch.ops.aten.view.default(view_12, [12, 24]);  view_12 = None
        t_2: "f32[4, 12]" = torch.ops.aten.t.default(view);  view = None
        mm_4: "f32[4, 24]" = torch.ops.aten.mm.default(t_2, view_13);  t_2 = view_13 = None
        return [_unsafe_view_7, mm_4, mm_2]

