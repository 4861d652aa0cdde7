# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[8, 12]", x: "f32[8, 8]", y: "i64[8]"):
        # No stacktrace found for following nodes
        alias: "f32[8, 12]" = torch.ops.aten.alias.default(w);  w = None

        # File: loss.py:58 in s3, code: l=F.cross_entropy(x@w,y,ignore_index=3,label_smoothing=0.1); return {"loss":l,"grads":gg_torch.grads(l,{"w":w})}
        mm: "f32[8, 12]" = torch.ops.aten.mm.default(x, alias);  alias = None
        _log_softmax: "f32[8, 12]" = torch.ops.aten._log_softmax.default(mm, 1, False);  mm = None
        alias_1: "f32[8, 12]" = torch.ops.aten.alias.default(_log_softmax)
        nll_loss_forward = torch.ops.aten.nll_loss_forward.default(_log_softmax, y, None, 1, 3)
        getitem: "f32[]" = nll_loss_forward[0]
        getitem_1: "f32[]" = nll_loss_forward[1];  nll_loss_forward = None
        sum_1: "f32[8]" = torch.ops.aten.sum.dim_IntList(_log_softmax, [1])
        neg: "f32[8]" = torch.ops.aten.neg.default(sum_1);  sum_1 = None
        eq: "b8[8]" = torch.ops.aten.eq.Scalar(y, 3)
        masked_fill: "f32[8]" = torch.ops.aten.masked_fill.Scalar(neg, eq, 0.0);  neg = None
        bitwise_not: "b8[8]" = torch.ops.aten.bitwise_not.default(eq)
        sum_2: "i64[]" = torch.ops.aten.sum.default(bitwise_not);  bitwise_not = None
        sum_3: "f32[]" = torch.ops.aten.sum.default(masked_fill);  masked_fill = None
        div: "f32[]" = torch.ops.aten.div.Tensor(sum_3, sum_2);  sum_3 = None
        mul: "f32[]" = torch.ops.aten.mul.Scalar(div, 0.008333333333333333);  div = None
        mul_1: "f32[]" = torch.ops.aten.mul.Scalar(getitem, 0.9);  getitem = None
        add: "f32[]" = torch.ops.aten.add.Tensor(mul_1, mul);  mul_1 = mul = None
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(add, pin_memory = False, memory_format = torch.preserve_format)
        mul_2: "f32[]" = torch.ops.aten.mul.Scalar(ones_like, 0.9)
        mul_3: "f32[]" = torch.ops.aten.mul.Scalar(ones_like, 0.008333333333333333);  ones_like = None
        div_1: "f32[]" = torch.ops.aten.div.Tensor(mul_3, sum_2);  mul_3 = sum_2 = None
        expand: "f32[8]" = torch.ops.aten.expand.default(div_1, [8]);  div_1 = None
        masked_fill_1: "f32[8]" = torch.ops.aten.masked_fill.Scalar(expand, eq, 0);  expand = eq = None
        neg_1: "f32[8]" = torch.ops.aten.neg.default(masked_fill_1);  masked_fill_1 = None
        unsqueeze: "f32[8, 1]" = torch.ops.aten.unsqueeze.default(neg_1, 1);  neg_1 = None
        expand_1: "f32[8, 12]" = torch.ops.aten.expand.default(unsqueeze, [8, 12]);  unsqueeze = None
        nll_loss_backward: "f32[8, 12]" = torch.ops.aten.nll_loss_backward.default(mul_2, _log_softmax, y, None, 1, 3, getitem_1);  mul_2 = _log_softmax = y = getitem_1 = None
        add_1: "f32[8, 12]" = torch.ops.aten.add.Tensor(expand_1, nll_loss_backward);  expand_1 = nll_loss_backward = None
        alias_2: "f32[8, 12]" = torch.ops.aten.alias.default(alias_1);  alias_1 = None
        _log_softmax_backward_data: "f32[8, 12]" = torch.ops.aten._log_softmax_backward_data.default(add_1, alias_2, 1, torch.float32);  add_1 = alias_2 = None
        t: "f32[8, 8]" = torch.ops.aten.t.default(x);  x = None
        mm_1: "f32[8, 12]" = torch.ops.aten.mm.default(t, _log_softmax_backward_data);  t = _log_softmax_backward_data = None
        return [add, mm_1]

