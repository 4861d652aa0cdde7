# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, first: "f32[5, 4]", second: "f32[4, 3]", x: "f32[4, 5]", t: "f32[4, 3]"):
        # File: programs.py:166 in sequential
        split = torch.ops.aten.split.Tensor(x, 2)
        getitem: "f32[2, 5]" = split[0]
        getitem_1: "f32[2, 5]" = split[1]

        # File: programs.py:166 in <listcomp>
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(getitem, first)
        tanh: "f32[2, 4]" = torch.ops.aten.tanh.default(mm)
        mm_1: "f32[2, 4]" = torch.ops.aten.mm.default(getitem_1, first)
        tanh_1: "f32[2, 4]" = torch.ops.aten.tanh.default(mm_1)

        # File: programs.py:167 in sequential
        cat: "f32[4, 4]" = torch.ops.aten.cat.default([tanh, tanh_1])
        split_1 = torch.ops.aten.split.Tensor(t, 2)
        getitem_2: "f32[2, 3]" = split_1[0]
        getitem_3: "f32[2, 3]" = split_1[1]

        # File: programs.py:167 in <genexpr>
        mm_2: "f32[2, 3]" = torch.ops.aten.mm.default(tanh, second)
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm_2, getitem_2)
        pow_1: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 2)
        sum_1: "f32[]" = torch.ops.aten.sum.default(pow_1)

        # File: programs.py:167 in sequential
        add: "f32[]" = torch.ops.aten.add.Tensor(sum_1, 0)

        # File: programs.py:167 in <genexpr>
        mm_3: "f32[2, 3]" = torch.ops.aten.mm.default(tanh_1, second)
        sub_1: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm_3, getitem_3)
        pow_2: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub_1, 2)
        sum_2: "f32[]" = torch.ops.aten.sum.default(pow_2)

        # File: programs.py:167 in sequential
        add_1: "f32[]" = torch.ops.aten.add.Tensor(add, sum_2)
        return [cat, add_1]

