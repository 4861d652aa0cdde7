"""Hostile certificates for gg-verify: of a right pair, with whole hashes, so that the checker reads and weighs every line. None is accepted, none ends
outside of its budget and memory."""
import ctypes
import ctypes.util

import make

OPEN = (1, 2, 3)  # rejected, not decided, or bad input


class Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


xxhash = ctypes.CDLL(ctypes.util.find_library("xxhash"))
xxhash.XXH3_createState.restype = ctypes.c_void_p
xxhash.XXH3_128bits_digest.restype = Hash


def content_hash(*parts):
    """That of models/base/file.h, of the parts one after the other."""
    state = ctypes.c_void_p(xxhash.XXH3_createState())
    xxhash.XXH3_128bits_reset(state)
    for part in parts:
        xxhash.XXH3_128bits_update(state, part, ctypes.c_size_t(len(part)))
    value = xxhash.XXH3_128bits_digest(state)
    xxhash.XXH3_freeState(state)
    return b"%016x%016x" % (value.high, value.low)


SEQUENTIAL = make.program(["%x = f32[4] parameter(0)", "%s = f32[4] sine(%x)", "%c = f32[4] cosine(%s)", "ROOT %y = f32[4] add(%s, %c)"])
DISTRIBUTED = make.program(["%x = f32[2] parameter(0)", "%s = f32[2] sine(%x)", "%c = f32[2] cosine(%s)", "ROOT %y = f32[2] add(%c, %s)"], "x: f32[2]", "f32[2]",
                           header=", num_partitions=2")
RELATION = '{"mesh": [["d", 2]], "inputs": [[["d"]]], "outputs": [[["d"]]]}'
PAIR = make.pair(SEQUENTIAL, DISTRIBUTED, RELATION)
ANCHOR = b"anchor 0 0 main/%s\n"
LAST = b"output 0 left 0 right 0\n"


def certificate(*lines, last=LAST, assume=b"assume finite-inputs\n"):
    """Its parts: large ones are not copied."""
    head = [b"gg-certificate 1\n"] + [b"%s %s\n" % (name, content_hash(text.encode())) for name, text in
                                      ((b"sequential", SEQUENTIAL), (b"distributed", DISTRIBUTED), (b"relation", RELATION))]
    parts = [*head, assume, *(part.encode() if isinstance(part, str) else part for part in lines), last]
    return parts + [b"end ", content_hash(*parts), b"\n"]


def add(name, text, codes=OPEN, says="", budget=1, arguments=("cert", "case")):
    make.add("certificate", name, lambda: {**PAIR, "cert": text()}, codes, says, arguments, budget, "gg-verify")


def terms():
    """What may stand where the certificate says what a value is."""
    wide, deep = 300_000, 100_000
    yield "the number 10^1,000,000", lambda: "1" + "0" * 1_000_000
    yield "a ratio of 10^100,000 digits", lambda: "7" * 100_000 + "/" + "3" * 100_000
    yield "a ratio by zero", lambda: "1/0"
    yield "half a ratio", lambda: "1/-/2"
    yield "2 to the 10^9th", lambda: "(^ 2 1000000000)"
    yield "2 to the 2048th, again and again", lambda: "(^ " * 20 + "2" + " 2048)" * 20
    yield "a value to the 2^62th", lambda: "(^ x0[2*v0+v1] 4611686018427387904)"
    yield "a sum to the 1000th", lambda: "(^ (+ 1 s0[2*v0+v1]) 1000)"
    yield "a product of 60 sums", lambda: "(* " + " ".join(f"(+ s0[v1+{k}] s0[v0+{k}])" for k in range(60)) + ")"
    yield "a power with more behind it", lambda: "(^ x0[v1] 2 2)"
    yield "a sum of many", lambda: "(+" + " s0[2*v0+v1]" * wide + ")"
    yield "a sum of many different", lambda: "(+" + "".join(f" s0[{k}*v0+v1]" for k in range(wide)) + ")"
    yield "an index of many", lambda: "s0[" + "+".join(f"{k}*v0" for k in range(wide)) + "]"
    yield "many indices", lambda: "s0[" + "v0," * wide + "v1]"
    yield "a table of many", lambda: "s0[tab(" + "7," * wide + "1;v1)]"
    yield "many binders", lambda: "(add [" + ",".join(f"b{k}:2" for k in range(3000)) + "] true s0[v1])"
    yield "folds of 2^62", lambda: "(add [b0:4611686018427387904] true s0[b0])"
    yield "a fold of nothing", lambda: "(add [b0:0] true s0[b0])"
    yield "ten folds of 16", lambda: "(add [" + ",".join(f"b{k}:16" for k in range(10)) + "] true s0[" + "+".join(f"b{k}" for k in range(10)) + "])"
    yield "binders of one name", lambda: "(add [b0:2,b0:3] true s0[b0])"
    yield "a binder out of its fold", lambda: "s0[b0]"
    yield "numbers beyond 2^63", lambda: "s0[9223372036854775808*v0]"
    yield "coefficients that overflow", lambda: "s0[9223372036854775807*v0+9223372036854775807*v0+v1]"
    yield "a product of indices that overflows", lambda: "s0[(9223372036854775807*v0*9223372036854775807*v1)]"
    yield "a clamp from above to below", lambda: "s0[clamp(v1,9223372036854775807,-9223372036854775807)]"
    yield "an index by zero", lambda: "s0[(v1/0)]"
    yield "a read of 2^62 levels", lambda: "s0[2*v0+v1] | s0[2*v0+v1]!4611686018427387904"
    yield "many marks", lambda: "s0[2*v0+v1] |" + " s0[2*v0+v1]!" * wide
    yield "2^62 levels", lambda: "s0[2*v0+v1] left 4611686018427387904"
    yield "a split by many", lambda: "s0[2*v0+v1] split " + ",".join(["v0"] * wide)
    yield "a split by a variable that is not", lambda: "s0[2*v0+v1] split v4611686018427387904"
    yield "a value that is not", lambda: "s4611686018427387904[v1]"
    yield "an input that is not", lambda: "x4611686018427387904[v1]"
    yield "a gap that is not", lambda: "g7[v1]"
    yield "an array that is not", lambda: "k7[v1]"
    yield "an operator that is not", lambda: "(" + "frobnicate" * 10_000 + " s0[v1])"
    yield "a row of a signature that is not", lambda: "(row 00000000000000000000000000000000 4611686018427387904 [b0:9] [v1] s0[b0])"
    yield "a wrap of a type that is not", lambda: "(wrap zz99 v1)"
    yield "a reduction of one", lambda: "(add s0[v1])"
    yield "nothing", lambda: ""
    yield "escapes", lambda: "(\x1b[31m\x07 s0[v1])"
    yield "no UTF-8", lambda: b"(\xff\xfe\x00 s0[v1])"
    for left, right, name in (("(+ 1 ", ")", "sums"), ("(* 2 ", ")", "products"), ("(case true ", " 0)", "cases"), ("(add [b0:2] true ", ")", "folds"), ("(sine ", ")", "functions")):
        for depth in (199, 201, deep):
            yield f"{depth} {name} inside each other", lambda left=left, right=right, depth=depth: left * depth + "s0[v1]" + right * depth
    for left, right, name in (("(", "/2)", "divisions"), ("({s0[", "]}*v0)", "reads in indices"), ("tab(1;", ")", "tables"), ("clamp(", ",0,1)", "clamps")):
        for depth in (199, deep):
            yield f"{depth} {name} inside each other", lambda left=left, right=right, depth=depth: "s0[" + left * depth + "v1" + right * depth + "]"
    yield f"{deep} open brackets", lambda: "(" * deep


