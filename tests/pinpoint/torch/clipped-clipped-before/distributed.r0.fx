# Graph[rank=0]
class GraphModule(torch.nn.Module):
    def forward(self, p_a: "f32[5, 7]", p_b: "f32[7, 3]", m_a: "f32[5, 7]", m_b: "f32[7, 3]", v_a: "f32[5, 7]", v_b: "f32[7, 3]", x: "f32[4, 5]", y: "f32[4, 3]"):
        # No stacktrace found for following nodes
        alias: "f32[5, 7]" = torch.ops.aten.alias.default(p_a);  p_a = None
        alias_1: "f32[7, 3]" = torch.ops.aten.alias.default(p_b);  p_b = None

        # File: programs.py:228 in grads, called from programs.py:250 in distributed, code: return gg_torch.grads((torch.tanh(x @ p["a"]) @ p["b"] - y).square().mean(), p)
        mm: "f32[4, 7]" = torch.ops.aten.mm.default(x, alias)
        tanh: "f32[4, 7]" = torch.ops.aten.tanh.default(mm);  mm = None
        alias_2: "f32[4, 7]" = torch.ops.aten.alias.default(tanh)
        mm_1: "f32[4, 3]" = torch.ops.aten.mm.default(tanh, alias_1)
        sub: "f32[4, 3]" = torch.ops.aten.sub.Tensor(mm_1, y);  mm_1 = y = None
        pow_1: "f32[4, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 2)
        mean: "f32[]" = torch.ops.aten.mean.default(pow_1);  pow_1 = None
        ones_like: "f32[]" = torch.ops.aten.ones_like.default(mean, pin_memory = False, memory_format = torch.preserve_format);  mean = None
        expand: "f32[4, 3]" = torch.ops.aten.expand.default(ones_like, [4, 3]);  ones_like = None
        div: "f32[4, 3]" = torch.ops.aten.div.Scalar(expand, 12);  expand = None
        pow_2: "f32[4, 3]" = torch.ops.aten.pow.Tensor_Scalar(sub, 1.0);  sub = None
        mul: "f32[4, 3]" = torch.ops.aten.mul.Scalar(pow_2, 2.0);  pow_2 = None
        mul_1: "f32[4, 3]" = torch.ops.aten.mul.Tensor(div, mul);  div = mul = None
        t: "f32[7, 4]" = torch.ops.aten.t.default(tanh);  tanh = None
        mm_2: "f32[7, 3]" = torch.ops.aten.mm.default(t, mul_1);  t = None
        t_1: "f32[3, 7]" = torch.ops.aten.t.default(alias_1)
        mm_3: "f32[4, 7]" = torch.ops.aten.mm.default(mul_1, t_1);  mul_1 = t_1 = None
        alias_3: "f32[4, 7]" = torch.ops.aten.alias.default(alias_2);  alias_2 = None
        tanh_backward: "f32[4, 7]" = torch.ops.aten.tanh_backward.default(mm_3, alias_3);  mm_3 = alias_3 = None
        t_2: "f32[5, 4]" = torch.ops.aten.t.default(x);  x = None
        mm_4: "f32[5, 7]" = torch.ops.aten.mm.default(t_2, tanh_backward);  t_2 = tanh_backward = None

        # File: programs.py:232 in <listcomp>, called from programs.py:232 in clipped, called from programs.py:252 in distributed, code: scale = torch.clamp(1.0 / (torch.stack([g.norm() for g in grads.values()]).norm() + 1e-6), max=1.0)
        linalg_vector_norm: "f32[]" = torch.ops.aten.linalg_vector_norm.default(mm_4)
        linalg_vector_norm_1: "f32[]" = torch.ops.aten.linalg_vector_norm.default(mm_2)

        # File: programs.py:232 in clipped, called from programs.py:252 in distributed, code: scale = torch.clamp(1.0 / (torch.stack([g.norm() for g in grads.values()]).norm() + 1e-6), max=1.0)
        stack: "f32[2]" = torch.ops.aten.stack.default([linalg_vector_norm, linalg_vector_norm_1]);  linalg_vector_norm = linalg_vector_norm_1 = None
        linalg_vector_norm_2: "f32[]" = torch.ops.aten.linalg_vector_norm.default(stack);  stack = None
        add: "f32[]" = torch.ops.aten.add.Tensor(linalg_vector_norm_2, 1e-06);  linalg_vector_norm_2 = None
        reciprocal: "f32[]" = torch.ops.aten.reciprocal.default(add);  add = None
        mul_2: "f32[]" = torch.ops.aten.mul.Tensor(reciprocal, 1.0);  reciprocal = None
        clamp: "f32[]" = torch.ops.aten.clamp.default(mul_2, None, 1.0);  mul_2 = None

        # File: programs.py:233 in <dictcomp>, called from programs.py:233 in clipped, called from programs.py:252 in distributed, code: return {name: g * scale for name, g in grads.items()}
        mul_3: "f32[5, 7]" = torch.ops.aten.mul.Tensor(mm_4, clamp);  mm_4 = None
        mul_4: "f32[7, 3]" = torch.ops.aten.mul.Tensor(mm_2, clamp);  mm_2 = clamp = None

        # File: programs.py:255 in distributed, code: dist.all_reduce(grads[name])
        all_reduce: "f32[5, 7]" = torch.ops._c10d_functional.all_reduce.default(mul_3, 'sum', '0')
        wait_tensor: "f32[5, 7]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        view: "f32[5, 7]" = torch.ops.aten.view.default(wait_tensor, [5, 7]);  wait_tensor = None
        copy: "f32[5, 7]" = torch.ops.aten.copy.default(mul_3, view);  mul_3 = view = None

        # File: programs.py:256 in distributed, code: grads[name] = grads[name] / dist.get_world_size()
        div_1: "f32[5, 7]" = torch.ops.aten.div.Tensor(copy, 2);  copy = None

        # File: programs.py:255 in distributed, code: dist.all_reduce(grads[name])
        all_reduce_1: "f32[7, 3]" = torch.ops._c10d_functional.all_reduce.default(mul_4, 'sum', '0')
        wait_tensor_1: "f32[7, 3]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None
        view_1: "f32[7, 3]" = torch.ops.aten.view.default(wait_tensor_1, [7, 3]);  wait_tensor_1 = None
        copy_1: "f32[7, 3]" = torch.ops.aten.copy.default(mul_4, view_1);  mul_4 = view_1 = None

        # File: programs.py:256 in distributed, code: grads[name] = grads[name] / dist.get_world_size()
        div_2: "f32[7, 3]" = torch.ops.aten.div.Tensor(copy_1, 2);  copy_1 = None

        # File: programs.py:239 in stepped, called from programs.py:257 in distributed, code: first, second = m[name] * 0.9 + 0.1 * g, v[name] * 0.95 + 0.05 * g * g
        mul_5: "f32[5, 7]" = torch.ops.aten.mul.Tensor(m_a, 0.9);  m_a = None
        mul_6: "f32[5, 7]" = torch.ops.aten.mul.Tensor(div_1, 0.1)
        add_1: "f32[5, 7]" = torch.ops.aten.add.Tensor(mul_5, mul_6);  mul_5 = mul_6 = None
        mul_7: "f32[5, 7]" = torch.ops.aten.mul.Tensor(v_a, 0.95);  v_a = None
        mul_8: "f32[5, 7]" = torch.ops.aten.mul.Tensor(div_1, 0.05)
        mul_9: "f32[5, 7]" = torch.ops.aten.mul.Tensor(mul_8, div_1);  mul_8 = div_1 = None
        add_2: "f32[5, 7]" = torch.ops.aten.add.Tensor(mul_7, mul_9);  mul_7 = mul_9 = None

        # File: programs.py:240 in stepped, called from programs.py:257 in distributed, code: out[name] = p[name].detach() * 0.999 - 0.01 * (first / 0.1) / ((second / 0.05).sqrt() + 1e-8)
        alias_4: "f32[5, 7]" = torch.ops.aten.alias.default(alias);  alias = None
        mul_10: "f32[5, 7]" = torch.ops.aten.mul.Tensor(alias_4, 0.999);  alias_4 = None
        div_3: "f32[5, 7]" = torch.ops.aten.div.Tensor(add_1, 0.1)
        mul_11: "f32[5, 7]" = torch.ops.aten.mul.Tensor(div_3, 0.01);  div_3 = None
        div_4: "f32[5, 7]" = torch.ops.aten.div.Tensor(add_2, 0.05)
        sqrt: "f32[5, 7]" = torch.ops.aten.sqrt.default(div_4);  div_4 = None
        add_3: "f32[5, 7]" = torch.ops.aten.add.Tensor(sqrt, 1e-08);  sqrt = None
        div_5: "f32[5, 7]" = torch.ops.aten.div.Tensor(mul_11, add_3);  mul_11 = add_3 = None
        sub_1: "f32[5, 7]" = torch.ops.aten.sub.Tensor(mul_10, div_5);  mul_10 = div_5 = None

        # File: programs.py:239 in stepped, called from programs.py:257 in distributed, code: first, second = m[name] * 0.9 + 0.1 * g, v[name] * 0.95 + 0.05 * g * g
        mul_12: "f32[7, 3]" = torch.ops.aten.mul.Tensor(m_b, 0.9);  m_b = None
        mul_13: "f32[7, 3]" = torch.ops.aten.mul.Tensor(div_2, 0.1)
        add_4: "f32[7, 3]" = torch.ops.aten.add.Tensor(mul_12, mul_13);  mul_12 = mul_13 = None
        mul_14: "f32[7, 3]" = torch.ops.aten.mul.Tensor(v_b, 0.95);  v_b = None
        mul_15: "f32[7, 3]" = torch.ops.aten.mul.Tensor(div_2, 0.05)
        mul_16: "f32[7, 3]" = torch.ops.aten.mul.Tensor(mul_15, div_2);  mul_15 = div_2 = None
        add_5: "f32[7, 3]" = torch.ops.aten.add.Tensor(mul_14, mul_16);  mul_14 = mul_16 = None

        # File: programs.py:240 in stepped, called from programs.py:257 in distributed, code: out[name] = p[name].detach() * 0.999 - 0.01 * (first / 0.1) / ((second / 0.05).sqrt() + 1e-8)
        alias_5: "f32[7, 3]" = torch.ops.aten.alias.default(alias_1);  alias_1 = None
        mul_17: "f32[7, 3]" = torch.ops.aten.mul.Tensor(alias_5, 0.999);  alias_5 = None
        div_6: "f32[7, 3]" = torch.ops.aten.div.Tensor(add_4, 0.1)
        mul_18: "f32[7, 3]" = torch.ops.aten.mul.Tensor(div_6, 0.01);  div_6 = None
        div_7: "f32[7, 3]" = torch.ops.aten.div.Tensor(add_5, 0.05)
        sqrt_1: "f32[7, 3]" = torch.ops.aten.sqrt.default(div_7);  div_7 = None
        add_6: "f32[7, 3]" = torch.ops.aten.add.Tensor(sqrt_1, 1e-08);  sqrt_1 = None
        div_8: "f32[7, 3]" = torch.ops.aten.div.Tensor(mul_18, add_6);  mul_18 = add_6 = None
        sub_2: "f32[7, 3]" = torch.ops.aten.sub.Tensor(mul_17, div_8);  mul_17 = div_8 = None
        return [sub_1, add_1, add_2, sub_2, add_4, add_5]

