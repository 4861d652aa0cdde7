#!/usr/bin/env python3
"""Broken inputs as a table: a small pair, one edit a row, and the diagnostic code that must come of it. Every row must end
with exit code 3, its code in the first error, nothing on stdout and no file written. Every code of diagnostics.def must
occur, here or in OTHERS.

usage: broken.py PROGRAM ROOT [NAME...]      closing line: N passed, M failed
"""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

import broken_stages
from broken_pair import BASE, DIRECTORY, DISTRIBUTED, MISSING, RELATION, ROWS, SEQUENTIAL, D, R, S, row

# --- files
row("no sequential", "GG-U002", S, MISSING)
row("no distributed", "GG-U002", D, MISSING)
row("no relation and no shardings", "GG-U002", R, MISSING)
row("sequential is a directory", "GG-U002", S, DIRECTORY)
row("relation is a directory", "GG-U002", R, DIRECTORY)
row("empty program", "GG-P007", D, "")
row("blank program", "GG-P007", D, "\n \n")
row("binary garbage", "GG-P007", D, bytes(range(256)) * 20)
row("binary after the header", "GG-P001", D, DISTRIBUTED[:200].encode() + bytes(range(256)) + DISTRIBUTED[200:].encode())
row("a proto", "GG-P007", D, b"\x0a\x04dist\x12\x04main\x1a\x80\x01" + b"\x00" * 100)
row("MLIR", "GG-P007", D, 'module @jit_f attributes {mhlo.num_partitions = 4 : i32} {\n  func.func public @main() {\n  }\n}\n')
row("FX", "GG-P007", D, "def forward(self, x):\n    return x\n")
row("gzip cut off", "GG-U002", D, MISSING, **{D + ".gz": gzip.compress(DISTRIBUTED.encode())[:-40]})
row("gzip with a wrong byte", "GG-U002", D, MISSING,
    **{D + ".gz": (lambda z: z[:60] + bytes([z[60] ^ 255]) + z[61:])(gzip.compress(DISTRIBUTED.encode()))})
row("gzip header only", "GG-U002", D, MISSING, **{D + ".gz": b"\x1f\x8b\x08\x00"})
row("gzip of garbage", "GG-P007", D, MISSING, **{D + ".gz": gzip.compress(bytes(range(256)))})

# --- text
row("cut in a computation", "GG-P001", D, DISTRIBUTED[:-100])
row("cut after the header", "GG-T005", D, DISTRIBUTED.split("\n")[0] + "\n")
row("cut in the header", "GG-P001", D, DISTRIBUTED[:60])
row("unclosed comment", "GG-P001", D, ("%dot = f32", "/* %dot = f32"))
row("unclosed string", "GG-P001", D, ("to_apply=%double", 'to_apply=%double, metadata={op_name="x}'))
row("two roots", "GG-T005", D, ("  %all = f32", "  ROOT %all = f32"))
row("empty computation", "GG-T005", D, ("  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n", ""))
row("no entry", "GG-T005", D, ("ENTRY %main", "%main"))
row("two entries", "GG-P003", D, ("%double (v", "ENTRY %double (v"))
row("unknown operand", "GG-P002", D, ("call(%x)", "call(%missing)"))
row("operand defined later", "GG-P002", D, ("call(%x)", "call(%dot)"))
row("unknown computation", "GG-P002", D, ("to_apply=%sum", "to_apply=%some"))
row("unknown mesh axis in groups", "GG-P002", D, ("replica_groups={{0,1},{2,3}}", "replica_groups=mesh['a'=2,'b'=2] {'c'}"))
row("duplicate instruction", "GG-P003", D, ("  %there = ", "  %dot = "))
row("duplicate computation", "GG-P003", D, ("%double (v", "%sum (v"))
row("number too large", "GG-P004", D, ("parameter(2)", "parameter(99999999999999999999)"))
row("number of garbage", "GG-P001", D, ("constant(2)", "constant(2x)"))
row("literal does not fit", "GG-P004", S, ("%y = f32[4,8]{1,0} call(%x), to_apply=%double",
                                           "%u = u8[] constant(256)\n  %y = f32[4,8]{1,0} call(%x), to_apply=%double"))
