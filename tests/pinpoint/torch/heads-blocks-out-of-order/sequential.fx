# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[6, 12]", x: "f32[8, 6]"):
        # File: programs.py:134 in sequential
        mm: "f32[8, 12]" = torch.ops.aten.mm.default(x, w)
        view: "f32[8, 4, 3]" = torch.ops.aten.view.default(mm, [8, 4, 3])

        # File: programs.py:135 in sequential
        _softmax: "f32[8, 4, 3]" = torch.ops.aten._softmax.default(view, 0, False)
        cumsum: "f32[8, 4, 3]" = torch.ops.aten.cumsum.default(_softmax, 0)
        view_1: "f32[8, 12]" = torch.ops.aten.view.default(cumsum, [8, 12])
        return [view_1]

