#!/usr/bin/env python3
"""Makes the pairs of this folder whose distributed side has sends and recvs: pipelines of several programs (a text and a
list of ranks for each stage), and programs whose collective-permutes are written as XLA's decomposer writes them.

usage: .venv/bin/python tests/pairs/make_stages.py [--out FOLDER] [NAME...]

A stage is a JAX function of its parameters and of what it receives; it gives its outputs and what it sends. Its text is
XLA's, sorted by the number of messages that an instruction needs; a send stands after what it moves. The truth of a pair is measured:
the stages run under JAX, each message handed on first in, first out, and are compared with the sequential function.
"""
import argparse
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_pairs

import jax
import numpy as np
from jax.sharding import Mesh

from stage_programs import PIPELINES
from stage_text import ROUTES, difference, spliced, stage_text


def use_json(use):
    return {"of": use[0], "slice": [[use[1], use[2]]]} if isinstance(use, tuple) else use


def make(pipeline, defect, root):
    mesh = Mesh(np.array(jax.devices()[:pipeline.tp]), ("tp",))
    jax.set_mesh(mesh)
    worst = difference(pipeline, defect, mesh)
    if not (worst > make_pairs.DIFFERENT if defect else worst < make_pairs.SAME):
        raise SystemExit(f"{pipeline.name} {defect}: the programs differ by {worst}")
    folder = os.path.join(root, pipeline.name + ("-" + defect if defect else ""))
    os.makedirs(folder, exist_ok=True)
    stages = pipeline.stages(defect)
    ranks = [list(range(k * pipeline.tp, (k + 1) * pipeline.tp)) for k in range(len(stages))]
    listed, names = [], list(pipeline.inputs)
    for me, stage in enumerate(stages):
        text = spliced(stage_text(pipeline, stage, mesh), f"stage{me}", pipeline.tp, me, stage, ranks)
        make_pairs.write(f"{folder}/stage{me}.hlo", text)
        number = lambda use: (names.index(use[0]), *use[1:]) if isinstance(use, tuple) else names.index(use)
        listed.append({"file": f"stage{me}.hlo", "ranks": ranks[me], "inputs": [use_json(number(u)) for u in stage.inputs],
                       "outputs": [use_json(u) for u in stage.outputs]})
    plain = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in pipeline.inputs.values()]
    make_pairs.write(folder + "/sequential.hlo",
                     make_pairs.example_pairs.anonymous(jax.jit(pipeline.seq).lower(*plain).as_text(dialect="hlo")))
    leaves = jax.tree.leaves(jax.eval_shape(pipeline.seq, *plain))
    entry = make_pairs.example_pairs.entry
    rows = [' "mesh": [["tp", %d]]' % pipeline.tp, ' "programs": [\n  ' + ",\n  ".join(json.dumps(p) for p in listed) + "]",
            ' "inputs": ' + json.dumps([entry(a.spec, len(a.shape)) for a in pipeline.inputs.values()]),
            ' "outputs": ' + json.dumps([entry(p, len(x.shape)) for p, x in zip(pipeline.outputs, leaves)])]
    ranges = {str(i): list(a.range) for i, a in enumerate(pipeline.inputs.values()) if a.range}
    rows += [' "ranges": ' + json.dumps(ranges)] if ranges else []
    make_pairs.write(folder + "/relation.json", "{\n" + ",\n".join(rows) + "\n}\n")
    finish(folder, pipeline.defects[defect] if defect else None)


def finish(folder, bug):
    expect = {"verdict": "refuted" if bug else "proved", "bug": bug}
    make_pairs.write(folder + "/expect.json", json.dumps(expect, indent=1) + "\n")
    print(os.path.basename(folder), file=sys.stderr)


def decomposed(text, reverse_one=False):
    """Each collective-permute as recv, send, recv-done, send-done."""
    out, count = [], 0
    for line in text.split("\n"):
        m = re.match(r"(\s+)(ROOT )?(%\S+) = (\S+) collective-permute\((%[\w.-]+)\), channel_id=(\d+), source_target_pairs=(\{\{.*?\}\})", line)
        if not m:
            out.append(line)
            continue
        indent, is_root, var, t, operand, channel, pairs = m.groups()
        assert not is_root
        other = pairs if not (reverse_one and count == 0) else \
            "{" + ",".join(f"{{{b},{a}}}" for a, b in re.findall(r"\{(\d+),(\d+)\}", pairs)) + "}"
        route = f"channel_id={channel}, frontend_attributes={{{ROUTES}={other}}}"
        n = f"%p2p.{count}"
        out += [f"{indent}{n}.ready = token[] after-all()",
                f"{indent}{n}.recv = ({t}, u32[], token[]) recv({n}.ready), {route}",
                f"{indent}{n}.send = ({t}, u32[], token[]) send({operand}, {n}.ready), {route}, control-predecessors={{{n}.recv}}",
                f"{indent}{n}.recv-done = ({t}, token[]) recv-done({n}.recv), channel_id={channel}",
                f"{indent}{var} = {t} get-tuple-element({n}.recv-done), index=0",
                f"{indent}{n}.send-done = token[] send-done({n}.send), channel_id={channel}"]
        count += 1
    assert count, "no collective-permute"
    return "\n".join(out)


DECOMPOSED = {"ring-scan": "the first ring goes the other way round"}


def make_decomposed(name, bug, root):
    from_folder, folder = os.path.join(HERE, name), os.path.join(root, name + "-p2p" + ("-backwards" if bug else ""))
    os.makedirs(folder, exist_ok=True)
    for file in ("sequential.hlo", "relation.json"):
        make_pairs.write(f"{folder}/{file}", open(f"{from_folder}/{file}").read())
    make_pairs.write(f"{folder}/distributed.hlo", decomposed(open(f"{from_folder}/distributed.hlo").read(), bool(bug)))
    finish(folder, bug)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default=HERE)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for wanted in PIPELINES:
        if not options.names or wanted.name in options.names:
            for bad in ["", *wanted.defects]:
                make(wanted, bad, options.out)
    for ring, wrong in DECOMPOSED.items():
        if not options.names or ring + "-p2p" in options.names:
            for bad in [None, wrong]:
                make_decomposed(ring, bad, options.out)
    make_pairs.shutil.rmtree(make_pairs.example_pairs.DUMP, ignore_errors=True)
