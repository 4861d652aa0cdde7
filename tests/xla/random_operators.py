#!/usr/bin/env python3
"""Random instances of each operator for run_modules and compare.py: shapes (also empty ones and of extent 1), element types,
attributes. A module holds several instances, so that XLA compiles a few hundred modules in place of thousands.
usage: random_operators.py FOLDER [INSTANCES of each operator, 200] [SEED, 1]"""
import os
import random
import sys

from random_module import BITS, FLOATS, INTS, SIGNED, UNSIGNED, Module, listed

BATCH = 25
REGION = {"add": "%add_f", "multiply": "%mul_f", "maximum": "%max_f", "minimum": "%min_f"}
START = {"add": "0", "multiply": "1", "maximum": "-inf", "minimum": "inf"}


def unary(op, lo, hi, ints=()):
    def make(m):
        if ints and m.rng.random() < 0.4:
            t, d = m.rng.choice(ints), m.dims()
            return m.result(t, d, f"{op}({m.param(t, d)})")
        t, d = m.rng.choice(FLOATS), m.dims()
        m.result("pred" if op == "is-finite" else t, d, f"{op}({m.param(t, d, lo, hi)})")
    return make


def points(op, lo, hi):
    """Operators that XLA's CPU compiler has no code for; its evaluator of constants does."""
    def make(m):
        d = m.dims(1, 1)
        values = ", ".join(repr(m.rng.uniform(lo, hi)) for _ in range(d[0]))
        m.result("f64", d, f"{op}({m.value('f64', d, 'constant({' + values + '})')})")
    return make


def ints_only(op, types=INTS):
    def make(m):
        t, d = m.rng.choice(types), m.dims()
        m.result(t, d, f"{op}({m.param(t, d)})")
    return make


def binary(op, floats=True, ints=True, second=None, first=None, pred=False):
    def make(m):
        d = m.dims()
        if pred and m.rng.random() < 0.2:
            return m.result("pred", d, f"{op}({m.param('pred', d)}, {m.param('pred', d)})")
        if floats and (not ints or m.rng.random() < 0.5):
            t = m.rng.choice(FLOATS)
            return m.result(t, d, f"{op}({m.param(t, d, *(first or ()))}, {m.param(t, d, *(second or ()))})")
        t = m.rng.choice(INTS)
        m.result(t, d, f"{op}({m.param(t, d)}, {m.param(t, d, *((0, BITS[t] + 3) if op.startswith('shift') else (0, 5) if op == 'power' else ()))})")
    return make


def compare(m):
    t, d = m.rng.choice(FLOATS + INTS + ["pred"]), m.dims()
    small = (-2, 2) if t in SIGNED else (0, 3) if t in UNSIGNED else ()
    m.result("pred", d, f"compare({m.param(t, d, *small)}, {m.param(t, d, *small)}), direction={m.rng.choice(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE'])}")


def select(m):
    t, d = m.rng.choice(FLOATS + INTS + ["pred"]), m.dims()
    flag = m.param("pred", m.rng.choice([d, []]))
    m.result(t, d, f"select({flag}, {m.param(t, d)}, {m.param(t, d)})")


