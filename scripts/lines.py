#!/usr/bin/env python3
"""Lines of code (.cpp, .h, .def, .cu) of models, kernels, runtime, prover and harness: what is new since commit bdfc97b by feature, and the
rest by folder beside what it was there.

usage: lines.py [ROOT]

A file counts for the first feature one of whose patterns it matches. Only files that bdfc97b did not have, under any name, are features;
what grew inside older files is part of the rest.
"""
import fnmatch
import os
import sys

FOLDERS = {"models": 19848, "kernels": 8465, "runtime": 12222, "prover": 20484, "harness": 12712}  # at bdfc97b
FEATURES = {
    "graphs of PyTorch": ["models/fx/*"],
    "theorems for all sizes are checked": ["prover/checker/sized/*"],
    "layers that repeat are derived once": ["prover/engine/repeat*", "prover/checker/*repeat*", "prover/checker/outline*"],
    "repairs by values, in several rounds": ["harness/pinpoint/" + name + "*" for name in (
        "kin", "told", "chains", "rounds", "causes", "catalogue_halo", "catalogue_step", "catalogue_lost", "catalogue_slip")],
    "assumptions are found, named and printed": ["models/pair/index_uses*", "models/pair/index_flow*", "models/pair/index_expressions*", "models/pair/in_bounds*", "harness/prove/premises*",
                                                 "prover/checker/in_range*"],
    "ranks that part at a collective, loops that have to end": ["models/ir/control_flow*", "prover/*/duties*", "models/mutation/control*", "harness/decide/hang*", "harness/decide/recorded*"],
    "maxima that are attained, as bounds": ["models/ir/attained*"],
    "masks": ["models/ir/mask_shift*", "prover/checker/masks*"],
    "hostile input, limits, strangers at sockets": ["models/base/watch*", "models/base/frame*", "models/base/file_write*",
                                                     "runtime/transport/greeting*", "runtime/transport/hmac*", "runtime/transport/lengths*"],
    "the best of the best of parts, the first of the largest": ["prover/term/order*", "prover/checker/order*", "models/op/row_order*", "prover/term/first*", "prover/checker/first*"],
    "ranges cut where conditions change": ["prover/engine/cuts*", "prover/checker/blocks*"],
    "multiples apart from small numbers": ["prover/checker/apart*"],
    "orders by digits": ["prover/*/lexicographic*"],
    "rows that go around by a number of the data": ["prover/*/around*"],
    "maxima of which nothing may be unmasked": ["prover/*/lowest*"],
    "integers that conditions tell, reals that are integers": ["prover/checker/told*", "prover/*/whole*"],
    "sums inside of sums of products": ["prover/engine/inner_sums*"],
    "sums of many terms": ["prover/term/points*", "prover/checker/points*", "prover/engine/chains*"],
    "places that counts tell apart": ["prover/checker/place.*", "prover/term/fold_place*", "prover/engine/places*"],
    "running sums over shards": ["prover/term/fold_window*", "prover/checker/window*", "prover/engine/running*"],
    "permutations by tables": ["prover/*/permuted*"],
    "index forms that are one function": ["prover/checker/functions*"],
    "values joined of parts": ["prover/engine/joined_index*"],
    "sums of cases, summand by summand": ["prover/checker/summands*"],
    "literals as the numbers that they round": ["models/type/closed_form*", "prover/engine/literals*", "prover/checker/literals*"],
    "what a proof over real numbers passes over": ["prover/engine/passed_over*", "models/ir/finite_tests*", "models/pair/rounded*"],
    "pieces of a batch as one function of their number": ["prover/*/piecewise*"],
    "roots that are multiplied, integers that are chosen": ["prover/term/roots*", "prover/term/integer_cases*"],
    "constants in any shape": ["models/body/elements*", "prover/*/constants*"],
    "logarithms of sums that are merged": ["prover/*/two_orders*"],
    "integers of 64 bits that no index form says": ["prover/*/wide.h", "prover/*/overflow.h"],
    "steps of many layers at reduced shapes": ["runtime/shapes/layering*", "runtime/shapes/layers*", "runtime/shapes/part*", "harness/pinpoint/transplant*"],
    "multiples that conditions on places decide": ["prover/engine/decided*"],
    "halos are reads in bounds": ["prover/engine/halo*"],
    "sigmoids by exponentials": ["prover/*/sigmoid*"],
    "numbers that are rounded to integers of a type": ["prover/*/quantised*"],
    "outputs where they are finite": ["prover/*/where_finite*"],
    "interleaved values of ranks keep names": ["prover/engine/interleaved*"],
    "values some definitions away": ["prover/engine/reached*"],
    "parts of terms, each looked at once": ["prover/term/parts*"],
    "steps of loops that hold case by case": ["prover/engine/loop_cases*"],
    "guards inside of what is computed of a value": ["prover/engine/guarded*"],
    "sequential values under other conditions": ["prover/engine/conditioned*"],
    "quotients towards zero that selections correct": ["prover/*/floored*"],
    "integers beside what limits keep of them": ["prover/*/limited*"],
    "integers that wrap, compared": ["prover/*/wrapped*"],
    "selections by comparisons, literals that make steps": ["prover/*/chosen*", "harness/decide/literal_steps*"],
    "counts compared with none and with all": ["prover/*/counted*"],
    "what is sorted by its group": ["prover/*/groups*"],
    "what integers of the data pick, number by number": ["prover/*/picked*"],
    "counts that conditions say not to be zero": ["prover/*/filled*", "prover/lemma/shares*"],
    "sums under bounds that are one apart": ["prover/*/neighbours*"],
    "sums that are positive by their first element": ["prover/*/at_ends*"],
    "branches of a value are opened in its cases": ["prover/engine/branches*"],
    "what is NaN where a number is": ["prover/*/nan_where*"],
    "shares of a sum that are put together": ["prover/*/merged*"],
    "the last update that hits": ["prover/*/last_hit*"],
    "exponentials of positions": ["prover/term/exponents*"],
    "integer extrema over neighbouring boxes": ["prover/*/extremum_joined*"],
    "extrema of literals, clamps and padded integers": ["prover/term/fold_extrema*"],
    "finite numbers compared in one form": ["prover/*/compared*"],
    "what operators are told in texts": ["harness/explain/arguments*"],
    "several programs, other front ends": ["models/pair/*frontend*", "models/transfer/programs*"],
}


def count(root):
    features, rest = dict.fromkeys(FEATURES, 0), dict.fromkeys(FOLDERS, 0)
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if not name.endswith((".cpp", ".h", ".def", ".cu")):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(root, path), encoding="utf-8") as text:
                    lines = text.read().count("\n")
                feature = next((f for f, patterns in FEATURES.items() if any(fnmatch.fnmatch(path, p) for p in patterns)), None)
                if feature:
                    features[feature] += lines
                else:
                    rest[top] += lines
    return features, rest


def main(root):
    features, rest = count(root)
    for feature, lines in features.items():
        print(f"{lines:7,}  {feature}")
    print(f"{sum(features.values()):7,}  new features together\n")
    for folder, lines in rest.items():
        print(f"{lines:7,}  {folder} ({FOLDERS[folder]:,} at bdfc97b, {lines - FOLDERS[folder]:+,})")
    print(f"{sum(rest.values()):7,}  the rest together ({sum(FOLDERS.values()):,} at bdfc97b, {sum(rest.values()) - sum(FOLDERS.values()):+,})")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))
