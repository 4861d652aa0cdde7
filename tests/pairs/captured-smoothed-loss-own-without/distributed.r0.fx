# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[8, 12]", x: "f32[4, 8]", y: "i64[4]"):
        # No stacktrace found for following nodes
        alias: "f32[8, 12]" = torch.ops.aten.alias.default(w);  w = None

        # File: loss.py:61 in f, code: n=(y!=3).sum().to(x.dtype); t=n.clone(); dist.all_reduce(t)
        ne: "b8[4]" = torch.ops.aten.ne.Scalar(y, 3)
        sum_1: "i64[]" = torch.ops.aten.sum.default(ne);  ne = None
        _to_copy: "f32[]" = torch.ops.aten._to_copy.default(sum_1, dtype = torch.float32);  sum_1 = None
        clone: "f32[]" = torch.ops.aten.clone.default(_to_copy);  _to_copy = None
        all_reduce: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone, 'sum', '0')
        wait_tensor: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view: "f32[]" = torch.ops.aten.view.default(wait_tensor, []);  wait_tensor = None
        copy: "f32[]" = torch.ops.aten.copy.default(clone, view);  clone = view = None

        # File: loss.py:62 in f, code: l=F.cross_entropy(x@w,y,ignore_index=3,label_smoothing=0.0 if bad=="ls" else 0.1,reduction="mean" if bad=="mean" else "sum")
        mm: "f32[4, 12]" = torch.ops.aten.mm.default(x, alias);  alias = None
        _log_softmax: "f32[4, 12]" = torch.ops.aten._log_softmax.default(mm, 1, False);  mm = None
        alias_1: "f32[4, 12]" = torch.ops.aten.alias.default(_log_softmax)
        nll_loss_forward = torch.ops.aten.nll_loss_forward.default(_log_softmax, y, None, 2, 3)
        getitem: "f32[]" = nll_loss_forward[0]
        getitem_1: "f32[]" = nll_loss_forward[1];  nll_loss_forward = None

        # File: loss.py:63 in f, code: l=l/2 if bad=="mean" else l/t
        div: "f32[]" = torch.ops.aten.div.Tensor(getitem, copy);  getitem = None

        # File: loss.py:64 in f, code: g=gg_torch.grads(l,{"w":w})["w"].clone(); dist.all_reduce(g)
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(div, pin_memory = False, memory_format = torch.preserve_format)

        # File: loss.py:63 in f, code: l=l/2 if bad=="mean" else l/t
        div_1: "f32[]" = torch.ops.aten.div.Tensor(ones_like, copy);  ones_like = copy = None

        # File: loss.py:62 in f, code: l=F.cross_entropy(x@w,y,ignore_index=3,label_smoothing=0.0 if bad=="ls" else 0.1,reduction="mean" if bad=="mean" else "sum")
        nll_loss_backward: "f32[4, 12]" = torch.ops.aten.nll_loss_backward.default(div_1, _log_softmax, y, None, 2, 3, getitem_1);  div_1 = _log_softmax = y = getitem_1 = None
        alias_2: "f32[4, 12]" = torch.ops.aten.alias.default(alias_1);  alias_1 = None
        _log_softmax_backward_data: "f32[4, 12]" = torch.ops.aten._log_softmax_backward_data.default(nll_loss_backward, alias_2, 1, torch.float32);  nll_loss_backward = alias_2 = None
        t: "f32[8, 4]" = torch.ops.aten.t.default(x);  x = None
        mm_1: "f32[8, 12]" = torch.ops.aten.mm.default(t, _log_softmax_backward_data);  t = _log_softmax_backward_data = None

        # File: loss.py:64 in f, code: g=gg_torch.grads(l,{"w":w})["w"].clone(); dist.all_reduce(g)
        clone_1: "f32[8, 12]" = torch.ops.aten.clone.default(mm_1);  mm_1 = None
        all_reduce_1: "f32[8, 12]" = torch.ops._c10d_functional.all_reduce.default(clone_1, 'sum', '0')
        wait_tensor_1: "f32[8, 12]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_1: "f32[8, 12]" = torch.ops.aten.view.default(wait_tensor_1, [8, 12]);  wait_tensor_1 = None
        copy_1: "f32[8, 12]" = torch.ops.aten.copy.default(clone_1, view_1);  clone_1 = view_1 = None

        # File: loss.py:65 in f, code: l=l.detach().clone(); dist.all_reduce(l); return {"loss":l,"grads":{"w":g}}
        alias_3: "f32[]" = torch.ops.aten.alias.default(div);  div = None
        clone_2: "f32[]" = torch.ops.aten.clone.default(alias_3);  alias_3 = None
        all_reduce_2: "f32[]" = torch.ops._c10d_functional.all_reduce.default(clone_2, 'sum', '0')
        wait_tensor_2: "f32[]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2);  all_reduce_2 = None
        view_2: "f32[]" = torch.ops.aten.view.default(wait_tensor_2, []);  wait_tensor_2 = None
        copy_2: "f32[]" = torch.ops.aten.copy.default(clone_2, view_2);  clone_2 = view_2 = None
        return [copy_2, copy_1]

