#!/usr/bin/env python3
"""Lint: every library and every test program compiles as one source, whatever the size of the batches (GG_UNITY_BATCH) and whatever file is
added: two names of files that clash are found before a batch happens to hold both.

usage: unity.py ROOT FOLDER [WORD...]   configures FOLDER and checks the syntax of each target whose path has one of the words (default: all)
"""
import json
import os
import re
import subprocess
import sys


def main(root, folder, words):
    subprocess.run(["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DGG_TESTS=ON", "-DGG_UNITY=ON", "-DGG_UNITY_BATCH=0", "-DGG_PRECOMPILE=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as text:
        commands = [c for c in json.load(text) if "/Unity/unity_" in c["file"] and any(w in c["file"] for w in words or [""])]
    failed = 0
    for c in commands:
        command = re.sub(r"^\S*ccache\s+", "", re.sub(r" -o \S+", "", c["command"])) + " -fsyntax-only"
        done = subprocess.run(command, shell=True, cwd=c["directory"], capture_output=True, text=True)
        if done.returncode != 0:
            failed += 1
            print(os.path.relpath(c["file"], folder))
            print("\n".join(line for line in done.stderr.split("\n") if "error:" in line))
    print(f"{failed} of {len(commands)} targets do not compile as one source")
    return 1 if failed or not commands else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
