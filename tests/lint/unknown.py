#!/usr/bin/env python3
"""Writes docs/unknown.md: reports of pairs that are not decided, as they are printed; each has at most 25 lines.

usage: unknown.py PROGRAM ROOT [--write]     without --write: are the reports still short and their reasons those of the page?
"""
import os
import re
import subprocess
import sys
import tempfile

REPORTS = [
    ("a pure function with other attributes", "check tests/frontdoor/opaque-batch-config --opaque norm:batch=0"),
    ("a custom call that nobody declared", "check tests/frontdoor/opaque"),
    ("a pure function whose batch dimensions are exchanged", "prove tests/frontdoor/opaque-batch-swapped --opaque norm:batch=0"),
    ("two custom calls, one of them defined", "check tests/frontdoor/define-attention --define examples/definitions/rotary.hlo"),
    ("a loop that never ends", "check tests/pairs/control-dead-endless --budget-seconds 5"),
    ("a loop whose bound differs by rank", "check tests/pairs/control-dead-loop-by-threes"),
    ("a branch that some ranks take for rare inputs", "check tests/pairs/control-dead-rare"),
    ("no proof was asked for", "run examples/tp-mlp"),
    ("no time", "run examples/tp-mlp --budget-seconds 0.000001"),
    ("a defect seen at reduced shapes only", "run tests/pairs/argmax-lookup-no-offset --run-shapes reduced"),
]
INTRO = """# What a report of `unknown` looks like

Ten of them as they are printed (without `-q` or `-v`): what agreed and what is open, the first value that could not be related and its line, what is
missing, what to do, and the next command. `-v` adds the prover's terms. `gg-harness explain REASON` says the same of a reason alone.
Written by `tests/lint/unknown.py PROGRAM ROOT --write`.
"""


def main(program, root, write):
    page, problems = INTRO, []
    for title, command in REPORTS:
        with tempfile.TemporaryDirectory() as folder:
            name, *rest = command.split()
            extra = [] if name == "prove" else ["--witness", os.path.join(folder, "w")]
            run = subprocess.run([program, name, *rest, *extra], cwd=root, capture_output=True, text=True)
            text = run.stdout.replace(folder + "/", "")
        if run.returncode != 2 or len(text.splitlines()) > 25:
            problems.append(f"{command}: exit code {run.returncode}, {len(text.splitlines())} lines: {run.stderr}")
        page += f"\n## {title[0].upper()}{title[1:]}\n\n`./gg {command}`\n\n```\n{text}```\n"
    path = os.path.join(root, "docs/unknown.md")
    reasons = lambda text: re.findall(r"^unknown .*?reason=(\S+)", text, re.M)
    if write:
        open(path, "w").write(page)
    elif reasons(open(path).read()) != reasons(page):
        problems.append(f"docs/unknown.md has {reasons(open(path).read())}, now {reasons(page)}: tests/lint/unknown.py PROGRAM ROOT --write")
    print("\n".join(["FAIL " + p for p in problems] + [f"{len(REPORTS) - len(problems)} passed, {len(problems)} failed"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], "--write" in sys.argv))
