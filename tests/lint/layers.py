#!/usr/bin/env python3
"""Lint: which folder may include which, third-party headers only in their homes, file sizes, sorted tables, no stray
paths. usage: layers.py ROOT; prints each violation as file:line and exits 1."""
import os
import re
import sys

# folder -> folders it may include (besides itself). models has an order of its own.
ALLOWED = {
    "models": [], "kernels": ["models"], "runtime": ["kernels", "models"], "prover": ["models"],
    "prover/checker": ["models"], "harness": ["models", "kernels", "runtime", "prover", "prover/checker"],
}
MODELS_ORDER = ["base", "type", "body", "rank", "op", "ir", "zoo", "transfer", "hlo", "relation", "fx", "pair"]
MODELS_EXTRA = {("rank", "op")}  # rank/groups.h reads operators
HOMES = {"z3": ["prover/smt.cpp"], "cuda": ["kernels/cuda/", "runtime/cuda/"], "nccl": ["runtime/"], "mpi.h": ["runtime/"],
         "arb": ["kernels/numbers/"], "boost/": ["prover/term/rational.cpp", "prover/checker/rational.cpp"], "Eigen/": ["kernels/"], "CLI/": ["harness/"]}
MAX_LINES = 600
SOURCE = (".h", ".cpp", ".cu", ".cuh", ".def")


def folder_of(path):
    if path.startswith("prover/checker/"):
        return "prover/checker"
    return path.split("/")[0]


def include_errors(path, target):
    here, there = folder_of(path), folder_of(target)
    if here != there and there not in ALLOWED[here]:
        yield f"{here} may not include {there} ({target})"
    if here == "models" and there == "models" and target.count("/") > 1:
        mine, other = path.split("/")[1], target.split("/")[1]
        if MODELS_ORDER.index(other) > MODELS_ORDER.index(mine) and (mine, other) not in MODELS_EXTRA:
            yield f"models/{mine} stands below models/{other} ({target})"


def errors_in(root, path):
    lines = open(os.path.join(root, path), encoding="utf-8").read().split("\n")
    if len(lines) > MAX_LINES and not path.endswith(".def"):
        yield 1, f"{len(lines)} lines, more than {MAX_LINES}"
    for number, line in enumerate(lines, 1):
        own = re.match(r'#include "((?:models|kernels|runtime|prover|harness)/[^"]+)"', line)
        if own:
            for error in include_errors(path, own.group(1)):
                yield number, error
        system = re.match(r"#include <([^>]+)>", line)
        for key, homes in HOMES.items():
            if system and system.group(1).startswith(key) and not any(path.startswith(h) for h in homes):
                yield number, f"<{system.group(1)}> belongs to {homes}"
        if "using namespace std" in line:
            yield number, "using namespace std"


def main(root):
    count = 0
    for top in ("models", "kernels", "runtime", "prover", "harness"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                if not name.endswith(SOURCE):
                    continue
                for number, error in errors_in(root, path):
                    print(f"{path}:{number}: {error}")
                    count += 1
    print(f"{count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
