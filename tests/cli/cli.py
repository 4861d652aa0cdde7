#!/usr/bin/env python3
"""The command line as a table: exit code, arguments, text that must appear. usage: cli.py PROGRAM ROOT"""
import os
import shlex
import subprocess
import sys
import tempfile


def main(program, root):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for line in open(os.path.join(root, "tests/cli/cases.txt")):
            if line.startswith("#") or not line.strip():
                continue
            code, arguments, text = (part.strip() for part in line.split("|", 2))
            arguments = arguments.format(examples=os.path.join(root, "examples"), tmp=tmp)
            run = subprocess.run([program, *shlex.split(arguments)], capture_output=True, text=True)
            if run.returncode == int(code) and text in run.stdout + run.stderr:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {arguments}: exit {run.returncode}, expected {code} and {text!r}\n{run.stdout}{run.stderr}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
