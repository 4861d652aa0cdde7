#!/usr/bin/env python3
"""Lint: every number in the code that compares outputs, and what hangs on it. A refutation is two disjoint balls: no number may make a
difference count or not count by its size. One that is not in the table, or no longer in the code, is a failure.

usage: numbers.py ROOT; prints the table, and exits 1 for violations
"""
import os
import re
import sys

# What a number may be: `count` of elements, draws, bits, characters; `cost`, what is tried at all; `looks again` before anything is said;
# `widens` balls (a wider ball meets sooner); `keeps back` a difference of disjoint balls that another reading of the literals might explain, or that no float type can hold.
# There is no row for a tolerance.
KINDS = ("count", "cost", "looks again", "widens", "keeps back")
TABLE = {
    "runtime/compare.h": {
        "64": ("looks again", "kResolvedBits: overlapping balls that are wider are open"),
        "1e-9": ("looks again", "kDoubleNoise: a screened draw that differs by more in f64 is run over the reals; repairs are sorted, and those that seem to differ are not offered"),
        "1e-14": ("looks again", "kDoubleZero: what is left by rounding where numbers near 1 cancel; edits are sorted by it, and those that are told are run over the reals"),
    },
    "runtime/compare.cpp": {
        "17": ("count", "digits printed"), "40": ("count", "characters printed"),
        "1077": ("keeps back", "kLeastExponent: numbers below 2^-1075 are zero in every float type that programs run in"),
        "0x1p-50": ("widens", "rounding of the doubles in which readings of literals are compared"),
        "1e-3": ("looks again", "kDoubleNoise is relative to the element or to this share of the largest")},
    "runtime/error_bounds.h": {"4": ("widens", "kWidened: f64 balls are four times their running bounds"),
                               "0x1p-52": ("widens", "a unit in the last place of f64, which a dot's bound counts")},
    "runtime/cone.h": {"4e6": ("cost", "operations of a confirmation")},
    "runtime/cone.cpp": {"2000": ("cost", "depth of a cone"), "40": ("count", "bits of an address")},
    "runtime/estimate.cpp": {n: ("cost", "operations of runs, and of what a run is made of") for n in ("6e7", "1e9", "16", "150", "200", "2.0", "1'000'000")},
    "runtime/differential.cpp": {"32": ("count", "draws"), "24": ("count", "draws"), "8": ("count", "draws"), "6": ("count", "draws"), "4": ("count", "draws")},
    "runtime/decision.cpp": {
        "16": ("count", "outputs tried")},
    "runtime/float_verdict.cpp": {"1.0": ("count", "a unit in the last place, for the report"), "160": ("count", "characters printed"),
                                  "40": ("count", "characters printed")},
    "harness/decide/judge.cpp": {},
    "harness/decide/attempts.cpp": {n: ("cost", "operations of runs") for n in ("1.8e8", "8e9", "1.5e7", "1e9", "500", "2e8")} | {"64": ("count", "draws")},
    "harness/decide/gather_run.cpp": {"3": ("count", "mutants"), "1e11": ("cost", "operations of runs")},
    "harness/decide/recorded.cpp": {"1e-6": ("keeps back", "kClear: the graphs of a recorded step hold numbers that a run in floats has rounded")},
    "harness/decide/reduced_run.cpp": {
        "3": ("count", "places looked at, draws, and confirmations' worth of operations"), "1e11": ("cost", "operations of a run of the whole pair"),
        "1000": ("keeps back", "kBeyondNoise: the difference of a part counts if the whole pair differs by so many times what rounding does"),
        "1e-15": ("keeps back", "kLeastNoise: rounding that is taken for granted")},
    "harness/explain/confirm.cpp": {
        "96": ("count", "elements"), "8": ("count", "places"), "50'000": ("cost", "reads of an element"), "3'000'000": ("cost", "reads of an element"),
        "7": ("count", "counter of a draw"), "2026": ("count", "key of a draw"), "4": ("count", "ways to choose an index"), "99": ("count", "counter of a draw"),
        "9": ("count", "digits printed")},
    "kernels/numbers/ball.h": {"16": ("count", "bytes"), "64": ("count", "bits of a word"), "4": ("count", "words"), "8": ("count", "words"), "17": ("count", "digits printed")},
}


def numbers(text):
    text = re.sub(r"//.*|#include.*", "", text)
    text = re.sub(r'"(\\.|[^"\\])*"', "", text)
    found = re.findall(r"(?<![\w.'])(0x[0-9a-fA-F.]+(?:p[-+]?\d+)?|\d[\d']*\.?\d*(?:e[-+]?\d+)?)[uUlLf]*(?![\w.'])", text)
    return {n for n in found if n not in ("0", "1", "2", "0.0")}


def main(root):
    failed = 0
    for path, table in TABLE.items():
        with open(os.path.join(root, path), encoding="utf-8") as f:
            found = numbers(f.read())
        for number, (kind, what) in table.items():
            print(f"{path}: {number} ({kind}) {what}")
            failed += kind not in KINDS
        for number in sorted(found ^ table.keys()):
            print(f"FAIL {path}: {number} is {'not in the table' if number in found else 'no longer there'}")
            failed += 1
    print(f"{sum(map(len, TABLE.values()))} numbers, no tolerance among them" if not failed else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
