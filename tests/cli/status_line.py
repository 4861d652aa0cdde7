#!/usr/bin/env python3
"""A long command tells on a terminal what it is doing, and nowhere else: not in a file, not on a terminal that is dumb.

usage: status_line.py GG_HARNESS
"""
import os
import pty
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
# Both programs run on and on: nothing ends the run but its budget (with a million in the text the run is patient, runtime/patience.h).
ENDLESS = """HloModule m, num_partitions=RANKS
round { s = f32[4] parameter(0)  ROOT n = f32[4] negate(s) }
ever { s = f32[4] parameter(0)  ROOT t = pred[] constant(true) }
ENTRY e { x = f32[4] parameter(0)  trips = s32[] constant(1000000)  ROOT l = f32[4] while(x), condition=ever, body=round }
"""


def on_terminal(command, kind):
    """(standard output, what the terminal got on standard error)"""
    mine, other = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other, env={**os.environ, "TERM": kind}) as run:
        os.close(other)
        out = run.stdout.read()
    got = b""
    while True:
        try:
            part = os.read(mine, 65536)
        except OSError:  # the other side is gone
            break
        if not part:
            break
        got += part
    return out.decode(), got.decode()


def main(case):
    failed = 0
    for name, ranks in ("sequential", "1"), ("distributed", "2"):
        with open(f"{case}/{name}.hlo", "w") as text:
            text.write(ENDLESS.replace("RANKS", ranks))
    with open(f"{case}/relation.json", "w") as relation:
        relation.write('{"mesh": [["d", 2]], "inputs": ["replicated"], "outputs": ["replicated"]}')
    command = [PROGRAM, "check", case, "--budget-seconds", "2.5"]

    def expect(what, good):
        nonlocal failed
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}")

    plain = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TERM": "xterm"})
    expect("no line where standard error is no terminal", plain.stderr == "" and "\r" not in plain.stdout)
    out, line = on_terminal(command, "xterm")
    expect("the phase and the seconds on a terminal", re.search(r"\r\033\[Kgg-harness: run(, \d+ %)?, 1 s\r", line) is not None)
    expect("the line goes before the report comes", line.endswith("\r\033[K"))
    expect("the report is the same", out == plain.stdout)
    expect("nothing on a dumb terminal", on_terminal(command, "dumb")[1] == "")
    print("5 tests" if not failed else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
