#!/usr/bin/env python3
"""recheck.py BIN LEAST CASE...: every theorem about sizes is made again by gg-verify, from its file alone, with the same words; there are
at least LEAST."""
import os
import subprocess
import sys
import tempfile


def lines_of(text):
    """The theorem without the line of the verdict."""
    return [line for line in text.splitlines() if line.startswith(("all sizes:", "  "))]


def main():
    folder, least = sys.argv[1], int(sys.argv[2])
    theorems, wrong = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "proof")
        for case in sys.argv[3:]:
            if os.path.exists(file + ".sizes"):
                os.remove(file + ".sizes")
            proved = subprocess.run([folder + "/gg-harness", "prove", case, "--for-all-sizes", "--certificate", file], capture_output=True, text=True, check=False)
            if not os.path.exists(file + ".sizes"):  # a theorem over digits has no file
                continue
            theorems += 1
            again = subprocess.run([folder + "/gg-verify", file + ".sizes", case, "--for-all-sizes"], capture_output=True, text=True, check=False)
            if again.returncode != 0 or lines_of(again.stdout) != lines_of(proved.stdout):
                wrong.append(f"{case}: {again.stdout[-300:]}{again.stderr[-300:]}")
    print(f"{theorems} theorems, {len(wrong)} not accepted again")
    print("\n".join(wrong))
    return 1 if wrong or theorems < least else 0


sys.exit(main())
