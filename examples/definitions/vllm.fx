# Operators of vLLM (csrc/ops.h; the forward_native methods of RMSNorm, SiluAndMul, GeluAndMul and RotaryEmbedding are their published definitions).
# Operator: _C.rms_norm.default
class rms_norm(torch.nn.Module):
    def forward(self, result: "T[n, d]", input: "T[n, d]", weight: "T[d]", epsilon: "Scalar"):
        square: "T[n, d]" = torch.ops.aten.mul.Tensor(input, input)
        mean: "T[n, 1]" = torch.ops.aten.mean.dim(square, [-1], True)
        add: "T[n, 1]" = torch.ops.aten.add.Scalar(mean, epsilon)
        rsqrt: "T[n, 1]" = torch.ops.aten.rsqrt.default(add)
        normal: "T[n, d]" = torch.ops.aten.mul.Tensor(input, rsqrt)
        out: "T[n, d]" = torch.ops.aten.mul.Tensor(normal, weight)
        return {'result': out}

# Operator: _C.fused_add_rms_norm.default
class fused_add_rms_norm(torch.nn.Module):
    def forward(self, input: "T[n, d]", residual: "T[n, d]", weight: "T[d]", epsilon: "Scalar"):
        total: "T[n, d]" = torch.ops.aten.add.Tensor(input, residual)
        square: "T[n, d]" = torch.ops.aten.mul.Tensor(total, total)
        mean: "T[n, 1]" = torch.ops.aten.mean.dim(square, [-1], True)
        add: "T[n, 1]" = torch.ops.aten.add.Scalar(mean, epsilon)
        rsqrt: "T[n, 1]" = torch.ops.aten.rsqrt.default(add)
        normal: "T[n, d]" = torch.ops.aten.mul.Tensor(total, rsqrt)
        out: "T[n, d]" = torch.ops.aten.mul.Tensor(normal, weight)
        return {'input': out, 'residual': total}

# Operator: _C.silu_and_mul.default
class silu_and_mul(torch.nn.Module):
    def forward(self, result: "T[n, d]", input: "T[n, 2*d]"):
        gate: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, 0, d)
        up: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, d, 9223372036854775807)
        silu: "T[n, d]" = torch.ops.aten.silu.default(gate)
        out: "T[n, d]" = torch.ops.aten.mul.Tensor(silu, up)
        return {'result': out}

# Operator: _C.gelu_and_mul.default
class gelu_and_mul(torch.nn.Module):
    def forward(self, result: "T[n, d]", input: "T[n, 2*d]"):
        gate: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, 0, d)
        up: "T[n, d]" = torch.ops.aten.slice.Tensor(input, 1, d, 9223372036854775807)
        gelu: "T[n, d]" = torch.ops.aten.gelu.default(gate)
        out: "T[n, d]" = torch.ops.aten.mul.Tensor(gelu, up)
        return {'result': out}

# Operator: _C.rotary_embedding.default
# The halves of a head are rotated (is_neox), all of it: the cache is as wide as a head.
class rotary_embedding(torch.nn.Module):
    def forward(self, positions: "i64[n]", query: "T[n, q]", key: "T[n, k]", head_size: "Scalar", cos_sin_cache: "T[p, head_size]", is_neox: "True"):
        both: "T[n, head_size]" = torch.ops.aten.index_select.default(cos_sin_cache, 0, positions)
        half: "Sym((head_size//2))" = head_size // 2
        q_count: "Sym((q//head_size))" = q // head_size
        k_count: "Sym((k//head_size))" = k // head_size
        view: "T[n, 1, 2, (head_size//2)]" = torch.ops.aten.view.default(both, [n, 1, 2, -1])
        cos: "T[n, 1, (head_size//2)]" = torch.ops.aten.select.int(view, 2, 0)
        sin: "T[n, 1, (head_size//2)]" = torch.ops.aten.select.int(view, 2, 1)
        q_heads: "T[n, (q//head_size), 2, (head_size//2)]" = torch.ops.aten.view.default(query, [n, q_count, 2, half])
        q_a: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.select.int(q_heads, 2, 0)
        q_b: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.select.int(q_heads, 2, 1)
        q_ac: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(q_a, cos)
        q_bs: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(q_b, sin)
        q_bc: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(q_b, cos)
        q_as: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(q_a, sin)
        q_first: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.sub.Tensor(q_ac, q_bs)
        q_second: "T[n, (q//head_size), (head_size//2)]" = torch.ops.aten.add.Tensor(q_bc, q_as)
        q_cat: "T[n, (q//head_size), head_size]" = torch.ops.aten.cat.default([q_first, q_second], 2)
        q_out: "T[n, q]" = torch.ops.aten.view.default(q_cat, [n, q])
        k_heads: "T[n, (k//head_size), 2, (head_size//2)]" = torch.ops.aten.view.default(key, [n, k_count, 2, half])
        k_a: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.select.int(k_heads, 2, 0)
        k_b: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.select.int(k_heads, 2, 1)
        k_ac: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(k_a, cos)
        k_bs: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(k_b, sin)
        k_bc: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(k_b, cos)
        k_as: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.mul.Tensor(k_a, sin)
        k_first: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.sub.Tensor(k_ac, k_bs)
        k_second: "T[n, (k//head_size), (head_size//2)]" = torch.ops.aten.add.Tensor(k_bc, k_as)
        k_cat: "T[n, (k//head_size), head_size]" = torch.ops.aten.cat.default([k_first, k_second], 2)
        k_out: "T[n, k]" = torch.ops.aten.view.default(k_cat, [n, k])
        return {'query': q_out, 'key': k_out}
