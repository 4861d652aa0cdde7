#!/usr/bin/env python3
"""Lint: what the folders above models may still say by hand. Two counts that only fall, and names of files that exist.

usage: house.py ROOT

- No file is larger than LARGEST bytes: nobody writes such a one by hand (a core dump, a binary).
- `Op::` outside models/op, the front ends and device code, and every use of a function of models/ir/kinds.h that names an operator: a
  list of operators is a second meaning beside the operator's body. OPS is the most that a folder may have; one with fewer fails too until
  its number here is lowered.
- LONG: sources, and Python files of harness, scripts and tests, of more than 400 lines, with the most that each may have.
- A comment, or a page of docs, that names a file of the tree (`compare.h`, `runtime/cone.cpp`, `limits.md`) names one that exists.
"""
import collections
import os
import re
import subprocess
import sys

ABOVE = ("kernels/", "runtime/", "prover/", "harness/")
DEVICE = ("kernels/cuda/", "kernels/device/", "runtime/cuda/", "runtime/nccl/")
PYTHON = ("harness/", "scripts/", "tests/")
MOST_LINES = 400
LARGEST = 1 << 20
# Names in examples of commands, of files that a program writes, and of other projects.
ELSEWHERE = {"replay_torch.py", "first.py", "model.py", "step.py", "arb.h", "xxhash.h", "nccl.h", "mpi.h", "x.py", "file.py", "relation.md"}
NAMED = re.compile(r"(?<![\w./<\"-])((?:[\w-]+/)*[\w-]+\.(?:md|h|cpp|def|cu))\b")


OPS = {"harness/": 66, "kernels/": 12, "prover/": 10, "runtime/": 26}
LONG = {
    "tests/cli/fx.py": 1006,
    "tests/pairs/programs/causes.py": 433,  # the pairs that it made name its lines
    "tests/pinpoint/torch/programs.py": 436,  # so do its captures
}


def sources(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split()
    if listed:
        return [path for path in listed if os.path.exists(os.path.join(root, path))]
    found = []
    for folder, folders, names in os.walk(root):  # an archive without git
        folders[:] = [f for f in folders if not f.startswith((".", "build"))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def read(root, path):
    return open(os.path.join(root, path), encoding="utf-8").read()


def budget(counts, most, what):
    for path in sorted(set(counts) | set(most)):
        have, may = counts.get(path, 0), most.get(path, 0)
        if have > may:
            yield f"{path}: {have} {what}, {may} allowed (tests/lint/house.py)"
        elif have < may:
            yield f"{path}: {have} {what}: lower its number in tests/lint/house.py from {may}"


def named_operators(root):
    """Functions of kinds.h whose text names an operator, or another such function."""
    names = {}
    for name, body in re.findall(r"^inline bool (\w+)\(.*?\) \{(.*)\}$", read(root, "models/ir/kinds.h"), re.M):
        if re.search(r"\bOp::\w", body) or any(re.search(rf"\b{known}\(", body) for known in names):
            names[name] = body
    return names


def operators(root, files):
    counts = collections.Counter()
    kinds = re.compile(r"(?<![\w.>])(?:" + "|".join(named_operators(root)) + r")\(")
    for path in files:
        if path.startswith(ABOVE) and not path.startswith(DEVICE) and path.endswith((".cpp", ".h", ".def")):
            text = read(root, path)
            counts[path.split("/")[0] + "/"] += len(re.findall(r"\bOp::\w", text)) + len(kinds.findall(text))
    return counts


def long_files(root, files):
    counts = {}
    for path in files:
        source = path.startswith(ABOVE + ("models/",)) and path.endswith((".cpp", ".h", ".cu"))
        if source or path.startswith(PYTHON) and path.endswith(".py"):
            lines = read(root, path).count("\n")
            if lines > MOST_LINES:
                counts[path] = lines
    return counts


def large_files(root, files):
    for path in files:
        size = os.path.getsize(os.path.join(root, path))
        if size > LARGEST:
            yield f"{path}: {size} bytes, {LARGEST} allowed (tests/lint/house.py)"


def comments(path, text):
    """Line number and text of what is told to people: comments of sources, all of a page."""
    for number, line in enumerate(text.split("\n"), 1):
        if path.endswith(".md"):
            yield number, line
        elif "//" in line and not line.startswith("#include"):
            yield number, line[line.index("//"):]


def stale_names(root, files):
    names, paths = {os.path.basename(f) for f in files}, set(files)
    for path in files:
        if not path.endswith((".cpp", ".h", ".def", ".cu", ".md")) or path.startswith("tests/pairs/"):
            continue
        for number, line in comments(path, read(root, path)):
            for name in NAMED.findall(line):
                beside = os.path.join(os.path.dirname(path), name)
                known = name in names if "/" not in name else name in paths or beside in paths or any(p.endswith("/" + name) for p in paths)
                if not known and os.path.basename(name) not in ELSEWHERE:
                    yield f"{path}:{number}: names {name}, which is not in the tree"


def main(root):
    files = sources(root)
    ops, long = operators(root, files), long_files(root, files)
    problems = [*budget(ops, OPS, "mentions of Op::"), *budget(long, LONG, "lines"), *large_files(root, files), *stale_names(root, files)]
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems; {sum(ops.values())} mentions of Op:: above models, {len(long)} files above {MOST_LINES} lines")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
