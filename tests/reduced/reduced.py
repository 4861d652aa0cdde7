#!/usr/bin/env python3
"""Pairs run at forced reduced shapes, whatever their size. usage: reduced.py GG_HARNESS run|check [--every=N] CASE...

Right pairs are never refuted, and their run never differs; defects are never proved. Every pair that was run says
shapes=reduced. --every: each Nth case only. What cannot be reduced, and defects that no draw shows at reduced shapes, are counted and named."""
import json
import os
import subprocess
import sys
import tempfile

# Right only since two sizes are the same number (a slot for every token), which reduced shapes need not keep: there they may differ, and refute nothing.
EQUAL_BY_NUMBER = ("routed-asked",)


def main():
    program, command, cases = sys.argv[1], sys.argv[2], sys.argv[3:]
    if cases[0].startswith("--every="):
        cases = cases[1::int(cases[0].split("=")[1])]
    count = dict.fromkeys(("right", "proved", "defects", "differ", "refuted", "agree", "not reduced"), 0)
    failures, agreeing, whole = [], [], []
    for case in cases:
        name = os.path.basename(case)
        expect = json.load(open(os.path.join(case, "expect.json")))
        right = expect["verdict"] == "proved"
        endless = "reason=budget" in expect.get("xfail", "")
        arguments = [program, command, case, "--run-shapes", "reduced", "--budget-seconds", "1" if endless else "120"]
        with tempfile.TemporaryDirectory() as folder:
            if command == "check":
                arguments += ["--witness", os.path.join(folder, "witness")]
            run = subprocess.run(arguments, capture_output=True, text=True)
        lines = run.stdout.strip().split("\n")
        verdict = lines[-1].split(" ")[0]
        differs = "the pair differs at reduced shapes" in run.stdout
        reduced = "shapes=reduced" in lines[-1]
        count["right" if right else "defects"] += 1
        count["differ"] += 1 if differs and not right else 0
        count["refuted"] += 1 if verdict == "refuted" else 0
        count["proved"] += 1 if verdict == "proved" else 0
        if not reduced:
            count["not reduced"] += 1
            whole.append(name)
        elif not right and not differs:
            count["agree"] += 1
            agreeing.append(name)
        wrong = (differs and name not in EQUAL_BY_NUMBER) or verdict == "refuted" if right else verdict == "proved"
        if wrong or run.returncode not in (0, 1, 2) or (verdict == "refuted" and not reduced):
            failures.append(f"{name}: {lines[-1]} {run.stderr.strip()[-200:]}")
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    print("defects that agree:", " ".join(agreeing))
    print("not reduced:", " ".join(whole))
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
