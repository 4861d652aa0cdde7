#!/usr/bin/env python3
"""Writes the pairs `control-*` of this folder: loops and branches in distributed programs, with collectives and without, used
and dead, that end on all ranks together and that do not.

usage: tests/pairs/make_control.py [--out FOLDER]      needs nothing but Python

`x` is f32[4], two elements a rank, where nothing else is said; every relation has one input a parameter and one output.
"""
import argparse
import json
import os

REGIONS = """
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %r = f32[] add(%a, %b)
}

%most (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %r = f32[] maximum(%a, %b)
}
"""
ALL2, ALL4 = "{{0,1}}", "{{0,1,2,3}}"


def module(name, body, regions="", ranks=0):
    partitions = f", num_partitions={ranks}" if ranks else ""
    return f"HloModule {name}{partitions}\n{REGIONS}{regions}\nENTRY %main {body}\n"


def reduced(name, operand, type_, groups, region="sum", channel=1):
    return (f"  {name} = {type_} all-reduce({operand}), channel_id={channel}, replica_groups={groups}, "
            f"use_global_device_ids=true, to_apply=%{region}\n")


def keep(name, type_):
    return f"%{name} (p: {type_}) -> {type_} {{\n  ROOT %p = {type_} parameter(0)\n}}\n"


def total(name, type_, groups, channel=1):
    """The element-wise sum over ranks of what the branch gets."""
    return f"%{name} (p: {type_}) -> {type_} {{\n  %p = {type_} parameter(0)\n" + \
        reduced("ROOT %q", "%p", type_, groups, channel=channel) + "}\n"


