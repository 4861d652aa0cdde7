#!/usr/bin/env python3
"""Lint: .clang-format agrees with every source (clang-format 14, Debian 12's; another version breaks lines elsewhere and is not asked).
usage: format.py ROOT [--write]   --write formats them instead; exit code 77 where clang-format 14 is missing."""
import os
import shutil
import subprocess
import sys

VERSION = 14
ROUNDS = 3  # a comment that moves may move its neighbours


def sources(root):
    for top in ("models", "kernels", "runtime", "prover", "harness", "tests", "bench"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".cpp", ".h", ".cu", ".cuh")))


def formatter():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and f"version {VERSION}." in subprocess.run([path, "--version"], capture_output=True, text=True).stdout:
            return path
    return None


def main(root, write):
    files, program = list(sources(root)), formatter()
    if program is None:
        print(f"skipped {len(files)} files: clang-format {VERSION} is not installed")
        return 77
    for _ in range(ROUNDS if write else 0):
        subprocess.run([program, "-i", *files], check=True)
    done = subprocess.run([program, "--dry-run", "--Werror", *files], capture_output=True, text=True)
    places = [line for line in done.stderr.split("\n") if "error:" in line]
    print("\n".join(places[:20]))
    print(f"{len(places)} places of {len(files)} files are not as .clang-format says (tests/lint/format.py . --write)")
    return 1 if done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
