#!/usr/bin/env python3
"""The command line as a table: exit code, arguments, text that must appear. usage: cli.py PROGRAM ROOT"""
import os
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import table


def main(program, root):
    with open(os.path.join(root, "tests/cli/cases.txt"), encoding="utf-8") as cases, tempfile.TemporaryDirectory() as tmp:
        return table(program, cases.read(), {"examples": os.path.join(root, "examples"), "tmp": tmp})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
