#!/usr/bin/env python3
"""Small pairs whose premises are what is at stake: each command must end with its exit code and print its text; what is proved
must be accepted by gg-verify and by `gg-harness verify`.

usage: premises.py BUILD_FOLDER FILE...      closing line: N passed, M failed

A file holds pairs, each a line `=== NAME: why`, lines `COMMAND => EXIT CODES [| text that stdout has | ...]`, and the parts
`--- sequential`, `--- distributed RANKS` (bodies of ENTRY; `max`, `least` and `add` of f32, `some` and `alike` of pred, `argmaxf` of f32, `count`, `most`, `least32`, `argmax` and `argmin` (with places) of s32, `count8` and `most8` of s8, `bytes` of u8, `sum` of u32, `second` for scatters, `less` and `nearer` (to zero) for sorts, `upwards` and `downwards` for sorts of two s32 are there to be called) and `--- relation`.
`--- file NAME` adds a file; commands run in the pair's folder, `.` is the pair.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import REFUSED  # noqa: E402

REGIONS = "".join(f"{name} {{ a = {type}[] parameter(0)  b = {type}[] parameter(1)  ROOT r = {type}[] {op}(a, b) }}\n"
                  for name, op, type in (("max", "maximum", "f32"), ("add", "add", "f32"), ("count", "add", "s32"), ("count8", "add", "s8"), ("bytes", "add", "u8"), ("sum", "add", "u32"),
                                           ("most", "maximum", "s32"), ("most8", "maximum", "s8"), ("least32", "minimum", "s32"), ("least", "minimum", "f32"), ("some", "or", "pred"), ("alike", "and", "pred")))
REGIONS += "nearer { a = f32[] parameter(0)  b = f32[] parameter(1)  x = f32[] abs(a)  y = f32[] abs(b)  ROOT r = pred[] compare(x, y), direction=LT }\n"
REGIONS += "".join(f"{name} {{ a = s32[] parameter(0)  b = s32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)  ROOT r = pred[] compare(a, b), direction={way} }}\n"
                   for name, way in (("upwards", "LT"), ("downwards", "GT")))
REGIONS += "".join(f"{name} {{ a = {key}[] parameter(0)  i = s32[] parameter(1)  b = {key}[] parameter(2)  j = s32[] parameter(3)  g = pred[] compare(a, b), direction={way}  e = pred[] compare(a, b), direction=EQ  "
                   f"l = pred[] compare(i, j), direction=LT  t = pred[] and(e, l)  o = pred[] or(g, t)  v = {key}[] select(g, a, b)  p = s32[] select(o, i, j)  ROOT r = ({key}[], s32[]) tuple(v, p) }}\n"
                   for name, way, key in (("argmax", "GT", "s32"), ("argmin", "LT", "s32"), ("argmaxf", "GT", "f32")))
REGIONS += "second { a = f32[] parameter(0)  ROOT b = f32[] parameter(1) }\n"
REGIONS += "less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = pred[] compare(a, b), direction=LT }\n"


def cases(path):
    case = part = None
    for line in open(path):
        if line.startswith("=== "):
            name, why = line[4:].rstrip().split(": ", 1)
            case, part = {"name": name, "why": why, "commands": [], "files": {}}, None
            yield case
        elif line.startswith("--- "):
            words = line.split()[1:]
            ranks = words[1] if words[0] == "distributed" else "1"
            part = {"relation": "relation.json", "file": words[-1]}.get(words[0], words[0] + ".hlo")
            program = words[0] in ("sequential", "distributed")
            case["files"][part] = f"HloModule m, num_partitions={ranks}\n{REGIONS}ENTRY main {{\n" if program else ""
        elif part is not None:
            case["files"][part] += line
        elif "=>" in line:
            command, wanted = line.split("=>")
            codes, *texts = [w.strip() for w in wanted.split("|")]
            case["commands"].append((command.split(), [int(c) for c in codes.split()], texts))


def call(folder, *command):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)


def problems(build, case):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case["files"].items():
            ends = "}\n" if name in ("sequential.hlo", "distributed.hlo") else ""
            open(os.path.join(folder, name), "w").write(text + ends)
        for command, codes, texts in case["commands"]:
            own = ["--certificate", "certificate"] if command[0] in ("check", "prove") else []
            witness = ["--witness", "witness"] if command[0] == "check" else []
            program = build + ("/gg-verify" if command[0] == "gg-verify" else "/gg-harness")
            run = call(folder, program, *(command[1:] if command[0] == "gg-verify" else command), *own, *witness)
            if run.returncode not in codes:
                yield f"{' '.join(command)}: exit code {run.returncode}, not {codes}: {run.stdout[-300:]}{run.stderr[-300:]}"
            if REFUSED in run.stdout + run.stderr:
                yield f"{' '.join(command)}: a certificate is refused: {run.stdout}{run.stderr}"
            for text in texts:
                if text not in run.stdout + run.stderr:
                    yield f"{' '.join(command)}: '{text}' is not in {run.stdout}{run.stderr}"
            if own and run.returncode == 0 and len(command) == 2:
                for verify in ([build + "/gg-verify"], [build + "/gg-harness", "verify"]):
                    check = call(folder, *verify, "certificate", ".")
                    if check.returncode != 0:
                        yield f"{' '.join(verify)}: exit code {check.returncode}: {check.stdout}{check.stderr}"


def main(build, files):
    passed = failed = 0
    for path in files:
        for case in list(cases(path)):
            found = list(problems(os.path.abspath(build), case))
            passed, failed = passed + (not found), failed + bool(found)
            for problem in found:
                print(f"{os.path.basename(path)}: {case['name']} ({case['why']}): {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