row("elided constant", "GG-P005", D, ("%twos = f32[2,4]{1,0} broadcast(%two), dimensions={}", "%twos = f32[2,4]{1,0} constant({...})"))
row("too few constant elements", "GG-P001", D, ("%twos = f32[2,4]{1,0} broadcast(%two), dimensions={}",
                                                "%twos = f32[2,4]{1,0} constant({{1, 2, 3, 4}})"))
row("nesting too deep", "GG-P006", D, ("constant(2)", "constant(" + "{" * 100000))
row("tuple type too deep", "GG-P006", D, ("%two = f32[]", "%two = " + "(" * 100000))

# --- attributes
row("unknown attribute", "GG-A001", D, ("channel_id=1, replica", "flavour=1, replica"))
row("attribute of another operator", "GG-A001", D, ("call(%x), to_apply=%double", "call(%x), to_apply=%double, dimensions={0}"))
row("unknown header attribute", "GG-A001", D, ("num_partitions=4", "num_partitions=4, flavour=2"))
row("missing to_apply", "GG-A002", D, (", to_apply=%sum", ""))
row("missing slice", "GG-A002", D, ("call(%x), to_apply=%double", "slice(%x)"))
row("contracting dimension out of range", "GG-A003", D, ("lhs_contracting_dims={1}", "lhs_contracting_dims={2}"))
row("negative dimension", "GG-A003", D, ("lhs_contracting_dims={1}", "lhs_contracting_dims={-1}"))
row("contracting dimension twice", "GG-A003", D, ("lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                                                  "lhs_contracting_dims={1,1}, rhs_contracting_dims={0,0}"))
row("attribute twice", "GG-A004", D, ("lhs_contracting_dims={1}", "lhs_contracting_dims={1}, lhs_contracting_dims={1}"))
row("groups overlap", "GG-A005", D, ("{{0,1},{2,3}}", "{{0,1},{1,3}}"))
row("groups miss a rank", "GG-A005", D, ("{{0,1},{2,3}}", "{{0,1},{2}}"))
row("groups name a missing rank", "GG-A005", D, ("{{0,1},{2,3}}", "{{0,1},{2,4}}"))
row("a sequential program of several ranks", "GG-A005", S, (SEQUENTIAL, """HloModule s, num_partitions=4
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY main { x = f32[4] parameter(0)
  ROOT y = f32[4] all-reduce(x), channel_id=1, use_global_device_ids=true, replica_groups={{0,1,2,3}}, to_apply=sum }
"""))
row("groups name a negative rank", "GG-P004", D, ("{{0,1},{2,3}}", "{{0,1},{2,-3}}"))
row("an empty group", "GG-A005", D, ("{{0,1},{2,3}}", "{{0,1,2,3},{}}"))
row("iota groups of another count", "GG-A005", D, ("{{0,1},{2,3}}", "[2,4]<=[8]"))
row("iota groups too large", "GG-P004", D, ("{{0,1},{2,3}}", "[1000000000,1000000000]<=[1000000000000000000]"))
row("iota groups that do not multiply", "GG-A005", D, ("{{0,1},{2,3}}", "[2,2]<=[3]"))
row("mesh groups of another count", "GG-A005", D, ("{{0,1},{2,3}}", "mesh['a'=2,'b'=4] {'a'}"))
row("permute with a source twice", "GG-A006", D, ("{{0,2},{2,0},{1,3},{3,1}}", "{{0,2},{0,3}}"))
row("permute with a target twice", "GG-A006", D, ("{{0,2},{2,0},{1,3},{3,1}}", "{{0,2},{1,2}}"))
row("permute to a missing rank", "GG-A006", D, ("{{0,2},{2,0},{1,3},{3,1}}", "{{0,4}}"))

# --- types
row("wrong result type", "GG-T001", D, ("%dot = f32[2,6]", "%dot = f32[2,5]"))
row("wrong element type", "GG-T001", D, ("%dot = f32[2,6]", "%dot = f16[2,6]"))
row("signature of another type", "GG-T005", D, ("(v: f32[2,4]) ->", "(v: f32[2,5]) ->"))
row("result of another type", "GG-T005", D, ("-> (f32[2,6], s32[]) {", "-> (f32[2,6], s64[]) {"))
row("header layout of another type", "GG-T005", D, ("(f32[2,4]{1,0}, f32[4,6]{1,0}, s32[])->", "(f32[2,4]{1,0}, f32[4,7]{1,0}, s32[])->"))
row("parameters with a gap", "GG-T005", D, ("parameter(2)", "parameter(3)"))
row("parameter twice", "GG-T005", D, ("s32[] parameter(2)", "s32[] parameter(1)"))
row("operands of two shapes", "GG-T002", D, ("multiply(%v, %twos)", "multiply(%v, %two)"))
row("too many operands", "GG-T002", D, ("multiply(%v, %twos)", "multiply(%v, %twos, %v)"))
row("too few operands", "GG-T002", D, ("multiply(%v, %twos)", "multiply(%v)"))
row("call with too few operands", "GG-T005", D, ("call(%x), to", "call(), to"))
row("unknown element type", "GG-P001", D, ("%two = f32[]", "%two = f33[]"))
row("negative extent", "GG-P004", D, ("%twos = f32[2,4]", "%twos = f32[2,-4]"))
row("too many elements", "GG-T003", D, ("%twos = f32[2,4]", "%twos = f32[281474976710656,4]"))
row("many factors overflow", "GG-T003", D, ("%twos = f32[2,4]", "%twos = f32[" + ",".join(["1000000"] * 20) + "]"))
row("extent beyond 64 bits", "GG-P004", D, ("%twos = f32[2,4]", "%twos = f32[2,99999999999999999999]"))
row("cyclic calls", "GG-T004", D, ("ROOT %d = f32[2,4]{1,0} multiply(%v, %twos)", "ROOT %d = f32[2,4]{1,0} call(%v), to_apply=%double"))
row("reducer with three parameters", "GG-T005", D, ("(a: f32[], b: f32[]) -> f32[] {\n  %a", "(a: f32[], b: f32[], c: f32[]) -> f32[] {\n  %c = f32[] parameter(2)\n  %a"))

# --- what is not supported
row("unknown operators", "GG-N001", D, ("call(%x), to_apply=%double", "frobnicate(%x)"))
row("FX case with a relation of HLO", "GG-R001", S, MISSING, **{"sequential.fx": "def forward(self): pass\n", "relation.json": RELATION.replace('"ranges"', '"next": {}, "ranges"')})
row("inner nodes", "GG-N002", R, ('"ranges"', '"cut": {}, "ranges"'))

# --- relations
row("relation cut off", "GG-R001", R, RELATION[:-30])
row("relation empty", "GG-R001", R, "")
row("relation of garbage", "GG-R001", R, bytes(range(256)))
row("relation is a list", "GG-R001", R, "[1, 2]")
row("relation is deep", "GG-P006", R, "[" * 200000)
row("relation without mesh", "GG-R001", R, ('"mesh"', '"net"'))
row("unknown key", "GG-R001", R, ('"ranges"', '"range"'))
row("axis without a size", "GG-R001", R, ('["tp", 2]', '["tp"]'))
row("axis of size zero", "GG-R001", R, ('["tp", 2]', '["tp", 0]'))
row("axis of fractional size", "GG-R001", R, ('["tp", 2]', '["tp", 2.5]'))
row("two axes of one name", "GG-R001", R, ('["tp", 2]', '["dp", 2]'))
row("too many ranks", "GG-U004", R, ('["tp", 2]', '["tp", 1000000000000]'))
row("too few inputs", "GG-R002", R, ('[["tp"], []], []]', '[["tp"], []]]'))
row("too many outputs", "GG-R002", R, ('[[["dp"], []], []]', '[[["dp"], []], [], []]'))
row("programs with different outputs", "GG-R002", D, DISTRIBUTED
    .replace("ROOT %r = (f32[2,6]{1,0}, s32[]) tuple(%all, %n)", "ROOT %r = (f32[2,6]{1,0}) tuple(%all)")
    .replace("-> (f32[2,6], s32[]) {", "-> (f32[2,6]) {").replace("->(f32[2,6]{1,0}, s32[])", "->(f32[2,6]{1,0})"))
row("unknown axis", "GG-R003", R, ('[["tp"], []], []]', '[["ep"], []], []]'))
row("axis twice", "GG-R003", R, ('[["dp"], ["tp"]]', '[["dp"], ["dp"]]'))
row("placement of another rank", "GG-R003", R, ('[["dp"], ["tp"]]', '[["dp"]]'))
row("placement string", "GG-R003", R, ('[["dp"], ["tp"]]', '"P(dp, tp"'))
row("output of parts", "GG-R003", R, ('"outputs": [[["dp"], []]', '"outputs": [{"concat": [0, 1]}'))
row("unknown partial operation", "GG-R003", R, ('"outputs": [[["dp"], []]', '"outputs": [{"partial": ["tp"], "op": "xor", "dims": [["dp"], []]}'))
row("ignored input", "GG-R003", R, ('[["dp"], ["tp"]]', '"ignored"'))
row("segments of another length", "GG-R003", R, ('[["dp"], ["tp"]]', '[["dp"], {"axes": ["tp"], "segments": [4, 5]}]'))
row("block does not match", "GG-R004", R, ('[["dp"], ["tp"]]', '[[], ["tp"]]'))
row("output block does not match", "GG-R004", R, ('"outputs": [[["dp"], []]', '"outputs": [[["dp"], ["tp"]]'))
row("element types differ", "GG-R004", S, ("s32[]", "f32[]"))
row("module of a placement is missing", "GG-U002", R, ('[["dp"], ["tp"]]', '{"hlo": "nowhere.hlo"}'))
row("mesh of another size", "GG-R005", R, ('["tp", 2]', '["tp", 4]'))
row("too few devices", "GG-R005", R, ('"inputs"', '"devices": [0, 1, 2], "inputs"'))
row("device twice", "GG-R005", R, ('"inputs"', '"devices": [0, 1, 2, 2], "inputs"'))
row("device that does not exist", "GG-R005", R, ('"inputs"', '"devices": [0, 1, 2, 4], "inputs"'))
row("header count of zero", "GG-P004", D, ("num_partitions=4", "num_partitions=0"))
row("range upside down", "GG-R006", R, ("[0, 10]", "[10, 0]"))
row("range that is not integral", "GG-R006", R, ("[0, 10]", "[0.5, 10]"))
row("range beyond the type", "GG-R006", R, ("[0, 10]", "[0, 1e15]"))
row("range of text", "GG-R006", R, ("[0, 10]", '["0", "10"]'))
row("range of no input", "GG-R006", R, ('"2": [0', '"7": [0'))
row("next of two types", "GG-R002", R, ('"ranges"', '"next": {"0": 1}, "ranges"'))
row("next of no output", "GG-R002", R, ('"ranges"', '"next": {"5": 0}, "ranges"'))

ROWS += broken_stages.ROWS
# Codes that other tests provoke: usage, output files, forms, steps that do not hold, tensors of the user's own runs.
OTHERS = {"GG-U001", "GG-U003", "GG-N003", "GG-C003", "GG-W002"}


def edited(file, change):
    if isinstance(change, tuple):
        old, new = change
        assert BASE[file].count(old) >= 1, f"{old!r} is not in {file}"
        return BASE[file].replace(old, new)
    return change


def write_case(folder, changes):
    os.makedirs(folder)
    for file, text in {**BASE, **{f: edited(f, c) for f, c in changes.items()}}.items():
        path = os.path.join(folder, file)
        if text is DIRECTORY:
            os.makedirs(path)
        elif text is not MISSING:
            with open(path, "wb") as f:
                f.write(text if isinstance(text, bytes) else text.encode())


def tree(folder):
    return sorted(os.path.join(d, n) for d, ds, ns in os.walk(folder) for n in ds + ns)


def run(program, tmp, *arguments):
    outputs = ["--json", "r.json", "--junit", "r.xml", "--sarif", "r.sarif", "--html", "r.html", "--certificate", "c", "--witness", "w"]
    owned = subprocess.run([program, arguments[0], "--help"], capture_output=True, text=True).stdout
    outputs = [x for k in range(0, len(outputs), 2) if re.search(rf"^  {outputs[k]}\b", owned, re.M) for x in outputs[k:k + 2]]
    return subprocess.run([program, *arguments, *outputs], cwd=tmp, capture_output=True, text=True, timeout=60, errors="replace")


def problem(program, tmp, code, arguments, before):
    """What is wrong with one broken input, or None."""
    result = run(program, tmp, *arguments)
    first = re.search(r"error: .*?\[(GG-[A-Z]\d+)\]", result.stderr, re.S)
    if result.returncode != 3:
        return f"exit {result.returncode}, expected 3: {result.stdout[-200:]}{result.stderr[-300:]}"
    if not first or first.group(1) != code:
        return f"expected {code} first: {result.stderr[:400]}"
    if result.stdout:
        return f"stdout is not empty: {result.stdout[:200]}"
    if tree(tmp) != before:
        return f"files were written: {sorted(set(tree(tmp)) - set(before))}"
    return None


# Breaks of a witness folder (replayed) and of a certificate (verified): name, code, file, change of its bytes.
def header(edit):
    """Changes the JSON header of a safetensors file and its length."""
    def change(data):
        size = int.from_bytes(data[:8], "little")
        text = edit(data[8:8 + size])
        return len(text).to_bytes(8, "little") + text + data[8 + size:]
    return change


TENSORS = "inputs.safetensors"
WITNESS_ROWS = [
    ("no tensors", "GG-U002", TENSORS, lambda data: None),
    ("tensors are a directory", "GG-U002", TENSORS, lambda data: DIRECTORY),
    ("empty tensors", "GG-W001", TENSORS, lambda data: b""),
    ("tensors cut in the header", "GG-W001", TENSORS, lambda data: data[:40]),
    ("tensors cut in the data", "GG-W001", TENSORS, lambda data: data[:-8]),
    ("header beyond the file", "GG-W001", TENSORS, lambda data: b"\xff" * 7 + b"\x7f" + data[8:]),
    ("header of garbage", "GG-W001", TENSORS, header(lambda text: bytes(reversed(text)))),
    ("header is a list", "GG-W001", TENSORS, header(lambda text: b"[1, 2]")),
    ("header is deep", "GG-P006", TENSORS, header(lambda text: b"[" * 100000)),
    ("element type", "GG-W001", TENSORS, header(lambda text: text.replace(b"F64", b"F32"))),
    ("shape", "GG-W001", TENSORS, header(lambda text: text.replace(b"[4,8]", b"[8,4]"))),
    ("shape with another count", "GG-W001", TENSORS, header(lambda text: text.replace(b"[4,8]", b"[4,9]"))),
    ("negative extent", "GG-W001", TENSORS, header(lambda text: text.replace(b"[4,8]", b"[-4,-8]"))),
    ("extents that overflow", "GG-W001", TENSORS, header(lambda text: text.replace(b"[4,8]", b"[4294967296,4294967296,4294967296]"))),
    ("offsets beyond the data", "GG-W001", TENSORS, header(lambda text: text.replace(b"[0,256]", b"[4611686018427387904,4611686018427388160]"))),
    ("offsets upside down", "GG-W001", TENSORS, header(lambda text: text.replace(b"[0,256]", b"[256,0]"))),
    ("a tensor is missing", "GG-W001", TENSORS, header(lambda text: text.replace(b'"free.0"', b'"fred.0"'))),
    ("no program", "GG-U002", D, lambda data: None),
    ("program of garbage", "GG-P007", D, lambda data: bytes(range(256))),
    ("relation of garbage", "GG-R001", R, lambda data: b"{"),
]
CERTIFICATE_ROWS = [
    ("empty certificate", "GG-C001", lambda data: b""),
    ("binary certificate", "GG-C001", lambda data: bytes(range(256))),
    ("another version", "GG-C001", lambda data: data.replace(b"gg-certificate 1", b"gg-certificate 99")),
    ("a byte changed", "GG-C001", lambda data: data[:-60] + bytes([data[-60] ^ 1]) + data[-59:]),
    ("lines twice", "GG-C001", lambda data: data + data),
    ("certificate cut in a line", "GG-C001", lambda data: data[:len(data) * 2 // 3]),
    ("number beyond 64 bits", "GG-C001", lambda data: re.sub(rb"left \d+", b"left 99999999999999999999", data, count=1)),
]


def replaced(path, data):
    os.remove(path)
    if data is DIRECTORY:
        os.makedirs(path)
    elif data is not None:
        with open(path, "wb") as f:
            f.write(data)


def broken_witnesses(program):
    """(name, problem) of every row of the two tables."""
    with tempfile.TemporaryDirectory() as tmp:
        write_case(os.path.join(tmp, "case"), {})
        write_case(os.path.join(tmp, "wrong"), {D: ("constant(2)", "constant(3)")})
        made = [subprocess.run([program, *arguments], cwd=tmp, capture_output=True, text=True)
                for arguments in (["check", "wrong", "--witness", "good"], ["prove", "case", "--certificate", "good.cert"])]
        if [m.returncode for m in made] != [1, 0]:
            yield "witness and certificate", f"exit codes {[m.returncode for m in made]}: {made[0].stderr}{made[1].stdout}"
            return
        for name, code, file, change in WITNESS_ROWS:
            folder = os.path.join(tmp, "witness")
            shutil.copytree(os.path.join(tmp, "good"), folder)
            replaced(os.path.join(folder, file), change(open(os.path.join(folder, file), "rb").read()))
            yield name, problem(program, tmp, code, ["replay", "witness"], tree(tmp))
            shutil.rmtree(folder)
        for name, code, change in CERTIFICATE_ROWS:
            shutil.copy(os.path.join(tmp, "good.cert"), os.path.join(tmp, "broken.cert"))
            replaced(os.path.join(tmp, "broken.cert"), change(open(os.path.join(tmp, "good.cert"), "rb").read()))
            yield name, problem(program, tmp, code, ["verify", "broken.cert", "case"], tree(tmp))
        yield "certificate of other programs", problem(program, tmp, "GG-C002", ["verify", "good.cert", "wrong"], tree(tmp))


def main(program, root, names):
    failed, seen = 0, set(OTHERS)
    rows = [r for r in ROWS if not names or r[0] in names]
    for name, code, changes in rows:
        seen.add(code)
        with tempfile.TemporaryDirectory() as tmp:
            write_case(os.path.join(tmp, "case"), changes)
            found = problem(program, tmp, code, ["check", "case"], tree(tmp))
        if found:
            failed += 1
            print(f"FAIL {name}: {found}")
    for name, found in [] if names else list(broken_witnesses(program)):
        rows.append(name)
        if found:
            failed += 1
            print(f"FAIL {name}: {found}")
    seen |= {r[1] for r in WITNESS_ROWS + CERTIFICATE_ROWS} | {"GG-C002"}
    with tempfile.TemporaryDirectory() as tmp:  # the pair itself is good
        write_case(os.path.join(tmp, "case"), {})
        good = run(program, tmp, "run", "case", "--require", "agrees")
        if good.returncode != 0:
            failed += 1
            print(f"FAIL the unbroken pair: {good.stdout}{good.stderr}")
    codes = set(re.findall(r'^DIAG\(\w+,\s*"(GG-[A-Z]\d+)"', open(os.path.join(root, "models/base/diagnostics.def")).read(), re.M))
    codes = {c for c in codes if c[3] not in "DX"}  # diagnoses of divergent programs; XLA dump folders: tests of their own
    if not names and codes != seen:
        failed += 1
        print(f"FAIL codes without a row: {sorted(codes - seen)}; rows without a code: {sorted(seen - codes)}")
    print(f"{len(rows) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]))
