"""Random instances, as those of instances.py, of the operators that torch.export leaves whole: norms, convolutions, pooling, losses, shapes."""
import torch
from instances import bools, dims_of, ints, layer_norm, mixed, nll, pair, scalar, soft, some_dims, unary, unary_int
from instances_attention import attention_whole


def cross_entropy(d):
    kind = d.n(0, 3)
    c = d.n(2, 5)
    shape = [(c,), (d.n(1, 5), c), (2, c, 3)][kind]
    labels = d.i(*[n for k, n in enumerate(shape) if k != min(1, len(shape) - 1)], lo=0, hi=c)
    if labels.dim() and d.n(0, 2):
        labels.view(-1)[d.n(0, labels.numel())] = -100
    return d.f(*shape), labels, d.pick([None, d.f(c, lo=0.1)]), d.n(0, 3), -100


def smooth(d):
    return (*cross_entropy(d), d.pick([0.0, 0.1, 0.3])), {}


def image(d, spatial, channels):
    lead = d.pick([(2, channels), (channels,)])
    return d.f(*lead, *(d.n(4, 7) for _ in range(spatial)))


def convolution(spatial, back=False, named=False):
    def make(d):
        groups, kernel = d.pick([1, 2]), [d.pick([1, 3]) for _ in range(spatial)]
        w = d.f(4, 4 // groups, *kernel)
        x = image(d, spatial, 4)
        stride = [d.n(1, 3) for _ in range(spatial)]
        if named:
            how = d.pick(["same", "valid"])
            return (x, w, d.pick([None, d.f(4)]), [1] * spatial if how == "same" else stride, how, [1] * spatial, groups), {}
        padding = [d.n(0, 2) for _ in range(spatial)]
        bias = d.pick([None, d.f(4 // groups * groups if not back else w.shape[1] * groups)])
        if back:
            return (x, w, bias, stride, padding, [d.n(0, s) for s in stride], groups, [1] * spatial), {}
        return (x, w, bias, stride, padding, [1] * spatial, groups), {}
    return make


def pooled(spatial, average=False):
    def make(d):
        x = image(d, spatial, 3)
        kernel = [d.n(1, 4) for _ in range(spatial)]
        more = [d.pick([[], [1] * spatial, [2] * spatial]), [d.n(0, k // 2 + 1) for k in kernel]]
        return (x, kernel, *more, *([False, bool(d.n(0, 2))] if average else [])), {}
    return make


def group_norm(d):
    groups = d.pick([1, 2, 4])
    x = d.f(2, 4, *d.pick([(), (3,), (2, 2)]))
    return (x, groups, d.pick([None, d.f(4)]), d.pick([None, d.f(4)]), 0.1), {}


def batch_norm(d):
    x, training = d.f(3, 4, *d.pick([(), (3,)])), bool(d.n(0, 2))
    running = [None, None] if training else [d.f(4), d.f(4, lo=0.1)]
    return (x, d.pick([None, d.f(4)]), d.pick([None, d.f(4)]), *running, training, 0.1, 0.01, False), {}


def grouped_attention(d):
    b, h, n, m, e = d.n(1, 3), d.n(1, 3), d.n(1, 5), d.n(1, 5), d.n(1, 4)
    k = d.n(1, 3)
    return (d.f(b, h * k, n, e), d.f(b, h, m, e), d.f(b, h, m, e), None, 0.0, bool(d.n(0, 2))), {"enable_gqa": True}


def padded(d):
    how = d.pick(["constant", "reflect", "replicate"])
    pairs = d.n(1, 3)
    x = d.f(2, 3, 4) if pairs == 1 else d.f(2, 2, 4, 5)
    return (x, [d.n(0, 3) for _ in range(2 * pairs)], how, d.pick([None, 1.5]) if how == "constant" else None), {}


def spread(d):
    x = d.f(*d.full())
    return (x, some_dims(d, x) or [0], bool(d.n(0, 2)), bool(d.n(0, 2))), {}


def flattened(d):
    x = d.f(*d.pick([(2, 3, 4), (3, 2), (4,), (), (2, 0, 3)]))
    a = d.n(0, max(x.dim(), 1))
    return (x, a, d.pick([-1, d.n(a, max(x.dim(), 1))])), {}


def along(d):
    x = d.f(*d.pick([(4, 3), (1, 4, 3)]))
    k = dims_of(d, x)
    shape = [d.pick([1, n]) for n in x.shape]
    shape[k] = d.n(1, 5)
    return (x, d.i(*shape, lo=0, hi=x.shape[k]), k), {}


def pieces(d):
    x = d.f(*d.pick([(5, 4), (3, 2, 6)]))
    return (x, d.n(1, 5), dims_of(d, x)), {}


def narrowed(d):
    x = d.f(*d.full())
    k = dims_of(d, x)
    start = d.n(0, x.shape[k])
    return (x, k, d.pick([start, start - x.shape[k]]), d.n(0, x.shape[k] - start + 1)), {}


INSTANCES = {
    "aten.layer_norm.default": [lambda d: ((*layer_norm(d), d.pick([1e-5, 0.1])), {})], "aten.rms_norm.default": [lambda d: (lambda x, inner, w, b: ((x, inner, w, d.pick([None, 0.1])), {}))(*layer_norm(d))],
    "aten.group_norm.default": [group_norm], "aten.instance_norm.default": [lambda d: ((d.f(2, 3, *d.pick([(4,), (2, 3)])), *d.pick([(None, None), (d.f(3), d.f(3))]), None, None, True, 0.1, 0.01, False), {})],
    "aten.batch_norm.default": [batch_norm], "aten.softmax.int": [lambda d: (soft(d)[0][:2], {})], "aten.log_softmax.int": [lambda d: (soft(d)[0][:2], {})],
    "aten.cross_entropy_loss.default": [smooth], "aten.nll_loss_nd.default": [lambda d: (cross_entropy(d), {}), lambda d: (nll(d), {})],
    "aten.l1_loss.default": [lambda d: ((d.f(2, 3), d.f(2, 3), d.n(0, 3)), {})], "aten.kl_div.default": [lambda d: ((d.f(2, 3), d.ties(2, 3).abs(), d.n(0, 3)), {}), lambda d: ((d.f(2, 3), d.f(2, 3), d.n(0, 3)), {"log_target": True})],
    **{f"aten.conv{n}d.default": [convolution(n)] for n in (1, 2, 3)}, **{f"aten.conv{n}d.padding": [convolution(n, named=True)] for n in (1, 2)},
    "aten.conv_transpose1d.default": [convolution(1, True)], "aten.conv_transpose2d.input": [convolution(2, True)],
    **{f"aten.max_pool{n}d.default": [pooled(n)] for n in (1, 2, 3)}, "aten.avg_pool1d.default": [pooled(1, True)],
    "aten.adaptive_avg_pool1d.default": [lambda d: ((d.f(2, 3, 6), [d.pick([1, 2, 3])]), {})], "aten.adaptive_avg_pool2d.default": [lambda d: ((d.f(2, 3, 6, 4), [d.pick([1, 2, 3]), d.pick([1, 2, 4])]), {})],
    "aten.pad.default": [padded], "aten.outer.default": [lambda d: ((d.f(3), d.f(2)), {}), lambda d: ((d.i(3), d.f(2)), {})],
    "aten.flatten.using_ints": [flattened], "aten.ravel.default": [unary], "aten.unflatten.int": [lambda d: ((d.f(2, 6), 1, d.pick([[2, 3], [-1, 2], [6], [1, -1, 3]])), {}), lambda d: ((d.f(4, 3), -2, [2, -1]), {})],
    "aten.view_as.default": [lambda d: ((d.f(2, 6), d.f(3, 4)), {})], "aten.expand_as.default": [lambda d: ((d.pick([d.f(3), d.f(2, 1), d.f()]), d.f(2, 3)), {})], "aten.broadcast_to.default": [lambda d: ((d.f(2, 1), d.pick([[2, 3], [4, 2, 3]])), {})],
    "aten.type_as.default": [mixed], "aten.to.dtype": [lambda d: ((d.pick([d.ties(2, 3) * 1.5, d.i(2, 3), d.b(2, 3)]), d.pick([torch.float64, torch.int64, torch.bool])), {})],
    "aten.to.dtype_layout": [lambda d: ((d.pick([d.ties(2, 3) * 1.5, d.i(2, 3)]),), {"dtype": d.pick([torch.float64, torch.int64])})],
    "aten.mT.default": [lambda d: ((d.f(*d.full()),), {})], "aten.numpy_T.default": [lambda d: ((d.pick([d.f(2, 3), d.f(3)]),), {})], "aten.movedim.int": [lambda d: ((d.f(2, 3, 4), d.n(-3, 3), d.n(-3, 3)), {})],
    "aten.narrow.default": [narrowed], "aten.chunk.default": [pieces], "aten.tensor_split.sections": [pieces], "aten.one_hot.default": [lambda d: ((d.i(*d.pick([(3,), (2, 2), ()]), lo=0, hi=4), 4), {})],
    "aten.take_along_dim.default": [along, lambda d: ((d.f(2, 3), d.i(4, lo=0, hi=6)), {})], "aten.var.dim": [spread], "aten.std.dim": [spread],
    "aten._trilinear.default": [lambda d: ((d.f(2, 3), d.f(4, 3, 5), d.f(2, 5), [1, 3], [0], [1, 2], [2, 3]), {}), lambda d: ((d.f(3, 2), d.f(3, 4), d.f(2, 4), [2], [1], [0], [d.n(0, 3)]), {})],
    "aten.argsort.default": [lambda d: (lambda x: ((torch.randperm(x.numel(), generator=d.g).reshape(x.shape).double(), dims_of(d, x), bool(d.n(0, 2))), {}))(d.f(*d.full()))],
    "aten.isfinite.default": [unary, unary_int], "aten.square.default": [unary, unary_int], "aten.special_expit.default": [unary], "aten.true_divide.Tensor": [pair, scalar],
    "aten.clip.default": [lambda d: ((d.f(*d.shape(), special=True), d.pick([None, -1]), d.pick([0.5, -1.5])), {})],
    **{f"aten.__{n}__.Tensor": [ints, bools] for n in ("and", "or", "xor")},
    "aten.dropout.default": [lambda d: ((d.f(2, 3), d.pick([0.0, 0.5]), False), {}), lambda d: ((d.f(2, 3), 0.0, True), {})],
    "aten.scaled_dot_product_attention.default": [attention_whole, grouped_attention],
}
ELSEWHERE = {"aten._assert_tensor_metadata.default": "gives nothing"}
