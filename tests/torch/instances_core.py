"""Random instances, as those of instances.py, of what torch calls its core operators: activations, convolutions, pooling, statistics, sorts."""
import math
import torch
from instances import A, dims_of, pair, some_dims, unary, unary_int


def around(d, *bounds):
    """Floats, and the bounds themselves."""
    x = d.f(3, 4, lo=-5, hi=5)
    for bound in bounds:
        x.view(-1)[d.n(0, 12)] = bound
    return x


def backward(*bounds, special=False):
    return lambda d: ((d.f(3, 4), d.f(3, 4, special=True) if special else around(d, *bounds)), {})


def with_more(make, *more):
    return lambda d: ((*make(d)[0], *(m(d) if callable(m) else m for m in more)), {})


def even(d):
    return d.f(*d.pick([(2, 4), (3, 2, 6), (4,)]))


def glu_backward(d):
    x = even(d)
    return (d.f(*A.glu.default(x, -1).shape), x, -1), {}


def elu_backward(d):
    is_result, x = bool(d.n(0, 2)), around(d, 0.0)
    alpha, scale, inner = d.pick([1, 0.5]), d.pick([1, 1.5]), d.pick([1, 2])
    return (d.f(3, 4), alpha, scale, inner, is_result, A.elu.default(x, alpha, scale, inner) if is_result else x), {}


def inside(d):
    return (d.f(*d.shape(), lo=-0.95, hi=0.95),), {}


INSTANCES = {f"aten.{n}.default": [unary] for n in "asinh cosh sinh log2 log10 exp2 erfc sgn isinf frac sinc deg2rad mish".split()}
INSTANCES |= {f"aten.{n}.default": [inside] for n in "acos asin atanh atan".split()}
INSTANCES |= {f"aten.{n}.default": [pair] for n in "fmax fmin".split()}
INSTANCES |= {f"aten.{n}.default": [lambda d: pair(d, special=False)] for n in "logaddexp logaddexp2 hypot atan2".split()}
INSTANCES |= {
    "aten.atan.default": [lambda d: ((d.f(*d.shape(), lo=-9, hi=9),), {})], "aten.acosh.default": [lambda d: ((d.f(*d.shape(), lo=1, hi=9),), {})],
    "aten.isinf.default": [unary, unary_int], "aten.sgn.default": [unary, unary_int],
    "aten.xlogy.Tensor": [lambda d: ((d.ties(2, 3), d.f(2, 3, lo=0.1, special=True)), {})], "aten.xlogy.Scalar_Other": [lambda d: ((d.ties(2, 3), 0.7), {})], "aten.xlogy.Scalar_Self": [lambda d: ((d.pick([0, 1.5]), d.f(2, 3, lo=0.1)), {})],
    "aten.logit.default": [lambda d: ((d.f(2, 3, lo=0.05, hi=0.95),), {}), lambda d: ((d.f(2, 3, lo=-0.2, hi=1.2), 0.1), {})],
    "aten.logit_backward.default": [lambda d: ((d.f(2, 3), d.f(2, 3, lo=-0.3, hi=1.3), d.pick([None, 0.1])), {})],
    "aten.nan_to_num.default": [unary, unary_int, lambda d: ((d.f(2, 3, special=True), 1.0, d.pick([None, 2.0]), -3.0), {})],
    "aten.fill.Scalar": [lambda d: ((d.pick([d.f(2, 3), d.i(2), d.b(3)]), d.pick([0, 1])), {})], "aten.fill.Tensor": [lambda d: ((d.f(2, 3), d.f()), {})], "aten.zero.default": [lambda d: ((d.pick([d.f(2, 3), d.i(2)]),), {})],
    "aten.where.Scalar": [lambda d: ((d.b(2, 3), 0.5, 2.0), {})], "aten.where.ScalarOther": [lambda d: ((d.b(2, 1), d.f(3, special=True), 0.5), {})],
    "aten.clamp_min.Tensor": [pair], "aten.clamp_max.Tensor": [pair], "aten.bitwise_xor.Scalar": [lambda d: ((d.i(2, 3), 3), {})],
    **{f"aten.{n}": [lambda d: ((d.i(2, 3, lo=-40, hi=40), d.n(0, 8)), {})] for n in ("__lshift__.Scalar", "__rshift__.Scalar", "bitwise_left_shift.Tensor_Scalar", "bitwise_right_shift.Tensor_Scalar")},
    "aten.celu.default": [lambda d: ((around(d, 0.0), d.pick([1.0, 0.5, 2.0])), {})], "aten.elu.default": [lambda d: ((around(d, 0.0), d.pick([1, 0.5]), d.pick([1, 1.5]), d.pick([1, 2])), {}), unary], "aten.elu_backward.default": [elu_backward],
    "aten.leaky_relu.default": [lambda d: ((d.f(2, 3, special=True), d.pick([0.01, 0.3])), {})], "aten.leaky_relu_backward.default": [with_more(backward(0.0), 0.2, False)],
    "aten._prelu_kernel.default": [lambda d: ((around(d, 0.0), d.f(4)), {})], "aten._prelu_kernel_backward.default": [lambda d: ((d.f(3, 4), around(d, 0.0), d.f(1, 4)), {})],
    "aten.hardtanh.default": [lambda d: ((around(d, -1.0, 1.0),), {}), lambda d: ((d.f(2, 3, special=True), 0, 6), {})], "aten.hardtanh_backward.default": [with_more(backward(-1.0, 1.0), -1, 1)],
    "aten.hardsigmoid.default": [lambda d: ((around(d, -3.0, 3.0),), {}), unary], "aten.hardsigmoid_backward.default": [backward(-3.0, 3.0)],
    "aten.hardswish.default": [lambda d: ((around(d, -3.0, 3.0),), {})], "aten.hardswish_backward.default": [backward(-3.0, 3.0)],
    "aten.softplus.default": [lambda d: ((around(d, 1.0), d.pick([1, 2, 0.5]), d.pick([20, 2])), {})], "aten.softplus_backward.default": [lambda d: ((d.f(3, 4), around(d, 1.0), d.pick([1, 2]), d.pick([20, 2])), {})],
    "aten.mish.default": [lambda d: ((around(d),), {})], "aten.mish_backward.default": [backward()],
    "aten.log_sigmoid_forward.default": [lambda d: ((around(d),), {})], "aten.log_sigmoid_backward.default": [lambda d: (lambda x: ((d.f(3, 4), x, torch.exp(-x.abs())), {}))(around(d, 0.0))],
    "aten.glu.default": [lambda d: ((even(d), -1), {})], "aten.glu_backward.default": [glu_backward],
}


