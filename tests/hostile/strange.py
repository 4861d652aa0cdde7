"""Further hostile inputs: graphs of torch, relations, folders of dumps, files that are no files, options, environments."""
import make
from make import BAD, FIFO, Blanks, Link, add, identity, pair

ANY, DECIDED = (0, 1, 2, 3), make.DECIDED
HEAD = "class GraphModule(torch.nn.Module):\n    def forward(self, {}):\n"
RELATION = '{"mesh": [["d", 1]], "inputs": {"x": "replicated"}, "outputs": ["replicated"]}'


def graph(lines, inputs='x: "f32[4]"', result="neg"):
    return HEAD.format(inputs) + "".join(f"        {line}\n" for line in lines) + f"        return [{result}]\n"


RIGHT = graph(['neg: "f32[4]" = torch.ops.aten.neg.default(x)'])


def graphs(sequential, distributed=RIGHT, relation=RELATION):
    return {"case/sequential.fx": sequential, "case/distributed.r0.fx": distributed, "case/relation.json": relation}


def torch_graphs():
    def of(name, text, codes=ANY, **more):
        add("graphs", name, lambda: graphs(text()), codes, budget=2, **more)

    many, deep = 20_000, 100_000
    of("the right one", lambda: RIGHT, (0,))
    of("no graph", lambda: "", BAD)
    of("no line ends", lambda: "x" * 10_000_000, BAD)
    of("10^5 classes", lambda: HEAD.format('x: "f32[4]"') * 100_000, BAD)
    of("10^5 statements", lambda: graph(['neg: "f32[4]" = torch.ops.aten.neg.default(x)'] + [f'n{k}: "f32[4]" = torch.ops.aten.neg.default(neg)' for k in range(100_000)]))
    of("a chain", lambda: graph(['n0: "f32[4]" = torch.ops.aten.neg.default(x)'] + [f'n{k}: "f32[4]" = torch.ops.aten.sin.default(n{k - 1})' for k in range(1, many)], result=f"n{many - 1}"))
    of("one that doubles", lambda: graph(['n0: "f32[1]" = torch.ops.aten.neg.default(x)'] + [f'n{k}: "f32[{2 ** k}]" = torch.ops.aten.cat.default([n{k - 1}, n{k - 1}])' for k in range(1, 64)],
                                         'x: "f32[1]"', "n63"))
    of("10^5 inputs", lambda: graph(['neg: "f32[4]" = torch.ops.aten.neg.default(x)'], 'x: "f32[4]", ' + ", ".join(f'x{k}: "f32[4]"' for k in range(100_000))))
    of("a dimension of 2^63", lambda: graph(['neg: "f32[9223372036854775808]" = torch.ops.aten.neg.default(x)'], 'x: "f32[9223372036854775808]"'), BAD)
    of("a dimension of -1", lambda: graph(['neg: "f32[-1]" = torch.ops.aten.neg.default(x)'], 'x: "f32[-1]"'), BAD)
    of("40 dimensions", lambda: graph(['neg: "f32[' + ", ".join(["1"] * 40) + ']" = torch.ops.aten.neg.default(x)'], 'x: "f32[' + ", ".join(["1"] * 40) + ']"'), BAD)
    of("2^47 elements", lambda: graph(['neg: "f32[140737488355328]" = torch.ops.aten.neg.default(x)'], 'x: "f32[140737488355328]"'))
    of("a sum of 10^5 lists", lambda: graph(['neg: "f32[4]" = torch.ops.aten.neg.default(' + "[" * deep + "x" + "]" * deep + ")"]), BAD)
    of("a result of 10^5 dictionaries", lambda: RIGHT.replace("[neg]", "{'a': " * deep + "neg" + "}" * deep), BAD)
    of("10^5 results", lambda: RIGHT.replace("[neg]", "[" + ", ".join(["neg"] * deep) + "]"))
    for name, call in {"repeat": "repeat.default(x, [4611686018427387904])", "expand": "expand.default(x, [4611686018427387904, 4])", "pad": "constant_pad_nd.default(x, [4611686018427387904, 0], 0.0)",
                       "arange": "arange.start_step(0, 1e300, 1e-300)", "arange by zero": "arange.start_step(0, 10, 0)", "linspace": "linspace.default(0, 1, 4611686018427387904)",
                       "slice": "slice.Tensor(x, 0, -9223372036854775808, 9223372036854775807, 9223372036854775807)", "slice by zero": "slice.Tensor(x, 0, 0, 4, 0)",
                       "select": "select.int(x, 9223372036854775807, -9223372036854775808)", "view": "view.default(x, [-1, -1])", "view by zero": "view.default(x, [0, -1])",
                       "unbind": "unbind.int(x, 99)", "split by zero": "split.Tensor(x, 0)", "split of many": "split_with_sizes.default(x, [" + "0, " * many + "4])",
                       "roll": "roll.default(x, [9223372036854775807], [0])", "permute": "permute.default(x, [0, 0])", "stack of many": "stack.default([" + "x, " * many + "x])",
                       "full": "full.default([4611686018427387904, 2], 1)", "one_hot": "one_hot.default(x, -1)", "pow": "pow.Tensor_Scalar(x, 1e308)", "diagonal": "diagonal.default(x, 9223372036854775807)",
                       "cumsum": "cumsum.default(x, 9223372036854775807)", "topk": "topk.default(x, -1)", "tril": "tril.default(x, 9223372036854775807)", "unfold": "unfold.default(x, 0, 0, 0)",
                       "convolution": "convolution.default(x, x, None, [0], [0], [0], False, [0], 0)", "a number of 10^5 digits": "mul.Tensor(x, " + "9" * deep + ")",
                       "an integer beyond 2^63": "add.Tensor(x, 9223372036854775808)", "an operator that is not": "from_file.default('/etc/passwd')",
                       "as_strided": "as_strided.default(x, [4611686018427387904, 4611686018427387904], [0, 0])", "index": "index.Tensor(x, [None, None, x])"}.items():
        of(f"{name}", lambda call=call: graph([f'neg: "f32[4]" = torch.ops.aten.{call}']))
        of(f"{name}, no type", lambda call=call: graph([f"neg = torch.ops.aten.{call}"]))
    for name, raw in make.HOSTILE_NAMES.items():
        raw = raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
        of(f"a file called {name}", lambda raw=raw: graph(["# File: @@:3 in f, code: @@", 'neg: "f32[4]" = torch.ops.aten.neg.default(x)']).replace("neg.default", "abs.default").encode().replace(b"@@", raw),
           (1, 2, 3), arguments=("check", "case", "--json", "out.json", "--html", "out.html", "--sarif", "out.sarif", "--junit", "out.xml"))
        of(f"an operator called {name}", lambda raw=raw: RIGHT.encode().replace(b"neg.default", raw), BAD)
        of(f"an input called {name}", lambda raw=raw: RIGHT.encode().replace(b"x", raw))
    symbols = graph(['neg: "f32[s0, @@]" = torch.ops.aten.neg.default(x)'], 's0: "Sym(s0)", x: "f32[s0, @@]"')
    for size in ("s0*" * 50_000 + "1", "(" * deep + "s0" + ")" * deep, "s0//0", "s0**99", "4611686018427387904*s0", "Max(1, s0)", "-s0", "s1", "", "s0*s0*s0*s0"):
        add("graphs", f"the size {size[:20]}", lambda size=size: graphs(symbols.replace("@@", size), symbols.replace("@@", size), RELATION[:-1] + ', "sizes": {"s0": 4611686018427387904}}'), BAD)
    for name, relation in {"10^6 ranks": RELATION.replace("1]]", "1000000]]"), "a mesh of 2^62": RELATION.replace("1]]", "4611686018427387904]]"), "no mesh": "{}", "a list": "[]", "a number": "7",
                           "null": "null", "inputs null": RELATION.replace('{"x": "replicated"}', "null"), "a placement of many": RELATION.replace('"x": "replicated"', '"x": [' + '["d"], ' * 10_000 + '["d"]]'),
                           "groups of many": RELATION[:-1] + ', "groups": {"0": [' + ", ".join(["0"] * 100_000) + "]}}", "groups of nobody": RELATION[:-1] + ', "groups": {"0": []}}',
                           "groups of negative ranks": RELATION[:-1] + ', "groups": {"0": [-1, 99999999999]}}', "a flat input": RELATION.replace('"x": "replicated"', '"x": {"flat": ["x", "x"], "axes": ["d"], "pad": 4611686018427387904}'),
                           "a range of nan": RELATION[:-1] + ', "ranges": {"x": [NaN, 1]}}', "a range of 1e999": RELATION[:-1] + ', "ranges": {"x": [-1e999, 1e999]}}', "a range from above": RELATION[:-1] + ', "ranges": {"x": [2, 1]}}',
                           "sizes of 0": RELATION[:-1] + ', "sizes": {"s0": 0}}', "sizes of -1": RELATION[:-1] + ', "sizes": {"s0": -1}}', "constants": RELATION[:-1] + ', "constants": {"*": 1e308}}',
                           "cuts": RELATION[:-1] + ', "cuts": [["neg", "neg"]]}', "objects": RELATION[:-1] + ', "objects": {"a": {"group": {"b": []}}}}', "a key twice": RELATION[:-1] + ', "mesh": [["d", 2]]}',
                           "10^4 outputs": RELATION.replace('["replicated"]', '["replicated"' + ', "replicated"' * 10_000 + "]"), "a string that is no UTF-8": RELATION.replace("x", "\udcff"), "two texts": RELATION + RELATION,
                           "half a text": RELATION[:40], "a byte order mark": "\ufeff" + RELATION, "UTF-16": RELATION.encode("utf-16"), "numbers": RELATION.replace("1]]", "1e2]]"), "halves": RELATION.replace("1]]", "1.5]]")}.items():
        relation = relation if isinstance(relation, bytes) else relation.encode("utf-8", "surrogateescape")
        add("graphs", f"a relation with {name}", lambda relation=relation: graphs(RIGHT, RIGHT, relation), ANY, budget=2)
        hlo = relation.replace(b'{"x": "replicated"}', b'["replicated"]')
        add("relations", f"a relation with {name}", lambda hlo=hlo: pair(identity(), relation=hlo), ANY, budget=2)
    for name in ("distributed.r99999999999999999999.fx", "distributed.r-1.fx", "distributed.r1.fx", "distributed.r0x.fx", "distributed.r*.fx", "distributed.r\n.fx", "distributed.r00.fx"):
        add("graphs", f"a file {name!r}", {"case/sequential.fx": RIGHT, f"case/{name}": RIGHT, "case/relation.json": RELATION}, ANY)
    add("graphs", "1,000 files of ranks", lambda: {**graphs(RIGHT), **{f"case/distributed.r{k}.fx": RIGHT for k in range(1, 1000)}}, BAD)
    add("graphs", "ranks that are a device, a pipe and a loop", {**graphs(RIGHT), "case/distributed.r1.fx": FIFO, "case/distributed.r2.fx": Link("/dev/zero"), "case/distributed.r3.fx": Link("distributed.r3.fx")}, ANY)
    add("graphs", "a pattern of stars", graphs(RIGHT), BAD, arguments=("check", "case/sequential.fx", "case/" + "*" * 200 + "x", "--relation", "case/relation.json"))
    add("graphs", "a pattern of everything", graphs(RIGHT), ANY, arguments=("check", "case/sequential.fx", "/*/*/*/*", "--relation", "case/relation.json"))


