#!/usr/bin/env python3
"""The front door without JAX: opaque calls, definitions, compare. A table of commands: exit code, arguments, text that must
appear. usage: cases.py PROGRAM ROOT; closing line: N passed, M failed"""
import json
import os
import struct
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import table

CASES = """
2 | check {here}/define | reason=opaque-call assumptions=none
2 | check {here}/define | custom call rms_norm is opaque
2 | check {here}/define --opaque rms_norm | opaque-pure(rms_norm)
2 | check {here}/define --opaque rms_norm:batch=0 | batch-dims(rms_norm)
3 | check {here}/define --opaque rms_norm:batch= | NAME:batch=0,1
2 | check {here}/opaque | reason=opaque-call assumptions=none
0 | check {here}/opaque --opaque flash | proved claim=refinement assumptions=finite-inputs,opaque-pure(flash)
3 | check {here}/opaque --opaque other | --opaque 'other': the programs have no such custom call without a meaning; they have
3 | check {here}/define --define {examples}/definitions/rms_norm.hlo --opaque rms_norm | give one of them
0 | prove {here}/opaque-batch --opaque norm:batch=0 | batch-dims(norm)
2 | prove {here}/opaque-batch --opaque norm | unknown
2 | prove {here}/opaque-batch --opaque norm:batch=1 | unknown
2 | prove {here}/opaque-batch-swapped --opaque norm:batch=0 | unknown
2 | prove {here}/opaque-batch-config --opaque norm:batch=0 | unknown
0 | check {here}/define --define {examples}/definitions/rms_norm.hlo | proved
3 | check {here}/define --define {examples}/definitions/rotary.hlo | the programs have no custom call to which it gives a meaning
2 | check {here}/define-attention | opaque=attention,rotary
2 | check {here}/define-attention --define {examples}/definitions/rotary.hlo | opaque=attention
0 | check {here}/define-attention --define {examples}/definitions/rotary.hlo --define {examples}/definitions/attention.hlo | proved claim=refinement assumptions=finite-inputs
0 | check {here}/cholesky | undefined=0/576
2 | check {here}/opaque | no relation for main/%y: the first value
2 | check {here}/opaque | next: gg-harness check
3 | check {here}/define --define {tmp}/other.hlo | no definition of 'rms_norm' takes these operands [GG-N003]
3 | check {here}/define --define {tmp}/none.hlo | [GG-U002]
2 | compare {tmp}/seq {tmp}/dist --relation {tmp}/relation.json | roundings
2 | compare {tmp}/seq {tmp}/dist --relation {tmp}/relation.json | w.grad
0 | compare {tmp}/seq {tmp}/dist --relation {tmp}/relation.json --require agrees | unknown reason=agrees-only tensors=4 not-compared=0 ranks=2
1 | compare {tmp}/seq {tmp}/bad --relation {tmp}/relation.json | > norm.grad
1 | compare {tmp}/bad --relation {tmp}/relation.json | replicas differ, first on rank 1
2 | compare {tmp}/seq {tmp}/scaled --relation {tmp}/relation.json | unknown reason=undecided tensors=4 not-compared=0
2 | compare {tmp}/seq {tmp}/missing --relation {tmp}/relation.json | rank 1 did not write it
1 | compare {tmp}/seq {tmp}/extra --relation {tmp}/relation.json | not of the sequential run; replicas differ, first on rank 1
2 | compare {tmp}/seq {tmp}/same --relation {tmp}/relation.json | not of the sequential run; replicas equal
3 | compare {tmp}/seq {tmp}/nowhere --relation {tmp}/relation.json | [GG-U002]
3 | compare {tmp}/seq {tmp}/seq --relation {tmp}/relation.json | [GG-W002]
3 | compare {tmp}/seq {tmp}/dist | takes [SEQ_DIR] DIST_DIR
3 | check --xla-dump {tmp} | [GG-X001]
3 | check a b --xla-dump {tmp} | stands in place of files
"""


def safetensors(path, tensors):
    """tensors: {name: (dtype, shape, flat values)}."""
    kinds = {"F32": "f", "F64": "d", "I32": "i"}
    header, data = {}, b""
    for name, (dtype, shape, values) in tensors.items():
        part = struct.pack(f"<{len(values)}{kinds[dtype]}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def make_runs(tmp):
    """A sequential run and two ranks: w split by rows, a replicated norm gradient, token counts, a loss."""
    w = [0.1 * k - 0.7 for k in range(16)]
    norm = [1.5, -2.25, 0.3, 4.0]
    whole = {"loss": ("F32", [], [2.5]), "tokens": ("I32", [4], [3, 1, 2, 5]), "norm.grad": ("F32", [4], norm),
             "w.grad": ("F32", [4, 4], w)}
    safetensors(f"{tmp}/seq/all.safetensors", whole)
    for rank in range(2):
        part = dict(whole)
        part["tokens"] = ("I32", [2], whole["tokens"][2][2 * rank:2 * rank + 2])
        part["w.grad"] = ("F32", [2, 4], w[8 * rank:8 * rank + 8])
        safetensors(f"{tmp}/dist/rank{rank}.safetensors", part)
        bad = dict(part)
        bad["norm.grad"] = ("F32", [4], [v * (0.4 + 0.2 * rank) for v in norm])  # never reduced: each rank its own part
        safetensors(f"{tmp}/bad/rank{rank}.safetensors", bad)
        scaled = dict(part)
        scaled["w.grad"] = ("F32", [2, 4], [v / 2 for v in w[8 * rank:8 * rank + 8]])
        safetensors(f"{tmp}/scaled/rank{rank}.safetensors", scaled)
        for name, value in (("extra", float(rank)), ("same", 1.0)):
            safetensors(f"{tmp}/{name}/rank{rank}.safetensors", {**part, "scale": ("F32", [], [value])})
        missing = dict(part)
        if rank == 1:
            del missing["loss"]
        safetensors(f"{tmp}/missing/rank{rank}.safetensors", missing)
    with open(f"{tmp}/relation.json", "w") as f:
        f.write('{"mesh": [["tp", 2]], "tensors": {"w.grad": [["tp"], []], "tokens": "P(\'tp\')"}, "default": "replicated"}')
    with open(f"{tmp}/other.hlo", "w") as f:
        f.write("HloModule rms_norm\n\nENTRY %main (x: f32[3]) -> f32[3] {\n  ROOT %x = f32[3] parameter(0)\n}\n")


def main(program, root):
    with tempfile.TemporaryDirectory() as tmp:
        make_runs(tmp)
        return table(program, CASES, {"here": os.path.join(root, "tests/frontdoor"), "examples": os.path.join(root, "examples"), "tmp": tmp}, cwd=tmp)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
