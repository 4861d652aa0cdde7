# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[8, 8]", k: "f32[8, 8]", v: "f32[8, 8]", o: "f32[8, 8]", norm: "f32[8]", up: "f32[8, 12]", down: "f32[12, 8]", x: "f32[2, 5, 8]"):
        # No stacktrace found for following nodes
        alias: "f32[8, 8]" = torch.ops.aten.alias.default(q);  q = None
        alias_1: "f32[8, 8]" = torch.ops.aten.alias.default(k);  k = None
        alias_2: "f32[8, 8]" = torch.ops.aten.alias.default(v);  v = None
        alias_3: "f32[8, 8]" = torch.ops.aten.alias.default(o);  o = None
        alias_4: "f32[8]" = torch.ops.aten.alias.default(norm);  norm = None
        alias_5: "f32[8, 12]" = torch.ops.aten.alias.default(up);  up = None
        alias_6: "f32[12, 8]" = torch.ops.aten.alias.default(down);  down = None

        # File: programs.py:370 in <genexpr>, called from tests/pinpoint/torch/programs.py:370 in run, called from tests/pinpoint/torch/programs.py:379 in sequential, code: q, k, v = ((x @ p[w]).unflatten(-1, (-1, 4)).transpose(1, 2) for w in "qkv")
        view: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm: "f32[10, 8]" = torch.ops.aten.mm.default(view, alias);  view = alias = None
        _unsafe_view: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm, [2, 5, 8]);  mm = None
        view_1: "f32[2, 5, 2, 4]" = torch.ops.aten.view.default(_unsafe_view, [2, 5, 2, 4]);  _unsafe_view = None
        transpose: "f32[2, 2, 5, 4]" = torch.ops.aten.transpose.int(view_1, 1, 2);  view_1 = None
        view_2: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm_1: "f32[10, 8]" = torch.ops.aten.mm.default(view_2, alias_1);  view_2 = alias_1 = None
        _unsafe_view_1: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_1, [2, 5, 8]);  mm_1 = None
        view_3: "f32[2, 5, 2, 4]" = torch.ops.aten.view.default(_unsafe_view_1, [2, 5, 2, 4]);  _unsafe_view_1 = None
        transpose_1: "f32[2, 2, 5, 4]" = torch.ops.aten.transpose.int(view_3, 1, 2);  view_3 = None
        view_4: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm_2: "f32[10, 8]" = torch.ops.aten.mm.default(view_4, alias_2);  view_4 = alias_2 = None
        _unsafe_view_2: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_2, [2, 5, 8]);  mm_2 = None
        view_5: "f32[2, 5, 2, 4]" = torch.ops.aten.view.default(_unsafe_view_2, [2, 5, 2, 4]);  _unsafe_view_2 = None
        transpose_2: "f32[2, 2, 5, 4]" = torch.ops.aten.transpose.int(view_5, 1, 2);  view_5 = None

        # File: programs.py:371 in run, called from tests/pinpoint/torch/programs.py:379 in sequential, code: a = F.scaled_dot_product_attention(q, k, v, is_causal=defect != "not-causal")
        mul: "f32[2, 2, 5, 4]" = torch.ops.aten.mul.Scalar(transpose, 0.7071067811865476);  transpose = None
        ones: "b8[5, 5]" = torch.ops.aten.ones.default([5, 5], dtype = torch.bool, layout = torch.strided, device = device(type='cpu'))
        tril: "b8[5, 5]" = torch.ops.aten.tril.default(ones);  ones = None
        scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
        scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        where: "f32[5, 5]" = torch.ops.aten.where.self(tril, scalar_tensor_1, scalar_tensor);  tril = scalar_tensor_1 = scalar_tensor = None
        transpose_3: "f32[2, 2, 4, 5]" = torch.ops.aten.transpose.int(transpose_1, -2, -1);  transpose_1 = None
        mul_1: "f32[2, 2, 4, 5]" = torch.ops.aten.mul.Scalar(transpose_3, 0.7071067811865476);  transpose_3 = None
        expand: "f32[2, 2, 5, 4]" = torch.ops.aten.expand.default(mul, [2, 2, 5, 4]);  mul = None
        clone: "f32[2, 2, 5, 4]" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        _unsafe_view_3: "f32[4, 5, 4]" = torch.ops.aten._unsafe_view.default(clone, [4, 5, 4]);  clone = None
        expand_1: "f32[2, 2, 4, 5]" = torch.ops.aten.expand.default(mul_1, [2, 2, 4, 5]);  mul_1 = None
        clone_1: "f32[2, 2, 4, 5]" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        _unsafe_view_4: "f32[4, 4, 5]" = torch.ops.aten._unsafe_view.default(clone_1, [4, 4, 5]);  clone_1 = None
        bmm: "f32[4, 5, 5]" = torch.ops.aten.bmm.default(_unsafe_view_3, _unsafe_view_4);  _unsafe_view_3 = _unsafe_view_4 = None
        _unsafe_view_5: "f32[2, 2, 5, 5]" = torch.ops.aten._unsafe_view.default(bmm, [2, 2, 5, 5]);  bmm = None
        add: "f32[2, 2, 5, 5]" = torch.ops.aten.add.Tensor(_unsafe_view_5, where);  _unsafe_view_5 = where = None
        _safe_softmax: "f32[2, 2, 5, 5]" = torch.ops.aten._safe_softmax.default(add, -1);  add = None
        expand_2: "f32[2, 2, 5, 5]" = torch.ops.aten.expand.default(_safe_softmax, [2, 2, 5, 5]);  _safe_softmax = None
        view_6: "f32[4, 5, 5]" = torch.ops.aten.view.default(expand_2, [4, 5, 5]);  expand_2 = None
        expand_3: "f32[2, 2, 5, 4]" = torch.ops.aten.expand.default(transpose_2, [2, 2, 5, 4]);  transpose_2 = None
        clone_2: "f32[2, 2, 5, 4]" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        _unsafe_view_6: "f32[4, 5, 4]" = torch.ops.aten._unsafe_view.default(clone_2, [4, 5, 4]);  clone_2 = None
        bmm_1: "f32[4, 5, 4]" = torch.ops.aten.bmm.default(view_6, _unsafe_view_6);  view_6 = _unsafe_view_6 = None
        _unsafe_view_7: "f32[2, 2, 5, 4]" = torch.ops.aten._unsafe_view.default(bmm_1, [2, 2, 5, 4]);  bmm_1 = None

        # File: programs.py:372 in run, called from tests/pinpoint/torch/programs.py:379 in sequential, code: x = x + reduce(a.transpose(1, 2).flatten(2) @ p["o"])
        transpose_4: "f32[2, 5, 2, 4]" = torch.ops.aten.transpose.int(_unsafe_view_7, 1, 2);  _unsafe_view_7 = None
        clone_3: "f32[2, 5, 2, 4]" = torch.ops.aten.clone.default(transpose_4, memory_format = torch.contiguous_format);  transpose_4 = None
        _unsafe_view_8: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(clone_3, [2, 5, 8]);  clone_3 = None
        view_7: "f32[10, 8]" = torch.ops.aten.view.default(_unsafe_view_8, [10, 8]);  _unsafe_view_8 = None
        mm_3: "f32[10, 8]" = torch.ops.aten.mm.default(view_7, alias_3);  view_7 = alias_3 = None
        _unsafe_view_9: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_3, [2, 5, 8]);  mm_3 = None
        add_1: "f32[2, 5, 8]" = torch.ops.aten.add.Tensor(x, _unsafe_view_9);  x = _unsafe_view_9 = None

        # File: programs.py:373 in run, called from tests/pinpoint/torch/programs.py:379 in sequential, code: h = F.layer_norm(x, (8,), p["norm"], eps=1e-2 if defect == "small-epsilon" else 1e-1)
        native_layer_norm = torch.ops.aten.native_layer_norm.default(add_1, [8], alias_4, None, 0.1);  alias_4 = None
        getitem: "f32[2, 5, 8]" = native_layer_norm[0];  native_layer_norm = None

        # File: programs.py:374 in run, called from tests/pinpoint/torch/programs.py:379 in sequential, code: return {"y": x + reduce(F.gelu(h @ p["up"], approximate="none" if defect == "gelu-exact" else "tanh") @ p["down"])}
        view_8: "f32[10, 8]" = torch.ops.aten.view.default(getitem, [10, 8]);  getitem = None
        mm_4: "f32[10, 12]" = torch.ops.aten.mm.default(view_8, alias_5);  view_8 = alias_5 = None
        _unsafe_view_10: "f32[2, 5, 12]" = torch.ops.aten._unsafe_view.default(mm_4, [2, 5, 12]);  mm_4 = None
        gelu: "f32[2, 5, 12]" = torch.ops.aten.gelu.default(_unsafe_view_10, approximate = 'tanh');  _unsafe_view_10 = None
        view_9: "f32[10, 12]" = torch.ops.aten.view.default(gelu, [10, 12]);  gelu = None
        mm_5: "f32[10, 8]" = torch.ops.aten.mm.default(view_9, alias_6);  view_9 = alias_6 = None
        _unsafe_view_11: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_5, [2, 5, 8]);  mm_5 = None
        add_2: "f32[2, 5, 8]" = torch.ops.aten.add.Tensor(add_1, _unsafe_view_11);  add_1 = _unsafe_view_11 = None
        return [add_2]