def archives():
    """What others write beside graphs and texts, given as cases."""
    for name, data in {"archive.pt2": b"PK\x03\x04" + b"\0" * 4096, "module.pb": b"\x0a" * 100_000, "model.safetensors": b"\xff" * 64, "trace.json": b'{"traceEvents": []}', "page.html": b"<html>",
                       "HloModule": b"HloModule", "zeros.hlo": b"\0" * 100_000, "ones.fx": b"\xff" * 100_000, "gz.hlo.gz": b"\x1f\x8b" + b"\0" * 100, "elf.hlo": b"\x7fELF" + b"\1" * 10_000}.items():
        add("archives", f"{name} as a case", {name: data}, BAD, "GG-", ("check", name))
        add("archives", f"{name} as a text", {**pair(identity()), name: data}, BAD, "GG-", ("check", "case/sequential.hlo", name, "--relation", "case/relation.json"))
        add("archives", f"{name} as a dump", {f"dump/{name}": data}, BAD, "GG-", ("check", "--xla-dump", "dump"))
        add("archives", f"{name} as passes", {f"dump/{name}": data}, BAD, "GG-", ("passes", "dump"))
        add("archives", f"{name} as a certificate", {**pair(identity()), name: data}, BAD, "GG-", (name, "case"), program="gg-verify")
        add("archives", f"{name} as a suite", {name: data}, ANY, "", ("suite", name))
        add("archives", f"{name} as a run", {f"a/rank0.{name}": data, f"b/rank0.{name}": data, "r.json": make.ONE}, BAD, "GG-", ("compare", "a", "b", "--relation", "r.json"))
    add("archives", "a folder that TORCH_TRACE wrote", {"trace/dedicated_log_torch_trace_rank_0_x.log": 'V1122 15:21:38.593000 41 torch/_inductor/x.py:12] {"aot_forward_graph": {}}\n\tclass\n'}, BAD, "GG-", ("check", "trace"))


