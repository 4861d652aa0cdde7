class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 4, 8, 8]", arg1_1: "f32[6, 4, 3, 3]", arg2_1: "f32[6]", arg3_1: "f32[2, 6, 4, 4]"):
        # No stacktrace found for following nodes
        convolution: "f32[2, 6, 4, 4]" = torch.ops.aten.convolution.default(arg0_1, arg1_1, arg2_1, [2, 2], [1, 1], [1, 1], False, [0, 0], 1);  arg2_1 = None
        convolution_backward = torch.ops.aten.convolution_backward.default(arg3_1, arg0_1, arg1_1, [6], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True]);  arg3_1 = arg0_1 = arg1_1 = None
        getitem: "f32[2, 4, 8, 8]" = convolution_backward[0]
        getitem_1: "f32[6, 4, 3, 3]" = convolution_backward[1]
        getitem_2: "f32[6]" = convolution_backward[2];  convolution_backward = None
        all_reduce_default: "f32[6, 4, 3, 3]" = torch.ops._c10d_functional.all_reduce.default(getitem_1, 'sum', '1');  getitem_1 = None
        wait_tensor_default: "f32[6, 4, 3, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_default);  all_reduce_default = None
        all_reduce_default_1: "f32[6]" = torch.ops._c10d_functional.all_reduce.default(getitem_2, 'sum', '1');  getitem_2 = None
        wait_tensor_default_1: "f32[6]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_default_1);  all_reduce_default_1 = None
        return [convolution, getitem, wait_tensor_default, wait_tensor_default_1]
