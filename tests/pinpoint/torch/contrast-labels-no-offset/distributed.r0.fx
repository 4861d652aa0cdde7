# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[5, 4]", b: "f32[6, 4]", x: "f32[3, 5]", y: "f32[3, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[5, 4]" = torch.ops.aten.alias.default(a);  a = None
        alias_1: "f32[6, 4]" = torch.ops.aten.alias.default(b);  b = None

        # File: programs.py:313 in features, called from programs.py:324 in distributed, code: return F.normalize(x @ p["a"], dim=-1), F.normalize(y @ p["b"], dim=-1)
        mm: "f32[3, 4]" = torch.ops.aten.mm.default(x, alias);  alias = None
        linalg_vector_norm: "f32[3, 1]" = torch.ops.aten.linalg_vector_norm.default(mm, 2.0, [-1], True)
        alias_2: "f32[3, 1]" = torch.ops.aten.alias.default(linalg_vector_norm)
        clamp_min: "f32[3, 1]" = torch.ops.aten.clamp_min.default(linalg_vector_norm, 1e-12)
        expand: "f32[3, 4]" = torch.ops.aten.expand.default(clamp_min, [3, 4]);  clamp_min = None
        div: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm, expand)
        mm_1: "f32[3, 4]" = torch.ops.aten.mm.default(y, alias_1);  alias_1 = None
        linalg_vector_norm_1: "f32[3, 1]" = torch.ops.aten.linalg_vector_norm.default(mm_1, 2.0, [-1], True)
        alias_3: "f32[3, 1]" = torch.ops.aten.alias.default(linalg_vector_norm_1)
        clamp_min_1: "f32[3, 1]" = torch.ops.aten.clamp_min.default(linalg_vector_norm_1, 1e-12)
        expand_1: "f32[3, 4]" = torch.ops.aten.expand.default(clamp_min_1, [3, 4]);  clamp_min_1 = None
        div_1: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm_1, expand_1)

        # File: programs.py:291 in forward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: rows = torch.empty(dist.get_world_size() * x.shape[0], *x.shape[1:])
        empty: "f32[6, 4]" = torch.ops.aten.empty.memory_format([6, 4], device = device(type='cpu'), pin_memory = False)

        # File: programs.py:292 in forward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: dist.all_gather_into_tensor(rows, x.contiguous())
        all_gather_into_tensor: "f32[6, 4]" = torch.ops._c10d_functional.all_gather_into_tensor.default(div, 2, '0')
        wait_tensor: "f32[6, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_gather_into_tensor);  all_gather_into_tensor = None
        view: "f32[6, 4]" = torch.ops.aten.view.default(wait_tensor, [6, 4]);  wait_tensor = None
        copy: "f32[6, 4]" = torch.ops.aten.copy.default(empty, view);  empty = view = None

        # File: programs.py:291 in forward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: rows = torch.empty(dist.get_world_size() * x.shape[0], *x.shape[1:])
        empty_1: "f32[6, 4]" = torch.ops.aten.empty.memory_format([6, 4], device = device(type='cpu'), pin_memory = False)

        # File: programs.py:292 in forward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: dist.all_gather_into_tensor(rows, x.contiguous())
        all_gather_into_tensor_1: "f32[6, 4]" = torch.ops._c10d_functional.all_gather_into_tensor.default(div_1, 2, '0')
        wait_tensor_1: "f32[6, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_gather_into_tensor_1);  all_gather_into_tensor_1 = None
        view_1: "f32[6, 4]" = torch.ops.aten.view.default(wait_tensor_1, [6, 4]);  wait_tensor_1 = None
        copy_1: "f32[6, 4]" = torch.ops.aten.copy.default(empty_1, view_1);  empty_1 = view_1 = None

        # File: programs.py:326 in distributed, code: own = torch.arange(len(x)) + (0 if defect == "labels-no-offset" else dist.get_rank() * len(x))
        arange: "i64[3]" = torch.ops.aten.arange.default(3, device = device(type='cpu'), pin_memory = False)
        add: "i64[3]" = torch.ops.aten.add.Tensor(arange, 0);  arange = None

        # File: programs.py:327 in distributed, code: loss = (F.cross_entropy(3.0 * a @ all_b.T, own) + F.cross_entropy(3.0 * b @ all_a.T, own)) / 2
        mul: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div, 3.0);  div = None
        permute_1: "f32[4, 6]" = torch.ops.aten.permute.default(copy_1, [1, 0])
        mm_2: "f32[3, 6]" = torch.ops.aten.mm.default(mul, permute_1);  permute_1 = None
        _log_softmax: "f32[3, 6]" = torch.ops.aten._log_softmax.default(mm_2, 1, False);  mm_2 = None
        alias_4: "f32[3, 6]" = torch.ops.aten.alias.default(_log_softmax)
        nll_loss_forward = torch.ops.aten.nll_loss_forward.default(_log_softmax, add, None, 1, -100)
        getitem: "f32[]" = nll_loss_forward[0]
        getitem_1: "f32[]" = nll_loss_forward[1];  nll_loss_forward = None
        mul_1: "f32[3, 4]" = torch.ops.aten.mul.Tensor(div_1, 3.0);  div_1 = None
        permute_3: "f32[4, 6]" = torch.ops.aten.permute.default(copy, [1, 0])
        mm_3: "f32[3, 6]" = torch.ops.aten.mm.default(mul_1, permute_3);  permute_3 = None
        _log_softmax_1: "f32[3, 6]" = torch.ops.aten._log_softmax.default(mm_3, 1, False);  mm_3 = None
        alias_5: "f32[3, 6]" = torch.ops.aten.alias.default(_log_softmax_1)
        nll_loss_forward_1 = torch.ops.aten.nll_loss_forward.default(_log_softmax_1, add, None, 1, -100)
        getitem_2: "f32[]" = nll_loss_forward_1[0]
        getitem_3: "f32[]" = nll_loss_forward_1[1];  nll_loss_forward_1 = None
        add_1: "f32[]" = torch.ops.aten.add.Tensor(getitem, getitem_2);  getitem = getitem_2 = None
        div_2: "f32[]" = torch.ops.aten.div.Tensor(add_1, 2);  add_1 = None

        # File: programs.py:328 in distributed, code: grads, loss = gg_torch.grads(loss, p), loss.detach().clone()
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(div_2, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:327 in distributed, code: loss = (F.cross_entropy(3.0 * a @ all_b.T, own) + F.cross_entropy(3.0 * b @ all_a.T, own)) / 2
        div_3: "f32[]" = torch.ops.aten.div.Tensor(ones_like, 2);  ones_like = None
        nll_loss_backward: "f32[3, 6]" = torch.ops.aten.nll_loss_backward.default(div_3, _log_softmax_1, add, None, 1, -100, getitem_3);  _log_softmax_1 = getitem_3 = None
        alias_6: "f32[3, 6]" = torch.ops.aten.alias.default(alias_5);  alias_5 = None
        _log_softmax_backward_data: "f32[3, 6]" = torch.ops.aten._log_softmax_backward_data.default(nll_loss_backward, alias_6, 1, torch.float32);  nll_loss_backward = alias_6 = None
        t: "f32[6, 3]" = torch.ops.aten.t.default(_log_softmax_backward_data)
        mm_4: "f32[6, 4]" = torch.ops.aten.mm.default(t, mul_1);  t = mul_1 = None
        t_1: "f32[4, 6]" = torch.ops.aten.t.default(mm_4);  mm_4 = None
        permute_4: "f32[4, 6]" = torch.ops.aten.permute.default(copy, [1, 0]);  copy = None
        t_3: "f32[6, 4]" = torch.ops.aten.t.default(permute_4);  permute_4 = None
        mm_5: "f32[3, 4]" = torch.ops.aten.mm.default(_log_softmax_backward_data, t_3);  _log_softmax_backward_data = t_3 = None
        permute_5: "f32[6, 4]" = torch.ops.aten.permute.default(t_1, [1, 0]);  t_1 = None
        mul_2: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_5, 3.0);  mm_5 = None
        nll_loss_backward_1: "f32[3, 6]" = torch.ops.aten.nll_loss_backward.default(div_3, _log_softmax, add, None, 1, -100, getitem_1);  div_3 = _log_softmax = add = getitem_1 = None
        alias_7: "f32[3, 6]" = torch.ops.aten.alias.default(alias_4);  alias_4 = None
        _log_softmax_backward_data_1: "f32[3, 6]" = torch.ops.aten._log_softmax_backward_data.default(nll_loss_backward_1, alias_7, 1, torch.float32);  nll_loss_backward_1 = alias_7 = None
        t_4: "f32[6, 3]" = torch.ops.aten.t.default(_log_softmax_backward_data_1)
        mm_6: "f32[6, 4]" = torch.ops.aten.mm.default(t_4, mul);  t_4 = mul = None
        t_5: "f32[4, 6]" = torch.ops.aten.t.default(mm_6);  mm_6 = None
        permute_6: "f32[4, 6]" = torch.ops.aten.permute.default(copy_1, [1, 0]);  copy_1 = None
        t_7: "f32[6, 4]" = torch.ops.aten.t.default(permute_6);  permute_6 = None
        mm_7: "f32[3, 4]" = torch.ops.aten.mm.default(_log_softmax_backward_data_1, t_7);  _log_softmax_backward_data_1 = t_7 = None
        permute_7: "f32[6, 4]" = torch.ops.aten.permute.default(t_5, [1, 0]);  t_5 = None
        mul_3: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm_7, 3.0);  mm_7 = None

        # File: programs.py:297 in backward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: g = g.contiguous().clone()
        clone: "f32[6, 4]" = torch.ops.aten.clone.default(permute_7);  permute_7 = None

        # File: programs.py:298 in backward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: dist.all_reduce(g)
        all_reduce: "f32[6, 4]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor_2: "f32[6, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_2: "f32[6, 4]" = torch.ops.aten.view.default(wait_tensor_2, [6, 4]);  wait_tensor_2 = None
        copy_2: "f32[6, 4]" = torch.ops.aten.copy.default(clone, view_2);  clone = view_2 = None

        # File: programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: all_a, all_b = (GatheredRows.apply(t.detach() if defect == "gathered-is-constant" else t) for t in (a, b))
        slice_1: "f32[3, 4]" = torch.ops.aten.slice.Tensor(copy_2, 0, 0, 3);  copy_2 = None
        add_2: "f32[3, 4]" = torch.ops.aten.add.Tensor(mul_2, slice_1);  mul_2 = slice_1 = None

        # File: programs.py:297 in backward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: g = g.contiguous().clone()
        clone_1: "f32[6, 4]" = torch.ops.aten.clone.default(permute_5);  permute_5 = None

        # File: programs.py:298 in backward, called from programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: dist.all_reduce(g)
        all_reduce_1: "f32[6, 4]" = torch.ops._c10d_functional.all_reduce.default(clone_1, 'sum', '0')
        wait_tensor_3: "f32[6, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_3: "f32[6, 4]" = torch.ops.aten.view.default(wait_tensor_3, [6, 4]);  wait_tensor_3 = None
        copy_3: "f32[6, 4]" = torch.ops.aten.copy.default(clone_1, view_3);  clone_1 = view_3 = None

        # File: programs.py:325 in <genexpr>, called from programs.py:325 in distributed, code: all_a, all_b = (GatheredRows.apply(t.detach() if defect == "gathered-is-constant" else t) for t in (a, b))
        slice_2: "f32[3, 4]" = torch.ops.aten.slice.Tensor(copy_3, 0, 0, 3);  copy_3 = None
        add_3: "f32[3, 4]" = torch.ops.aten.add.Tensor(mul_3, slice_2);  mul_3 = slice_2 = None

        # File: programs.py:313 in features, called from programs.py:324 in distributed, code: return F.normalize(x @ p["a"], dim=-1), F.normalize(y @ p["b"], dim=-1)
        div_4: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm_1, expand_1)
        div_5: "f32[3, 4]" = torch.ops.aten.div.Tensor(div_4, expand_1);  div_4 = None
        neg: "f32[3, 4]" = torch.ops.aten.neg.default(add_2)
        mul_4: "f32[3, 4]" = torch.ops.aten.mul.Tensor(neg, div_5);  neg = div_5 = None
        div_6: "f32[3, 4]" = torch.ops.aten.div.Tensor(add_2, expand_1);  add_2 = expand_1 = None
        sum_1: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_4, [1], True);  mul_4 = None
        scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        gt: "b8[3, 1]" = torch.ops.aten.gt.Scalar(linalg_vector_norm_1, 1e-12);  linalg_vector_norm_1 = None
        where: "f32[3, 1]" = torch.ops.aten.where.self(gt, sum_1, scalar_tensor);  gt = sum_1 = scalar_tensor = None
        alias_8: "f32[3, 1]" = torch.ops.aten.alias.default(alias_3);  alias_3 = None
        div_7: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm_1, alias_8);  mm_1 = None
        eq: "b8[3, 1]" = torch.ops.aten.eq.Scalar(alias_8, 0);  alias_8 = None
        masked_fill: "f32[3, 4]" = torch.ops.aten.masked_fill.Scalar(div_7, eq, 0);  div_7 = eq = None
        mul_5: "f32[3, 4]" = torch.ops.aten.mul.Tensor(where, masked_fill);  where = masked_fill = None
        add_4: "f32[3, 4]" = torch.ops.aten.add.Tensor(div_6, mul_5);  div_6 = mul_5 = None
        t_8: "f32[6, 3]" = torch.ops.aten.t.default(y);  y = None
        mm_8: "f32[6, 4]" = torch.ops.aten.mm.default(t_8, add_4);  t_8 = add_4 = None
        div_8: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm, expand)
        div_9: "f32[3, 4]" = torch.ops.aten.div.Tensor(div_8, expand);  div_8 = None
        neg_1: "f32[3, 4]" = torch.ops.aten.neg.default(add_3)
        mul_6: "f32[3, 4]" = torch.ops.aten.mul.Tensor(neg_1, div_9);  neg_1 = div_9 = None
        div_10: "f32[3, 4]" = torch.ops.aten.div.Tensor(add_3, expand);  add_3 = expand = None
        sum_2: "f32[3, 1]" = torch.ops.aten.sum.dim_IntList(mul_6, [1], True);  mul_6 = None
        scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        gt_1: "b8[3, 1]" = torch.ops.aten.gt.Scalar(linalg_vector_norm, 1e-12);  linalg_vector_norm = None
        where_1: "f32[3, 1]" = torch.ops.aten.where.self(gt_1, sum_2, scalar_tensor_1);  gt_1 = sum_2 = scalar_tensor_1 = None
        alias_9: "f32[3, 1]" = torch.ops.aten.alias.default(alias_2);  alias_2 = None
        div_11: "f32[3, 4]" = torch.ops.aten.div.Tensor(mm, alias_9);  mm = None
        eq_1: "b8[3, 1]" = torch.ops.aten.eq.Scalar(alias_9, 0);  alias_9 = None
        masked_fill_1: "f32[3, 4]" = torch.ops.aten.masked_fill.Scalar(div_11, eq_1, 0);  div_11 = eq_1 = None
        mul_7: "f32[3, 4]" = torch.ops.aten.mul.Tensor(where_1, masked_fill_1);  where_1 = masked_fill_1 = None
        add_5: "f32[3, 4]" = torch.ops.aten.add.Tensor(div_10, mul_7);  div_10 = mul_7 = None
        t_9: "f32[5, 3]" = torch.ops.aten.t.default(x);  x = None
        mm_9: "f32[5, 4]" = torch.ops.aten.mm.default(t_9, add_5);  t_9 = add_5 = None

        # File: programs.py:328 in distributed, code: grads, loss = gg_torch.grads(loss, p), loss.detach().clone()
        alias_10: "f32[]" = torch.ops.aten.alias.default(div_2);  div_2 = None
        clone_2: "f32[]" = torch.ops.aten.clone.default(alias_10);  alias_10 = None

        # File: programs.py:330 in distributed, code: dist.all_reduce(t)
        all_reduce_2: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone_2, 'sum', '0')
        wait_tensor_4: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2);  all_reduce_2 = None
        view_4: "f32[]" = torch.ops.aten.view.default(wait_tensor_4, []);  wait_tensor_4 = None
        copy_4: "f32[]" = torch.ops.aten.copy.default(clone_2, view_4);  clone_2 = view_4 = None
        all_reduce_3: "f32[5, 4]" = torch.ops._c10d_functional.all_reduce.default(mm_9, 'sum', '0')
        wait_tensor_5: "f32[5, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_3);  all_reduce_3 = None
        view_5: "f32[5, 4]" = torch.ops.aten.view.default(wait_tensor_5, [5, 4]);  wait_tensor_5 = None
        copy_5: "f32[5, 4]" = torch.ops.aten.copy.default(mm_9, view_5);  mm_9 = view_5 = None
        all_reduce_4: "f32[6, 4]" = torch.ops._c10d_functional.all_reduce.default(mm_8, 'sum', '0')
        wait_tensor_6: "f32[6, 4]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_4);  all_reduce_4 = None
        view_6: "f32[6, 4]" = torch.ops.aten.view.default(wait_tensor_6, [6, 4]);  wait_tensor_6 = None
        copy_6: "f32[6, 4]" = torch.ops.aten.copy.default(mm_8, view_6);  mm_8 = view_6 = None

        # File: programs.py:331 in distributed, code: return {"loss": loss / dist.get_world_size(), "grads": {name: g / dist.get_world_size() for name, g in grads.items()}}
        div_12: "f32[]" = torch.ops.aten.div.Tensor(copy_4, 2);  copy_4 = None

        # File: programs.py:331 in <dictcomp>, called from programs.py:331 in distributed, code: return {"loss": loss / dist.get_world_size(), "grads": {name: g / dist.get_world_size() for name, g in grads.items()}}
        div_13: "f32[5, 4]" = torch.ops.aten.div.Tensor(copy_5, 2);  copy_5 = None
        div_14: "f32[6, 4]" = torch.ops.aten.div.Tensor(copy_6, 2);  copy_6 = None
        return [div_12, div_13, div_14]

