class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[4, 4, 8, 8]", arg1_1: "f32[6, 4, 3, 3]", arg2_1: "f32[6]", arg3_1: "f32[6, 6, 3, 3]", arg4_1: "f32[6]", arg5_1: "f32[6]", arg6_1: "f32[6]", arg7_1: "f32[6, 4, 2, 2]", arg8_1: "f32[4]", arg9_1: "f32[2, 8, 1, 1]", arg10_1: "f32[2]", arg11_1: "f32[4, 2, 8, 8]"):
        # No stacktrace found for following nodes
        convolution: "f32[4, 6, 4, 4]" = torch.ops.aten.convolution.default(arg0_1, arg1_1, arg2_1, [2, 2], [1, 1], [1, 1], False, [0, 0], 1);  arg2_1 = None
        silu: "f32[4, 6, 4, 4]" = torch.ops.aten.silu.default(convolution)
        convolution_1: "f32[4, 6, 4, 4]" = torch.ops.aten.convolution.default(silu, arg3_1, arg4_1, [1, 1], [1, 1], [1, 1], False, [0, 0], 1);  arg4_1 = None
        native_group_norm = torch.ops.aten.native_group_norm.default(convolution_1, arg5_1, arg6_1, 4, 6, 16, 3, 1e-05);  arg6_1 = None
        getitem: "f32[4, 6, 4, 4]" = native_group_norm[0]
        getitem_1: "f32[4, 3]" = native_group_norm[1]
        getitem_2: "f32[4, 3]" = native_group_norm[2];  native_group_norm = None
        silu_1: "f32[4, 6, 4, 4]" = torch.ops.aten.silu.default(getitem)
        convolution_2: "f32[4, 4, 8, 8]" = torch.ops.aten.convolution.default(silu_1, arg7_1, arg8_1, [2, 2], [0, 0], [1, 1], True, [0, 0], 1);  arg8_1 = None
        cat: "f32[4, 8, 8, 8]" = torch.ops.aten.cat.default([arg0_1, convolution_2], 1);  convolution_2 = None
        convolution_3: "f32[4, 2, 8, 8]" = torch.ops.aten.convolution.default(cat, arg9_1, arg10_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  arg10_1 = None
        convolution_backward = torch.ops.aten.convolution_backward.default(arg11_1, cat, arg9_1, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True]);  arg11_1 = cat = arg9_1 = None
        getitem_3: "f32[4, 8, 8, 8]" = convolution_backward[0]
        getitem_4: "f32[2, 8, 1, 1]" = convolution_backward[1]
        getitem_5: "f32[2]" = convolution_backward[2];  convolution_backward = None
        slice_1: "f32[4, 4, 8, 8]" = torch.ops.aten.slice.Tensor(getitem_3, 1, 0, 4)
        slice_2: "f32[4, 4, 8, 8]" = torch.ops.aten.slice.Tensor(getitem_3, 1, 4, 8);  getitem_3 = None
        convolution_backward_1 = torch.ops.aten.convolution_backward.default(slice_2, silu_1, arg7_1, [4], [2, 2], [0, 0], [1, 1], True, [0, 0], 1, [True, True, True]);  slice_2 = silu_1 = arg7_1 = None
        getitem_6: "f32[4, 6, 4, 4]" = convolution_backward_1[0]
        getitem_7: "f32[6, 4, 2, 2]" = convolution_backward_1[1]
        getitem_8: "f32[4]" = convolution_backward_1[2];  convolution_backward_1 = None
        sigmoid: "f32[4, 6, 4, 4]" = torch.ops.aten.sigmoid.default(getitem)
        empty_like: "f32[4, 6, 4, 4]" = torch.ops.aten.empty_like.default(sigmoid, memory_format = torch.preserve_format)
        fill_: "f32[4, 6, 4, 4]" = torch.ops.aten.fill_.Scalar(empty_like, 1.0);  empty_like = None
        sub_: "f32[4, 6, 4, 4]" = torch.ops.aten.sub_.Tensor(fill_, sigmoid);  fill_ = None
        mul: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(getitem, sub_);  getitem = sub_ = None
        add: "f32[4, 6, 4, 4]" = torch.ops.aten.add.Scalar(mul, 1.0);  mul = None
        mul_1: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(getitem_6, sigmoid);  getitem_6 = sigmoid = None
        mul_2: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(mul_1, add);  mul_1 = add = None
        view: "f32[4, 3, 2, 16]" = torch.ops.aten.view.default(convolution_1, [4, 3, 2, 16]);  convolution_1 = None
        view_1: "f32[4, 3, 1, 1]" = torch.ops.aten.view.default(getitem_1, [4, 3, 1, 1]);  getitem_1 = None
        view_2: "f32[4, 3, 1, 1]" = torch.ops.aten.view.default(getitem_2, [4, 3, 1, 1]);  getitem_2 = None
        view_3: "f32[4, 3, 2, 16]" = torch.ops.aten.view.default(mul_2, [4, 3, 2, 16]);  mul_2 = None
        mul_3: "f32[4, 3, 2, 16]" = torch.ops.aten.mul.Tensor(view_3, view)
        sum_1: "f32[4, 3, 2, 1]" = torch.ops.aten.sum.dim_IntList(mul_3, [3], True);  mul_3 = None
        sum_2: "f32[4, 3, 2, 1]" = torch.ops.aten.sum.dim_IntList(view_3, [3], True)
        view_4: "f32[1, 3, 2, 1]" = torch.ops.aten.view.default(arg5_1, [1, 3, 2, 1]);  arg5_1 = None
        mul_4: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(view_2, view_2)
        mul_5: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(mul_4, view_2);  mul_4 = None
        mul_6: "f32[4, 3, 2, 1]" = torch.ops.aten.mul.Tensor(view_2, view_4)
        mul_7: "f32[4, 3, 2, 1]" = torch.ops.aten.mul.Tensor(sum_1, view_4)
        sum_3: "f32[4, 3, 1, 1]" = torch.ops.aten.sum.dim_IntList(mul_7, [2], True);  mul_7 = None
        mul_8: "f32[4, 3, 2, 1]" = torch.ops.aten.mul.Tensor(sum_2, view_4);  view_4 = None
        sum_4: "f32[4, 3, 1, 1]" = torch.ops.aten.sum.dim_IntList(mul_8, [2], True);  mul_8 = None
        mul_9: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(sum_4, view_1)
        sub: "f32[4, 3, 1, 1]" = torch.ops.aten.sub.Tensor(mul_9, sum_3);  mul_9 = sum_3 = None
        mul_10: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(sub, mul_5);  sub = mul_5 = None
        mul_11: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Scalar(mul_10, 0.03125);  mul_10 = None
        mul_12: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(sum_4, view_2);  sum_4 = None
        mul_13: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Scalar(mul_12, 0.03125);  mul_12 = None
        neg: "f32[4, 3, 1, 1]" = torch.ops.aten.neg.default(mul_11)
        mul_14: "f32[4, 3, 1, 1]" = torch.ops.aten.mul.Tensor(neg, view_1);  neg = None
        sub_1: "f32[4, 3, 1, 1]" = torch.ops.aten.sub.Tensor(mul_14, mul_13);  mul_14 = mul_13 = None
        mul_15: "f32[4, 3, 2, 16]" = torch.ops.aten.mul.Tensor(mul_11, view);  mul_11 = view = None
        mul_16: "f32[4, 3, 2, 16]" = torch.ops.aten.mul.Tensor(mul_6, view_3);  mul_6 = view_3 = None
        add_1: "f32[4, 3, 2, 16]" = torch.ops.aten.add.Tensor(mul_16, mul_15);  mul_16 = mul_15 = None
        add_2: "f32[4, 3, 2, 16]" = torch.ops.aten.add.Tensor(add_1, sub_1);  add_1 = sub_1 = None
        view_5: "f32[4, 6, 4, 4]" = torch.ops.aten.view.default(add_2, [4, 6, 4, 4]);  add_2 = None
        mul_17: "f32[4, 3, 2, 1]" = torch.ops.aten.mul.Tensor(sum_2, view_1);  view_1 = None
        sub_2: "f32[4, 3, 2, 1]" = torch.ops.aten.sub.Tensor(sum_1, mul_17);  sum_1 = mul_17 = None
        mul_18: "f32[4, 3, 2, 1]" = torch.ops.aten.mul.Tensor(sub_2, view_2);  sub_2 = view_2 = None
        sum_5: "f32[3, 2, 1]" = torch.ops.aten.sum.dim_IntList(mul_18, [0]);  mul_18 = None
        view_6: "f32[6]" = torch.ops.aten.view.default(sum_5, [6]);  sum_5 = None
        sum_6: "f32[3, 2, 1]" = torch.ops.aten.sum.dim_IntList(sum_2, [0]);  sum_2 = None
        view_7: "f32[6]" = torch.ops.aten.view.default(sum_6, [6]);  sum_6 = None
        convolution_backward_2 = torch.ops.aten.convolution_backward.default(view_5, silu, arg3_1, [6], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True]);  view_5 = silu = arg3_1 = None
        getitem_9: "f32[4, 6, 4, 4]" = convolution_backward_2[0]
        getitem_10: "f32[6, 6, 3, 3]" = convolution_backward_2[1]
        getitem_11: "f32[6]" = convolution_backward_2[2];  convolution_backward_2 = None
        sigmoid_1: "f32[4, 6, 4, 4]" = torch.ops.aten.sigmoid.default(convolution)
        empty_like_1: "f32[4, 6, 4, 4]" = torch.ops.aten.empty_like.default(sigmoid_1, memory_format = torch.preserve_format)
        fill__1: "f32[4, 6, 4, 4]" = torch.ops.aten.fill_.Scalar(empty_like_1, 1.0);  empty_like_1 = None
        sub__1: "f32[4, 6, 4, 4]" = torch.ops.aten.sub_.Tensor(fill__1, sigmoid_1);  fill__1 = None
        mul_19: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(convolution, sub__1);  convolution = sub__1 = None
        add_3: "f32[4, 6, 4, 4]" = torch.ops.aten.add.Scalar(mul_19, 1.0);  mul_19 = None
        mul_20: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(getitem_9, sigmoid_1);  getitem_9 = sigmoid_1 = None
        mul_21: "f32[4, 6, 4, 4]" = torch.ops.aten.mul.Tensor(mul_20, add_3);  mul_20 = add_3 = None
        convolution_backward_3 = torch.ops.aten.convolution_backward.default(mul_21, arg0_1, arg1_1, [6], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True]);  mul_21 = arg0_1 = arg1_1 = None
        getitem_12: "f32[4, 4, 8, 8]" = convolution_backward_3[0]
        getitem_13: "f32[6, 4, 3, 3]" = convolution_backward_3[1]
        getitem_14: "f32[6]" = convolution_backward_3[2];  convolution_backward_3 = None
        add_4: "f32[4, 4, 8, 8]" = torch.ops.aten.add.Tensor(slice_1, getitem_12);  slice_1 = getitem_12 = None
        return [convolution_3, add_4, getitem_13, getitem_14, getitem_10, getitem_11, view_6, view_7, getitem_7, getitem_8, getitem_4, getitem_5]
