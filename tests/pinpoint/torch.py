#!/usr/bin/env python3
"""Wrong programs captured from torch (programs.py beside the cases): the node that is blamed, its line, and the edit that is proved to mend.

usage: torch.py GG_HARNESS [CASE...]      closing line: N passed, M failed
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch")


def problem(program, name):
    with open(os.path.join(HERE, name, "expect.json")) as f:
        expected = json.load(f)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        got = subprocess.run([program, "check", os.path.join(HERE, name), "--json", report, "--witness", os.path.join(scratch, "w")], capture_output=True, text=True)
        if got.returncode != 1:
            return f"exit code {got.returncode}\n{got.stdout[-600:]}{got.stderr[-400:]}"
        with open(report) as f:
            said = json.load(f)
    edits = [h["edit"] for h in said["hypotheses"] if h["confirmed"] == "proof"]
    found = (said["divergent"]["instruction"], said["divergent"]["source"])
    if found != (expected["node"], expected["source"]):
        return f"{found} is blamed, not {(expected['node'], expected['source'])}\n{got.stdout}"
    if expected.get("says", "") not in said["findings"][0]["text"]:
        return f"it is not told that it {expected['says']}: {said['findings'][0]['text']}"
    if any(expected.get("never", "\n") in h["edit"] for h in said["hypotheses"]):
        return f"an edit is told that takes in '{expected['never']}': {[h['edit'] for h in said['hypotheses']]}"
    return "" if any(expected["edit"] in edit for edit in edits) else f"no proved edit says '{expected['edit']}': {edits}"


def main():
    names = sys.argv[2:] or sorted(d for d in os.listdir(HERE) if os.path.isdir(os.path.join(HERE, d)))
    return counted((name, problem(sys.argv[1], name)) for name in names)


if __name__ == "__main__":
    sys.exit(main())
