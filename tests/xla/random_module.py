"""A module of random instances, and the element types that they take."""
import os

from operators import module_text

FLOATS = ["f32", "f32", "f64", "bf16", "f16"]
SIGNED, UNSIGNED = ["s8", "s16", "s32", "s64"], ["u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
BITS = {t: int(t[1:]) for t in INTS}


class Module:
    """Parameters, lines and results of the instances of one module."""

    def __init__(self, rng, ranks=1):
        self.rng, self.ranks, self.params, self.lines, self.ranges, self.results = rng, ranks, [], [], {}, []

    def dims(self, most=4, least=0, extents=(1, 2, 3, 5), empty=True):
        dims = [self.rng.choice(extents) for _ in range(self.rng.randint(least, most))]
        if empty and dims and self.rng.random() < 0.04:
            dims[self.rng.randrange(len(dims))] = 0
        return dims

    def param(self, t, dims, lo=None, hi=None):
        k = len(self.params)
        self.params.append(text(t, dims))
        if t in BITS and lo is None:
            lo, hi = self.int_range(t)
        if lo is not None:
            self.ranges[k] = (lo, hi)
        return f"%p{k}"

    def int_range(self, t):
        bits = BITS[t]
        if self.rng.random() < 0.3:  # the whole type
            most = 2 ** min(bits - (t[0] == "s"), 52)
            return (-most if t[0] == "s" else 0), most
        most = self.rng.choice([3, 9, 100])
        return (-most if t[0] == "s" else 0), most

    def value(self, t, dims, rhs):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text(t, dims)} {rhs}")
        return name

    def result(self, t, dims, rhs):
        self.results.append((text(t, dims), self.value(t, dims, rhs)))

    def constant(self, t, value):
        return self.value(t, [], f"constant({value})")

    def write(self, folder, name):
        options = {"pre": self.lines, "ranges": self.ranges}
        if self.ranks > 1:
            options["ranks"] = self.ranks
        root = f"({', '.join(t for t, _ in self.results)}) tuple({', '.join(v for _, v in self.results)})"
        with open(os.path.join(folder, name + ".hlo"), "w") as f:
            f.write(module_text(name, self.params, root, options))


def text(t, dims):
    return f"{t}[{','.join(map(str, dims))}]"


def listed(values):
    return "{" + ",".join(map(str, values)) + "}"
