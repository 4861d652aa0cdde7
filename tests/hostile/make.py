"""Hostile inputs: cases, arguments and what must come of them. Every input is made here from a few lines; nothing is stored.

Input(name, kind, files, arguments, codes, says, budget, program, environment): `files` by path below a folder of its own (text, bytes, a list of bytes, a Link,
FIFO, or Blanks), or a function that gives them; `codes` the exit codes that are right, `says` what stdout and stderr together must hold.
"""
import gzip
import struct
from collections import namedtuple

Input = namedtuple("Input", "name kind files arguments codes says budget program environment")
FIFO = object()
Link = namedtuple("Link", "target")
Blanks = namedtuple("Blanks", "text size")  # a text, and blanks (zeros behind no text) up to so many bytes

BAD, OPEN = (3,), (2,)
DECIDED = (0, 2)  # the pair is right: proved, or not within its budget
INPUTS = []


def add(kind, name, files, codes, says="", arguments=("check", "case"), budget=5, program="gg-harness", environment=None):
    INPUTS.append(Input(name, kind, files, tuple(arguments), codes, says, budget, program, environment or {}))


def limits(root):
    """The table of models/base/limits.def: name -> (number, code)."""
    import re
    table = {}
    codes = dict(re.findall(r'DIAG\((\w+),\s*"(GG-\w+)"', open(f"{root}/models/base/diagnostics.def").read()))
    for name, value, code in re.findall(r"^LIMIT\((\w+),\s*(.+?),\s*(\w+),\s*\"", open(f"{root}/models/base/limits.def").read(), re.M):
        value = value.replace("std::int64_t", "").replace("'", "").replace("{", "(").replace("}", ")")
        table[name] = (eval(value), codes[code])
    return table


def module(body, name="m", header="", before=""):
    """An entry computation of these lines; `header` more attributes of the module."""
    return f"HloModule {name}{header}\n\n{before}ENTRY %main {body}\n"


def program(lines, parameters="x: f32[4]", result="f32[4]", **more):
    return module(f"({parameters}) -> {result} {{\n" + "".join(f"  {line}\n" for line in lines) + "}", **more)


def identity(type_="f32[4]", **more):
    return program([f"%x = {type_} parameter(0)", f"ROOT %y = {type_} negate(%x)"], f"x: {type_}", type_, **more)


ONE = '{"mesh": [["d", 1]], "inputs": ["replicated"], "outputs": ["replicated"]}'


def pair(sequential, distributed=None, relation=ONE, folder="case"):
    return {f"{folder}/sequential.hlo": sequential, f"{folder}/distributed.hlo": sequential if distributed is None else distributed,
            f"{folder}/relation.json": relation}


def doubling(times, leaf=1):
    """Computations that call the one before twice: 2^times instances of a few lines."""
    before = "%c0 (p: f32[4]) -> f32[4] {\n  %p0 = f32[4] parameter(0)\n" + "".join(
        f"  %n{k} = f32[4] negate({'%p0' if k == 0 else f'%n{k - 1}'})\n" for k in range(leaf - 1)) + \
        f"  ROOT %n = f32[4] negate({'%p0' if leaf == 1 else f'%n{leaf - 2}'})\n}}\n\n"
    for k in range(1, times + 1):
        before += (f"%c{k} (p: f32[4]) -> f32[4] {{\n  %p{k} = f32[4] parameter(0)\n  %a{k} = f32[4] call(%p{k}), to_apply=%c{k - 1}\n"
                   f"  ROOT %b{k} = f32[4] call(%a{k}), to_apply=%c{k - 1}\n}}\n\n")
    return program(["%x = f32[4] parameter(0)", f"ROOT %y = f32[4] call(%x), to_apply=%c{times}"], before=before)


def nested_calls(depth):
    before = "%c0 (p: f32[4]) -> f32[4] {\n  %p0 = f32[4] parameter(0)\n  ROOT %n = f32[4] negate(%p0)\n}\n\n"
    for k in range(1, depth):
        before += f"%c{k} (p: f32[4]) -> f32[4] {{\n  %p{k} = f32[4] parameter(0)\n  ROOT %b{k} = f32[4] call(%p{k}), to_apply=%c{k - 1}\n}}\n\n"
    return program(["%x = f32[4] parameter(0)", f"ROOT %y = f32[4] call(%x), to_apply=%c{depth - 1}"], before=before)


