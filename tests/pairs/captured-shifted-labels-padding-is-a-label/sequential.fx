# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 8]", labels: "i64[4]"):
        # File: t_small.py:14 in seq3, code: def seq3(x,labels): return {'loss':F.cross_entropy(x.view(-1,8),F.pad(labels.view(2,2),(0,1),value=-100)[:,1:].contiguous().view(-1))}
        view: "f32[4, 8]" = torch.ops.aten.view.default(x, [-1, 8]);  x = None
        view_1: "i64[2, 2]" = torch.ops.aten.view.default(labels, [2, 2]);  labels = None
        constant_pad_nd: "i64[2, 3]" = torch.ops.aten.constant_pad_nd.default(view_1, [0, 1], -100.0);  view_1 = None
        slice_1: "i64[2, 2]" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807);  constant_pad_nd = None
        clone: "i64[2, 2]" = torch.ops.aten.clone.default(slice_1, memory_format = torch.contiguous_format);  slice_1 = None
        view_2: "i64[4]" = torch.ops.aten.view.default(clone, [-1]);  clone = None
        _log_softmax: "f32[4, 8]" = torch.ops.aten._log_softmax.default(view, 1, False);  view = None
        nll_loss_forward = torch.ops.aten.nll_loss_forward.default(_log_softmax, view_2, None, 1, -100);  _log_softmax = view_2 = None
        getitem: "f32[]" = nll_loss_forward[0];  nll_loss_forward = None
        return [getitem]

