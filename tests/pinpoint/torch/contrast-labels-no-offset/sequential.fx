# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[5, 4]", b: "f32[6, 4]", x: "f32[6, 5]", y: "f32[6, 6]"):
        # No stacktrace found for following nodes
        alias: "f32[5, 4]" = torch.ops.aten.alias.default(a);  a = None
        alias_1: "f32[6, 4]" = torch.ops.aten.alias.default(b);  b = None

        # File: programs.py:313 in features, called from programs.py:317 in sequential, code: return F.normalize(x @ p["a"], dim=-1), F.normalize(y @ p["b"], dim=-1)
        mm: "f32[6, 4]" = torch.ops.aten.mm.default(x, alias);  alias = None
        linalg_vector_norm: "f32[6, 1]" = torch.ops.aten.linalg_vector_norm.default(mm, 2.0, [-1], True)
        alias_2: "f32[6, 1]" = torch.ops.aten.alias.default(linalg_vector_norm)
        clamp_min: "f32[6, 1]" = torch.ops.aten.clamp_min.default(linalg_vector_norm, 1e-12)
        expand: "f32[6, 4]" = torch.ops.aten.expand.default(clamp_min, [6, 4]);  clamp_min = None
        div: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm, expand)
        mm_1: "f32[6, 4]" = torch.ops.aten.mm.default(y, alias_1);  alias_1 = None
        linalg_vector_norm_1: "f32[6, 1]" = torch.ops.aten.linalg_vector_norm.default(mm_1, 2.0, [-1], True)
        alias_3: "f32[6, 1]" = torch.ops.aten.alias.default(linalg_vector_norm_1)
        clamp_min_1: "f32[6, 1]" = torch.ops.aten.clamp_min.default(linalg_vector_norm_1, 1e-12)
        expand_1: "f32[6, 4]" = torch.ops.aten.expand.default(clamp_min_1, [6, 4]);  clamp_min_1 = None
        div_1: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm_1, expand_1)

        # File: programs.py:318 in sequential, code: s, own = 3.0 * a @ b.T, torch.arange(len(x))
        mul: "f32[6, 4]" = torch.ops.aten.mul.Tensor(div, 3.0);  div = None
        permute: "f32[4, 6]" = torch.ops.aten.permute.default(div_1, [1, 0]);  div_1 = None
        mm_2: "f32[6, 6]" = torch.ops.aten.mm.default(mul, permute)
        arange: "i64[6]" = torch.ops.aten.arange.default(6, device = device(type='cpu'), pin_memory = False)

        # File: programs.py:319 in sequential, code: loss = (F.cross_entropy(s, own) + F.cross_entropy(s.T, own)) / 2
        _log_softmax: "f32[6, 6]" = torch.ops.aten._log_softmax.default(mm_2, 1, False)
        alias_4: "f32[6, 6]" = torch.ops.aten.alias.default(_log_softmax)
        nll_loss_forward = torch.ops.aten.nll_loss_forward.default(_log_softmax, arange, None, 1, -100)
        getitem: "f32[]" = nll_loss_forward[0]
        getitem_1: "f32[]" = nll_loss_forward[1];  nll_loss_forward = None
        permute_1: "f32[6, 6]" = torch.ops.aten.permute.default(mm_2, [1, 0]);  mm_2 = None
        _log_softmax_1: "f32[6, 6]" = torch.ops.aten._log_softmax.default(permute_1, 1, False);  permute_1 = None
        alias_5: "f32[6, 6]" = torch.ops.aten.alias.default(_log_softmax_1)
        nll_loss_forward_1 = torch.ops.aten.nll_loss_forward.default(_log_softmax_1, arange, None, 1, -100)
        getitem_2: "f32[]" = nll_loss_forward_1[0]
        getitem_3: "f32[]" = nll_loss_forward_1[1];  nll_loss_forward_1 = None
        add: "f32[]" = torch.ops.aten.add.Tensor(getitem, getitem_2);  getitem = getitem_2 = None
        div_2: "f32[]" = torch.ops.aten.div.Tensor(add, 2);  add = None

        # File: programs.py:320 in sequential, code: return {"loss": loss, "grads": gg_torch.grads(loss, p)}
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(div_2, pin_memory = False, memory_format = torch.preserve_format)

        # File: programs.py:319 in sequential, code: loss = (F.cross_entropy(s, own) + F.cross_entropy(s.T, own)) / 2
        div_3: "f32[]" = torch.ops.aten.div.Tensor(ones_like, 2);  ones_like = None
        nll_loss_backward: "f32[6, 6]" = torch.ops.aten.nll_loss_backward.default(div_3, _log_softmax_1, arange, None, 1, -100, getitem_3);  _log_softmax_1 = getitem_3 = None
        alias_6: "f32[6, 6]" = torch.ops.aten.alias.default(alias_5);  alias_5 = None
        _log_softmax_backward_data: "f32[6, 6]" = torch.ops.aten._log_softmax_backward_data.default(nll_loss_backward, alias_6, 1, torch.float32);  nll_loss_backward = alias_6 = None
        permute_2: "f32[6, 6]" = torch.ops.aten.permute.default(_log_softmax_backward_data, [1, 0]);  _log_softmax_backward_data = None
        nll_loss_backward_1: "f32[6, 6]" = torch.ops.aten.nll_loss_backward.default(div_3, _log_softmax, arange, None, 1, -100, getitem_1);  div_3 = _log_softmax = arange = getitem_1 = None
        alias_7: "f32[6, 6]" = torch.ops.aten.alias.default(alias_4);  alias_4 = None
        _log_softmax_backward_data_1: "f32[6, 6]" = torch.ops.aten._log_softmax_backward_data.default(nll_loss_backward_1, alias_7, 1, torch.float32);  nll_loss_backward_1 = alias_7 = None
        add_1: "f32[6, 6]" = torch.ops.aten.add.Tensor(permute_2, _log_softmax_backward_data_1);  permute_2 = _log_softmax_backward_data_1 = None

        # File: programs.py:318 in sequential, code: s, own = 3.0 * a @ b.T, torch.arange(len(x))
        t: "f32[6, 6]" = torch.ops.aten.t.default(add_1)
        mm_3: "f32[6, 4]" = torch.ops.aten.mm.default(t, mul);  t = mul = None
        t_1: "f32[4, 6]" = torch.ops.aten.t.default(mm_3);  mm_3 = None
        t_2: "f32[6, 4]" = torch.ops.aten.t.default(permute);  permute = None
        mm_4: "f32[6, 4]" = torch.ops.aten.mm.default(add_1, t_2);  add_1 = t_2 = None
        permute_3: "f32[6, 4]" = torch.ops.aten.permute.default(t_1, [1, 0]);  t_1 = None
        mul_1: "f32[6, 4]" = torch.ops.aten.mul.Tensor(mm_4, 3.0);  mm_4 = None

        # File: programs.py:313 in features, called from programs.py:317 in sequential, code: return F.normalize(x @ p["a"], dim=-1), F.normalize(y @ p["b"], dim=-1)
        div_4: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm_1, expand_1)
        div_5: "f32[6, 4]" = torch.ops.aten.div.Tensor(div_4, expand_1);  div_4 = None
        neg: "f32[6, 4]" = torch.ops.aten.neg.default(permute_3)
        mul_2: "f32[6, 4]" = torch.ops.aten.mul.Tensor(neg, div_5);  neg = div_5 = None
        div_6: "f32[6, 4]" = torch.ops.aten.div.Tensor(permute_3, expand_1);  permute_3 = expand_1 = None
        sum_1: "f32[6, 1]" = torch.ops.aten.sum.dim_IntList(mul_2, [1], True);  mul_2 = None
        scalar_tensor: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        gt: "b8[6, 1]" = torch.ops.aten.gt.Scalar(linalg_vector_norm_1, 1e-12);  linalg_vector_norm_1 = None
        where: "f32[6, 1]" = torch.ops.aten.where.self(gt, sum_1, scalar_tensor);  gt = sum_1 = scalar_tensor = None
        alias_8: "f32[6, 1]" = torch.ops.aten.alias.default(alias_3);  alias_3 = None
        div_7: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm_1, alias_8);  mm_1 = None
        eq: "b8[6, 1]" = torch.ops.aten.eq.Scalar(alias_8, 0);  alias_8 = None
        masked_fill: "f32[6, 4]" = torch.ops.aten.masked_fill.Scalar(div_7, eq, 0);  div_7 = eq = None
        mul_3: "f32[6, 4]" = torch.ops.aten.mul.Tensor(where, masked_fill);  where = masked_fill = None
        add_2: "f32[6, 4]" = torch.ops.aten.add.Tensor(div_6, mul_3);  div_6 = mul_3 = None
        t_3: "f32[6, 6]" = torch.ops.aten.t.default(y);  y = None
        mm_5: "f32[6, 4]" = torch.ops.aten.mm.default(t_3, add_2);  t_3 = add_2 = None
        div_8: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm, expand)
        div_9: "f32[6, 4]" = torch.ops.aten.div.Tensor(div_8, expand);  div_8 = None
        neg_1: "f32[6, 4]" = torch.ops.aten.neg.default(mul_1)
        mul_4: "f32[6, 4]" = torch.ops.aten.mul.Tensor(neg_1, div_9);  neg_1 = div_9 = None
        div_10: "f32[6, 4]" = torch.ops.aten.div.Tensor(mul_1, expand);  mul_1 = expand = None
        sum_2: "f32[6, 1]" = torch.ops.aten.sum.dim_IntList(mul_4, [1], True);  mul_4 = None
        scalar_tensor_1: "f32[]" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        gt_1: "b8[6, 1]" = torch.ops.aten.gt.Scalar(linalg_vector_norm, 1e-12);  linalg_vector_norm = None
        where_1: "f32[6, 1]" = torch.ops.aten.where.self(gt_1, sum_2, scalar_tensor_1);  gt_1 = sum_2 = scalar_tensor_1 = None
        alias_9: "f32[6, 1]" = torch.ops.aten.alias.default(alias_2);  alias_2 = None
        div_11: "f32[6, 4]" = torch.ops.aten.div.Tensor(mm, alias_9);  mm = None
        eq_1: "b8[6, 1]" = torch.ops.aten.eq.Scalar(alias_9, 0);  alias_9 = None
        masked_fill_1: "f32[6, 4]" = torch.ops.aten.masked_fill.Scalar(div_11, eq_1, 0);  div_11 = eq_1 = None
        mul_5: "f32[6, 4]" = torch.ops.aten.mul.Tensor(where_1, masked_fill_1);  where_1 = masked_fill_1 = None
        add_3: "f32[6, 4]" = torch.ops.aten.add.Tensor(div_10, mul_5);  div_10 = mul_5 = None
        t_4: "f32[5, 6]" = torch.ops.aten.t.default(x);  x = None
        mm_6: "f32[5, 4]" = torch.ops.aten.mm.default(t_4, add_3);  t_4 = add_3 = None
        return [div_2, mm_6, mm_5]

