# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[3, 4]", k: "f32[8, 4]", v: "f32[8, 5]"):
        # File: programs.py:345 in sequential, code: return {"o": torch.softmax(q @ k.T * 0.5, -1) @ v}
        permute: "f32[4, 8]" = torch.ops.aten.permute.default(k, [1, 0]);  k = None
        mm: "f32[3, 8]" = torch.ops.aten.mm.default(q, permute);  q = permute = None
        mul: "f32[3, 8]" = torch.ops.aten.mul.Tensor(mm, 0.5);  mm = None
        _softmax: "f32[3, 8]" = torch.ops.aten._softmax.default(mul, -1, False);  mul = None
        mm_1: "f32[3, 5]" = torch.ops.aten.mm.default(_softmax, v);  _softmax = v = None
        return [mm_1]

