# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, first: "f32[5, 4]", x: "f32[4, 5]"):
        # File: programs.py:172 in distributed
        split = torch.ops.aten.split.Tensor(x, 2)
        getitem: "f32[2, 5]" = split[0]
        getitem_1: "f32[2, 5]" = split[1]

        # File: programs.py:172 in <listcomp>
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(getitem, first)
        tanh: "f32[2, 4]" = torch.ops.aten.tanh.default(mm)
        mm_1: "f32[2, 4]" = torch.ops.aten.mm.default(getitem_1, first)
        tanh_1: "f32[2, 4]" = torch.ops.aten.tanh.default(mm_1)

        # File: programs.py:174 in distributed
        isend: "f32[0]" = torch.ops._c10d_functional.isend.default(tanh, 1, 0, '0')
        wait_tensor: "f32[0]" = torch.ops._c10d_functional.wait_tensor.default(isend)
        isend_1: "f32[0]" = torch.ops._c10d_functional.isend.default(tanh_1, 1, 0, '0')
        wait_tensor_1: "f32[0]" = torch.ops._c10d_functional.wait_tensor.default(isend_1)

        # File: programs.py:175 in distributed
        cat: "f32[4, 4]" = torch.ops.aten.cat.default([tanh, tanh_1])
        return [cat]