def dumps():
    """Folders of dumps: thousands of files, names and texts that do not go together."""
    before, after = "before_spmd-partitioning.txt", "after_spmd-partitioning.txt"
    many = 1000
    for name, files in {
            "of many modules": lambda: {f"dump/module_{k:04}.m{k}.{t}": identity() for k in range(many // 2) for t in (before, after)},
            "of many passes": lambda: {f"dump/module_0001.m.{k:04}.p.after_x.before_y.txt": identity() for k in range(many)},
            "of many folders": lambda: {f"dump/d{k}/module_0001.m.{t}": identity() for k in range(many // 5) for t in (before, after)},
            "of empty files": lambda: {f"dump/module_{k:04}.m.{t}": "" for k in range(20) for t in (before, after)},
            "of pipes": lambda: {f"dump/module_{k:04}.m.{t}": FIFO for k in range(20) for t in (before, after)},
            "of links to devices": lambda: {f"dump/module_{k:04}.m.{t}": Link("/dev/zero") for k in range(20) for t in (before, after)},
            "of links to themselves": lambda: {f"dump/module_{k:04}.m.{t}": Link(f"module_{k:04}.m.{t}") for k in range(20) for t in (before, after)},
            "of links above": lambda: {"dump/up": Link(".."), "dump/down": Link("."), f"dump/module_0001.m.{before}": identity(), f"dump/module_0001.m.{after}": identity(header=", num_partitions=1")},
            "of huge numbers": lambda: {f"dump/module_99999999999999999999.m.{t}": identity() for t in (before, after)},
            "of hostile names": lambda: {f"dump/module_0001.\x1b[31m\nproved claim=x.{t}".encode(): identity() for t in (before, after)},
            "of names that are no UTF-8": lambda: {b"dump/module_0001.\xff\xfe." + t.encode(): identity() for t in (before, after)},
            "of long names": lambda: {f"dump/module_0001.{'n' * 200}.{t}": identity() for t in (before, after)},
            "of big files": lambda: {f"dump/module_0001.m.{t}": Blanks(identity(), 64 << 20) for t in (before, after)},
            "of other texts": lambda: {f"dump/module_0001.m.{before}": identity(), f"dump/module_0001.m.{after}": RIGHT},
            "of flags": lambda: {f"dump/module_0001.m.{before}": identity(), f"dump/module_0001.m.{after}": identity(), "dump/module_0001.m.flagfile": "\0" * 100_000, "dump/module_0001.m.debug_options": "x: " * 100_000,
                                 "dump/module_0001.m.module.mlir": "<" * 100_000, "dump/module.mlir": "(" * 100_000},
            "of nothing": lambda: {"dump/.x": ""}}.items():
        for arguments in (("check", "--xla-dump", "dump"), ("check", "--xla-dump", "dump", "--all-modules"), ("passes", "dump"), ("suite", "dump"), ("check", "dump")):
            add("dumps", f"{' '.join(arguments)}, one {name}", files, ANY, arguments=(*arguments, "-q") if arguments[0] in ("suite", "passes") else arguments, budget=2)


def no_files():
    """Pipes, devices, sockets, folders and sparse giants where files are expected."""
    for name, file in {"a pipe": FIFO, "/dev/zero": Link("/dev/zero"), "/dev/random": Link("/dev/random"), "/dev/stdin": Link("/dev/stdin"), "/dev/tty": Link("/dev/tty"), "/proc/self/mem": Link("/proc/self/mem"),
                       "/proc/kmsg": Link("/proc/kmsg"), "a hole of 1 TB": Blanks("", 1 << 40), "a link to nowhere": Link("nowhere"), "a link to a folder": Link(".")}.items():
        waits = (2, 3) if name == "/proc/kmsg" else BAD  # a regular file, says the system, and reading it does not end
        for place in ("sequential.hlo", "distributed.hlo", "relation.json"):
            add("no files", f"{name} as {place}", {**pair(identity()), f"case/{place}": file}, ANY, budget=1)
        add("no files", f"{name} as the only text", {"case/sequential.hlo": file, "case/distributed.hlo": file}, waits, budget=1)
        for option in ("--relation", "--define", "--json", "--html", "--certificate", "--witness", "--repaired"):
            out = option in ("--json", "--html", "--certificate", "--witness", "--repaired")
            if out and name in ("/dev/zero", "/dev/random", "/dev/stdin", "/dev/tty", "/proc/self/mem", "/proc/kmsg", "a pipe", "a hole of 1 TB"):
                continue
            add("no files", f"{option} {name}", {**pair(identity(), identity().replace("negate", "cosine") if option in ("--witness", "--repaired") else None), "there": file}, ANY, budget=1, arguments=("check", "case", option, "there"))
        add("no files", f"{name} as a suite", {"s.suite": file}, waits, budget=1, arguments=("suite", "s.suite"))
        add("no files", f"a suite of {name}", {**pair(identity()), "all/a": file, "all/b/sequential.hlo": file, **pair(identity(), folder="all/c")}, ANY, budget=1, arguments=("suite", "all"))
        add("no files", f"{name} as a certificate", {**pair(identity()), "there": file}, waits, budget=1, arguments=("there", "case"), program="gg-verify")
        add("no files", f"{name} as a witness", {"there": file}, BAD, arguments=("replay", "there"))
        add("no files", f"{name} as tensors", {"a/rank0.safetensors": file, "b/rank0.safetensors": file, "r.json": make.ONE}, BAD, arguments=("compare", "a", "b", "--relation", "r.json"))


def options():
    """Values of options that are long, many, or hold what a terminal acts on."""
    escapes = "\x1b[31m\nproved claim=refinement\r\x07"
    for option in ("--opaque", "--define", "--range", "--assume", "--allow-assumption", "--module", "--relation", "--dtype", "--backend", "--device", "--run-shapes", "--require", "--seed", "--jobs", "--listen",
                   "--json", "--witness", "--certificate", "--budget-seconds", "--memory-mb", "--nonsense", "--xla-dump"):
        for name, value in {"escapes": escapes, "nothing": "", "a blank": " ", "10^5 characters": "9" * 100_000, "no UTF-8": b"\xff\xfe", "a minus": "-", "two": "--", "a list": "a,b,c", "an equal sign": "=",
                            "percents": "%s%n%d", "a brace": "{}{0}{:99999999}", "2^64": "18446744073709551616", "-2^63": "-9223372036854775808"}.items():
            add("options", f"{option} with {name}", pair(identity()), ANY, arguments=("check", "case", option.encode() + b"=" + (value if isinstance(value, bytes) else value.encode())), budget=None if "seconds" in option or "memory" in option else 5)
    for option, value in (("--opaque", "t"), ("--define", "d.hlo"), ("--range", "x=0:1"), ("--assume", "equal:a:b"), ("--allow-assumption", "equal"), ("--opaque", "t:batch=0,1")):
        count = 100_000 // len(option + value)
        add("options", f"{option} {value} many times", pair(identity()), ANY, arguments=["check", "case", *[option, value] * count], budget=2)
        add("options", f"{option} many values", pair(identity()), ANY, arguments=["check", "case", *[word for k in range(count) for word in (option, value.replace("t", f"t{k}").replace("x=", f"x{k}="))]], budget=2)
    add("options", "10^4 cases", pair(identity()), BAD, arguments=["check", *["case"] * 10_000])
    add("options", "a batch of 10^5 dimensions", pair(identity()), BAD, arguments=["check", "case", "--opaque", "t:batch=" + ",".join(["0"] * 50_000)])
    add("options", "a batch of 2^64", pair(identity()), BAD, arguments=["check", "case", "--opaque", "t:batch=18446744073709551616"])
    add("options", "a range of many bounds", pair(identity()), BAD, arguments=["check", "case", "--range", "x=" + ":".join(["0"] * 50_000)])
    for command in ("check", "nonsense", escapes, "", "-", "--", "x" * 100_000, "explain", "lemmas", "ops", "limits"):
        add("options", f"the command {command[:10]!r}", {}, ANY, arguments=(command, escapes), budget=None)
    add("options", "lemmas of a long chain", lambda: pair(make.program(["%n0 = f32[4] parameter(0)"] + [f"%n{k + 1} = f32[4] negate(%n{k})" for k in range(200_000)] + [
        "ROOT %y = f32[4] negate(%n200000)"], "n0: f32[4]")), (0, 2), "", arguments=("lemmas", "case"), budget=1)
    for k in (2, 1000):
        add("options", f"{k} seeds", pair(identity()), DECIDED, arguments=("check", "case", "--seeds", str(k)))
    add("options", "1024 ranks of a pair with one", pair(identity()), BAD, arguments=("run", "case", "--backend", "tcp", "--ranks", "1024"))
    for name, text in {"words": b"case " * 5_000_000, "lines": b"nowhere\n" * 1_000_000, "quotes": b'"' * 1_000_000, "zeros": b"\0" * 1_000_000}.items():
        add("options", f"a suite of many {name}", {**pair(identity()), "s.suite": text}, ANY, arguments=("suite", "s.suite", "-q"), budget=1)
    add("options", "1024 jobs", {f"all/c{k}/{name.split('/')[1]}": text for k in range(40) for name, text in pair(identity()).items()}, ANY, arguments=("suite", "all", "--jobs", "1024"))
    add("options", "a suite of which one child takes all memory", {**pair(identity("f32[268435456]"), folder="all/big"), **pair(identity(), folder="all/a"), **pair(identity(), folder="all/z")}, (2,),
        "more than the 200 MiB", ("suite", "all", "--run-shapes", "full", "--jobs", "2", "--memory-mb", "400"), budget=None, resident=300)





def environments():
    rank = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999", "GG_JOB_TOKEN": "0" * 32}
    for name in rank:
        for value in ("", "-1", "2147483647", "99999999999999999999", "nan", "\x1b[31m\nproved", "x" * 100_000, "0x10", " 1"):
            if (name, value) in (("LOCAL_RANK", "2147483647"), ("LOCAL_WORLD_SIZE", "2147483647")):
                continue
            add("environment", f"{name}={value[:20]!r}", pair(identity()), (2, 3), arguments=("run", "case", "--backend", "tcp", "--deadline-seconds", "0.3"), environment={**rank, name: value}, budget=2)
    for name, value in {"TMPDIR": "/nowhere", "HOME": "", "LANG": "xx_YY.UTF-99", "LC_ALL": "tr_TR.UTF-8", "GG_LIBRARIES": "/dev/zero", "CUDA_HOME": "/nowhere", "MALLOC_ARENA_MAX": "-1", "TERM": "\x1b", "NO_COLOR": "1",
                        "COLUMNS": "-1", "OMP_NUM_THREADS": "99999999", "SLURM_PROCID": "x", "OMPI_COMM_WORLD_SIZE": "99999999999", "PMIX_RANK": "x", "GG_HARNESS_RANK_OF_LAUNCHER": "1", "TZ": ":/dev/zero",
                        "PATH": ""}.items():
        add("environment", f"{name}={value!r}", pair(identity()), (0,), environment={name: value})


def make_inputs():
    torch_graphs()
    archives()
    dumps()
    no_files()
    options()
    environments()