NEGATE = module("negate", """(x: f32[4]) -> f32[4] {
  %x = f32[4] parameter(0)
  ROOT %r = f32[4] negate(%x)
}""")
TP = {"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[["tp"]]]}


def dead(flag, regions="", branches=None):
    """-x, beside a conditional with a collective whose result nobody uses."""
    branches = branches or total("yes", "f32[2]", ALL2) + keep("no", "f32[2]")
    return module("dead", f"""(x: f32[2]) -> f32[2] {{
  %x = f32[2] parameter(0)
{flag}  %d = f32[2] conditional(%flag, %x, %x), true_computation=%yes, false_computation=%no
  ROOT %r = f32[2] negate(%x)
}}""", regions + branches, 2)


def flag_of_first(limit):
    return (f"  %s = f32[1] slice(%x), slice={{[0:1]}}\n  %first = f32[] reshape(%s)\n  %limit = f32[] constant({limit})\n"
            "  %flag = pred[] compare(%first, %limit), direction=GT\n")


def flag_of_product(limit):
    return (f"  %s = f32[1] slice(%x), slice={{[0:1]}}\n  %t = f32[1] slice(%x), slice={{[1:2]}}\n  %st = f32[1] multiply(%s, %t)\n  %first = f32[] reshape(%st)\n"
            f"  %limit = f32[] constant({limit})\n  %flag = pred[] compare(%first, %limit), direction=GT\n")


RANK_FLAG = """  %id = u32[] partition-id()
  %zero = u32[] constant(0)
  %flag = pred[] compare(%id, %zero), direction=EQ
"""


def largest(local, everywhere):
    """The largest element; x minus the mean where it is above 0.8."""
    n = 2 if local else 4
    yes = f"""%yes (p: f32[{n}]) -> f32[{n}] {{
  %p = f32[{n}] parameter(0)
  %zero = f32[] constant(0)
  %part = f32[] reduce(%p, %zero), dimensions={{0}}, to_apply=%sum
{reduced("%t", "%part", "f32[]", ALL2) if local else "  %t = f32[] copy(%part)" + chr(10)}  %all = f32[{n}] broadcast(%t), dimensions={{}}
  ROOT %q = f32[{n}] subtract(%p, %all)
}}
"""
    top = reduced("%top", "%own", "f32[]", ALL2, "most", 2) if everywhere else "  %top = f32[] copy(%own)\n"
    return module("largest", f"""(x: f32[{n}]) -> f32[{n}] {{
  %x = f32[{n}] parameter(0)
  %low = f32[] constant(-inf)
  %own = f32[] reduce(%x, %low), dimensions={{0}}, to_apply=%most
{top}  %limit = f32[] constant(0.8)
  %flag = pred[] compare(%top, %limit), direction=GT
  ROOT %d = f32[{n}] conditional(%flag, %x, %x), true_computation=%yes, false_computation=%no
}}""", yes + keep("no", f"f32[{n}]"), 2 if local else 0)


def rank_branch(swapped):
    """Rank 0 negates, rank 1 multiplies by -1; no collective inside."""
    other = "%q = f32[2] abs(%p)" if swapped else "%q = f32[2] multiply(%p, %m)"
    branches = f"""%yes (p: f32[2]) -> f32[2] {{
  %p = f32[2] parameter(0)
  ROOT %q = f32[2] negate(%p)
}}

%no (p: f32[2]) -> f32[2] {{
  %p = f32[2] parameter(0)
  %c = f32[] constant(-1)
  %m = f32[2] broadcast(%c), dimensions={{}}
  ROOT {other}
}}
"""
    return module("ranks", f"""(x: f32[2]) -> f32[2] {{
  %x = f32[2] parameter(0)
{RANK_FLAG}  ROOT %d = f32[2] conditional(%flag, %x, %x), true_computation=%yes, false_computation=%no
}}""", branches, 2)


def counted(bound, inside, n):
    """A loop that adds `inside`(v) to v until the counter reaches the bound, which is carried too."""
    return f"""%body (p: (s32[], f32[{n}], s32[])) -> (s32[], f32[{n}], s32[]) {{
  %p = (s32[], f32[{n}], s32[]) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %v = f32[{n}] get-tuple-element(%p), index=1
  %n = s32[] get-tuple-element(%p), index=2
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
{inside}  %w = f32[{n}] add(%v, %u)
  ROOT %t = (s32[], f32[{n}], s32[]) tuple(%j, %w, %n)
}}

%cond (p: (s32[], f32[{n}], s32[])) -> pred[] {{
  %p = (s32[], f32[{n}], s32[]) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %n = s32[] get-tuple-element(%p), index=2
  ROOT %c = pred[] compare(%i, %n), direction=LT
}}
""", f"""  %start = s32[] constant(0)
{bound}  %t = (s32[], f32[{n}], s32[]) tuple(%start, %x, %bound)
  %l = (s32[], f32[{n}], s32[]) while(%t), condition=%cond, body=%body
"""


LITERAL = "  %bound = s32[] constant(3)\n"
OWN_BOUND = """  %id = u32[] partition-id()
  %own = s32[] convert(%id)
  %three = s32[] constant(3)
  %bound = s32[] add(%own, %three)
"""
SUM_INSIDE = reduced("%u", "%v", "f32[2]", ALL2)


def dead_loop(bound, inside=SUM_INSIDE):
    regions, loop = counted(bound, inside, 2)
    return module("dead_loop", f"(x: f32[2]) -> f32[2] {{\n  %x = f32[2] parameter(0)\n{loop}  ROOT %r = f32[2] negate(%x)\n}}", regions, 2)


def endless():
    """A dead loop whose condition is true, on all ranks, without a collective."""
    regions, loop = counted(LITERAL, "  %u = f32[2] negate(%v)\n", 2)
    regions = regions.replace("ROOT %c = pred[] compare(%i, %n), direction=LT", "ROOT %c = pred[] constant(true)")
    return module("endless", f"(x: f32[2]) -> f32[2] {{\n  %x = f32[2] parameter(0)\n{loop}  ROOT %r = f32[2] negate(%x)\n}}", regions, 2)


def halving(local):
    """x is halved until its first element (of all: of the whole x) is below 1: how often hangs on the data."""
    n = 2 if local else 4
    regions = f"""%body (v: f32[{n}]) -> f32[{n}] {{
  %v = f32[{n}] parameter(0)
  %c = f32[] constant(0.5)
  %h = f32[{n}] broadcast(%c), dimensions={{}}
  ROOT %w = f32[{n}] multiply(%v, %h)
}}

%cond (v: f32[{n}]) -> pred[] {{
  %v = f32[{n}] parameter(0)
  %low = f32[] constant(-inf)
  %own = f32[] reduce(%v, %low), dimensions={{0}}, to_apply=%most
{reduced("%top", "%own", "f32[]", ALL2, "most", 2) if local else "  %top = f32[] copy(%own)" + chr(10)}  %one = f32[] constant(1)
  ROOT %g = pred[] compare(%top, %one), direction=GT
}}
"""
    return module("halving", f"""(x: f32[{n}]) -> f32[{n}] {{
  %x = f32[{n}] parameter(0)
  %w = f32[{n}] while(%x), condition=%cond, body=%body
  ROOT %r = f32[{n}] negate(%w)
}}""", regions, 2 if local else 0)


def loop_in_branch(local, own=False):
    """Three times v + sum of v inside of a branch; the flag is an input that all ranks have."""
    n = 2 if local else 4
    inside = f"""  %zero = f32[] constant(0)
  %part = f32[] reduce(%v, %zero), dimensions={{0}}, to_apply=%sum
{reduced("%t", "%part", "f32[]", ALL2) if local else "  %t = f32[] copy(%part)" + chr(10)}  %u = f32[{n}] broadcast(%t), dimensions={{}}
"""
    inside = inside.replace("%t ", "%s ").replace("(%t)", "(%s)")
    regions, loop = counted(OWN_BOUND if own else LITERAL, inside, n)
    branch = f"%yes (x: f32[{n}]) -> f32[{n}] {{\n  %x = f32[{n}] parameter(0)\n{loop}  ROOT %q = f32[{n}] get-tuple-element(%l), index=1\n}}\n"
    return module("loop_in_branch", f"""(x: f32[{n}], flag: pred[]) -> f32[{n}] {{
  %x = f32[{n}] parameter(0)
  %flag = pred[] parameter(1)
  ROOT %d = f32[{n}] conditional(%flag, %x, %x), true_computation=%yes, false_computation=%no
}}""", regions + branch + keep("no", f"f32[{n}]"), 2 if local else 0)


def branch_in_loop(local, parity):
    """Three rounds; the odd ones add the sum of all elements, the even ones double. `parity`: what is odd."""
    n = 2 if local else 4
    branches = f"""%odd (p: f32[{n}]) -> f32[{n}] {{
  %p = f32[{n}] parameter(0)
  %zero = f32[] constant(0)
  %part = f32[] reduce(%p, %zero), dimensions={{0}}, to_apply=%sum
{reduced("%s", "%part", "f32[]", ALL2) if local else "  %s = f32[] copy(%part)" + chr(10)}  ROOT %q = f32[{n}] broadcast(%s), dimensions={{}}
}}
""" + keep("even", f"f32[{n}]")
    inside = f"""{parity}  %two = s32[] constant(2)
  %rest = s32[] remainder(%k, %two)
  %u = f32[{n}] conditional(%rest, %v, %v), branch_computations={{%even, %odd}}
"""
    regions, loop = counted(LITERAL, inside, n)
    return module("branch_in_loop", f"(x: f32[{n}]) -> f32[{n}] {{\n  %x = f32[{n}] parameter(0)\n{loop}  ROOT %r = f32[{n}] get-tuple-element(%l), index=1\n}}",
                  branches + regions, 2 if local else 0)


ROUND = "  %k = s32[] copy(%i)\n"
ROUND_AND_RANK = "  %id = u32[] partition-id()\n  %own = s32[] convert(%id)\n  %k = s32[] add(%i, %own)\n"


def switch(local, last):
    """A switch with a conditional in a branch, over numbers that all ranks have; out of range is the last branch."""
    n = 2 if local else 4
    inner = f"""%inner_yes (p: f32[{n}]) -> f32[{n}] {{
  %p = f32[{n}] parameter(0)
  %zero = f32[] constant(0)
  %part = f32[] reduce(%p, %zero), dimensions={{0}}, to_apply=%sum
{reduced("%s", "%part", "f32[]", ALL2) if local else "  %s = f32[] copy(%part)" + chr(10)}  %u = f32[{n}] broadcast(%s), dimensions={{}}
  ROOT %q = f32[{n}] add(%p, %u)
}}

{keep("inner_no", f"f32[{n}]")}
%first (a: (f32[{n}], pred[])) -> f32[{n}] {{
  %a = (f32[{n}], pred[]) parameter(0)
  %p = f32[{n}] get-tuple-element(%a), index=0
  %f = pred[] get-tuple-element(%a), index=1
  ROOT %q = f32[{n}] conditional(%f, %p, %p), true_computation=%inner_yes, false_computation=%inner_no
}}

%second (p: f32[{n}]) -> f32[{n}] {{
  %p = f32[{n}] parameter(0)
  ROOT %q = f32[{n}] {last}(%p)
}}
"""
    return module("switch", f"""(x: f32[{n}], flag: pred[], k: s32[]) -> f32[{n}] {{
  %x = f32[{n}] parameter(0)
  %flag = pred[] parameter(1)
  %k = s32[] parameter(2)
  %a = (f32[{n}], pred[]) tuple(%x, %flag)
  ROOT %d = f32[{n}] conditional(%k, %a, %x), branch_computations={{%first, %second}}
}}""", inner, 2 if local else 0)


def groups(divisor, collective):
    """Four ranks dp x tp; a branch that the rank's own dp decides, with a collective over tp (or over dp)."""
    branches = f"%yes (p: f32[2]) -> f32[2] {{\n  %p = f32[2] parameter(0)\n{collective}  ROOT %q = f32[2] negate(%p)\n}}\n" \
               "%no (p: f32[2]) -> f32[2] {\n  %p = f32[2] parameter(0)\n  ROOT %q = f32[2] negate(%p)\n}\n"
    return module("groups", f"""(x: f32[2]) -> f32[2] {{
  %x = f32[2] parameter(0)
  %id = u32[] partition-id()
  %two = u32[] constant(2)
  %own = u32[] {divisor}(%id, %two)
  %zero = u32[] constant(0)
  %flag = pred[] compare(%own, %zero), direction=EQ
  ROOT %d = f32[2] conditional(%flag, %x, %x), true_computation=%yes, false_computation=%no
}}""", branches, 4)


OVER_TP = reduced("%t", "%p", "f32[2]", "{{0,1},{2,3}}")
PAIRS = "  %t = f32[2] collective-permute(%p), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
PAIRS_ACROSS = "  %t = f32[2] collective-permute(%p), channel_id=1, source_target_pairs={{0,2}}\n"
MESH4 = {"mesh": [["dp", 2], ["tp", 2]], "inputs": [[["tp"]]], "outputs": [[["tp"]]]}
WITH_FLAG = {"mesh": [["tp", 2]], "inputs": [[["tp"]], []], "outputs": [[["tp"]]]}
WITH_SWITCH = {"mesh": [["tp", 2]], "inputs": [[["tp"]], [], []], "outputs": [[["tp"]]], "ranges": {"k": [-1, 4]}}
RARE = "it hangs for inputs that draws do not reach; unknown reason=termination"
OPEN = "it ends, but nothing shows that; unknown reason=termination"
BUDGET = "a run cannot tell a loop without an end from a long one; unknown reason=budget"

#        name, sequential, distributed, relation, bug or None, xfail or None
CASES = [
    ("flag", largest(False, False), largest(True, True), TP, None, None),
    ("flag-own", largest(False, False), largest(True, False), TP, "the flag is that of the rank, the branch has an all-reduce", None),
    ("rank-branch", NEGATE, rank_branch(False), TP, None, None),
    ("rank-branch-other", NEGATE, rank_branch(True), TP, "the other branch takes the magnitude", None),
    ("dead-rank", NEGATE, dead(RANK_FLAG), TP, "one of two ranks enters an all-reduce whose result is not used", None),
    ("dead-large", NEGATE, dead(flag_of_first(1000)), TP, "an own element above 1000 decides on a dead all-reduce", None),
    ("dead-rare", NEGATE, dead(flag_of_product(100000)), TP, "a product of own elements above 100000 decides on a dead all-reduce", RARE),
    ("dead-often", NEGATE, dead(flag_of_first("0.5")), TP, "an own element above 0.5 decides on a dead all-reduce", None),
    ("dead-loop", NEGATE, dead_loop(LITERAL), TP, None, None),
    ("dead-loop-own-bound", NEGATE, dead_loop(OWN_BOUND), TP, "a dead loop runs once more on rank 1, with an all-reduce inside", None),
    ("dead-loop-own-bound-alone", NEGATE, dead_loop(OWN_BOUND, "  %u = f32[2] negate(%v)\n"), TP, None, None),
    ("dead-loop-by-threes", NEGATE, dead_loop(OWN_BOUND, "  %u = f32[2] negate(%v)\n").replace("%one = s32[] constant(1)", "%one = s32[] constant(3)"), TP, None, OPEN),
    ("dead-endless", NEGATE, endless(), TP, "a dead loop does not end", BUDGET),
    ("halving", halving(False), halving(True), TP, None, "a loop whose trips hang on data is not related to the sequential one; unknown reason=no-lemma"),
    ("loop-in-branch", loop_in_branch(False), loop_in_branch(True), WITH_FLAG, None, None),
    ("loop-in-branch-own-bound", loop_in_branch(False), loop_in_branch(True, True), WITH_FLAG, "a loop in a branch runs once more on rank 1", None),
    ("branch-in-loop", branch_in_loop(False, ROUND), branch_in_loop(True, ROUND), TP, None, None),
    ("branch-in-loop-own-round", branch_in_loop(False, ROUND), branch_in_loop(True, ROUND_AND_RANK), TP, "the rounds of rank 1 are shifted by one", None),
    ("switch", switch(False, "negate"), switch(True, "negate"), WITH_SWITCH, None, None),
    ("switch-other", switch(False, "negate"), switch(True, "abs"), WITH_SWITCH, "the last branch takes the magnitude", None),
    ("groups", NEGATE, groups("divide", OVER_TP), MESH4, None, None),
    ("groups-across", NEGATE, groups("remainder", OVER_TP), MESH4, "ranks of one group take different branches", None),
    ("pairs", NEGATE, groups("divide", PAIRS), MESH4, None, None),
    ("pairs-across", NEGATE, groups("divide", PAIRS_ACROSS), MESH4, "a rank sends to one that takes the other branch", None),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    out = parser.parse_args().out
    for name, sequential, distributed, relation, bug, xfail in CASES:
        folder = os.path.join(out, "control-" + name)
        os.makedirs(folder, exist_ok=True)
        expect = {"verdict": "refuted" if bug else "proved", "bug": bug}
        if xfail:
            expect["xfail"] = xfail
        for file, text in (("sequential.hlo", sequential), ("distributed.hlo", distributed),
                           ("relation.json", json.dumps(relation) + "\n"), ("expect.json", json.dumps(expect, indent=1) + "\n")):
            with open(os.path.join(folder, file), "w") as f:
                f.write(text)


if __name__ == "__main__":
    main()