def lines():
    """Many lines, or strange ones."""
    many = 10_000_000
    yield "10^7 empty lines", lambda: certificate(b"\n" * many)
    yield "10^7 anchors", lambda: certificate(ANCHOR * many)
    yield "10^7 gaps", lambda: certificate(ANCHOR, b"gap 0 D 0 main/%s\n" * many)
    yield "10^7 outputs", lambda: certificate(LAST * many)
    yield "10^6 records", lambda: certificate(ANCHOR, b"D 0 main/%s s0[2*v0+v1]!\n" * (many // 10))
    yield "10^6 assumptions", lambda: certificate(assume=b"assume finite-inputs\n" * (many // 10))
    yield "10^6 ranges", lambda: certificate(assume=b"".join(b"assume range x%07d 0 1\n" % k for k in range(many // 10)))
    yield "10^5 arrays", lambda: certificate("".join(f"array {k} S 0 main/%s\n" for k in range(many // 100)))
    yield "a line of 10^8 characters", lambda: certificate(b"D 0 ", b"x" * 10 ** 8)
    yield "an instance of 10^6 calls", lambda: certificate("D 0 " + "main/" * 10 ** 6 + "%s s0[v0]\n")
    yield "a leaf beyond 2^63", lambda: certificate("anchor 0 99999999999999999999 main/%s\n")
    yield "a leaf that is not", lambda: certificate("anchor 0 4611686018427387904 main/%s\n")
    yield "an output that is not", lambda: certificate(ANCHOR, last=b"output 4611686018427387904 left 0 right 0\n")
    yield "2^62 levels of an output", lambda: certificate(ANCHOR, last=b"output 0 left 4611686018427387904 right 4611686018427387904\n")
    yield "no line", lambda: certificate(last=b"")
    yield "the end first", lambda: [b"end 00000000000000000000000000000000\n"]
    yield "text behind the end", lambda: certificate(ANCHOR) + [b"more\n"]
    yield "no bytes", lambda: []
    yield "zeros", lambda: [b"\0" * 1_000_000]
    yield "a .gz file that becomes 600 MB", lambda: [make.gz_of(600 << 20)]


def make_inputs():
    add("the right one", lambda: certificate(ANCHOR, "D 0 main/%s s0[2*v0+v1]!\n"), (0,), "accepted")
    for name, term in terms():
        codes = (0, 2) if name == "many marks" else OPEN  # they say what is so
        add(f"a value that is {name}", lambda term=term: certificate(ANCHOR, "D 0 main/%s ", term(), "\n"), codes)
    for name, text in lines():
        add(name, text)
    for option, values in {"--budget-seconds": ("nan", "inf", "-1", "0", "1e300", "", "x"), "--memory-mb": ("0", "-1", "63", "99999999999999999999", "nan", "")}.items():
        for value in values:
            add(f"{option} {value!r}", lambda: certificate(ANCHOR), (3,), "GG-U001", budget=None, arguments=("cert", "case", option, value))
    add("an option with escapes", lambda: certificate(ANCHOR), (3,), "GG-U001", budget=None, arguments=("cert", "case", "--\x1b[31m\naccepted records=1"))