def some(d):
    return d.pick([d.f(*d.full()), d.i(*d.full())])


def distinct_order(d):
    shape = d.full()
    x = torch.randperm(math.prod(shape), generator=d.g).reshape(shape).to(torch.float64) - 3
    return torch.where(x == 0, d.pick([math.inf, -math.inf, math.nan, 0.0]), x)


def matrices(d):
    x = d.f(*d.pick([(3, 4), (2, 3, 3), (2, 3, 4, 2)]))
    d1 = d.n(0, x.dim())
    d2 = (d1 + d.n(1, x.dim())) % x.dim()
    return x, d.n(-2, 3), d1, d2


def diagonal_like(op):
    def make(d):
        x, offset, d1, d2 = matrices(d)
        part = torch.diagonal(x, offset, d1, d2)
        return op(d, x, part, offset, d1, d2), {}
    return make


def windows(d):
    x = d.f(*d.pick([(7,), (2, 6), (5, 3)]))
    k = dims_of(d, x)
    return x, k, d.n(1, x.shape[k] + 1), d.n(1, 4)


def unfold_backward(d):
    x, k, size, step = windows(d)
    return (d.f(*x.unfold(k, size, step).shape), list(x.shape), k, size, step), {}


def image(d, c=4, even=False):
    return d.f(d.n(1, 3), c, d.pick([4, 6]) if even else d.n(4, 7), d.pick([4, 2]) if even else d.n(4, 6))


def padded(n):
    def make(d):
        x = d.f(2, 3, *([4, 5][:n]))
        return x, [d.n(0, 4) for _ in range(2 * n)]
    return make


def pad_backward(n, op):
    def make(d):
        x, pads = padded(n)(d)
        return (d.f(*op(x, pads).shape), x, pads), {}
    return make


def slices_at(d, distinct=False):
    x = d.f(*d.pick([(4, 3), (2, 4, 3)]))
    k = d.n(-x.dim(), x.dim())
    n = x.shape[k]
    index = torch.arange(n) if distinct else d.i(d.n(1, 4), lo=0, hi=n)
    index.arange = distinct
    shape = list(x.shape)
    shape[k] = len(index)
    return x, k, index, d.f(*shape)


