# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[3, 4]", k: "f32[4, 4]", v: "f32[4, 5]"):
        # File: programs.py:349 in distributed, code: s = q @ k.T * 0.5
        permute: "f32[4, 4]" = torch.ops.aten.permute.default(k, [1, 0]);  k = None
        mm: "f32[3, 4]" = torch.ops.aten.mm.default(q, permute);  q = permute = None
        mul: "f32[3, 4]" = torch.ops.aten.mul.Tensor(mm, 0.5);  mm = None

        # File: programs.py:350 in distributed, code: own, o = torch.logsumexp(s, -1), torch.softmax(s, -1) @ v
        logsumexp: "f32[3]" = torch.ops.aten.logsumexp.default(mul, [-1])
        _softmax: "f32[3, 4]" = torch.ops.aten._softmax.default(mul, -1, False);  mul = None
        mm_1: "f32[3, 5]" = torch.ops.aten.mm.default(_softmax, v);  _softmax = v = None

        # File: programs.py:351 in distributed, code: every = torch.empty(dist.get_world_size() * len(own))
        empty: "f32[6]" = torch.ops.aten.empty.memory_format([6], device = device(type='cpu'), pin_memory = False)

        # File: programs.py:352 in distributed, code: dist.all_gather_into_tensor(every, own)
        all_gather_into_tensor: "f32[6]" = torch.ops._c10d_functional.all_gather_into_tensor.default(logsumexp, 2, '0')
        wait_tensor: "f32[6]" = torch.ops._c10d_functional.wait_tensor.default(all_gather_into_tensor);  all_gather_into_tensor = None
        view: "f32[6]" = torch.ops.aten.view.default(wait_tensor, [6]);  wait_tensor = None
        copy: "f32[6]" = torch.ops.aten.copy.default(empty, view);  empty = view = None

        # File: programs.py:354 in distributed, code: o = o * (own / every.sum(0) if defect else torch.exp(own - torch.logsumexp(every, 0)))[:, None]
        view_2: "f32[2, 3]" = torch.ops.aten.view.default(copy, [-1, 3]);  copy = None
        sum_1: "f32[3]" = torch.ops.aten.sum.dim_IntList(view_2, [0]);  view_2 = None
        div: "f32[3]" = torch.ops.aten.div.Tensor(logsumexp, sum_1);  logsumexp = sum_1 = None
        unsqueeze: "f32[3, 1]" = torch.ops.aten.unsqueeze.default(div, 1);  div = None
        mul_1: "f32[3, 5]" = torch.ops.aten.mul.Tensor(mm_1, unsqueeze);  mm_1 = unsqueeze = None

        # File: programs.py:355 in distributed, code: dist.all_reduce(o)
        all_reduce: "f32[3, 5]" = torch.ops._c10d_functional.all_reduce.default(mul_1, 'sum', '0')
        wait_tensor_1: "f32[3, 5]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view_3: "f32[3, 5]" = torch.ops.aten.view.default(wait_tensor_1, [3, 5]);  wait_tensor_1 = None
        copy_1: "f32[3, 5]" = torch.ops.aten.copy.default(mul_1, view_3);  mul_1 = view_3 = None
        return [copy_1]

