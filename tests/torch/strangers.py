"""Graphs of strangers in witnesses: what replay_torch.py runs of them is what torch prints for graphs, and nothing else: `python3 strangers.py GG_HARNESS`.
Skipped (77) without torch."""
import importlib.util
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HEAD = 'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[4]"):\n'
SEQUENTIAL = HEAD + '        neg: "f32[4]" = torch.ops.aten.neg.default(x)\n        return [neg]\n'
RELATION = '{"mesh": [["d", 1]], "inputs": {"x": "replicated"}, "outputs": ["replicated"]}'
MADE = "open('made','w').close()"
# Texts that gg-harness reads: what it passes over is not run either.
READ = {
    "an expression before the class": f"{MADE}\n" + HEAD,
    "an import before the class": "import strange\n" + HEAD,
    "a line that unflattens": HEAD + f"        a, = {MADE} or fx_pytree.tree_flatten_spec(1)\n",
    "a remark": HEAD + f"        # File: x.py:1 in f, code: {MADE}\n",
}
# Statements that it refuses; a witness may have been changed since.
REFUSED = [
    MADE, f"y = {MADE}", f"y = [{MADE} for _ in (1,)]", f"y = (lambda: {MADE})()", "y = x.__class__", "y = torch.load('made')", "device = torch.load; y = device('made')",
    "torch.ops.aten.neg.default = torch.load; y = torch.ops.aten.neg.default('made')", "torch = self; y = torch.ops.aten.neg.default(x)", "y = torch.hub.load('a', 'b')",
    "import os", "from os import system", "y = f'{" + MADE.replace("'", '"') + "}'", "exec('1')", f"assert {MADE}", f"y: ({MADE}) = 1", "y = torch.ops.os.system.default('touch made')",
    "y = torch.ops.aten.neg.default(x).numpy().tofile('made')", "y = 9 ** 9", "while x is x: break", "global forward", "del x", "y = (z := 1)", "y = x if x else x", "x[0] = 1",
]
# What stands around the method is not run; what is strange about the method is refused.
PASSED_OVER = [f"@({MADE})\n{HEAD}", HEAD.replace("torch.nn.Module", f"({MADE}, object)[1]")]
HEADS = [HEAD.replace("    def", f"    a = {MADE}\n    def"), HEAD.replace("    def", f"    @{MADE}\n    def"),
         HEAD.replace('"f32[4]"', MADE), HEAD.replace('x: "f32[4]"', f"x={MADE}"), HEAD.replace('"):', f'") -> {MADE}:'), HEAD + SEQUENTIAL[len(HEAD):] + HEAD]


def results(tool, folder, torch, gg_torch):
    made = os.path.join(folder, "made")
    with open(os.path.join(folder, "strange.py"), "w") as f:
        f.write(MADE + "\n")
    for name, head in READ.items():
        case = os.path.join(folder, name.replace(" ", "-"))
        os.makedirs(case)
        for file, text in {"sequential.fx": SEQUENTIAL, "distributed.r0.fx": head + SEQUENTIAL[len(HEAD):].replace("neg.default", "abs.default"), "relation.json": RELATION}.items():
            with open(os.path.join(case, file), "w") as f:
                f.write(text)
        done = subprocess.run([tool, "run", case, "--witness", case + ".w"], cwd=folder, capture_output=True, text=True)
        environment = {**os.environ, "PYTHONPATH": folder}
        replay = subprocess.run([sys.executable, case + ".w/replay_torch.py"], cwd=folder, env=environment, capture_output=True, text=True)
        good = done.returncode == 1 and not os.path.exists(made) and ("no part of a graph" in replay.stderr or replay.returncode == 0)
        yield name, None if good else f"exit codes {done.returncode}, {replay.returncode}, made: {os.path.exists(made)}, {done.stderr[-300:]} {replay.stderr[-300:]}"
    os.chdir(folder)
    texts = {line: HEAD + f"        {line}\n        return [x]\n" for line in REFUSED} | {head: head + "        return [x]\n" for head in PASSED_OVER + HEADS}
    for name, text in texts.items():
        try:
            gg_torch.execution.execute(text, {"x": torch.ones(4)}, None)
            said = None if name in PASSED_OVER else "it was run"
        except gg_torch.CaptureError:
            said = None
        except Exception as e:
            said = f"run: {e!r}"
        yield name, said or ("it was run" if os.path.exists(made) else None)
    right = gg_torch.execution.execute(SEQUENTIAL, {"x": torch.ones(4)}, None)
    yield "the right one", None if right[0].tolist() == [-1] * 4 else f"{right}"
    given = {"x": torch.ones(4)}
    gg_torch.execution.execute(SEQUENTIAL.replace("neg.default", "neg_.default"), given, None)
    yield "one that writes its input", None if given["x"].tolist() == [1] * 4 else f"{given}"


def main():
    if importlib.util.find_spec("torch") is None:
        print("graphs of strangers skipped: no torch (scripts/venv.sh torch)")
        return 77
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "harness", "capture"))
    import torch

    import gg_torch
    with tempfile.TemporaryDirectory() as folder:
        found = list(results(os.path.abspath(sys.argv[1]), folder, torch, gg_torch))
        os.chdir("/")
    return counted(found)


if __name__ == "__main__":
    sys.exit(main())