def masked_rows(d, make):
    """Where the mask is true the index is in range: elsewhere torch's kernel and its decomposition differ."""
    mask, index = d.b(5), d.i(5, lo=-6, hi=6)
    return make(d.f(4, 3), mask, torch.where(mask, index % 4, index)), {}


def reduce_at(d):
    x = d.f(*d.pick([(4, 3), (2, 4, 3)]))
    k = d.n(-x.dim(), x.dim())
    shape = list(x.shape)
    shape[k] = d.n(1, 5)
    return (x, k, d.i(*shape, lo=0, hi=x.shape[k]), d.f(*shape), d.pick(["sum", "prod", "amax", "amin"])), {}


def bounds(d):
    return torch.sort(d.f(5)).values


def spaced(d):
    return (d.pick([0, -1.5, 2]), d.pick([1, 3.5]), d.n(1, 6)), {"dtype": torch.float64}


def masked_source(d):
    x = d.f(2, 3)
    return (x, d.b(*d.pick([(2, 3), (3,)])), d.f(6)), {}


INSTANCES |= {
    "aten.prod.default": [lambda d: ((d.pick([d.f(2, 3), d.i(2, 2), d.b(3), d.f(0)]),), {})], "aten.prod.dim_int": [lambda d: (lambda x: ((x, dims_of(d, x), bool(d.n(0, 2))), {}))(some(d))],
    "aten.cumprod.default": [lambda d: (lambda x: ((x, dims_of(d, x)), {}))(some(d))], "aten.nansum.default": [lambda d: (lambda x: ((x, d.pick([None, some_dims(d, x)]), bool(d.n(0, 2))), {}))(d.f(*d.full(), special=True))],
    "aten.count_nonzero.default": [lambda d: (lambda x: ((x, d.pick([None, dims_of(d, x)])), {}))(d.pick([d.ties(2, 3), d.b(3, 2)]))],
    "aten.logsumexp.default": [lambda d: (lambda x: ((x, [dims_of(d, x)], bool(d.n(0, 2))), {}))(d.f(*d.full(), special=bool(d.n(0, 2)))), lambda d: ((torch.full((2, 3), -math.inf, dtype=torch.float64), [1]), {})],
    "aten.aminmax.default": [lambda d: (lambda x: ((x,), {"dim": d.pick([None, dims_of(d, x)]), "keepdim": bool(d.n(0, 2))}))(some(d))], "aten.trace.default": [lambda d: ((d.pick([d.f(3, 3), d.f(2, 4), d.i(3, 2)]),), {})],
    "aten.std_mean.correction": [lambda d: (lambda x: ((x, d.pick([None, some_dims(d, x)])), {"correction": d.pick([0, 1, None]), "keepdim": bool(d.n(0, 2))}))(d.f(*d.full()))],
    "aten.norm.ScalarOpt_dim": [lambda d: (lambda x: ((x, d.pick([1, 2, None, math.inf]), [dims_of(d, x)], bool(d.n(0, 2))), {}))(d.f(*d.full()))],
    "aten.any.dims": [lambda d: ((d.pick([d.b(2, 3), d.ties(2, 3)]), d.pick([None, [0], [1, 0]]), bool(d.n(0, 2))), {})], "aten.all.dims": [lambda d: ((d.pick([d.b(2, 3), d.ties(2, 3)]), d.pick([None, [-1], [1, 0]]), bool(d.n(0, 2))), {})],
    "aten.sort.default": [lambda d: (lambda x: ((x, dims_of(d, x), bool(d.n(0, 2))), {}))(distinct_order(d))],
    "aten.sort.stable": [lambda d: (lambda x: ((x,), {"stable": True, "dim": dims_of(d, x), "descending": bool(d.n(0, 2))}))(d.pick([d.ties(2, 4), d.i(5, lo=-1, hi=2), d.f(3, 4, special=True)]))],
    "aten.argsort.stable": [lambda d: (lambda x: ((x,), {"stable": True, "dim": dims_of(d, x), "descending": bool(d.n(0, 2))}))(d.pick([d.ties(2, 4), d.i(5, lo=-1, hi=2)]))],
    "aten.flip.default": [lambda d: (lambda x: ((x, some_dims(d, x)), {}))(some(d))], "aten.repeat.default": [lambda d: ((d.f(2, 3), d.pick([[2, 1], [1, 3], [2, 1, 2], [1, 1]])), {}), lambda d: ((d.f(), [3]), {})],
    "aten.tile.default": [lambda d: ((d.f(2, 3), d.pick([[2], [1, 3], [2, 1, 2]])), {})], "aten.repeat_interleave.self_int": [lambda d: ((d.f(2, 3), d.n(1, 4), d.pick([None, 0, 1, -1])), {})],
    "aten.roll.default": [lambda d: ((d.f(2, 3), [d.n(-4, 5)], d.pick([[], [0], [-1]])), {}), lambda d: ((d.f(4, 3), [1, -2], [0, 1]), {})],
    "aten.diagonal.default": [lambda d: (matrices(d), {})],
    "aten.diagonal_backward.default": [diagonal_like(lambda d, x, part, o, a, b: (d.f(*part.shape), list(x.shape), o, a, b))],
    "aten.diagonal_scatter.default": [diagonal_like(lambda d, x, part, o, a, b: (x, d.f(*part.shape), o, a, b))],
    "aten.diag_embed.default": [lambda d: ((d.f(*d.pick([(3,), (2, 3)])), d.n(-2, 3)), {}), lambda d: ((d.f(2, 3), d.n(-2, 3), d.pick([0, 2]), 1), {})],
    "aten.unfold.default": [lambda d: (windows(d), {})], "aten.unfold_backward.default": [unfold_backward],
    "aten.pixel_shuffle.default": [lambda d: ((image(d), 2), {})], "aten.pixel_unshuffle.default": [lambda d: ((image(d, 3, True), 2), {})], "aten.channel_shuffle.default": [lambda d: ((image(d), d.pick([1, 2, 4])), {})],
    "aten.eye.default": [lambda d: ((d.n(1, 5),), {"dtype": torch.float64})], "aten.eye.m": [lambda d: ((d.n(1, 5), d.n(1, 5)), {"dtype": d.pick([torch.float64, torch.int64])})], "aten.linspace.default": [spaced],
    **{f"aten.reflection_pad{n}d.default": [lambda d, n=n: ((lambda x, p: (x, [min(v, 3) for v in p]))(*padded(n)(d)), {})] for n in (1, 2)},
    **{f"aten.replication_pad{n}d.default": [lambda d, n=n: (padded(n)(d), {})] for n in (1, 2)},
    "aten.reflection_pad1d_backward.default": [pad_backward(1, A.reflection_pad1d.default)], "aten.reflection_pad2d_backward.default": [pad_backward(2, A.reflection_pad2d.default)],
    "aten.replication_pad1d_backward.default": [pad_backward(1, A.replication_pad1d.default)], "aten.replication_pad2d_backward.default": [pad_backward(2, A.replication_pad2d.default)],
    "aten.unsafe_split.Tensor": [lambda d: ((d.f(5, 3), d.n(1, 4), d.n(-2, 2)), {})], "aten.split_copy.Tensor": [lambda d: ((d.f(5, 3), d.n(1, 4), d.n(-2, 2)), {})],
    "aten.unsafe_split_with_sizes.default": [lambda d: ((d.f(5, 3), [2, 0, 3]), {})], "aten.split_with_sizes_copy.default": [lambda d: ((d.f(5, 3), [1, 2], 1), {})],
    "aten.take.default": [lambda d: ((d.f(2, 3), d.i(*d.pick([(4,), (2, 2), ()]), lo=-6, hi=6)), {})],
    "aten.bucketize.Tensor": [lambda d: ((d.pick([d.f(2, 3, special=True), bounds(d)]), bounds(d)), {"right": bool(d.n(0, 2))}), lambda d: (lambda b: ((b, b), {"right": bool(d.n(0, 2))}))(bounds(d))],
    "aten.searchsorted.Tensor": [lambda d: (lambda b: ((b, d.pick([b, d.f(2, 3)])), {"right": bool(d.n(0, 2))}))(bounds(d)), lambda d: ((torch.sort(d.f(2, 5), 1).values, d.f(2, 3)), {"side": "right", "right": True})],
    "aten.masked_scatter.default": [masked_source],
    "aten._unsafe_index.Tensor": [lambda d: ((d.f(4, 3), [None, d.i(2, 2, lo=0, hi=3)]), {})], "aten._unsafe_index_put.default": [lambda d: ((d.f(4, 3), [None, d.i(5, lo=0, hi=3)], d.f(4, 5), True), {})],
    "aten._unsafe_masked_index.default": [lambda d: masked_rows(d, lambda x, mask, index: (x, mask, [index, d.i(5, lo=0, hi=3)], 7))],
    "aten._unsafe_masked_index_put_accumulate.default": [lambda d: ((d.f(4, 3), d.b(2, 2, 1), [d.i(2, 2, lo=-6, hi=6)], d.f(2, 2, 3)), {}), lambda d: ((d.f(4, 3), d.b(5), [d.i(5, lo=-6, hi=6), d.i(5, lo=0, hi=3)], d.f(5)), {})],
    "aten.index_add.default": [lambda d: (slices_at(d), {"alpha": d.pick([1, 0.5])})], "aten.index_copy.default": [lambda d: (slices_at(d, True), {})],
    "aten.index_fill.int_Scalar": [lambda d: ((*slices_at(d)[:3], 7), {})], "aten.index_fill.int_Tensor": [lambda d: ((*slices_at(d)[:3], d.f()), {})],
    "aten.scatter_reduce.two": [reduce_at],
}