def clamp(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims()
    edge = [] if m.rng.random() < 0.5 else d
    m.result(t, d, f"clamp({m.param(t, edge)}, {m.param(t, d)}, {m.param(t, edge)})")


def convert(m):
    d, source, target = m.dims(), m.rng.choice(FLOATS + INTS + ["pred"]), m.rng.choice(FLOATS + INTS)
    wide = (-1000, 1000) if source in FLOATS and target in SIGNED else (0, 100) if source in FLOATS and target in UNSIGNED else ()
    m.result(target, d, f"convert({m.param(source, d, *wide)})")


def bitcast_convert(m):
    d, bits = m.dims(), m.rng.choice([8, 16, 32, 64])
    pair = [f"{m.rng.choice('su')}{bits}" for _ in range(2)]
    if bits < 64 and m.rng.random() < 0.4:
        return m.result(f"u{2 * bits}", d, f"bitcast-convert({m.param(pair[0], d + [2])})")
    m.result(pair[1], d, f"bitcast-convert({m.param(pair[0], d)})")


def broadcast(m):
    t, d = m.rng.choice(FLOATS + INTS + ["pred"]), m.dims(5)
    kept = sorted(m.rng.sample(range(len(d)), m.rng.randint(0, len(d))))
    m.result(t, d, f"broadcast({m.param(t, [d[k] for k in kept])}), dimensions={listed(kept)}")


def concatenate(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(4, 1)
    axis, sizes = m.rng.randrange(len(d)), [m.rng.choice([0, 1, 2, 3]) for _ in range(m.rng.randint(1, 4))]
    parts = [m.param(t, d[:axis] + [n] + d[axis + 1:]) for n in sizes]
    m.result(t, d[:axis] + [sum(sizes)] + d[axis + 1:], f"concatenate({', '.join(parts)}), dimensions={listed([axis])}")


def pad(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(3, 1)
    out, spec = [], []
    for n in d:
        inner = m.rng.choice([0, 0, 1, 2])
        low, high = m.rng.randint(-1, 2), m.rng.randint(-1, 2)
        size = n + max(n - 1, 0) * inner + low + high
        if size < 0:
            low, high, size = 0, 0, n + max(n - 1, 0) * inner
        out.append(size)
        spec.append(f"{low}_{high}_{inner}")
    m.result(t, out, f"pad({m.param(t, d)}, {m.param(t, [])}), padding={'x'.join(spec)}")


def reshape(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(4, 0, (1, 2, 3, 4))
    factors = []
    for n in d:
        while n > 1 and n % 2 == 0:
            factors.append(2)
            n //= 2
        factors.append(n)
    m.rng.shuffle(factors)
    out = []
    for f in factors:
        if out and m.rng.random() < 0.5:
            out[-1] *= f
        else:
            out.append(f)
    m.result(t, out, f"reshape({m.param(t, d)})")


def reverse(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(4, 1)
    m.result(t, d, f"reverse({m.param(t, d)}), dimensions={listed(sorted(m.rng.sample(range(len(d)), m.rng.randint(0, len(d)))))}")


def slice_(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(4, 1)
    out, spec = [], []
    for n in d:
        start = m.rng.randint(0, n)
        stop, step = m.rng.randint(start, n), m.rng.choice([1, 1, 2, 3])
        out.append((stop - start + step - 1) // step)
        spec.append(f"[{start}:{stop}:{step}]")
    m.result(t, out, f"slice({m.param(t, d)}), slice={{{', '.join(spec)}}}")


def transpose(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(5)
    order = m.rng.sample(range(len(d)), len(d))
    m.result(t, [d[k] for k in order], f"transpose({m.param(t, d)}), dimensions={listed(order)}")


def iota(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(4, 1)
    m.result(t, d, f"iota(), iota_dimension={m.rng.randrange(len(d))}")


def copy(m):
    t, d = m.rng.choice(FLOATS + INTS + ["pred"]), m.dims()
    m.result(t, d, f"copy({m.param(t, d)})")


def dot(m):
    t, batch, inner = m.rng.choice(FLOATS), m.dims(2), m.dims(2)
    left, right = m.dims(2), m.dims(2)
    def place(free):
        kinds = [("b", k) for k in range(len(batch))] + [("c", k) for k in range(len(inner))] + [("f", k) for k in range(len(free))]
        free_order = iter([x for x in kinds if x[0] == "f"])
        m.rng.shuffle(kinds)
        kinds = [next(free_order) if x[0] == "f" else x for x in kinds]
        size = lambda x: {"b": batch, "c": inner, "f": free}[x[0]][x[1]]
        at = lambda kind, n: [kinds.index((kind, k)) for k in range(n)]
        return [size(x) for x in kinds], at("b", len(batch)), at("c", len(inner))
    (a, ab, ac), (b, bb, bc) = place(left), place(right)
    attributes = f"lhs_contracting_dims={listed(ac)}, rhs_contracting_dims={listed(bc)}"
    if batch:
        attributes = f"lhs_batch_dims={listed(ab)}, rhs_batch_dims={listed(bb)}, " + attributes
    m.result(t, batch + left + right, f"dot({m.param(t, a)}, {m.param(t, b)}), {attributes}")


def convolution(m):
    t, groups = m.rng.choice(FLOATS), m.rng.choice([1, 1, 2])
    batch, features, out_features = m.rng.randint(1, 2), groups * m.rng.randint(1, 2), groups * m.rng.randint(1, 2)
    sizes, window, spatial = [], [], []
    for _ in range(2):
        n, k, stride, low, high, dilate, rdilate = (m.rng.randint(2, 6), m.rng.randint(1, 3), m.rng.choice([1, 1, 2]), m.rng.randint(0, 2),
                                                    m.rng.randint(0, 2), m.rng.choice([1, 1, 2]), m.rng.choice([1, 1, 2]))
        span = (n - 1) * dilate + 1 + low + high - ((k - 1) * rdilate + 1)
        if span < 0:
            n, span = n + 6, (n + 5) * dilate + 1 + low + high - ((k - 1) * rdilate + 1)
        sizes.append(n)
        window.append((k, stride, f"{low}_{high}", dilate, rdilate))
        spatial.append(span // stride + 1)
    spec = " ".join(f"{key}={'x'.join(str(w[i]) for w in window)}" for i, key in enumerate(["size", "stride", "pad", "lhs_dilate", "rhs_dilate"]))
    x, k = m.param(t, [batch, *sizes, features]), m.param(t, [*(w[0] for w in window), features // groups, out_features])
    count = f", feature_group_count={groups}" if groups > 1 else ""
    m.result(t, [batch, *spatial, out_features], f"convolution({x}, {k}), window={{{spec}}}, dim_labels=b01f_01io->b01f{count}")


def reduce(m):
    op, d = m.rng.choice(list(REGION)), m.dims(4, 1)
    axes = sorted(m.rng.sample(range(len(d)), m.rng.randint(1, len(d))))
    many = 1
    for k in axes:
        many *= d[k]
    # Any start, but for a single element: there XLA takes the start for the neutral one, as its specification allows.
    start = m.constant("f32", START[op]) if m.rng.random() < 0.7 or many == 1 else m.param("f32", [])
    m.result("f32", [n for k, n in enumerate(d) if k not in axes], f"reduce({m.param('f32', d)}, {start}), dimensions={listed(axes)}, to_apply={REGION[op]}")


def reduce_window(m):
    op, d, out, window = m.rng.choice(list(REGION)), m.dims(3, 1, (2, 3, 5), False), [], []
    for n in d:
        size, stride, low, high = m.rng.randint(1, 2), m.rng.choice([1, 2]), m.rng.randint(0, 1), m.rng.randint(0, 1)
        out.append((n + low + high - size) // stride + 1)
        window.append((size, stride, f"{low}_{high}"))
    spec = " ".join(f"{key}={'x'.join(str(w[i]) for w in window)}" for i, key in enumerate(["size", "stride", "pad"]))
    m.result("f32", out, f"reduce-window({m.param('f32', d)}, {m.constant('f32', START[op])}), window={{{spec}}}, to_apply={REGION[op]}")


def dynamic_slice(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(3, 1, empty=False)
    sizes = [m.rng.randint(0, n) for n in d]
    starts = [m.param("s32", [], -2, n + 3) for n in d]
    m.result(t, sizes, f"dynamic-slice({m.param(t, d)}, {', '.join(starts)}), dynamic_slice_sizes={listed(sizes)}")


def dynamic_update_slice(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(3, 1, empty=False)
    sizes = [m.rng.randint(0, n) for n in d]
    starts = [m.param("s32", [], -2, n + 3) for n in d]
    m.result(t, d, f"dynamic-update-slice({m.param(t, d)}, {m.param(t, sizes)}, {', '.join(starts)})")


def gather(m):
    t, d, places = m.rng.choice(FLOATS), m.dims(3, 1, empty=False), m.dims(2, 1, empty=False)
    mapped = m.rng.sample(range(len(d)), m.rng.randint(1, len(d)))
    sizes = [m.rng.randint(1, n) for n in d]
    collapsed = sorted(k for k in range(len(d)) if sizes[k] == 1 and m.rng.random() < 0.6)
    kept = [sizes[k] for k in range(len(d)) if k not in collapsed]
    offset = sorted(m.rng.sample(range(len(places) + len(kept)), len(kept)))
    rest = iter(places)
    inside = iter(kept)
    out = [next(inside) if k in offset else next(rest) for k in range(len(places) + len(kept))]
    index = m.param("s32", places + [len(mapped)], -1, 6)
    m.result(t, out, f"gather({m.param(t, d)}, {index}), offset_dims={listed(offset)}, collapsed_slice_dims={listed(collapsed)}, "
                     f"start_index_map={listed(mapped)}, index_vector_dim={len(places)}, slice_sizes={listed(sizes)}")


def scatter(m):
    d, places = m.dims(3, 1, empty=False), m.dims(2, 1, empty=False)
    mapped = m.rng.sample(range(len(d)), m.rng.randint(1, len(d)))
    sizes = [m.rng.randint(1, n) for n in d]
    inserted = sorted(k for k in range(len(d)) if sizes[k] == 1 and m.rng.random() < 0.6)
    kept = [sizes[k] for k in range(len(d)) if k not in inserted]
    window = sorted(m.rng.sample(range(len(places) + len(kept)), len(kept)))
    rest, inside = iter(places), iter(kept)
    update = [next(inside) if k in window else next(rest) for k in range(len(places) + len(kept))]
    index = m.param("s32", places + [len(mapped)], -1, 6)
    m.result("f32", d, f"scatter({m.param('f32', d)}, {index}, {m.param('f32', update)}), update_window_dims={listed(window)}, "
                       f"inserted_window_dims={listed(inserted)}, scatter_dims_to_operand_dims={listed(mapped)}, index_vector_dim={len(places)}, "
                       f"to_apply={REGION[m.rng.choice(['add', 'maximum', 'minimum'])]}")


def sort(m):
    d = m.dims(3, 1)
    m.result("f32", d, f"sort({m.param('f32', d)}), dimensions={{{m.rng.randrange(len(d))}}}, is_stable=true, to_apply=%less_f")


def map_(m):
    d = m.dims(3)
    op = m.rng.choice(list(REGION))
    m.result("f32", d, f"map({m.param('f32', d)}, {m.param('f32', d)}), dimensions={listed(range(len(d)))}, to_apply={REGION[op]}")


def groups_of(m):
    ranks = m.rng.sample(range(4), 4)
    size = m.rng.choice([1, 2, 4])
    return size, "{" + ",".join(listed(ranks[k:k + size]) for k in range(0, 4, size)) + "}"


def all_reduce(m):
    size, groups = groups_of(m)
    d = m.dims(3)
    m.result("f32", d, f"all-reduce({m.param('f32', d)}), replica_groups={groups}, to_apply={REGION[m.rng.choice(list(REGION))]}")


def all_gather(m):
    t, (size, groups), d = m.rng.choice(FLOATS + INTS), groups_of(m), m.dims(3, 1, empty=False)
    axis = m.rng.randrange(len(d))
    m.result(t, d[:axis] + [size * d[axis]] + d[axis + 1:], f"all-gather({m.param(t, d)}), replica_groups={groups}, dimensions={{{axis}}}")


def reduce_scatter(m):
    (size, groups), d = groups_of(m), m.dims(3, 1, empty=False)
    axis = m.rng.randrange(len(d))
    m.result("f32", d, f"reduce-scatter({m.param('f32', d[:axis] + [size * d[axis]] + d[axis + 1:])}), replica_groups={groups}, "
                       f"dimensions={{{axis}}}, to_apply={REGION[m.rng.choice(list(REGION))]}")


def all_to_all(m):
    t, (size, groups), d = m.rng.choice(FLOATS), groups_of(m), m.dims(3, 1, empty=False)
    axis = m.rng.randrange(len(d))
    whole = d[:axis] + [size * d[axis]] + d[axis + 1:]
    m.result(t, whole, f"all-to-all({m.param(t, whole)}), replica_groups={groups}, dimensions={{{axis}}}")


def collective_permute(m):
    t, d = m.rng.choice(FLOATS + INTS), m.dims(3)
    count = m.rng.randint(1, 4)
    pairs = zip(m.rng.sample(range(4), count), m.rng.sample(range(4), count))
    m.result(t, d, f"collective-permute({m.param(t, d)}), source_target_pairs={{{','.join(listed(pair) for pair in pairs)}}}")


OPERATORS = {
    **{op: unary(op, lo, hi) for op, lo, hi in [
        ("cbrt", -9, 9), ("ceil", -3, 3), ("cosine", -9, 9), ("erf", -3, 3), ("exponential", -5, 5), ("exponential-minus-one", -1, 1),
        ("floor", -3, 3), ("is-finite", -1, 1), ("log", 0.01, 9), ("log-plus-one", -0.9, 9), ("logistic", -9, 9), ("round-nearest-afz", -3, 3),
        ("round-nearest-even", -3, 3), ("rsqrt", 0.01, 9), ("sine", -9, 9), ("sqrt", 0, 9), ("tan", -1.4, 1.4), ("tanh", -4, 4)]},
    **{op: unary(op, -2, 2, SIGNED) for op in ("abs", "negate", "sign")},
    **{op: points(op, lo, hi) for op, lo, hi in [("acos", -1, 1), ("acosh", 1, 9), ("asin", -1, 1), ("asinh", -9, 9), ("atanh", -0.99, 0.99),
                                                 ("cosh", -5, 5), ("sinh", -5, 5)]},
    **{op: ints_only(op) for op in ("popcnt", "count-leading-zeros", "not")},
    **{op: binary(op) for op in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder")},
    "power": binary("power", first=(0.1, 3)), "atan2": binary("atan2", ints=False),
    **{op: binary(op, floats=False, pred=True) for op in ("and", "or", "xor")},
    **{op: binary(op, floats=False) for op in ("shift-left", "shift-right-arithmetic", "shift-right-logical")},
    "compare": compare, "select": select, "clamp": clamp, "convert": convert, "bitcast-convert": bitcast_convert, "broadcast": broadcast,
    "concatenate": concatenate, "pad": pad, "reshape": reshape, "reverse": reverse, "slice": slice_, "transpose": transpose, "iota": iota,
    "copy": copy, "dot": dot, "convolution": convolution, "reduce": reduce, "reduce-window": reduce_window, "dynamic-slice": dynamic_slice,
    "dynamic-update-slice": dynamic_update_slice, "gather": gather, "scatter": scatter, "sort": sort, "map": map_,
}
COLLECTIVES = {"all-reduce": all_reduce, "all-gather": all_gather, "reduce-scatter": reduce_scatter, "all-to-all": all_to_all,
               "collective-permute": collective_permute}


def main(folder, instances=200, seed=1):
    os.makedirs(folder, exist_ok=True)
    count = 0
    for op, make in {**OPERATORS, **COLLECTIVES}.items():
        rng = random.Random(f"{op} {seed}")
        for k in range(0, instances, BATCH):
            module = Module(rng, 4 if op in COLLECTIVES else 1)
            for _ in range(min(BATCH, instances - k)):
                make(module)
            module.write(folder, f"random_{op}_{k:03d}")
            count += 1
    print(f"{count} modules, {instances} instances of each of {len(OPERATORS) + len(COLLECTIVES)} operators")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
