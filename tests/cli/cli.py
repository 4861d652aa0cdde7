#!/usr/bin/env python3
"""The command line as a table: exit code, arguments, text that must appear. usage: cli.py PROGRAM ROOT [WORD]
WORD: without the rows that have it (under sanitizers: what takes as long as all others)."""
import os
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import table


def main(program, root, without=None):
    with open(os.path.join(root, "tests/cli/cases.txt"), encoding="utf-8") as cases, tempfile.TemporaryDirectory() as tmp:
        rows = "".join(row for row in cases if without is None or without not in row)
        return table(program, rows, {"examples": os.path.join(root, "examples"), "tmp": tmp})


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