def convolved(d):
    """Input, weight, bias and (stride, padding, dilation, transposed, output_padding, groups)."""
    spatial = d.n(1, 3)
    groups, back = d.pick([1, 1, 2, 4]), bool(d.n(0, 2))
    cin, cout = 4, d.pick([4, 8])
    kernel = [d.n(1, 4) for _ in range(spatial)]
    stride, padding, dilation = ([d.n(lo, 3) for _ in range(spatial)] for lo in (1, 0, 1))
    more = [d.n(0, max(s, l)) if back else 0 for s, l in zip(stride, dilation)]
    x = d.f(2, cin, *[d.n(5, 8) for _ in range(spatial)])
    w = d.f(cin, cout // groups, *kernel) if back else d.f(cout, cin // groups, *kernel)
    return x, w, d.pick([None, d.f(cout)]), (stride, padding, dilation, back, more, groups)


def convolution(d):
    x, w, b, how = convolved(d)
    return (x, w, b, *how), {}


def convolution_backward(d):
    x, w, b, how = convolved(d)
    y = A.convolution.default(x, w, b, *how)
    return (d.f(*y.shape), x, w, [y.shape[1]], *how, d.pick([[True, True, True], [True, True, False], [False, True, True]])), {}


def pool(d, n):
    kernel = [d.n(1, 4) for _ in range(n)]
    x = d.f(2, 3, *[d.n(6, 9) for _ in range(n)])
    return x, kernel, d.pick([[], [d.n(1, 3) for _ in range(n)]]), [d.n(0, k // 2 + 1) for k in kernel]


def max_pool(n):
    def make(d):
        x, kernel, stride, padding = pool(d, n)
        return (d.pick([x, torch.round(x)]), kernel, stride, padding, [d.n(1, 3) for _ in range(n)]), {}
    return make


def max_pool_backward(d):
    x, kernel, stride, padding = pool(d, 2)
    y, index = A.max_pool2d_with_indices.default(x, kernel, stride, padding)
    return (d.f(*y.shape), x, kernel, stride, padding, [1, 1], False, index), {}


def avg_pool(n):
    return lambda d: ((*pool(d, n), False, bool(d.n(0, 2)), d.pick([None, 5])), {})


def avg_pool_backward(d):
    args = (*pool(d, 2), False, bool(d.n(0, 2)), d.pick([None, 5]))
    return (d.f(*A.avg_pool2d.default(*args).shape), *args), {}


def blocks(d, n):
    sizes = [d.pick([1, 2, 3]) for _ in range(n)]
    return d.f(2, 3, *[s * d.n(1, 4) for s in sizes]), sizes


def channels(d):
    return d.f(*d.pick([(4, 3), (3, 2, 4), (2, 3, 3, 2)]))


def by_channel(d, x, positive=False):
    return d.f(x.shape[1], lo=0.2 if positive else -2.0)


def batch_norm(d, *tail, statistics=True, affine=None):
    x = channels(d)
    affine = d.n(0, 2) if affine is None else affine
    head = (x, by_channel(d, x) if affine else None, by_channel(d, x) if affine else None)
    return (*head, *((by_channel(d, x), by_channel(d, x, True)) if statistics else ()), *tail)


def batch_norm_backward(d, affine=None):
    x, w, _, mean, var = batch_norm(d, affine=affine)
    _, saved, rstd = A.native_batch_norm.default(x, w, None, None, None, True, 0.1, 1e-5)
    return (d.f(*x.shape), x, w, mean, var, saved, rstd, bool(d.n(0, 2)), 1e-5, [True, w is not None, w is not None])


def group_norm(d):
    x = d.f(*d.pick([(2, 4), (3, 4, 2), (2, 6, 3, 2)]))
    w, b = d.pick([(None, None), (d.f(x.shape[1]), d.f(x.shape[1]))])
    return x, w, b, (x.shape[0], x.shape[1], math.prod(x.shape[2:]), d.pick([1, 2]))


def group_norm_backward(d):
    x, w, _, sizes = group_norm(d)
    _, mean, rstd = A.native_group_norm.default(x, w, None, *sizes, 1e-5)
    return (d.f(*x.shape), x, mean, rstd, w, *sizes, [True, w is not None, w is not None]), {}


def losses(make, *tail):
    """A loss, and its gradient."""
    def forward(d):
        x, y = make(d)
        return (x, y, d.n(0, 3), *tail), {}

    def backward(d):
        x, y = make(d)
        reduction = d.n(0, 3)
        return (d.f(*x.shape) if reduction == 0 else d.f(), x, y, reduction, *tail), {}
    return forward, backward


def two(d):
    x, y = d.f(3, 4), d.f(3, 4)
    x[0, 0] = y[0, 0] + d.pick([0.0, 0.7, -0.7])
    return x, y


def signs(d):
    return d.f(3, 4), d.b(3, 4).double() * 2 - 1


def chances(d):
    return d.f(3, 4, lo=0.01, hi=0.99), d.f(3, 4, lo=0.0, hi=1.0)


def entropy_backward(d):
    x, y = chances(d)
    reduction = d.n(0, 3)
    return (d.f(3, 4) if reduction == 0 else d.f(), x, y, d.pick([None, d.f(3, 4)]), reduction), {}


def nll2d(d):
    t = d.i(2, 3, 2, lo=0, hi=4)
    t[0, 0, 0] = d.pick([-100, 1])
    return d.f(2, 4, 3, 2), t, d.pick([None, d.f(4, lo=0.1)]), d.n(0, 3), -100


def nll2d_backward(d):
    x, t, w, r, ignore = nll2d(d)
    y, total = A.nll_loss2d_forward.default(x, t, w, r, ignore)
    return (d.f(*y.shape), x, t, w, r, ignore, total), {}


SMOOTH, HUBER, MARGIN = losses(two, 0.7), losses(two, 0.7), losses(signs)
SCALED = {"beta": 0.5, "alpha": -2}
INSTANCES |= {
    "aten.convolution.default": [convolution], "aten.convolution_backward.default": [convolution_backward],
    "aten.max_pool2d_with_indices.default": [max_pool(2)], "aten.max_pool3d_with_indices.default": [max_pool(3)], "aten.max_pool2d_with_indices_backward.default": [max_pool_backward],
    "aten.avg_pool2d.default": [avg_pool(2)], "aten.avg_pool3d.default": [avg_pool(3)], "aten.avg_pool2d_backward.default": [avg_pool_backward],
    "aten._adaptive_avg_pool2d.default": [lambda d: (blocks(d, 2), {})], "aten._adaptive_avg_pool3d.default": [lambda d: (blocks(d, 3), {})],
    "aten._adaptive_avg_pool2d_backward.default": [lambda d: (lambda x, s: ((d.f(*x.shape[:2], *s), x), {}))(*blocks(d, 2))],
    "aten.native_batch_norm.default": [lambda d: (batch_norm(d, d.n(0, 2) == 0, 0.1, 1e-5), {}), lambda d: ((*batch_norm(d, statistics=False), None, None, True, 0.1, 1e-5), {})],
    "aten._native_batch_norm_legit_functional.default": [lambda d: (batch_norm(d, True, 0.1, 1e-5), {})], "aten._native_batch_norm_legit_no_training.default": [lambda d: (batch_norm(d, 0.1, 1e-5), {})],
    "aten._native_batch_norm_legit.default": [lambda d: (batch_norm(d, True, 0.1, 1e-5), {}), lambda d: (batch_norm(d, False, 0.1, 1e-5), {})],
    "aten._native_batch_norm_legit.no_stats": [lambda d: (batch_norm(d, True, 0.1, 1e-5, statistics=False), {})], "aten._batch_norm_with_update_functional.default": [lambda d: (batch_norm(d, 0.1, 1e-5), {})],
    "aten.native_batch_norm_backward.default": [lambda d: (batch_norm_backward(d), {})], "aten.batch_norm_backward.default": [lambda d: ((*batch_norm_backward(d, True), torch.zeros(0, dtype=torch.uint8)), {})],
    "aten.native_group_norm.default": [lambda d: (lambda x, w, b, s: ((x, w, b, *s, 1e-5), {}))(*group_norm(d))], "aten.native_group_norm_backward.default": [group_norm_backward],
    "aten.upsample_nearest2d.default": [lambda d: ((d.f(2, 3, 2, 3), [2 * d.n(1, 4), 3 * d.n(1, 3)]), {})], "aten.upsample_nearest2d.vec": [lambda d: ((d.f(2, 3, 2, 3), None, [2.0, 3.0]), {}), lambda d: ((d.f(1, 2, 3, 2), [6, 4], None), {})],
    "aten.upsample_nearest2d_backward.default": [lambda d: ((d.f(2, 3, 6, 4), [6, 4], [2, 3, d.pick([3, 2]), 2]), {})],
    "aten.smooth_l1_loss.default": [SMOOTH[0]], "aten.smooth_l1_loss_backward.default": [SMOOTH[1]], "aten.huber_loss.default": [HUBER[0]], "aten.huber_loss_backward.default": [HUBER[1]],
    "aten.soft_margin_loss.default": [MARGIN[0]], "aten.soft_margin_loss_backward.default": [MARGIN[1]],
    "aten.binary_cross_entropy.default": [lambda d: ((*chances(d), d.pick([None, d.f(3, 4)]), d.n(0, 3)), {}), lambda d: ((torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0]), None, 0), {})],
    "aten.binary_cross_entropy_backward.default": [entropy_backward],
    "aten.binary_cross_entropy_with_logits.default": [lambda d: ((d.f(3, 4), d.f(3, 4, lo=0.0, hi=1.0), d.pick([None, d.f(4)]), d.pick([None, d.f(4, lo=0.1)]), d.n(0, 3)), {})],
    "aten.nll_loss2d_forward.default": [lambda d: (nll2d(d), {})], "aten.nll_loss2d_backward.default": [nll2d_backward],
    "aten.addmv.default": [lambda d: ((d.f(3), d.f(3, 4), d.f(4)), d.pick([{}, SCALED]))], "aten.addr.default": [lambda d: ((d.f(3, 4), d.f(3), d.f(4)), d.pick([{}, SCALED]))],
    "aten.addbmm.default": [lambda d: ((d.f(3, 4), d.f(2, 3, 2), d.f(2, 2, 4)), d.pick([{}, SCALED]))],
    "aten.linear.default": [lambda d: ((d.f(*d.pick([(3,), (2, 3), (2, 4, 3), (0, 3)])), d.f(5, 3), d.pick([None, d.f(5)])), {})],
    "aten.matmul.default": [lambda d: (tuple(d.f(*s) for s in d.pick([((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (4, 3, 2)), ((3,), (2, 3, 4))])), {})],
}
P = torch.ops.prims
INSTANCES |= {
    "prims.convert_element_type.default": [lambda d: ((d.pick([d.f(2, 3), d.i(2), d.b(3)]), d.pick([torch.float64, torch.float64, torch.int64])), {})],
    "prims.iota.default": [lambda d: ((d.n(0, 6),), {"start": d.n(-2, 3), "step": d.pick([1, 2, -1]), "dtype": d.pick([torch.int64, torch.int32]), "device": torch.device("cpu"), "requires_grad": False})],
    "prims.rev.default": [lambda d: (lambda x: ((x, d.pick([[0], [1], [0, 1]])), {}))(d.f(2, 3))], "prims.fma.default": [lambda d: ((d.f(2, 3), d.f(2, 3), d.f(2, 3)), {})],
}
# torch's kernel rounds 1/6 to a float32.
CALLS = {"aten.hardsigmoid_backward.default": lambda g, x: torch.where((x > -3) & (x < 3), g / 6, 0.0)}
