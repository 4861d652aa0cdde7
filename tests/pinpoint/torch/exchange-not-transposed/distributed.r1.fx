# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, qkv: "f32[4, 24]", o: "f32[8, 4]", x: "f32[2, 3, 4]"):
        # No stacktrace found for following nodes
        alias: "f32[4, 24]" = torch.ops.aten.alias.default(qkv);  qkv = None
        alias_1: "f32[8, 4]" = torch.ops.aten.alias.default(o);  o = None

        # File: programs.py:398 in step, called from programs.py:421 in distributed, code: q, k, v = (x @ p["qkv"]).view(2, -1, 3, 4, 2).unbind(2)
        view: "f32[6, 4]" = torch.ops.aten.view.default(x, [6, 4]);  x = None
        mm: "f32[6, 24]" = torch.ops.aten.mm.default(view, alias);  alias = None
        _unsafe_view: "f32[2, 3, 24]" = torch.ops.aten._unsafe_view.default(mm, [2, 3, 24]);  mm = None
        view_1: "f32[2, 3, 3, 4, 2]" = torch.ops.aten.view.default(_unsafe_view, [2, -1, 3, 4, 2]);  _unsafe_view = None
        unbind = torch.ops.aten.unbind.int(view_1, 2);  view_1 = None
        getitem: "f32[2, 3, 4, 2]" = unbind[0]
        getitem_1: "f32[2, 3, 4, 2]" = unbind[1]
        getitem_2: "f32[2, 3, 4, 2]" = unbind[2];  unbind = None

        # File: programs.py:412 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: blocks = t.reshape(2, b, s, h // 2, d) if defect else t.reshape(b, s, 2, h // 2, d).permute(2, 0, 1, 3, 4)
        clone: "f32[2, 3, 4, 2]" = torch.ops.aten.clone.default(getitem, memory_format = torch.contiguous_format);  getitem = None
        _unsafe_view_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten._unsafe_view.default(clone, [2, 2, 3, 2, 2]);  clone = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        empty_like: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty_like.default(_unsafe_view_1, pin_memory = False)
        all_to_all_single: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(_unsafe_view_1, [1, 1], [1, 1], '0');  _unsafe_view_1 = None
        wait_tensor: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single);  all_to_all_single = None
        view_2: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor, [2, 2, 3, 2, 2]);  wait_tensor = None
        copy: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_like, view_2);  empty_like = view_2 = None
        view_4: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy, [2, 2, 3, 2, 2]);  copy = None
        permute_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_4, [1, 0, 2, 3, 4]);  view_4 = None
        clone_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_1, memory_format = torch.contiguous_format);  permute_1 = None
        _unsafe_view_2: "f32[2, 6, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_1, [2, 6, 2, 2]);  clone_1 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose: "f32[2, 2, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_2, 1, 2);  _unsafe_view_2 = None

        # File: programs.py:412 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: blocks = t.reshape(2, b, s, h // 2, d) if defect else t.reshape(b, s, 2, h // 2, d).permute(2, 0, 1, 3, 4)
        clone_2: "f32[2, 3, 4, 2]" = torch.ops.aten.clone.default(getitem_1, memory_format = torch.contiguous_format);  getitem_1 = None
        _unsafe_view_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_2, [2, 2, 3, 2, 2]);  clone_2 = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        empty_like_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty_like.default(_unsafe_view_3, pin_memory = False)
        all_to_all_single_1: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(_unsafe_view_3, [1, 1], [1, 1], '0');  _unsafe_view_3 = None
        wait_tensor_1: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_1);  all_to_all_single_1 = None
        view_5: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_1, [2, 2, 3, 2, 2]);  wait_tensor_1 = None
        copy_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_like_1, view_5);  empty_like_1 = view_5 = None
        view_7: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_1, [2, 2, 3, 2, 2]);  copy_1 = None
        permute_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_7, [1, 0, 2, 3, 4]);  view_7 = None
        clone_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_3, memory_format = torch.contiguous_format);  permute_3 = None
        _unsafe_view_4: "f32[2, 6, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_3, [2, 6, 2, 2]);  clone_3 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_1: "f32[2, 2, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_4, 1, 2);  _unsafe_view_4 = None

        # File: programs.py:412 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: blocks = t.reshape(2, b, s, h // 2, d) if defect else t.reshape(b, s, 2, h // 2, d).permute(2, 0, 1, 3, 4)
        clone_4: "f32[2, 3, 4, 2]" = torch.ops.aten.clone.default(getitem_2, memory_format = torch.contiguous_format);  getitem_2 = None
        _unsafe_view_5: "f32[2, 2, 3, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_4, [2, 2, 3, 2, 2]);  clone_4 = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        empty_like_2: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty_like.default(_unsafe_view_5, pin_memory = False)
        all_to_all_single_2: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(_unsafe_view_5, [1, 1], [1, 1], '0');  _unsafe_view_5 = None
        wait_tensor_2: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_2);  all_to_all_single_2 = None
        view_8: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_2, [2, 2, 3, 2, 2]);  wait_tensor_2 = None
        copy_2: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_like_2, view_8);  empty_like_2 = view_8 = None
        view_10: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_2, [2, 2, 3, 2, 2]);  copy_2 = None
        permute_5: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_10, [1, 0, 2, 3, 4]);  view_10 = None
        clone_5: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_5, memory_format = torch.contiguous_format);  permute_5 = None
        _unsafe_view_6: "f32[2, 6, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_5, [2, 6, 2, 2]);  clone_5 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_2: "f32[2, 2, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_6, 1, 2);  _unsafe_view_6 = None

        # File: programs.py:400 in step, called from programs.py:421 in distributed, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        mul: "f32[2, 2, 6, 2]" = torch.ops.aten.mul.Scalar(transpose, 0.8408964152537145);  transpose = None
        transpose_3: "f32[2, 2, 2, 6]" = torch.ops.aten.transpose.int(transpose_1, -2, -1);  transpose_1 = None
        mul_1: "f32[2, 2, 2, 6]" = torch.ops.aten.mul.Scalar(transpose_3, 0.8408964152537145);  transpose_3 = None
        expand: "f32[2, 2, 6, 2]" = torch.ops.aten.expand.default(mul, [2, 2, 6, 2]);  mul = None
        clone_6: "f32[2, 2, 6, 2]" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        _unsafe_view_7: "f32[4, 6, 2]" = torch.ops.aten._unsafe_view.default(clone_6, [4, 6, 2]);  clone_6 = None
        expand_1: "f32[2, 2, 2, 6]" = torch.ops.aten.expand.default(mul_1, [2, 2, 2, 6]);  mul_1 = None
        clone_7: "f32[2, 2, 2, 6]" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        _unsafe_view_8: "f32[4, 2, 6]" = torch.ops.aten._unsafe_view.default(clone_7, [4, 2, 6]);  clone_7 = None
        bmm: "f32[4, 6, 6]" = torch.ops.aten.bmm.default(_unsafe_view_7, _unsafe_view_8)
        _unsafe_view_9: "f32[2, 2, 6, 6]" = torch.ops.aten._unsafe_view.default(bmm, [2, 2, 6, 6]);  bmm = None
        _safe_softmax: "f32[2, 2, 6, 6]" = torch.ops.aten._safe_softmax.default(_unsafe_view_9, -1);  _unsafe_view_9 = None
        alias_2: "f32[2, 2, 6, 6]" = torch.ops.aten.alias.default(_safe_softmax)
        expand_2: "f32[2, 2, 6, 6]" = torch.ops.aten.expand.default(_safe_softmax, [2, 2, 6, 6]);  _safe_softmax = None
        view_11: "f32[4, 6, 6]" = torch.ops.aten.view.default(expand_2, [4, 6, 6]);  expand_2 = None
        expand_3: "f32[2, 2, 6, 2]" = torch.ops.aten.expand.default(transpose_2, [2, 2, 6, 2]);  transpose_2 = None
        clone_8: "f32[2, 2, 6, 2]" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        _unsafe_view_10: "f32[4, 6, 2]" = torch.ops.aten._unsafe_view.default(clone_8, [4, 6, 2]);  clone_8 = None
        bmm_1: "f32[4, 6, 2]" = torch.ops.aten.bmm.default(view_11, _unsafe_view_10)
        _unsafe_view_11: "f32[2, 2, 6, 2]" = torch.ops.aten._unsafe_view.default(bmm_1, [2, 2, 6, 2]);  bmm_1 = None
        transpose_4: "f32[2, 6, 2, 2]" = torch.ops.aten.transpose.int(_unsafe_view_11, 1, 2);  _unsafe_view_11 = None

        # File: programs.py:418 in behind, called from programs.py:400 in step, called from programs.py:421 in distributed, code: blocks = t.reshape(b, 2, s // 2, h, d).permute(1, 0, 2, 3, 4).contiguous()
        view_12: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(transpose_4, [2, 2, 3, 2, 2]);  transpose_4 = None
        permute_6: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_12, [1, 0, 2, 3, 4]);  view_12 = None
        clone_9: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_6, memory_format = torch.contiguous_format);  permute_6 = None

        # File: programs.py:419 in behind, called from programs.py:400 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 2, 0, 3, 4).reshape(b, s // 2, 2 * h, d)
        empty_like_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty_like.default(clone_9, pin_memory = False)
        all_to_all_single_3: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(clone_9, [1, 1], [1, 1], '0');  clone_9 = None
        wait_tensor_3: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_3);  all_to_all_single_3 = None
        view_13: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_3, [2, 2, 3, 2, 2]);  wait_tensor_3 = None
        copy_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_like_3, view_13);  empty_like_3 = view_13 = None
        view_15: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_3, [2, 2, 3, 2, 2]);  copy_3 = None
        permute_8: "f32[2, 3, 2, 2, 2]" = torch.ops.aten.permute.default(view_15, [1, 2, 0, 3, 4]);  view_15 = None
        clone_10: "f32[2, 3, 2, 2, 2]" = torch.ops.aten.clone.default(permute_8, memory_format = torch.contiguous_format);  permute_8 = None
        _unsafe_view_12: "f32[2, 3, 4, 2]" = torch.ops.aten._unsafe_view.default(clone_10, [2, 3, 4, 2]);  clone_10 = None

        # File: programs.py:400 in step, called from programs.py:421 in distributed, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        view_16: "f32[2, 3, 8]" = torch.ops.aten.view.default(_unsafe_view_12, [2, 3, 8]);  _unsafe_view_12 = None
        view_17: "f32[6, 8]" = torch.ops.aten.view.default(view_16, [6, 8]);  view_16 = None
        mm_1: "f32[6, 4]" = torch.ops.aten.mm.default(view_17, alias_1)
        _unsafe_view_13: "f32[2, 3, 4]" = torch.ops.aten._unsafe_view.default(mm_1, [2, 3, 4]);  mm_1 = None

        # File: programs.py:401 in step, called from programs.py:421 in distributed, code: return y, y.square().mean()
        pow_1: "f32[2, 3, 4]" = torch.ops.aten.pow.Tensor_Scalar(_unsafe_view_13, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1);  pow_1 = None

        # File: programs.py:422 in distributed, code: grads = gg_torch.grads(loss, p)
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format);  mean = None

        # File: programs.py:401 in step, called from programs.py:421 in distributed, code: return y, y.square().mean()
        expand_4: "f32[2, 3, 4]" = torch.ops.aten.expand.default(ones_like, [2, 3, 4]);  ones_like = None
        div: "f32[2, 3, 4]" = torch.ops.aten.div.Scalar(expand_4, 24);  expand_4 = None
        pow_2: "f32[2, 3, 4]" = torch.ops.aten.pow.Tensor_Scalar(_unsafe_view_13, 1.0)
        mul_2: "f32[2, 3, 4]" = torch.ops.aten.mul.Scalar(pow_2, 2.0);  pow_2 = None
        mul_3: "f32[2, 3, 4]" = torch.ops.aten.mul.Tensor(div, mul_2);  div = mul_2 = None

        # File: programs.py:400 in step, called from programs.py:421 in distributed, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        view_18: "f32[6, 4]" = torch.ops.aten.view.default(mul_3, [6, 4]);  mul_3 = None
        t: "f32[8, 6]" = torch.ops.aten.t.default(view_17);  view_17 = None
        mm_2: "f32[8, 4]" = torch.ops.aten.mm.default(t, view_18);  t = None
        t_1: "f32[4, 8]" = torch.ops.aten.t.default(alias_1);  alias_1 = None
        mm_3: "f32[6, 8]" = torch.ops.aten.mm.default(view_18, t_1);  view_18 = t_1 = None
        view_19: "f32[2, 3, 8]" = torch.ops.aten.view.default(mm_3, [2, 3, 8]);  mm_3 = None
        view_20: "f32[2, 3, 4, 2]" = torch.ops.aten.view.default(view_19, [2, 3, 4, 2]);  view_19 = None

        # File: programs.py:419 in behind, called from programs.py:400 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 2, 0, 3, 4).reshape(b, s // 2, 2 * h, d)
        view_21: "f32[2, 3, 2, 2, 2]" = torch.ops.aten.view.default(view_20, [2, 3, 2, 2, 2]);  view_20 = None
        permute_9: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_21, [2, 0, 1, 3, 4]);  view_21 = None
        empty: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty.memory_format([2, 2, 3, 2, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        clone_11: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_9, memory_format = torch.contiguous_format);  permute_9 = None
        all_to_all_single_4: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(clone_11, [1, 1], [1, 1], '0');  clone_11 = None
        wait_tensor_4: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_4);  all_to_all_single_4 = None
        view_22: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_4, [2, 2, 3, 2, 2]);  wait_tensor_4 = None
        copy_4: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty, view_22);  empty = view_22 = None

        # File: programs.py:418 in behind, called from programs.py:400 in step, called from programs.py:421 in distributed, code: blocks = t.reshape(b, 2, s // 2, h, d).permute(1, 0, 2, 3, 4).contiguous()
        view_24: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_4, [2, 2, 3, 2, 2]);  copy_4 = None
        permute_11: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_24, [1, 0, 2, 3, 4]);  view_24 = None
        clone_12: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_11, memory_format = torch.contiguous_format);  permute_11 = None
        _unsafe_view_14: "f32[2, 6, 2, 2]" = torch.ops.aten._unsafe_view.default(clone_12, [2, 6, 2, 2]);  clone_12 = None

        # File: programs.py:400 in step, called from programs.py:421 in distributed, code: y = behind(F.scaled_dot_product_attention(q, k, v).transpose(1, 2)).flatten(2) @ p["o"]
        transpose_5: "f32[2, 2, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_14, 1, 2);  _unsafe_view_14 = None
        clone_13: "f32[2, 2, 6, 2]" = torch.ops.aten.clone.default(transpose_5, memory_format = torch.contiguous_format);  transpose_5 = None
        _unsafe_view_15: "f32[4, 6, 2]" = torch.ops.aten._unsafe_view.default(clone_13, [4, 6, 2]);  clone_13 = None
        transpose_6: "f32[4, 6, 6]" = torch.ops.aten.transpose.int(view_11, 1, 2);  view_11 = None
        bmm_2: "f32[4, 6, 2]" = torch.ops.aten.bmm.default(transpose_6, _unsafe_view_15);  transpose_6 = None
        transpose_7: "f32[4, 2, 6]" = torch.ops.aten.transpose.int(_unsafe_view_10, 1, 2);  _unsafe_view_10 = None
        bmm_3: "f32[4, 6, 6]" = torch.ops.aten.bmm.default(_unsafe_view_15, transpose_7);  _unsafe_view_15 = transpose_7 = None
        view_25: "f32[2, 2, 6, 2]" = torch.ops.aten.view.default(bmm_2, [2, 2, 6, 2]);  bmm_2 = None
        view_26: "f32[2, 2, 6, 6]" = torch.ops.aten.view.default(bmm_3, [2, 2, 6, 6]);  bmm_3 = None
        alias_3: "f32[2, 2, 6, 6]" = torch.ops.aten.alias.default(alias_2);  alias_2 = None
        _softmax_backward_data: "f32[2, 2, 6, 6]" = torch.ops.aten._softmax_backward_data.default(view_26, alias_3, -1, torch.float32);  view_26 = alias_3 = None
        view_27: "f32[4, 6, 6]" = torch.ops.aten.view.default(_softmax_backward_data, [4, 6, 6]);  _softmax_backward_data = None
        transpose_8: "f32[4, 2, 6]" = torch.ops.aten.transpose.int(_unsafe_view_7, 1, 2);  _unsafe_view_7 = None
        bmm_4: "f32[4, 2, 6]" = torch.ops.aten.bmm.default(transpose_8, view_27);  transpose_8 = None
        transpose_9: "f32[4, 6, 2]" = torch.ops.aten.transpose.int(_unsafe_view_8, 1, 2);  _unsafe_view_8 = None
        bmm_5: "f32[4, 6, 2]" = torch.ops.aten.bmm.default(view_27, transpose_9);  view_27 = transpose_9 = None
        view_28: "f32[2, 2, 2, 6]" = torch.ops.aten.view.default(bmm_4, [2, 2, 2, 6]);  bmm_4 = None
        view_29: "f32[2, 2, 6, 2]" = torch.ops.aten.view.default(bmm_5, [2, 2, 6, 2]);  bmm_5 = None
        mul_4: "f32[2, 2, 2, 6]" = torch.ops.aten.mul.Scalar(view_28, 0.8408964152537145);  view_28 = None
        transpose_10: "f32[2, 2, 6, 2]" = torch.ops.aten.transpose.int(mul_4, -2, -1);  mul_4 = None
        mul_5: "f32[2, 2, 6, 2]" = torch.ops.aten.mul.Scalar(view_29, 0.8408964152537145);  view_29 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_11: "f32[2, 6, 2, 2]" = torch.ops.aten.transpose.int(view_25, 1, 2);  view_25 = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        view_30: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(transpose_11, [2, 2, 3, 2, 2]);  transpose_11 = None
        permute_12: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_30, [1, 0, 2, 3, 4]);  view_30 = None
        empty_1: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty.memory_format([2, 2, 3, 2, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        clone_14: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_12, memory_format = torch.contiguous_format);  permute_12 = None
        all_to_all_single_5: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(clone_14, [1, 1], [1, 1], '0');  clone_14 = None
        wait_tensor_5: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_5);  all_to_all_single_5 = None
        view_31: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_5, [2, 2, 3, 2, 2]);  wait_tensor_5 = None
        copy_5: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_1, view_31);  empty_1 = view_31 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_12: "f32[2, 6, 2, 2]" = torch.ops.aten.transpose.int(transpose_10, 1, 2);  transpose_10 = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        view_34: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(transpose_12, [2, 2, 3, 2, 2]);  transpose_12 = None
        permute_13: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_34, [1, 0, 2, 3, 4]);  view_34 = None
        empty_2: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty.memory_format([2, 2, 3, 2, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        clone_15: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_13, memory_format = torch.contiguous_format);  permute_13 = None
        all_to_all_single_6: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(clone_15, [1, 1], [1, 1], '0');  clone_15 = None
        wait_tensor_6: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_6);  all_to_all_single_6 = None
        view_35: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_6, [2, 2, 3, 2, 2]);  wait_tensor_6 = None
        copy_6: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_2, view_35);  empty_2 = view_35 = None

        # File: programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: q, k, v = (before(t).transpose(1, 2) for t in (q, k, v))
        transpose_13: "f32[2, 6, 2, 2]" = torch.ops.aten.transpose.int(mul_5, 1, 2);  mul_5 = None

        # File: programs.py:414 in before, called from programs.py:399 in <genexpr>, called from programs.py:399 in step, called from programs.py:421 in distributed, code: return torch.distributed.nn.functional.all_to_all_single(torch.empty_like(blocks), blocks).permute(1, 0, 2, 3, 4).reshape(b, 2 * s, h // 2, d)
        view_38: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(transpose_13, [2, 2, 3, 2, 2]);  transpose_13 = None
        permute_14: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.permute.default(view_38, [1, 0, 2, 3, 4]);  view_38 = None
        empty_3: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.empty.memory_format([2, 2, 3, 2, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        clone_16: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.clone.default(permute_14, memory_format = torch.contiguous_format);  permute_14 = None
        all_to_all_single_7: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.all_to_all_single.default(clone_16, [1, 1], [1, 1], '0');  clone_16 = None
        wait_tensor_7: "f32[2, 2, 3, 2, 2]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_7);  all_to_all_single_7 = None
        view_39: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(wait_tensor_7, [2, 2, 3, 2, 2]);  wait_tensor_7 = None
        copy_7: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.copy.default(empty_3, view_39);  empty_3 = view_39 = None

        # File: programs.py:398 in step, called from programs.py:421 in distributed, code: q, k, v = (x @ p["qkv"]).view(2, -1, 3, 4, 2).unbind(2)
        view_42: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_7, [2, 2, 3, 2, 2]);  copy_7 = None
        view_43: "f32[2, 3, 4, 2]" = torch.ops.aten.view.default(view_42, [2, 3, 4, 2]);  view_42 = None
        view_44: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_6, [2, 2, 3, 2, 2]);  copy_6 = None
        view_45: "f32[2, 3, 4, 2]" = torch.ops.aten.view.default(view_44, [2, 3, 4, 2]);  view_44 = None
        view_46: "f32[2, 2, 3, 2, 2]" = torch.ops.aten.view.default(copy_5, [2, 2, 3, 2, 2]);  copy_5 = None
        view_47: "f32[2, 3, 4, 2]" = torch.ops.aten.view.default(view_46, [2, 3, 4, 2]);  view_46 = None
        stack: "f32[2, 3, 3, 4, 2]" = torch.ops.aten.stack.default([view_43, view_45, view_47], 2);  view_43 = view_45 = view_47 = None
        view_48: "f32[2, 3, 24]" = torch.ops.aten.view.default(stack, [2, 3, 24]);  stack = None
        view_49: "f32[6, 24]" = torch.ops.aten.view.default(view_48, [6, 24]);  view_48 = None
        t_2: "f32[4, 6]" = torch.ops.aten.t.default(view);  view = None
        mm_4: "f32[4, 24]" = torch.ops.aten.mm.default(t_2, view_49);  t_2 = view_49 = None

        # File: programs.py:424 in distributed, code: dist.all_reduce(g)
        all_reduce: "f32[4, 24]" = torch.ops._c10d_functional.all_reduce.default(mm_4, 'sum', '0')
        wait_tensor_8: "f32[4, 24]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_50: "f32[4, 24]" = torch.ops.aten.view.default(wait_tensor_8, [4, 24]);  wait_tensor_8 = None
        copy_8: "f32[4, 24]" = torch.ops.aten.copy.default(mm_4, view_50);  mm_4 = view_50 = None
        all_reduce_1: "f32[8, 4]" = torch.ops._c10d_functional.all_reduce.default(mm_2, 'sum', '0')
        wait_tensor_9: "f32[8, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_51: "f32[8, 4]" = torch.ops.aten.view.default(wait_tensor_9, [8, 4]);  wait_tensor_9 = None
        copy_9: "f32[8, 4]" = torch.ops.aten.copy.default(mm_2, view_51);  mm_2 = view_51 = None

        # File: programs.py:425 in <dictcomp>, called from programs.py:425 in distributed, code: return {"y": y, "grads": {name: g / 2 for name, g in grads.items()}}
        div_1: "f32[4, 24]" = torch.ops.aten.div.Tensor(copy_8, 2);  copy_8 = None
        div_2: "f32[8, 4]" = torch.ops.aten.div.Tensor(copy_9, 2);  copy_9 = None
        return [_unsafe_view_13, div_1, div_2]

