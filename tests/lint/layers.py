#!/usr/bin/env python3
"""Lint: a folder includes only what its library links (CMakeLists.txt of the folders), third-party headers stand only in their
homes, no file is too long. usage: layers.py ROOT; prints each violation as file:line and exits 1."""
import os
import re
import sys

TOPS = ("models", "kernels", "runtime", "prover", "harness")
HOMES = {"z3": ["prover/smt.cpp"], "cuda": ["kernels/cuda/", "runtime/cuda/"], "nccl": ["runtime/"], "mpi.h": ["runtime/"],
         "arb": ["kernels/numbers/"], "boost/": ["models/base/exact.cpp"], "Eigen/": ["kernels/"], "CLI/": ["harness/"]}
SHARED = {("gg_cuda", "gg_devices")}  # headers that nvcc compiles as well
MAX_LINES = 600
SOURCE = (".h", ".cpp", ".cu", ".cuh", ".def")


def targets(root):
    """What the build says: target -> targets it names, and folder -> its target (the folders of a library are named by FOLDERS)."""
    uses, home = {}, {"kernels/cuda": "gg_cuda"}
    for folder, _, names in os.walk(root):
        where = os.path.relpath(folder, root)
        if "CMakeLists.txt" not in names or where.split("/")[0] not in TOPS:
            continue
        text = re.sub(r"#.*", "", open(os.path.join(folder, "CMakeLists.txt")).read())
        for call, target, rest in re.findall(r"(gg_library|add_library|target_link_libraries)\((\S+)\s*([^)]*)\)", text):
            words = rest.split()
            uses.setdefault(target, set()).update(w for w in words if w.startswith("gg_"))
            if call == "target_link_libraries" or target == "gg_cuda":
                continue
            home[where] = target
            if "FOLDERS" in words:
                home.update({where + "/" + w: target for w in words[words.index("FOLDERS") + 1:]})
    return uses, home


def closure(uses, target):
    """The targets that `target` may use: those that it names, and theirs. A target that is its own ancestor is an error."""
    found, open_ends = set(), [target]
    while open_ends:
        for other in uses.get(open_ends.pop(), ()):
            if other not in found:
                found.add(other)
                open_ends.append(other)
    return found


class Layers:
    def __init__(self, root):
        self.uses, self.home = targets(root)
        self.below = {target: closure(self.uses, target) for target in self.uses}
        self.rings = sorted(t for t in self.uses if t in self.below[t])

    def target_of(self, path):
        folder = os.path.dirname(path)
        while folder and folder not in self.home:
            folder = os.path.dirname(folder)
        return self.home.get(folder)

    def error(self, path, included):
        here, there = self.target_of(path), self.target_of(included)
        if here is None or there is None:
            return f"{path if here is None else included} belongs to no library"
        if here == there or there in self.below[here] or (here, there) in SHARED:
            return None
        if path.endswith("main.cpp"):  # a program's, which links the library of its folder
            return None
        return f"{here} does not link {there} ({included})"


def errors_in(layers, root, path):
    lines = open(os.path.join(root, path), encoding="utf-8").read().split("\n")
    if len(lines) > MAX_LINES and not path.endswith(".def"):
        yield 1, f"{len(lines)} lines, more than {MAX_LINES}"
    for number, line in enumerate(lines, 1):
        own = re.match(r'#include "((?:models|kernels|runtime|prover|harness)/[^"]+)"', line)
        if own:
            error = layers.error(path, own.group(1))
            if error:
                yield number, error
        system = re.match(r"#include <([^>]+)>", line)
        for key, homes in HOMES.items():
            if system and system.group(1).startswith(key) and not any(path.startswith(h) for h in homes):
                yield number, f"<{system.group(1)}> belongs to {homes}"
        if "using namespace std" in line:
            yield number, "using namespace std"


def main(root):
    layers = Layers(root)
    count = len(layers.rings)
    for target in layers.rings:
        print(f"CMakeLists.txt:1: {target} links itself")
    for top in TOPS:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                if not name.endswith(SOURCE):
                    continue
                for number, error in errors_in(layers, root, path):
                    print(f"{path}:{number}: {error}")
                    count += 1
    print(f"{count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
