# Graph[rank=1]
class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[6, 12]", x: "f32[4, 6]"):
        # File: programs.py:140 in distributed
        mm: "f32[4, 12]" = torch.ops.aten.mm.default(x, w)
        view: "f32[4, 2, 2, 3]" = torch.ops.aten.view.default(mm, [4, 2, 2, 3])
        transpose: "f32[2, 4, 2, 3]" = torch.ops.aten.transpose.int(view, 0, 1)
        clone: "f32[2, 4, 2, 3]" = torch.ops.aten.clone.default(transpose, memory_format = torch.contiguous_format)
        _unsafe_view: "f32[8, 2, 3]" = torch.ops.aten._unsafe_view.default(clone, [8, 2, 3])

        # File: programs.py:114 in forward
        empty_like: "f32[8, 2, 3]" = torch.ops.aten.empty_like.default(_unsafe_view, pin_memory = False)

        # File: programs.py:115 in forward
        all_to_all_single: "f32[8, 2, 3]" = torch.ops._c10d_functional.all_to_all_single.default(_unsafe_view, [4, 4], [4, 4], '0')
        wait_tensor: "f32[8, 2, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single)
        view_1: "f32[8, 2, 3]" = torch.ops.aten.view.default(wait_tensor, [8, 2, 3])
        copy: "f32[8, 2, 3]" = torch.ops.aten.copy.default(empty_like, view_1)

        # File: programs.py:141 in distributed
        _softmax: "f32[8, 2, 3]" = torch.ops.aten._softmax.default(copy, 0, False)
        cumsum: "f32[8, 2, 3]" = torch.ops.aten.cumsum.default(_softmax, 0)

        # File: programs.py:114 in forward
        empty_like_1: "f32[8, 2, 3]" = torch.ops.aten.empty_like.default(cumsum, pin_memory = False)

        # File: programs.py:115 in forward
        all_to_all_single_1: "f32[8, 2, 3]" = torch.ops._c10d_functional.all_to_all_single.default(cumsum, [4, 4], [4, 4], '0')
        wait_tensor_1: "f32[8, 2, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_to_all_single_1)
        view_2: "f32[8, 2, 3]" = torch.ops.aten.view.default(wait_tensor_1, [8, 2, 3])
        copy_1: "f32[8, 2, 3]" = torch.ops.aten.copy.default(empty_like_1, view_2)

        # No stacktrace found for following nodes
        view_5: "f32[2, 4, 2, 3]" = torch.ops.aten.view.default(copy_1, [2, 4, 2, 3])
        view_6: "f32[4, 12]" = torch.ops.aten.view.default(view_5, [4, 12])
        return [view_6]