def parameters(count):
    lines = [f"%x{k} = f32[] parameter({k})" for k in range(count - 1)] + [f"%x{count - 1} = f32[] parameter({count - 1})",
                                                                         "ROOT %y = f32[] negate(%x0)"]
    return program(lines, ", ".join(f"x{k}: f32[]" for k in range(count)), "f32[]")


def tuple_nest(depth):
    type_ = "f32[4]"
    lines, value = ["%x = f32[4] parameter(0)"], "%x"
    for k in range(depth):
        type_ = f"({type_})"
        lines.append(f"%t{k} = {type_} tuple({value})")
        value = f"%t{k}"
    return program(lines + ["ROOT %y = f32[4] negate(%x)"])


def at_the_limits(table):
    """One below, at and above each limit that a small file reaches."""
    def three(name, make, good=DECIDED, bad=BAD, says=None, **more):
        number, code = table[name]
        for k in (number - 1, number, number + 1):
            add("limit", f"{name} {k - number:+d}", lambda k=k: make(k), good if k <= number else bad, "" if k <= number else code if says is None else says, **more)

    three("Dimensions", lambda n: pair(identity(f"f32[{','.join(['1'] * (n - 1) + ['2'])}]")))
    three("Dimensions", lambda n: pair(program([f"%x = f32[{','.join(['2'] * 3 + ['1'] * (n - 3))}] parameter(0)", "%z = f32[] constant(0)",
                                               f"ROOT %y = f32[] reduce(%x, %z), dimensions={{{','.join(map(str, range(n)))}}}, to_apply=%sum"],
                                              f"x: f32[{','.join(['2'] * 3 + ['1'] * (n - 3))}]", "f32[]", before=SUM)))
    three("TupleDepth", lambda n: pair(tuple_nest(n)))
    three("CallDepth", lambda n: pair(nested_calls(n)))
    three("Brackets", lambda n: pair(identity(), identity(header=", frontend_attributes={a=" + "{" * (n - 1) + "}" * (n - 1) + "}")))
    three("ShardingDepth", lambda n: pair(identity(), program(
        ["%x = f32[4] parameter(0), sharding=" + "{" * n + "{replicated}" + "}" * n, "ROOT %y = f32[4] negate(%x)"])), good=(0, 2, 3), bad=(0, 2, 3), says="")
    three("JsonDepth", lambda n: pair(identity(), relation=ONE[:-1] + ', "note": ' + "[" * (n - 1) + "]" * (n - 1) + "}"))
    three("JsonBytes", lambda n: pair(identity(), relation=ONE + " " * (n - len(ONE))))
    three("JsonKeys", lambda n: pair(identity(), relation=ONE[:-1] + ', "note": {' + ", ".join(f'"k{k}": 0' for k in range(n)) + "}}"))
    three("MeshAxes", lambda n: pair(identity(), relation='{"mesh": [' + ", ".join(f'["a{k}", 1]' for k in range(n)) +
                                     '], "inputs": ["replicated"], "outputs": ["replicated"]}'))
    three("Ranks", lambda n: pair(identity(), relation=ONE.replace('["d", 1]', f'["d", {n}]')), good=(0, 2, 3), budget=2)
    three("Leaves", lambda n: pair(identity(), program(["%x = f32[4] parameter(0)", "%o = (" + ", ".join(["f32[]"] * n) + ") custom-call(%x), "
                                                        'custom_call_target="o"', "ROOT %y = f32[4] negate(%x)"])), budget=1)
    three("Parameters", lambda n: pair(parameters(n), relation='{"mesh": [["d", 1]], "inputs": {}, "default": "replicated", "outputs": ["replicated"]}'),
          good=(0, 2, 3), budget=1)
    three("Elements", lambda n: pair(identity(f"f32[{n}]")), says="GG-P004", budget=2)
    three("Programs", lambda n: {"case/sequential.hlo": identity(), "case/relation.json": '{"mesh": [["d", 1]], "inputs": [], "outputs": [], "programs": [' +
                                 ", ".join('{"file": "p.hlo"}' for _ in range(n)) + "]}"}, good=BAD)
    for k in (-1, 0, 1):
        number, code = table["Pattern"]
        add("limit", f"Pattern {k:+d}", {"dump/module_0001.a.before_spmd-partitioning.txt": identity()}, BAD, code if k == 1 else "GG-X",
            ["check", "--xla-dump", "dump", "--module", "a" * (number + k)])
        number, code = table["BudgetSeconds"]
        add("limit", f"BudgetSeconds {k:+d}", pair(identity()), (0,) if k < 1 else BAD, "" if k < 1 else code,
            ["check", "case", "--budget-seconds", str(number + k)], budget=None)
    three("Instances", lambda n: pair(counted(n)), good=OPEN, budget=1)
    for name, text in (("far above", doubling(26)), ("as many as there are bits", doubling(64)), ("twice that", doubling(128))):
        add("limit", f"Instances {name}", pair(text), BAD, table["Instances"][1], budget=4)
    three("GroupEntries", grouped, budget=1)
    three("FileBytes", lambda n: {**pair(identity()), "case/distributed.hlo": Blanks(identity(), n)}, good=(0, 2), budget=3)
    # Bytes that are no tensors: up to the limit the header is what is wrong, where the memory holds them.
    three("TensorBytes", lambda n: {**pair(identity()), "case/inputs.safetensors": Blanks("", n)}, good=(2, 3), arguments=["replay", "case"], budget=1)


