# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, second: "f32[4, 3]", t: "f32[4, 3]"):
        # File: programs.py:176 in <listcomp>
        empty: "f32[2, 4]" = torch.ops.aten.empty.memory_format([2, 4], device = device(type='cpu'), pin_memory = False)
        empty_1: "f32[2, 4]" = torch.ops.aten.empty.memory_format([2, 4], device = device(type='cpu'), pin_memory = False)

        # File: programs.py:178 in distributed
        irecv: "f32[2, 4]" = torch.ops._c10d_functional.irecv.default(empty_1, 0, 0, '0')
        wait_tensor: "f32[2, 4]" = torch.ops._c10d_functional.wait_tensor.default(irecv)
        view: "f32[2, 4]" = torch.ops.aten.view.default(wait_tensor, [2, 4])
        copy: "f32[2, 4]" = torch.ops.aten.copy.default(empty_1, view)
        irecv_1: "f32[2, 4]" = torch.ops._c10d_functional.irecv.default(empty, 0, 0, '0')
        wait_tensor_1: "f32[2, 4]" = torch.ops._c10d_functional.wait_tensor.default(irecv_1)
        view_1: "f32[2, 4]" = torch.ops.aten.view.default(wait_tensor_1, [2, 4])
        copy_1: "f32[2, 4]" = torch.ops.aten.copy.default(empty, view_1)

        # File: programs.py:179 in distributed
        split = torch.ops.aten.split.Tensor(t, 2)
        getitem: "f32[2, 3]" = split[0]
        getitem_1: "f32[2, 3]" = split[1]

        # File: programs.py:179 in <genexpr>
        mm: "f32[2, 3]" = torch.ops.aten.mm.default(copy_1, second)
        sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm, getitem)
        pow_1: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 2)
        sum_1: "f32[]" = torch.ops.aten.sum.default(pow_1)

        # File: programs.py:179 in distributed
        add: "f32[]" = torch.ops.aten.add.Tensor(sum_1, 0)

        # File: programs.py:179 in <genexpr>
        mm_1: "f32[2, 3]" = torch.ops.aten.mm.default(copy, second)
        sub_1: "f32[2, 3]" = torch.ops.aten.sub.Tensor(mm_1, getitem_1)
        pow_2: "f32[2, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub_1, 2)
        sum_2: "f32[]" = torch.ops.aten.sum.default(pow_2)

        # File: programs.py:179 in distributed
        add_1: "f32[]" = torch.ops.aten.add.Tensor(add, sum_2)
        return [add_1]

