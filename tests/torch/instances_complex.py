"""Random instances, as those of instances.py, of complex numbers: what takes or gives them always, and the forms of other rows for them."""
import torch
from instances import SHAPES, dims_of


def z(d, *shape, special=False):
    return torch.complex(d.f(*shape, special=special), d.f(*shape, special=special))


def one(d):
    return (z(d, *d.shape(), special=True),), {}


def full(*more):
    return lambda d: (lambda x: ((x, *(m(d, x) if callable(m) else m for m in more)), {}))(z(d, *d.full()))


def pair(special=False, mixed=True):
    def make(d):
        a, b = d.pick(SHAPES)
        kinds = [lambda s: z(d, *s, special=special)] + ([lambda s: d.f(*s, special=special), lambda s: d.i(*s)] if mixed else [])
        x, y = z(d, *a, special=special), d.pick(kinds)(b)
        return ((x, y) if d.n(0, 2) else (y, x)), {}
    return make


def number(d):
    return (z(d, *d.shape(), special=True), d.pick([2, -3, 0.5])), {}


def joined(d):
    return ([z(d, 2, 3), d.pick([z(d, 2, 3), d.f(2, 3)])], d.n(-2, 2)), {}


def stored(d):
    return (d.f(*d.shape(), 2, special=True),), {}


def real_pair(d):
    a, b = d.pick(SHAPES)
    return (d.f(*a), d.f(*b)), {}


def where(d):
    a, b = d.pick(SHAPES)
    return (d.b(*a), z(d, *a), d.pick([z(d, *b), d.f(*b)])), {}


INSTANCES = {
    "aten._conj.default": [one], "aten._conj_physical.default": [one], "aten.conj_physical.default": [one], "aten.resolve_conj.default": [one, lambda d: ((z(d, 2, 3).conj(),), {})],
    "aten.complex.default": [real_pair], "aten.polar.default": [real_pair], "aten.view_as_complex.default": [stored], "aten.view_as_real.default": [one],
    "aten.mul.Tensor": [pair(), pair(special=True), number], "aten.mul.Scalar": [number], "aten.add.Tensor": [pair(), pair(special=True), number, lambda d: (pair()(d)[0], {"alpha": d.pick([2, 0.5])})],
    "aten.abs.default": [lambda d: ((z(d, *d.shape()),), {})], "aten.exp.default": [lambda d: ((z(d, *d.shape()),), {})], "aten.log.default": [lambda d: ((z(d, *d.shape()),), {})],
    "aten.div.Tensor": [pair(), number], "aten.div.Scalar": [number], "aten.add.Scalar": [number], "aten.sub.Tensor": [pair(), pair(special=True), number], "aten.sub.Scalar": [number], "aten.rsub.Scalar": [number], "aten.neg.default": [one],
    "aten._to_copy.default": [lambda d: ((d.pick([d.f(2, 3), d.i(2, 3), z(d, 2, 3)]),), {"dtype": torch.complex128})],
    "aten.cat.default": [joined], "aten.stack.default": [joined], "aten.clone.default": [one], "aten.expand.default": [lambda d: ((z(d, 2, 1), [3, 2, 4]), {})],
    "aten.permute.default": [lambda d: ((z(d, 2, 3, 4), [2, -3, 1]), {})], "aten.transpose.int": [full(-1, 0)], "aten.t.default": [lambda d: ((z(d, 2, 3),), {})],
    "aten.view.default": [lambda d: ((z(d, 2, 6), [3, -1]), {})], "aten._unsafe_view.default": [lambda d: ((z(d, 2, 6), [12]), {})], "aten.reshape.default": [lambda d: ((z(d, 2, 6), [-1]), {})],
    "aten.unsqueeze.default": [full(-1)], "aten.squeeze.dim": [lambda d: ((z(d, 2, 1), -1), {})], "aten.select.int": [full(-1, 0)], "aten.slice.Tensor": [full(-1, 0, 1)],
    "aten.split.Tensor": [lambda d: ((z(d, 5, 2), 2), {})], "aten.unbind.int": [full(-1)], "aten.index_select.default": [lambda d: ((z(d, 4, 3), -2, d.i(3, lo=0, hi=4)), {})],
    "aten.index.Tensor": [lambda d: ((z(d, 4, 3), [d.i(2, lo=-4, hi=4)]), {})], "aten.gather.default": [lambda d: ((z(d, 2, 3), 1, d.i(2, 2, lo=0, hi=3)), {})],
    "aten.flip.default": [full([-1])], "aten.roll.default": [full([1], [-1])], "aten.repeat.default": [lambda d: ((z(d, 2, 3), [2, 1, 2]), {})],
    "aten.masked_fill.Scalar": [lambda d: ((z(d, 2, 3), d.b(3), d.pick([0, 1.5])), {})], "aten.constant_pad_nd.default": [lambda d: ((z(d, 2, 3), [1, 2], d.pick([0.0, 1.5])), {})],
    "aten.where.self": [where], "aten.sum.default": [full()], "aten.sum.dim_IntList": [full(lambda d, x: [dims_of(d, x)], lambda d, x: bool(d.n(0, 2)))],
    "aten.cumsum.default": [full(dims_of)], "aten.zeros_like.default": [one],
    "aten.slice_backward.default": [lambda d: ((z(d, 2, 2), [2, 5], 1, 1, 3, 1), {})], "aten.select_backward.default": [lambda d: ((z(d, 2), [2, 5], 1, 3), {})],
}