def counted(instances):
    """A program of exactly so many instructions, those of called computations once a call: a doubling, and the rest as a chain of calls of 1001."""
    big = 1001
    before = ("%c0 (p: f32[4]) -> f32[4] {\n  %p0 = f32[4] parameter(0)\n" +
              "".join(f"  %n{k} = f32[4] negate({'%p0' if k == 0 else f'%n{k - 1}'})\n" for k in range(big - 2)) + f"  ROOT %n = f32[4] negate(%n{big - 3})\n}}\n\n")
    rest = instances - 1  # the parameter; each call is itself and what it calls
    calls, lines = rest // (big + 1), ["%x = f32[4] parameter(0)"]
    steps = [f"call(@), to_apply=%c0"] * calls + ["negate(@)"] * (rest - calls * (big + 1))
    for k, step in enumerate(steps):
        lines.append(f"{'ROOT ' if k + 1 == len(steps) else ''}%s{k} = f32[4] {step.replace('@', '%x' if k == 0 else f'%s{k - 1}')}")
    return program(lines, before=before)


def grouped(entries):
    """A pair whose replica groups have so many ranks in all (near 2^22): all-reduces of what is replicated, each over all ranks in an order of its own."""
    ranks = next(n for n in range(1 << 11, 1 << 12) if entries % n == 0)
    order, lines = [str(k) for k in range(ranks)], ["%g0 = f32[4] parameter(0)"]
    for k in range(entries // ranks):
        lines.append(f"%g{k + 1} = f32[4] all-reduce(%g{k}), channel_id={k + 1}, replica_groups={{{{{','.join(order[k % ranks:] + order[:k % ranks])}}}}}, "
                     "use_global_device_ids=true, to_apply=%max")
    lines.append(f"ROOT %y = f32[4] negate(%g{entries // ranks})")
    return pair(identity(), program(lines, header=f", num_partitions={ranks}", before=SUM.replace("sum", "max").replace("add(", "maximum(")),
                ONE.replace('["d", 1]', f'["d", {ranks}]'))


SUM = "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\n\n"


def gz_of(size):
    """A .gz file of `size` blanks, made of blocks that are compressed once."""
    import io
    block = gzip.compress(b" " * (1 << 20), 9)
    out = io.BytesIO()
    for _ in range(size >> 20):
        out.write(block)
    return out.getvalue()


def past_the_budget():
    """What takes long: the command ends in time and says in which phase."""
    late = dict(codes=(0, 1, 2, 3), budget=1)
    n = 1 << 22
    compare = ("%less (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
               "  ROOT %l = pred[] compare(%a, %b), direction=LT\n}\n\n")
    for size in (n, 4 * n):
        add("budget", f"a sort of {size}", pair(program([f"%x = f32[{size}] parameter(0)", f"ROOT %y = f32[{size}] sort(%x), dimensions={{0}}, to_apply=%less"],
                                                        f"x: f32[{size}]", f"f32[{size}]", before=compare)), arguments=["check", "case", "--run-shapes", "full"], **late)
    chain = 30000
    lines = ["%x = f32[4] parameter(0)"] + [f"%n{k} = f32[4] {'sine' if k % 2 else 'negate'}({'%x' if k == 0 else f'%n{k - 1}'})" for k in range(chain)]
    add("budget", f"a chain of {chain}", pair(program(lines + [f"ROOT %y = f32[4] negate(%n{chain - 1})"])), **late)
    add("budget", "calls that double 17 times", pair(doubling(17)), **late)
    add("budget", "calls that double 26 times", pair(doubling(26)), BAD)
    add("budget", "calls that double 40 times", pair(doubling(40)), BAD)
    add("budget", "5,000 parameters", pair(parameters(5000), relation=ONE.replace('["replicated"], "o', '[' + ", ".join(['"replicated"'] * 5000) + '], "o')), **late)
    add("budget", "20,000 parameters", pair(parameters(20000)), BAD, "GG-U004")
    axes = 100_000
    add("budget", "100,000 mesh axes", pair(identity(), relation='{"mesh": [' + ", ".join(f'["a{k}", 1]' for k in range(axes)) +
                                            '], "inputs": ["replicated"], "outputs": ["replicated"]}'), BAD, "GG-U004")
    add("budget", "100,000 axes of an object", pair(identity(), relation='{"mesh": {' + ", ".join(f'"a{k}": 1' for k in range(axes)) +
                                                    '}, "inputs": ["replicated"], "outputs": ["replicated"]}'), BAD, "GG-U004")
    add("budget", "2^20 leaves", pair(identity(), program(["%x = f32[4] parameter(0)", "%o = (" + "f32[]," * (1 << 20) + "f32[]) custom-call(%x), "
                                                           'custom_call_target="o"', "ROOT %y = f32[4] negate(%x)"])), BAD, "GG-U004")
    for trips in (10 ** 6, 10 ** 9):
        loop = (f"%body (s: (s32[], f32[4])) -> (s32[], f32[4]) {{\n  %s = (s32[], f32[4]) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n"
                "  %v = f32[4] get-tuple-element(%s), index=1\n  %one = s32[] constant(1)\n  %j = s32[] add(%i, %one)\n  %w = f32[4] cosine(%v)\n"
                "  ROOT %t = (s32[], f32[4]) tuple(%j, %w)\n}\n\n%cond (s: (s32[], f32[4])) -> pred[] {\n  %s.1 = (s32[], f32[4]) parameter(0)\n"
                f"  %i.1 = s32[] get-tuple-element(%s.1), index=0\n  %n = s32[] constant({trips})\n  ROOT %c = pred[] compare(%i.1, %n), direction=LT\n}}\n\n")
        add("budget", f"a loop of {trips}", pair(program(
            ["%x = f32[4] parameter(0)", "%z = s32[] constant(0)", "%s0 = (s32[], f32[4]) tuple(%z, %x)",
             "%r = (s32[], f32[4]) while(%s0), condition=%cond, body=%body", "ROOT %y = f32[4] get-tuple-element(%r), index=1"], before=loop)), **late)
    for mode in ("run", "prove", "check"):
        size = 1500
        add("budget", f"a product of {size} squared, {mode}", pair(program(
            [f"%x = f32[{size},{size}] parameter(0)", f"%a = f32[{size},{size}] dot(%x, %x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
             f"ROOT %y = f32[{size},{size}] dot(%a, %x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}"],
            f"x: f32[{size},{size}]", f"f32[{size},{size}]")), arguments=[mode, "case", "--run-shapes", "full", "--dtype", "real"], **late)
    for size in (1 << 28, 1 << 33, 1 << 40, 1 << 47):
        add("memory", f"a tensor of {size}", pair(identity(f"f32[{size}]")), arguments=["check", "case", "--run-shapes", "full"], **late)
        add("memory", f"an iota of {size}", pair(program(["%x = f32[4] parameter(0)", f"%i = f32[{size}] iota(), iota_dimension=0", "%z = f32[] constant(0)",
                                                          f"%r = f32[] reduce(%i, %z), dimensions={{0}}, to_apply=%sum",
                                                          "%b = f32[4] broadcast(%r), dimensions={}", "ROOT %y = f32[4] add(%x, %b)"], before=SUM)), **late)
    for megabytes in (64, 600):
        files = pair(identity())
        del files["case/distributed.hlo"]
        files["case/distributed.hlo.gz"] = gz_of(megabytes << 20)
        add("memory", f"a .gz file that becomes {megabytes} MB", files, BAD, "GG-U004" if megabytes > 512 else "GG-P007", budget=8)
    groups = "{" + ",".join("{" + ",".join(map(str, range(k, k + 1000))) + "}" for k in range(0, 100_000, 1000)) + "}"
    add("budget", "groups of 100,000 ranks", pair(identity(), program(
        ["%x = f32[4] parameter(0)", f"ROOT %y = f32[4] all-reduce(%x), channel_id=1, replica_groups={groups}, use_global_device_ids=true, to_apply=%sum"],
        header=", num_partitions=100000", before=SUM), ONE.replace('["d", 1]', '["d", 100000]')), **late)
    add("budget", "2^20 ranks", pair(identity(), relation=ONE.replace('["d", 1]', '["d", 1048576]')), **late)


def nested():
    """Brackets inside each other, far beyond every limit."""
    for depth in (1000, 300_000):
        for left, right, name in (("[", "]", "lists"), ('{"a":', "}", "objects"), ("[", "", "open lists")):
            add("nesting", f"relation.json of {depth} {name}", pair(identity(), relation=left * depth + right * depth), BAD, "GG-P006")
        add("nesting", f"a relation's mesh of {depth} lists", pair(identity(), relation=ONE.replace('[["d", 1]]', "[" * depth + "]" * depth)), BAD, "GG-P006")
        header = ('{"free.0":{"dtype":"F64","shape":' + "[" * depth + "]" * depth + ',"data_offsets":[0,0]}}').encode()
        tensors = struct.pack("<Q", len(header)) + header
        add("nesting", f"a shape of {depth} lists in a witness", {**pair(identity()), "case/inputs.safetensors": tensors}, BAD, "GG-P006", ["replay", "case"])
        add("nesting", f"a shape of {depth} lists in a run", {"a/rank0.safetensors": tensors, "b/rank0.safetensors": tensors, "r.json": ONE}, BAD, "GG-",
            ["compare", "a", "b", "--relation", "r.json"])
        for text, name in (("(", "types"), ("f32[4]{" + "(" , "layouts")):
            add("nesting", f"{depth} brackets in {name}", pair(identity(), f"HloModule m\n\nENTRY %main (x: {text * depth}) -> f32[4] {{\n}}\n"), BAD, "GG-P00")
        add("nesting", f"a literal of {depth} brackets", pair(identity(), program([f"%c = f32[4] constant({'{' * depth + '}' * depth})", "ROOT %y = f32[4] negate(%c)"])), BAD, "GG-")
        add("nesting", f"a sharding of {depth} brackets", pair(identity(), program(["%x = f32[4] parameter(0), sharding=" + "{" * depth + "}" * depth,
                                                                                  "ROOT %y = f32[4] negate(%x)"])), BAD, "GG-P006")
        add("nesting", f"{depth} calls", pair(nested_calls(min(depth, 20000))), BAD, "GG-P006")
        add("nesting", f"metadata of {depth} brackets", pair(identity(), program(["%x = f32[4] parameter(0), metadata={" + "{" * depth + "}" * depth + "}",
                                                                                "ROOT %y = f32[4] negate(%x)"])), BAD, "GG-P006")
    dump = {"dump/module_0001.a.before_spmd-partitioning.txt": identity(), "dump/module_0001.a.after_spmd-partitioning.txt": identity(header=", num_partitions=1")}
    for pattern, says in (("(" * 100_000, "GG-U001"), ("(" * 200, "GG-U001"), ("(a+)+$", "GG-"), ("(a|a)*$", "GG-"), ("(.*)*(.*)*(.*)*x", "GG-"), ("[", "GG-U001"),
                          ("((a{1,255}){1,255}){1,255}", "GG-U001"), (r"(a)\1", "GG-U001"), ("(" * 100 + "a" + ")*" * 100 + "b", "GG-"), ("\\", "GG-U001"), ("*", "GG-")):
        for command in ("check", "passes"):
            where = ["--xla-dump", "dump"] if command == "check" else ["dump"]
            name = "a" * 200
            files = {path.replace(".a.", f".{name}."): text for path, text in dump.items()}
            add("pattern", f"{command} --module {pattern[:30]} ({len(pattern)})", files, BAD if says == "GG-U001" else (0, 2, 3), says if says == "GG-U001" else "",
                [command, *where, "--module", pattern])


FORGED = "proved claim=refinement assumptions=none undefined=0/4 mutants=3 shapes=full seeds=42+3"
HOSTILE_NAMES = {
    "a line end": f"f\n{FORGED}\n", "a return": f"f\r{FORGED}\r", "an escape": "\x1b[2J\x1b[31mred\x1b]0;title\x07", "quotes": "'\"`$(touch made)`${HOME}",
    "tags": "<script>alert(1)</script>]]>&lt;", "a right-to-left mark": "a\u202eb", "a C1 control": "a\x9b31m", "no UTF-8": b"a\xff\xfeb", "half a character": b"a\xe2\x82",
    "a surrogate": b"a\xed\xa0\x80", "blanks": f"x {FORGED}", "a separator": f"a\u2028{FORGED}", "a NUL-like escape": "a\\0\\n", "template": "{{7*7}}%s%n{0}",
}


def names():
    """Names of strangers in every place that comes out again."""
    def with_target(target):
        raw = target if isinstance(target, bytes) else target.encode("utf-8", "surrogatepass")
        text = program(["%x = f32[4] parameter(0)", 'ROOT %y = f32[4] custom-call(%x), custom_call_target="@@"'])
        return text.encode().replace(b"@@", raw.replace(b'"', b'\\"'))
    reports = ["--json", "out.json", "--junit", "out.xml", "--sarif", "out.sarif", "--html", "out.html"]
    wrong = program(["%x = f32[4] parameter(0)", "ROOT %y = f32[4] add(%x, %x)"])
    for name, value in HOSTILE_NAMES.items():
        raw = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
        add("names", f"a call target with {name}", pair(with_target(value), identity()), (2, 3), arguments=["check", "case", *reports])
        meta = identity().replace("parameter(0)", 'parameter(0), metadata={op_name="@@" source_file="@@" source_line=3}').encode().replace(b"@@", raw.replace(b'"', b'\\"'))
        meta_wrong = wrong.replace("parameter(0)", 'parameter(0), metadata={op_name="@@" source_file="@@" source_line=3}').encode().replace(b"@@", raw.replace(b'"', b'\\"'))
        add("names", f"metadata with {name}", pair(meta, meta_wrong), (1, 3), arguments=["check", "case", *reports])
        folder = raw.replace(b"/", b"|").replace(b"\0", b"")[:80]
        add("names", f"a folder with {name}", {folder + b"/sequential.hlo": identity(), folder + b"/distributed.hlo": wrong, folder + b"/relation.json": ONE}, (1,),
            arguments=["check", folder, *reports])
        add("names", f"a suite of a folder with {name}", {b"all/" + folder + b"/sequential.hlo": identity(), b"all/" + folder + b"/distributed.hlo": wrong,
                                                          b"all/" + folder + b"/relation.json": ONE, **pair(identity(), folder="all/good")}, (1,),
            arguments=["suite", "all", *reports], says="pairs=2")
        add("names", f"an axis with {name}", pair(identity(), relation=b'{"mesh": [["' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(b"\r", b"\\r").replace(b"\x1b", b"\\u001b").replace(b"\x07", b"\\u0007") +
                                                  b'", 0]], "inputs": [], "outputs": []}'), BAD)
        add("names", f"an argument with {name}", pair(identity()), (2, 3), arguments=["check", "case", "--assume", b"equal:" + raw.replace(b"\0", b"") + b":y"])
        add("names", f"an instruction with {name}", pair(identity().replace("%y", "%@@").encode().replace(b"@@", raw), identity()), (0, 2, 3))


def paths():
    """What a relation, a suite or the command line point at."""
    claim = '{"mesh": [["d", 1]], "inputs": ["replicated"], "outputs": [{"hlo": "@@"}]}'
    for name in ("/etc/passwd", "../secret.hlo", "../../../../../../etc/passwd", "a/../../secret.hlo", "link.hlo", "down/secret.hlo", "", ".", "..", "/", "/dev/zero", "/dev/stdin",
                 "x" * 5000, "a\\u0000b"):
        files = {**pair(identity(), relation=claim.replace("@@", name)), "secret.hlo": "secret", "case/link.hlo": Link("../secret.hlo"), "case/down": Link("..")}
        add("paths", f"a placement in {name[:30]!r}", files, BAD, "GG-")
        files = {"case/sequential.hlo": identity(), "case/link.hlo": Link("../secret.hlo"), "case/down": Link(".."), "secret.hlo": "secret",
                 "case/relation.json": '{"mesh": [["d", 1]], "inputs": ["replicated"], "outputs": ["replicated"], "programs": [{"file": "@@"}]}'.replace("@@", name)}
        add("paths", f"a program in {name[:30]!r}", files, BAD, "GG-")
    for name in ("loop", "loop/loop", "x" * 300, "x" * 5000, "", "/dev/null", "/dev/zero", "/proc/self/mem", "missing", "a\nb"):
        files = {"loop": Link("loop"), **pair(identity())}
        add("paths", f"the case {name[:20]!r}", files, BAD, "GG-", ["check", name])
        add("paths", f"the relation {name[:20]!r}", files, BAD if name else (0,), "GG-" if name else "", ["check", "case", "--relation", name])
        add("paths", f"the dump {name[:20]!r}", files, BAD, "GG-", ["check", "--xla-dump", name] if name else ["check", "--xla-dump", "case"])
        add("paths", f"the suite {name[:20]!r}", files, BAD, "GG-", ["suite", name])
        add("paths", f"the certificate {name[:20]!r}", files, BAD, "GG-", ["verify", name, "case"])
        add("paths", f"a folder with the loop and {name[:20]!r}", {**files, "dump/l": Link("l")}, BAD, "GG-", ["passes", "dump"])
    for line in ("case --repaired made", "case --json made", "case --html made", "case -o made", "case --witness made", "case --certificate made", "case --backend tcp",
                 "'case' --junit=made", "case --sarif made"):
        add("paths", f"a suite line {line}", {**pair(identity()), "s.suite": line + "\n"}, BAD, "GG-U001", ["suite", "s.suite"])


def numbers():
    """Numbers on the command line that no clock and no range takes."""
    for option in ("--budget-seconds", "--deadline-seconds"):
        for value in ("nan", "-nan", "inf", "-inf", "1e300", "-1", "0", "-0", "1e-400", "0x10", "1e", "", " ", "NaN", "1,5", "9" * 400, "-1e300"):
            add("numbers", f"{option} {value[:20]!r}", pair(identity()), BAD, "GG-U001", ["check", "case", f"{option}={value}"], budget=None)
    for option, values in {"--seeds": ("0", "-1", "1e9", "10001", "99999999999999999999"), "--ranks": ("0", "-5", "1025"), "--jobs": ("0", "-1", "1025"),
                           "--memory-mb": ("0", "-1", "63", "99999999999999999999"), "--seed": ("-1", "1e400", "x")}.items():
        for value in values:
            add("numbers", f"{option} {value}", pair(identity()), BAD, "GG-U001", ["check", "case", f"{option}={value}"])
    for value in ("x=nan:1", "x=1:nan", "x=1:0", "x=1e400:2", "x=", "x=:", "=1:2", "0=inf:inf", "7=0:1", "x=0:1:2"):
        add("numbers", f"--range {value}", pair(identity()), BAD, "GG-", ["check", "case", "--range", value])


def make(root):
    INPUTS.clear()
    table = limits(root)
    at_the_limits(table)
    past_the_budget()
    nested()
    names()
    paths()
    numbers()
