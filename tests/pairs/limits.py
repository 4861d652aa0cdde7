#!/usr/bin/env python3
"""What the prover does not prove yet: runs gg-harness over examples/ and tests/pairs, and writes docs/limits.md.

usage: limits.py GG_HARNESS [--write] [--right] [CASE...]

Without a CASE: all of them; --right: not the wrong ones, which take minutes. Prints verdict and seconds of each case.
--write: renews docs/limits.md (if no CASE is given), and `today` in the expect.json of the cases of this folder
(verdict and assumptions or reason, as a comment). Exit code 1 if a verdict is wrong, or unknown without `xfail`, which in
expect.json names the missing lemma in words.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VERDICTS = {0: "proved", 1: "refuted", 2: "unknown"}
WIDEST = 240  # characters of a form in the table
INTRO = """# What is not proved yet

Pairs of `examples/` and `tests/pairs` that end as `unknown`: {count} of {right} right ones (that the wrong ones are
refuted is held by the tests `examples` and `pairs_defects`). The runs of such a pair agree, a proof step is missing.
"First island" is the first value of the distributed program that the prover could not relate to a sequential one: its
operator, its form on a rank (v0 and on: digits of the rank, then indices; sK: a sequential value), and the nearest
sequential form. `gg-harness check CASE` prints all of them in full.

This page is written by `tests/pairs/limits.py BUILD/gg-harness --write --right`, but for what stands under the heading below.

"""
BELOW = "## "  # headings from here on are written by hand
TABLE = """| pair | output | first island | distributed form | sequential form | missing |
|---|---|---|---|---|---|
"""


def check(program, case, folder):
    """Exit code's verdict, JSON report, notes, seconds."""
    report = os.path.join(folder, "report.json")
    begin = time.monotonic()
    run = subprocess.run([program, "check", case, "--json", report, "--witness", os.path.join(folder, "witness")],
                         capture_output=True, text=True)
    seconds = time.monotonic() - begin
    verdict = VERDICTS.get(run.returncode, f"exit code {run.returncode}")
    return verdict, json.load(open(report)) if verdict in VERDICTS.values() else {}, run.stdout, seconds


def short(text):
    text = (text or "none").replace("|", "\\|")
    return f"`{text if len(text) <= WIDEST else text[:WIDEST] + ' ...'}`"


def operator(case, instance):
    """The operator of an instance PATH/%name in distributed.hlo."""
    name = re.escape(instance.split("/")[-1].lstrip("%"))
    text = open(case + "/distributed.hlo").read()
    line = re.search(rf"^\s*(?:ROOT )?%?{name} = (?:\([^)]*\)|\S+) ([\w-]+)\(", text, re.MULTILINE)
    return f"{line.group(1) if line else '?'} `{instance.split('/')[-1]}`"


def row(case, report, printed, missing):
    open_outputs = [str(o["index"]) for o in report["outputs"] if o["status"] not in ("proved", "ignored")]
    refused = re.search(r"the checker did not accept the certificate: (.*)", printed)
    if refused:
        island = ["the proof's certificate is refused", short(refused.group(1)), "-"]
    elif report["islands"]:
        first = report["islands"][0]
        island = [operator(case, first["instance"]), short(first["distributed"]), short(first["sequential"])]
    else:
        island = ["-", "-", "-"]
    return "| " + " | ".join([os.path.relpath(case, ROOT), ", ".join(open_outputs), *island, missing]) + " |"


def comment(case, verdict, report):
    """Renews `today`, for the cases of this folder."""
    expect = json.load(open(case + "/expect.json"))
    if verdict == "refuted":
        findings = report.get("findings") or [{}]
        today = "refuted: " + (findings[0].get("code") or "no single defect found")
    elif verdict == "proved":
        today = "proved" + (", assuming " + ", ".join(map(str, report["assumptions"])) if report["assumptions"] else "")
    else:
        today = "unknown: " + report.get("reason", "?")
    expect["today"] = today
    with open(case + "/expect.json", "w") as f:
        f.write(json.dumps(expect, indent=1) + "\n")


def main(arguments):
    write, only_right = "--write" in arguments, "--right" in arguments
    program, *given = [a for a in arguments if not a.startswith("--")]
    every = sorted(glob.glob(ROOT + "/examples/*/expect.json")) + sorted(glob.glob(HERE + "/*/expect.json"))
    cases = given or [os.path.dirname(path) for path in every]
    rows, problems, right = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            expect = json.load(open(case + "/expect.json"))
            if only_right and expect["verdict"] != "proved":
                continue
            right += expect["verdict"] == "proved"
            verdict, report, printed, seconds = check(program, case, folder)
            problem = ""
            if verdict != expect["verdict"] and not (verdict == "unknown" and "xfail" in expect):
                problem = "   no reason given" if verdict == "unknown" else "   WRONG"
            problem += "   close the gap's entry" if verdict == expect["verdict"] and "xfail" in expect else ""
            problems += bool(problem)
            print(f"{os.path.relpath(case, ROOT):60s} {verdict:8s} {seconds:6.2f}{problem}", flush=True)
            if verdict == "unknown":
                rows.append(row(case, report, printed, expect.get("xfail", "not described")))
            if write and os.path.dirname(os.path.abspath(case)) == HERE and verdict in VERDICTS.values():
                comment(case, verdict, report)
    text = INTRO.format(count=len(rows), right=right) + (TABLE + "\n".join(rows) if rows else "No pair is unknown now.") + "\n"
    if write and not given:
        page = ROOT + "/docs/limits.md"
        kept = open(page).read().partition(BELOW)
        with open(page, "w") as f:
            f.write(text + "\n" + kept[1] + kept[2])
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
