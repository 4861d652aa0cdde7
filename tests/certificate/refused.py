#!/usr/bin/env python3
"""Certificates that the search believed in and the checker refused: each is a gap of one of the two, with a name.

usage: refused.py GG-HARNESS [--seconds=N] CASE...      closing line: N pairs, M refused, K not done; exit code 1 if M is not 0
Each pair is proved, for at most so many seconds (60); one that takes longer is counted as not done.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import REFUSED  # noqa: E402


def main(program, *arguments):
    seconds = next((int(a[len("--seconds="):]) for a in arguments if a.startswith("--seconds=")), 60)
    cases = [a for a in arguments if not a.startswith("--")]
    refused = left = 0
    for case in cases:
        try:
            run = subprocess.run([program, "prove", case], capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            left += 1
            print(f"{case}: not done in {seconds} s", flush=True)
            continue
        lines = [line for line in (run.stdout + run.stderr).splitlines() if REFUSED in line]
        refused += bool(lines)
        for line in lines:
            print(f"{case}: {line[:1000]}", flush=True)
    print(f"{len(cases)} pairs, {refused} refused, {left} not done")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
