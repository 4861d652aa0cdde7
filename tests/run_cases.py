#!/usr/bin/env python3
"""Runs gg-harness over case folders and holds every promise of a verdict against it: the exit code is the expected one,
a second run is byte-identical, a proof's certificate is accepted by gg-verify, a refutation's witness replays, and the checker
refuses no certificate that the search believes in.

usage: run_cases.py BUILD_FOLDER WITNESS_FOLDER [--again=prove | --again=none] CASE...      closing line: N passed, M failed
--again=prove: the second run of a pair that is to be proved is `prove`, whose certificate must be that of `check`: the programs do not run twice.
--again=none: no second run (under sanitizers, where the bytes of what another build compares with itself are not of interest).
A case may have `"expect": "unknown"` with a reason in expect.json's "xfail" (a known gap): then unknown passes, and an
unexpected proof or refutation as the truth has it fails too, so that the entry is removed.
"""
import json
import os
import subprocess
import sys

from counted import REFUSED

CODES = {"proved": 0, "refuted": 1, "unknown": 2}


def call(*command):
    return subprocess.run(command, capture_output=True, text=True)


def report_without_run(path):
    report = json.load(open(path))
    report.pop("run")
    return report


def problems(build, witnesses, case, again):
    name = os.path.basename(os.path.abspath(case))
    expect = json.load(open(case + "/expect.json"))
    want = "unknown" if expect.get("xfail") else expect["verdict"]
    program, verify = build + "/gg-harness", build + "/gg-verify"
    witness, certificate = os.path.join(witnesses, name), os.path.join(witnesses, name + ".cert")
    reports, texts = [], []
    for k in range(1 if again == "none" else 2):
        json_file = os.path.join(witnesses, f"{name}.{k}.json")
        alone = k == 1 and again == "prove" and want == "proved"
        run = call(program, *(("prove", case) if alone else ("check", case, "--witness", witness)), "--json", json_file, "--certificate", certificate)
        if run.returncode != CODES[want]:
            last = run.stdout.strip().split("\n")[-1]
            yield f"exit code {run.returncode}, expected {CODES[want]} ({want}): {last} {run.stderr.strip()[:300]}"
            return
        yield from (line for line in (run.stdout + run.stderr).splitlines() if REFUSED in line)
        reports.append(reports[0] if alone else report_without_run(json_file))
        if want == "proved":
            texts.append(open(certificate).read())
    if reports[0] != reports[-1]:
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


def main(build, witnesses, *cases):
    os.makedirs(witnesses, exist_ok=True)
    again = next((case[len("--again="):] for case in cases if case.startswith("--again=")), "check")
    cases = [case for case in cases if not case.startswith("--")]
    failed = 0
    for case in cases:
        found = list(problems(build, witnesses, case.rstrip("/"), again))
        for problem in found:
            print(f"FAIL {case}: {problem}")
        failed += bool(found)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
