#!/usr/bin/env python3
"""Scores what `check` says of refuted cases against their expect.json, one line a case and the counts.

usage: score.py [--reduce] [--renamed PINPOINT_RENAMED] [--accepted accepted.json] [--folder FOLDER] [--seeds N] GG_HARNESS CASE...

A case counts as named if the first finding blames expect.json's `culprit` (a dropped collective leaves an instruction of
that name in its place), and as rightly told if its code is the `code` there, or one of those accepted for its family. Every first hypothesis that claims to mend is written out and run again on N draws of other seeds:
a difference is a false claim. With --reduce the smallest pair is
made too, and has to be refuted. With --renamed all of this is done to the case with other names and no metadata. Exit 1: a
case not refuted, a `code` that is another, a culprit missed in more than one of 24, fewer than four of five mended by proof, or a false claim.
"""
import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def call(*command):
    start = time.time()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    run.wall = time.time() - start
    run.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return run


def renamed(tool, case, folder):
    run = call(tool, case, folder)
    return dict(line.split() for line in run.stdout.splitlines()) if run.returncode == 0 else None


def copy_with(case, folder, distributed):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(case, folder)
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o644)
    os.replace(distributed, folder + "/distributed.hlo")


def false_claim(program, case, folder, repaired, seeds):
    """The repaired program on further draws: does it differ?"""
    copy_with(case, folder, repaired)
    return call(program, "run", folder, "--seed", "7001", "--seeds", str(seeds), "-q", "--budget-seconds", "120").returncode == 1


def reduced_size(program, case, folder):
    """Instructions of the smallest pair; None where there is none, -1 where it is not refuted."""
    shutil.rmtree(folder, ignore_errors=True)
    run = call(program, "reduce", case, "-o", folder)
    found = re.search(r"instructions \d+ -> (\d+)", run.stdout)
    if not found:
        return None
    return int(found.group(1)) if call(program, "run", folder, "-q").returncode == 1 else -1


def score(options, case, accepted):
    name = os.path.basename(os.path.abspath(case))
    expect = json.load(open(case + "/expect.json"))
    base = os.path.join(options.folder, name)
    names = {}
    if options.renamed:
        names = renamed(options.renamed, case, base + ".renamed")
        if names is None:
            return {"name": name, "read": False}
        case = base + ".renamed"
    report_file, repaired = base + ".json", base + ".repaired.hlo"
    for old in (report_file, repaired):
        if os.path.exists(old):
            os.remove(old)
    run = call(options.program, "check", case, "--json", report_file, "--witness", base + ".witness", "--repaired", repaired)
    if run.returncode == 3:
        return {"name": name, "read": False}
    report = json.load(open(report_file)) if os.path.exists(report_file) else {"findings": [], "hypotheses": [], "notes": []}
    findings = report["findings"]
    said = (report.get("divergent") or {}).get("instruction") or ""
    code = findings[0]["diagnosis"] if findings else ""
    small = re.search(r"\((\d+) of (\d+) elements not zero\)", run.stdout)
    row = {"name": name, "read": True, "rc": run.returncode, "wall": run.wall, "cpu": run.cpu, "code": code,
           "said": names.get(said, said), "culprit": expect.get("culprit"), "text": findings[0]["text"] if findings else "",
           "findings": len(findings), "proved": any(h["confirmed"] == "proof" for h in report["hypotheses"]),
           "mends": any(h["mends"] for h in report["hypotheses"]), "nonzero": int(small.group(1)) if small else None,
           "elements": int(small.group(2)) if small else None, "false": False, "fits": None}
    key = f"{expect.get('family', '')}-{expect.get('bug', '')}"
    if key in accepted:
        row["fits"] = code in accepted[key]
    if "code" in expect:
        row["fits"] = row["coded"] = code == expect["code"]
    if options.reduce:
        row["reduced"] = reduced_size(options.program, case, base + ".reduced")
    if os.path.exists(repaired) and row["wall"] < 10:
        row["false"] = false_claim(options.program, case, base + ".again", repaired, options.seeds)
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renamed")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--accepted", default=HERE + "/accepted.json")
    parser.add_argument("--folder", default="/tmp/gg-score")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    accepted = json.load(open(options.accepted))
    rows = []
    for case in options.cases:
        if not os.path.exists(case + "/expect.json") or json.load(open(case + "/expect.json"))["verdict"] != "refuted":
            continue
        row = score(options, case, accepted)
        rows.append(row)
        if not row["read"]:
            print(f"{row['name']:52s} not read")
            continue
        blame = "" if row["culprit"] is None else "named" if row["said"] == row["culprit"] else "MISSED " + row["culprit"]
        mend = "FALSE" if row["false"] else "proved" if row["proved"] else "run" if row["mends"] else "none"
        fits = "" if row["fits"] is None else "ok" if row["fits"] else "OTHER"
        print(f"{row['name']:52s} exit {row['rc']} {row['cpu']:6.2f}s {mend:7s} {row['code']} {fits:5s} {row['nonzero']}/{row['elements']} "
              f"{blame} | {row['text']}", flush=True)
    rows = [row for row in rows if row["read"]]
    refuted = [row for row in rows if row["rc"] == 1]
    culprits = [row for row in rows if row["culprit"] is not None]
    named = [row for row in culprits if row["said"] == row["culprit"]]
    proved = [row for row in rows if row["proved"]]
    run_only = [row for row in rows if row["mends"] and not row["proved"]]
    false = [row for row in rows if row["false"]]
    judged = [row for row in rows if row["fits"] is not None]
    small = [row["nonzero"] for row in rows if row["nonzero"] is not None]
    print(f"refuted {len(refuted)}/{len(rows)}, culprits named {len(named)}/{len(culprits)}, diagnosis accepted "
          f"{sum(row['fits'] for row in judged)}/{len(judged)}, mended by proof {len(proved)}/{len(rows)}, by runs only {len(run_only)}, "
          f"false claims {len(false)}, slowest {max(row['cpu'] for row in rows):.2f} s of processor, median nonzero input elements "
          f"{statistics.median(small) if small else '-'}")
    sizes = [row["reduced"] for row in rows if row.get("reduced") is not None]
    if options.reduce and sizes:
        print(f"reduced {len(sizes)}/{len(rows)}, median instructions {statistics.median(sizes)}, not refuted {sizes.count(-1)}")
    good = (len(refuted) == len(rows) and 24 * len(named) >= 23 * len(culprits) and 5 * len(proved) >= 4 * len(rows) and not false
            and -1 not in sizes and all(row.get("coded", True) for row in rows))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
