class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 4]"):
        zeros: "f32[4, 4]" = torch.ops.aten.zeros.default([4, 4])
        sort = torch.ops.aten.sort.default(x, 1)
        getitem: "i64[4, 4]" = sort[1]
        s0: "i64[4, 1]" = torch.ops.aten.slice.Tensor(getitem, 1, 0, 1)
        x0: "f32[4, 1]" = torch.ops.aten.slice.Tensor(x, 1, 0, 1)
        scatter_0: "f32[4, 4]" = torch.ops.aten.scatter.src(zeros, 1, s0, x0)
        s1: "i64[4, 1]" = torch.ops.aten.slice.Tensor(getitem, 1, 1, 2)
        x1: "f32[4, 1]" = torch.ops.aten.slice.Tensor(x, 1, 1, 2)
        scatter_1: "f32[4, 4]" = torch.ops.aten.scatter.src(scatter_0, 1, s1, x1)
        s2: "i64[4, 1]" = torch.ops.aten.slice.Tensor(getitem, 1, 2, 3)
        x2: "f32[4, 1]" = torch.ops.aten.slice.Tensor(x, 1, 2, 3)
        scatter_2: "f32[4, 4]" = torch.ops.aten.scatter.src(scatter_1, 1, s2, x2)
        s3: "i64[4, 1]" = torch.ops.aten.slice.Tensor(getitem, 1, 3, 4)
        x3: "f32[4, 1]" = torch.ops.aten.slice.Tensor(x, 1, 3, 4)
        scatter_3: "f32[4, 4]" = torch.ops.aten.scatter.src(scatter_2, 1, s3, x3)
        return [scatter_3]
