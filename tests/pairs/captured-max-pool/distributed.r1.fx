class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 4, 8, 8]", arg1_1: "f32[3, 4, 1, 1]", arg2_1: "f32[2, 3, 4, 4]"):
        # No stacktrace found for following nodes
        convolution: "f32[2, 3, 8, 8]" = torch.ops.aten.convolution.default(arg0_1, arg1_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        max_pool2d_with_indices = torch.ops.aten.max_pool2d_with_indices.default(convolution, [3, 3], [2, 2], [1, 1])
        getitem: "f32[2, 3, 4, 4]" = max_pool2d_with_indices[0]
        getitem_1: "i64[2, 3, 4, 4]" = max_pool2d_with_indices[1];  max_pool2d_with_indices = None
        max_pool2d_with_indices_backward: "f32[2, 3, 8, 8]" = torch.ops.aten.max_pool2d_with_indices_backward.default(arg2_1, convolution, [3, 3], [2, 2], [1, 1], [1, 1], False, getitem_1);  arg2_1 = convolution = getitem_1 = None
        convolution_backward = torch.ops.aten.convolution_backward.default(max_pool2d_with_indices_backward, arg0_1, arg1_1, [0], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, False]);  max_pool2d_with_indices_backward = arg0_1 = arg1_1 = None
        getitem_2: "f32[2, 4, 8, 8]" = convolution_backward[0]
        getitem_3: "f32[3, 4, 1, 1]" = convolution_backward[1]
        getitem_4 = convolution_backward[2];  convolution_backward = getitem_4 = None
        all_reduce_default: "f32[3, 4, 1, 1]" = torch.ops._c10d_functional.all_reduce.default(getitem_3, 'sum', '1');  getitem_3 = None
        wait_tensor_default: "f32[3, 4, 1, 1]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_default);  all_reduce_default = None
        return [getitem, getitem_2, wait_tensor_default]
