# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[8, 4]", k: "f32[8, 4]", v: "f32[8, 4]", o: "f32[4, 8]", norm: "f32[8]", up: "f32[8, 6]", down: "f32[6, 8]", x: "f32[2, 5, 8]"):
        # No stacktrace found for following nodes
        alias: "f32[8, 4]" = torch.ops.aten.alias.default(q);  q = None
        alias_1: "f32[8, 4]" = torch.ops.aten.alias.default(k);  k = None
        alias_2: "f32[8, 4]" = torch.ops.aten.alias.default(v);  v = None
        alias_3: "f32[4, 8]" = torch.ops.aten.alias.default(o);  o = None
        alias_4: "f32[8]" = torch.ops.aten.alias.default(norm);  norm = None
        alias_5: "f32[8, 6]" = torch.ops.aten.alias.default(up);  up = None
        alias_6: "f32[6, 8]" = torch.ops.aten.alias.default(down);  down = None

        # File: programs.py:370 in <genexpr>, called from tests/pinpoint/torch/programs.py:370 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: q, k, v = ((x @ p[w]).unflatten(-1, (-1, 4)).transpose(1, 2) for w in "qkv")
        view: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm: "f32[10, 4]" = torch.ops.aten.mm.default(view, alias);  view = alias = None
        _unsafe_view: "f32[2, 5, 4]" = torch.ops.aten._unsafe_view.default(mm, [2, 5, 4]);  mm = None
        view_1: "f32[2, 5, 1, 4]" = torch.ops.aten.view.default(_unsafe_view, [2, 5, 1, 4]);  _unsafe_view = None
        transpose: "f32[2, 1, 5, 4]" = torch.ops.aten.transpose.int(view_1, 1, 2);  view_1 = None
        view_2: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm_1: "f32[10, 4]" = torch.ops.aten.mm.default(view_2, alias_1);  view_2 = alias_1 = None
        _unsafe_view_1: "f32[2, 5, 4]" = torch.ops.aten._unsafe_view.default(mm_1, [2, 5, 4]);  mm_1 = None
        view_3: "f32[2, 5, 1, 4]" = torch.ops.aten.view.default(_unsafe_view_1, [2, 5, 1, 4]);  _unsafe_view_1 = None
        transpose_1: "f32[2, 1, 5, 4]" = torch.ops.aten.transpose.int(view_3, 1, 2);  view_3 = None
        view_4: "f32[10, 8]" = torch.ops.aten.view.default(x, [10, 8])
        mm_2: "f32[10, 4]" = torch.ops.aten.mm.default(view_4, alias_2);  view_4 = alias_2 = None
        _unsafe_view_2: "f32[2, 5, 4]" = torch.ops.aten._unsafe_view.default(mm_2, [2, 5, 4]);  mm_2 = None
        view_5: "f32[2, 5, 1, 4]" = torch.ops.aten.view.default(_unsafe_view_2, [2, 5, 1, 4]);  _unsafe_view_2 = None
        transpose_2: "f32[2, 1, 5, 4]" = torch.ops.aten.transpose.int(view_5, 1, 2);  view_5 = None

        # File: programs.py:371 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: a = F.scaled_dot_product_attention(q, k, v, is_causal=defect != "not-causal")
        mul: "f32[2, 1, 5, 4]" = torch.ops.aten.mul.Scalar(transpose, 0.7071067811865476);  transpose = None
        ones: "b8[5, 5]" = torch.ops.aten.ones.default([5, 5], dtype = torch.bool, layout = torch.strided, device = device(type='cpu'))
        tril: "b8[5, 5]" = torch.ops.aten.tril.default(ones);  ones = None
        scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
        scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        where: "f32[5, 5]" = torch.ops.aten.where.self(tril, scalar_tensor_1, scalar_tensor);  tril = scalar_tensor_1 = scalar_tensor = None
        transpose_3: "f32[2, 1, 4, 5]" = torch.ops.aten.transpose.int(transpose_1, -2, -1);  transpose_1 = None
        mul_1: "f32[2, 1, 4, 5]" = torch.ops.aten.mul.Scalar(transpose_3, 0.7071067811865476);  transpose_3 = None
        expand: "f32[2, 1, 5, 4]" = torch.ops.aten.expand.default(mul, [2, 1, 5, 4]);  mul = None
        view_6: "f32[2, 5, 4]" = torch.ops.aten.view.default(expand, [2, 5, 4]);  expand = None
        expand_1: "f32[2, 1, 4, 5]" = torch.ops.aten.expand.default(mul_1, [2, 1, 4, 5]);  mul_1 = None
        view_7: "f32[2, 4, 5]" = torch.ops.aten.view.default(expand_1, [2, 4, 5]);  expand_1 = None
        bmm: "f32[2, 5, 5]" = torch.ops.aten.bmm.default(view_6, view_7);  view_6 = view_7 = None
        _unsafe_view_3: "f32[2, 1, 5, 5]" = torch.ops.aten._unsafe_view.default(bmm, [2, 1, 5, 5]);  bmm = None
        add: "f32[2, 1, 5, 5]" = torch.ops.aten.add.Tensor(_unsafe_view_3, where);  _unsafe_view_3 = where = None
        _safe_softmax: "f32[2, 1, 5, 5]" = torch.ops.aten._safe_softmax.default(add, -1);  add = None
        expand_2: "f32[2, 1, 5, 5]" = torch.ops.aten.expand.default(_safe_softmax, [2, 1, 5, 5]);  _safe_softmax = None
        view_8: "f32[2, 5, 5]" = torch.ops.aten.view.default(expand_2, [2, 5, 5]);  expand_2 = None
        expand_3: "f32[2, 1, 5, 4]" = torch.ops.aten.expand.default(transpose_2, [2, 1, 5, 4]);  transpose_2 = None
        view_9: "f32[2, 5, 4]" = torch.ops.aten.view.default(expand_3, [2, 5, 4]);  expand_3 = None
        bmm_1: "f32[2, 5, 4]" = torch.ops.aten.bmm.default(view_8, view_9);  view_8 = view_9 = None
        _unsafe_view_4: "f32[2, 1, 5, 4]" = torch.ops.aten._unsafe_view.default(bmm_1, [2, 1, 5, 4]);  bmm_1 = None

        # File: programs.py:372 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: x = x + reduce(a.transpose(1, 2).flatten(2) @ p["o"])
        transpose_4: "f32[2, 5, 1, 4]" = torch.ops.aten.transpose.int(_unsafe_view_4, 1, 2);  _unsafe_view_4 = None
        view_10: "f32[2, 5, 4]" = torch.ops.aten.view.default(transpose_4, [2, 5, 4]);  transpose_4 = None
        view_11: "f32[10, 4]" = torch.ops.aten.view.default(view_10, [10, 4]);  view_10 = None
        mm_3: "f32[10, 8]" = torch.ops.aten.mm.default(view_11, alias_3);  view_11 = alias_3 = None
        _unsafe_view_5: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_3, [2, 5, 8]);  mm_3 = None

        # File: programs.py:37 in forward, called from tests/pinpoint/torch/programs.py:372 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: x = x.clone()
        clone: "f32[2, 5, 8]" = torch.ops.aten.clone.default(_unsafe_view_5);  _unsafe_view_5 = None

        # File: programs.py:38 in forward, called from tests/pinpoint/torch/programs.py:372 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: dist.all_reduce(x)
        all_reduce: "f32[2, 5, 8]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor: "f32[2, 5, 8]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_12: "f32[2, 5, 8]" = torch.ops.aten.view.default(wait_tensor, [2, 5, 8]);  wait_tensor = None
        copy: "f32[2, 5, 8]" = torch.ops.aten.copy.default(clone, view_12);  clone = view_12 = None

        # File: programs.py:372 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: x = x + reduce(a.transpose(1, 2).flatten(2) @ p["o"])
        add_1: "f32[2, 5, 8]" = torch.ops.aten.add.Tensor(x, copy);  x = copy = None

        # File: programs.py:373 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: h = F.layer_norm(x, (8,), p["norm"], eps=1e-2 if defect == "small-epsilon" else 1e-1)
        native_layer_norm = torch.ops.aten.native_layer_norm.default(add_1, [8], alias_4, None, 0.1);  alias_4 = None
        getitem: "f32[2, 5, 8]" = native_layer_norm[0];  native_layer_norm = None

        # File: programs.py:374 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: return {"y": x + reduce(F.gelu(h @ p["up"], approximate="none" if defect == "gelu-exact" else "tanh") @ p["down"])}
        view_13: "f32[10, 8]" = torch.ops.aten.view.default(getitem, [10, 8]);  getitem = None
        mm_4: "f32[10, 6]" = torch.ops.aten.mm.default(view_13, alias_5);  view_13 = alias_5 = None
        _unsafe_view_6: "f32[2, 5, 6]" = torch.ops.aten._unsafe_view.default(mm_4, [2, 5, 6]);  mm_4 = None
        gelu: "f32[2, 5, 6]" = torch.ops.aten.gelu.default(_unsafe_view_6);  _unsafe_view_6 = None
        view_14: "f32[10, 6]" = torch.ops.aten.view.default(gelu, [10, 6]);  gelu = None
        mm_5: "f32[10, 8]" = torch.ops.aten.mm.default(view_14, alias_6);  view_14 = alias_6 = None
        _unsafe_view_7: "f32[2, 5, 8]" = torch.ops.aten._unsafe_view.default(mm_5, [2, 5, 8]);  mm_5 = None

        # File: programs.py:37 in forward, called from tests/pinpoint/torch/programs.py:374 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: x = x.clone()
        clone_1: "f32[2, 5, 8]" = torch.ops.aten.clone.default(_unsafe_view_7);  _unsafe_view_7 = None

        # File: programs.py:38 in forward, called from tests/pinpoint/torch/programs.py:374 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: dist.all_reduce(x)
        all_reduce_1: "f32[2, 5, 8]" = torch.ops._c10d_functional.all_reduce.default(clone_1, 'sum', '0')
        wait_tensor_1: "f32[2, 5, 8]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_15: "f32[2, 5, 8]" = torch.ops.aten.view.default(wait_tensor_1, [2, 5, 8]);  wait_tensor_1 = None
        copy_1: "f32[2, 5, 8]" = torch.ops.aten.copy.default(clone_1, view_15);  clone_1 = view_15 = None

        # File: programs.py:374 in run, called from tests/pinpoint/torch/programs.py:384 in distributed, code: return {"y": x + reduce(F.gelu(h @ p["up"], approximate="none" if defect == "gelu-exact" else "tanh") @ p["down"])}
        add_2: "f32[2, 5, 8]" = torch.ops.aten.add.Tensor(add_1, copy_1);  add_1 = copy_1 = None
        return [add_2]

