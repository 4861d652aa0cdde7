class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 4, 8, 8]", arg1_1: "f32[3, 4, 1, 1]", arg2_1: "f32[2, 3, 4, 4]"):
        # No stacktrace found for following nodes
        convolution: "f32[2, 3, 8, 8]" = torch.ops.aten.convolution.default(arg0_1, arg1_1, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        avg_pool2d: "f32[2, 3, 4, 4]" = torch.ops.aten.avg_pool2d.default(convolution, [3, 3], [2, 2], [1, 1])
        avg_pool2d_backward: "f32[2, 3, 8, 8]" = torch.ops.aten.avg_pool2d_backward.default(arg2_1, convolution, [3, 3], [2, 2], [1, 1], False, True, None);  arg2_1 = convolution = None
        convolution_backward = torch.ops.aten.convolution_backward.default(avg_pool2d_backward, arg0_1, arg1_1, [0], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, False]);  avg_pool2d_backward = arg0_1 = arg1_1 = None
        getitem: "f32[2, 4, 8, 8]" = convolution_backward[0]
        getitem_1: "f32[3, 4, 1, 1]" = convolution_backward[1]
        getitem_2 = convolution_backward[2];  convolution_backward = getitem_2 = None
        all_reduce_default: "f32[3, 4, 1, 1]" = torch.ops._c10d_functional.all_reduce.default(getitem_1, 'sum', '1');  getitem_1 = None
        wait_tensor_default: "f32[3, 4, 1, 1]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_default);  all_reduce_default = None
        return [avg_pool2d, getitem, wait_tensor_default]
