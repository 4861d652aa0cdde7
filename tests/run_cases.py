#!/usr/bin/env python3
"""Runs gg-harness over case folders and holds every promise of a verdict against it: the exit code is the expected one,
a second run is byte-identical, a proof's certificate is accepted by gg-verify, a refutation's witness replays.

usage: run_cases.py BUILD_FOLDER WITNESS_FOLDER CASE...      closing line: N passed, M failed
A case may have `"expect": "unknown"` with a reason in expect.json's "xfail" (a known gap): then unknown passes, and an
unexpected proof or refutation as the truth has it fails too, so that the entry is removed.
"""
import json
import os
import subprocess
import sys

CODES = {"proved": 0, "refuted": 1, "unknown": 2}


def call(*command):
    return subprocess.run(command, capture_output=True, text=True)


def report_without_run(path):
    report = json.load(open(path))
    report.pop("run")
    return report


def problems(build, witnesses, case):
    name = os.path.basename(os.path.abspath(case))
    expect = json.load(open(case + "/expect.json"))
    want = "unknown" if expect.get("xfail") else expect["verdict"]
    program, verify = build + "/gg-harness", build + "/gg-verify"
    witness, certificate = os.path.join(witnesses, name), os.path.join(witnesses, name + ".cert")
    reports, texts = [], []
    for k in range(2):
        json_file = os.path.join(witnesses, f"{name}.{k}.json")
        run = call(program, "check", case, "--json", json_file, "--witness", witness, "--certificate", certificate)
        if run.returncode != CODES[want]:
            last = run.stdout.strip().split("\n")[-1]
            yield f"exit code {run.returncode}, expected {CODES[want]} ({want}): {last} {run.stderr.strip()[:300]}"
            return
        reports.append(report_without_run(json_file))
        if want == "proved":
            texts.append(open(certificate).read())
    if reports[0] != reports[1]:
        yield "two runs differ in the JSON report"
    if len(set(texts)) > 1:
        yield "two runs differ in the certificate"
    if want == "proved":
        check = call(verify, certificate, case)
        if check.returncode != 0:
            yield "gg-verify: " + check.stdout.strip() + check.stderr.strip()
    if want == "refuted":
        replay = call(program, "replay", witness)
        if replay.returncode != 1:
            yield f"replay gives exit code {replay.returncode}: {replay.stdout}{replay.stderr}"


def main(build, witnesses, cases):
    os.makedirs(witnesses, exist_ok=True)
    failed = 0
    for case in cases:
        found = list(problems(build, witnesses, case.rstrip("/")))
        for problem in found:
            print(f"FAIL {case}: {problem}")
        failed += bool(found)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
