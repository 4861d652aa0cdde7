#!/usr/bin/env python3
"""Lint: clang-tidy (version 14, Debian 12's; checks in .clang-tidy) finds nothing in the sources that changed.
usage: tidy.py ROOT FOLDER [REVISION | --all]   FOLDER is configured for it; REVISION: what changed since (default: HEAD's first parent),
what is not committed too. Exit code 77 where clang-tidy 14, or git's history, is missing."""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from format import VERSION, sources


def changed(root, revision):
    """Sources that differ from the revision, and new ones; None without such a revision."""
    git = ["git", "-C", root]
    since = subprocess.run(git + ["diff", "--name-only", "--diff-filter=d", revision], capture_output=True, text=True)
    if since.returncode != 0:
        return None
    new = subprocess.run(git + ["ls-files", "--others", "--exclude-standard"], capture_output=True, text=True)
    names = {os.path.join(root, name) for name in (since.stdout + new.stdout).split("\n")}
    return [source for source in sources(root) if source in names]


def main(root, folder, revision):
    root = os.path.abspath(root)
    program = next((path for path in map(shutil.which, (f"clang-tidy-{VERSION}", "clang-tidy")) if path), None)
    files = list(sources(root)) if revision == "--all" else changed(root, revision)
    if program is None or files is None:
        print(f"skipped 1: {'clang-tidy is not installed' if program is None else 'no revision ' + revision}")
        return 77
    subprocess.run(["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DGG_TESTS=ON", "-DGG_UNITY=OFF", "-DGG_PRECOMPILE=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    files = [file for file in files if file.endswith(".cpp")]
    command = [program, "-p", folder, "--quiet", f"--header-filter={re.escape(root)}/(models|kernels|runtime|prover|harness)/"]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda file: subprocess.run(command + [file], capture_output=True, text=True), files))
    places = sorted({line for one in done for line in one.stdout.split("\n") if line.startswith(root) and re.search(r": (warning|error): ", line)})
    print("\n".join(places[:40]))
    print(f"{len(places)} places in {len(files)} changed sources")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "HEAD^"))
