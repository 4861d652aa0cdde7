#!/usr/bin/env python3
"""Makes the pairs of this folder whose distributed side has sends and recvs: pipelines of several programs (a text and a
list of ranks for each stage), and programs whose collective-permutes are written as XLA's decomposer writes them.

usage: .venv/bin/python tests/pairs/make_stages.py [--out FOLDER] [NAME...]

A stage is a JAX function of its parameters and of what it receives; it gives its outputs and what it sends. Its text is
XLA's, sorted by the number of messages that an instruction needs; a send stands after what it moves. The truth of a pair is measured:
the stages run under JAX, each message handed on first in, first out, and are compared with the sequential function.
"""
import argparse
import copy
import dataclasses
import json
import os
import re
import sys
from typing import Callable

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_pairs

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from programs.base import PAIRS, Arg, copy_to, reduce_from

ROUTES = "_xla_send_recv_source_target_pairs"


@dataclasses.dataclass
class Message:
    peer: int     # the other stage
    tag: int
    shape: tuple  # of the whole tensor
    spec: P = P()
    seats: tuple = ()  # seat k of the sender sends to seat seats[k]; (): k


@dataclasses.dataclass
class Stage:
    step: Callable  # (parameters, received) -> (outputs, sent)
    inputs: list    # names of sequential inputs, or (name, first dimension from, to)
    outputs: list   # positions of sequential outputs, or (position, from, to)
    recvs: list
    sends: list


@dataclasses.dataclass
class Pipeline:
    name: str
    tp: int
    seq: Callable
    inputs: dict    # name -> Arg
    outputs: list   # of PartitionSpec
    stages: Callable  # defect -> [Stage]
    defects: dict


PIPELINES = []


def uses(stage, pipeline):
    """Shape, placement and what it is of each parameter."""
    for use in stage.inputs:
        name, *part = use if isinstance(use, tuple) else (use,)
        arg = pipeline.inputs[name]
        yield ((part[1] - part[0],) + arg.shape[1:] if part else arg.shape), arg.spec, name, part


def mapped(pipeline, stage, mesh, outputs):
    """The stage's function over the ranks of its program."""
    count = len(stage.inputs)
    fn = lambda *values: tuple(sum(stage.step(values[:count], values[count:]), ()))
    if pipeline.tp == 1:
        return fn
    specs = tuple(spec for _, spec, _, _ in uses(stage, pipeline)) + tuple(m.spec for m in stage.recvs)
    return jax.shard_map(fn, mesh=mesh, in_specs=specs, out_specs=outputs + tuple(m.spec for m in stage.sends), check_vma=False)


def out_specs(pipeline, stage):
    return tuple(pipeline.outputs[o[0] if isinstance(o, tuple) else o] for o in stage.outputs)


def moved(value, message, tp):
    """What arrives where seat k sends its shard to another seat than k."""
    dims = [d for d, axis in enumerate(message.spec) if axis]
    if not message.seats or not dims:
        return value
    parts = np.split(np.asarray(value), tp, dims[0])
    arrived = [None] * tp
    for seat, to in enumerate(message.seats):
        arrived[to] = parts[seat]
    return np.concatenate(arrived, dims[0])


def results(pipeline, stages, values, mesh):
    """The stages under JAX: what is not known yet is zero, until nothing changes."""
    mail, outputs = {}, {}
    fns = [jax.jit(mapped(pipeline, s, mesh, out_specs(pipeline, s))) for s in stages]
    for _ in range(4 * len(stages) * max(len(s.recvs) for s in stages)):
        before = {k: [np.asarray(v) for v in vs] for k, vs in mail.items()}
        for me, stage in enumerate(stages):
            args = [values[n][slice(*part)] if part else values[n] for _, _, n, part in uses(stage, pipeline)]
            taken = {}
            for m in stage.recvs:
                queue = mail.get((m.peer, me, m.tag), [])
                k = taken.get((m.peer, m.tag), 0)
                taken[(m.peer, m.tag)] = k + 1
                args.append(queue[k] if k < len(queue) else np.zeros(m.shape, np.float32))
            got = fns[me](*args)
            outputs[me], sent = got[:len(stage.outputs)], got[len(stage.outputs):]
            for key in [k for k in mail if k[0] == me]:
                del mail[key]
            for m, value in zip(stage.sends, sent):
                mail.setdefault((me, m.peer, m.tag), []).append(moved(value, m, pipeline.tp))
        same = before.keys() == mail.keys() and all(np.array_equal(a, b) for k in mail for a, b in zip(before[k], mail[k]))
        if same:
            break
    joined = [[] for _ in pipeline.outputs]  # the pieces of each output; several programs may give it whole
    for me, stage in enumerate(stages):
        for use, value in zip(stage.outputs, outputs[me]):
            at, *part = use if isinstance(use, tuple) else (use,)
            joined[at].append((part[0] if part else 0, np.asarray(value)))
    in_pieces = lambda p: len({start for start, _ in p}) > 1
    return [[np.concatenate([v for _, v in sorted(p, key=lambda x: x[0])])] if in_pieces(p) else [v for _, v in p] for p in joined]


def difference(pipeline, defect, mesh):
    worst, rng = 0.0, np.random.default_rng(7)
    for _ in range(2):
        values = {n: make_pairs.draw(a, rng) for n, a in pipeline.inputs.items()}
        whole = jax.tree.leaves(jax.jit(pipeline.seq)(*values.values()))
        for want, copies in zip(whole, results(pipeline, pipeline.stages(defect), values, mesh)):
            for got in copies:
                worst = max(worst, float(np.abs(np.asarray(want) - got).max() / np.abs(want).max()))
    return worst


ASSIGN = re.compile(r"^(\s+)(ROOT )?(%?[\w.-]+) = (.*)$")


def inlined(text):
    """The entry with its call of a manual computation written out; XLA's names are unique in a module."""
    call = re.search(r"\n  (%\S+) = \([^\n]*? call\(([^)]*)\), to_apply=(%[\w.-]+)[^\n]*", text)
    if not call:
        return text
    var, operands, callee = call.group(1), call.group(2).split(", "), call.group(3)
    body = re.search(r"\n" + re.escape(callee) + r" [^\n]*\{\n(.*?)\n\}\n", text, re.S)
    names, lines = {}, []
    for line in body.group(1).split("\n"):
        number = re.search(r" parameter\((\d+)\)", line)
        if number:
            names[ASSIGN.match(line).group(3)] = operands[int(number.group(1))]
        elif "ROOT" in line:
            results = re.search(r" tuple\(([^)]*)\)", line).group(1).split(", ")
        else:
            lines.append(line)
    text = text.replace(call.group(0), "\n" + "\n".join(lines)).replace(body.group(0), "\n")
    for m in re.finditer(r"\n  (%\S+) = [^\n]*? get-tuple-element\(" + re.escape(var) + r"\), index=(\d+)[^\n]*", text):
        names[m.group(1)] = results[int(m.group(2))]
        text = text.replace(m.group(0), "", 1)
    while any(n in names for n in names.values()):
        names = {k: names.get(n, n) for k, n in names.items()}
    return re.sub(r"%[\w.-]+", lambda m: names.get(m.group(0), m.group(0)), text)


def spliced(text, name, tp, me, stage, ranks):
    """The module with sends and recvs in place of the last parameters and results."""
    text = inlined(make_pairs.example_pairs.anonymous(text))
    begin = text.index("\nENTRY ") + 1
    brace = re.search(r"\{\n", text[begin:]).end() + begin
    end = text.index("\n}", brace) + 1
    lines = text[brace:end].split("\n")[:-1]
    style = "%" if "%" in lines[0] else ""
    type_of, order, root = {}, [], None
    for line in lines:
        indent, is_root, var, rest = ASSIGN.match(line).groups()
        type_of[var] = re.match(r"\([^=]*?\)(?= \w)|\S+", rest).group(0)
        order.append((var, rest))
        root = (var, rest) if is_root else root
    result = re.findall(r"%?[\w.-]+", re.match(r".*? tuple\(([^)]*)\)", root[1]).group(1)) if " tuple(" in root[1] else [root[0]]
    sends = dict()
    for message, var in zip(stage.sends, result[len(stage.outputs):]):
        sends.setdefault(var, []).append(message)
    received = {}
    for var, rest in order:
        number = re.search(r" parameter\((\d+)\)", rest)
        if number and int(number.group(1)) >= len(stage.inputs):
            received[var] = int(number.group(1)) - len(stage.inputs)
    pairs = lambda a, b, seats: "{" + ",".join(f"{{{ranks[a][k]},{ranks[b][s]}}}" for k, s in enumerate(seats or range(tp))) + "}"
    done, token = [], f"{style}ready"
    body = [f"  {token} = token[] after-all()"]
    arrived = set()

    def receive(k):
        nonlocal token
        for j in sorted(set(range(k + 1)) - arrived):  # in their order: that is how they are matched
            var = next(v for v, n in received.items() if n == j)
            m, t = stage.recvs[j], type_of[var]
            route = f"channel_id={m.tag}, frontend_attributes={{{ROUTES}={pairs(m.peer, me, m.seats)}}}"
            body.append(f"  {style}recv.{j} = ({t}, u32[], token[]) recv({token}), {route}")
            body.append(f"  {style}recv-done.{j} = ({t}, token[]) recv-done({style}recv.{j}), channel_id={m.tag}")
            body.append(f"  {var} = {t} get-tuple-element({style}recv-done.{j}), index=0")
            token = f"{style}received.{j}"
            body.append(f"  {token} = token[] get-tuple-element({style}recv-done.{j}), index=1")
            arrived.add(j)

    level = {}  # how many messages must have arrived
    for var, rest in order:
        used = re.findall(r"%?[\w.-]+", rest.split("metadata=")[0])
        level[var] = received[var] + 1 if var in received else max([level.get(u, 0) for u in used] + [0])
    for var, rest in sorted(order, key=lambda line: level[line[0]]):
        if var in received or (var, rest) == root and " tuple(" in rest:
            continue
        if level[var] > len(arrived):
            receive(level[var] - 1)
        body.append(f"  {var} = {rest}")
        for m in sends.pop(var, []):
            k, t = len(done), type_of[var]
            route = f"channel_id={m.tag}, frontend_attributes={{{ROUTES}={pairs(me, m.peer, m.seats)}}}"
            body.append(f"  {style}send.{k} = ({t}, u32[], token[]) send({var}, {token}), {route}")
            done.append(f"  {style}send-done.{k} = token[] send-done({style}send.{k}), channel_id={m.tag}")
    if received:
        receive(len(received) - 1)
    assert not sends, sends
    outputs = result[:len(stage.outputs)]
    body += done
    body.append(f"  ROOT {style}results = ({', '.join(type_of[o] for o in outputs)}) tuple({', '.join(outputs)})")
    head = text[text.index("\n"):begin]
    parameters = f", replica_count=1, num_partitions={tp}" if tp > 1 else ""
    return f"HloModule {name}{parameters}{head}ENTRY {style}main {{\n" + "\n".join(body) + "\n}\n"


def stage_text(pipeline, stage, mesh):
    shapes = [(s, spec, pipeline.inputs[n].dtype) for s, spec, n, _ in uses(stage, pipeline)] + \
        [(m.shape, m.spec, np.float32) for m in stage.recvs]
    fn = mapped(pipeline, stage, mesh, out_specs(pipeline, stage))
    if pipeline.tp == 1:
        return jax.jit(fn, keep_unused=True).lower(*[jax.ShapeDtypeStruct(s, t) for s, _, t in shapes]).as_text(dialect="hlo")
    args = [jax.ShapeDtypeStruct(s, t, sharding=NamedSharding(mesh, spec)) for s, spec, t in shapes]
    jax.clear_caches()
    return make_pairs.example_pairs.partitioned_text(fn, args, None)


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


# --- GPipe, forward: two stages of two layers each, two microbatches -------------------------------------------------


def layers(x, ws):
    for w in ws:
        x = x + jnp.tanh(x @ w)
    return x


def gpipe2(defect):
    def first(p, _):
        x, *ws = p
        return (), tuple(layers(x[2 * m:2 * m + 2], ws) for m in range(2))

    def second(p, r):
        parts = [layers(h, p) for h in (r[::-1] if defect == "microbatches-swapped" else r)]
        return (jnp.concatenate(parts),), ()

    messages = lambda peer: [Message(peer, 1, (2, 8)) for _ in range(2)]
    halves = [["w1", "w2"], ["w3", "w4"]]
    if defect == "stages-exchanged":
        halves.reverse()
    return [Stage(first, ["x"] + halves[0], [], [], messages(1)), Stage(second, halves[1], [0], messages(0), [])]


PIPELINES.append(Pipeline(
    "stages-gpipe-2", 1, lambda x, w1, w2, w3, w4: layers(x, (w1, w2, w3, w4)),
    {"x": Arg((4, 8)), **{f"w{k}": Arg((8, 8)) for k in range(1, 5)}}, [P()], gpipe2,
    {"microbatches-swapped": "the second stage puts the microbatches together in the wrong order",
     "stages-exchanged": "each stage holds the weights of the other"}))

# --- GPipe, forward: four stages, three microbatches, weights of one stacked tensor ----------------------------------


def gpipe4(defect):
    def stage(me):
        def step(p, r):
            w, b = p[0][0], p[1][0]
            xs = jnp.split(p[2], 3) if me == 0 else list(r)
            if defect == "microbatch-twice" and me == 2:
                xs[2] = xs[1]
            ys = [jax.nn.gelu(x @ w + b) for x in xs]
            return ((jnp.concatenate(ys),), ()) if me == 3 else ((), tuple(ys))

        own = (me + 1) % 4 if defect == "next-weights" and me != 0 else me
        inputs = [("w", own, own + 1), ("b", me, me + 1)] + (["x"] if me == 0 else [])
        message = lambda peer: [Message(peer, 1 + m if defect == "wrong-tag" else 1, (2, 8)) for m in range(3)]
        recvs = message(me - 1) if me else []
        if defect == "wrong-tag" and me == 1:
            recvs[0].tag, recvs[2].tag = recvs[2].tag, recvs[0].tag
        return Stage(step, inputs, [0] if me == 3 else [], recvs, message(me + 1) if me != 3 else [])

    return [stage(me) for me in range(4)]


def four_layers(w, b, x):
    for k in range(4):
        x = jax.nn.gelu(x @ w[k] + b[k])
    return x


PIPELINES.append(Pipeline(
    "stages-gpipe-4", 1, four_layers, {"w": Arg((4, 8, 8)), "b": Arg((4, 8)), "x": Arg((6, 8))}, [P()], gpipe4,
    {"microbatch-twice": "the third stage takes the second microbatch for the third as well",
     "next-weights": "the stages but the first hold the next layer's matrix",
     "wrong-tag": "the second stage receives the first and the third microbatch under each other's tag"}))

# --- forward and backward: two stages, tensor-parallel inside, two microbatches; activations travel as shards ----------


def hidden(x, u, d):
    return x + reduce_from(jnp.tanh(copy_to(x, "tp") @ u) @ d, "tp")


def train_loss(x, y, u1, d1, u2, d2):
    h = x + jnp.tanh(x @ u1) @ d1
    o = h + jnp.tanh(h @ u2) @ d2
    return jnp.mean((o - y) ** 2)


def train_step(x, y, u1, d1, u2, d2):
    return jax.value_and_grad(train_loss, (2, 3, 4, 5))(x, y, u1, d1, u2, d2)


def train2(defect):
    count = 4 * 8  # elements of the whole batch

    def shard(v):
        n = v.shape[1] // 2
        return lax.dynamic_slice_in_dim(v, lax.axis_index("tp") * n, n, 1)

    gathered = lambda v: lax.all_gather(v, "tp", axis=1, tiled=True)

    def first(p, r):
        x, u, d = p
        sent, du, dd = [], 0.0, 0.0
        for m in range(2):
            h, back = jax.vjp(lambda u, d, m=m: hidden(x[2 * m:2 * m + 2], u, d), u, d)
            sent.append(shard(h))
            g = back(gathered(r[m]))
            du, dd = du + g[0], g[1] if defect == "not-accumulated" else dd + g[1]
        return (du, dd), tuple(sent)

    def second(p, r):
        y, u, d = p
        sent, du, dd, total = [], 0.0, 0.0, 0.0
        for m in range(2):
            def loss(h, u, d, m=m):
                return jnp.sum((hidden(h, u, d) - y[2 * m:2 * m + 2]) ** 2) / count
            value, back = jax.value_and_grad(loss, (0, 1, 2))(gathered(r[m]), u, d)
            sent.append(shard(back[0]))
            total, du, dd = total + value, du + back[1], dd + back[2]
        return (total, du, dd), tuple(sent)

    def messages(peer, tag):
        seats = (1, 0) if defect == "seats-crossed" and tag == 1 else ()
        return [Message(peer, tag, (2, 8), P(None, "tp"), seats) for _ in range(2)]

    backward = messages(1, 2)
    return [Stage(first, ["x", "u1", "d1"], [1, 2], backward, messages(1, 1)),
            Stage(second, ["y", "u2", "d2"], [0, 3, 4], messages(0, 1), messages(0, 2))]


PIPELINES.append(Pipeline(
    "stages-train-tp", 2, train_step,
    {"x": Arg((4, 8)), "y": Arg((4, 8)), "u1": Arg((8, 16), P(None, "tp")), "d1": Arg((16, 8), P("tp")),
     "u2": Arg((8, 16), P(None, "tp")), "d2": Arg((16, 8), P("tp"))},
    [P(), P(None, "tp"), P("tp"), P(None, "tp"), P("tp")], train2,
    {"not-accumulated": "the first stage keeps the last microbatch's gradient of its second matrix only",
     "seats-crossed": "each tensor-parallel rank sends its shard to the other rank of the next stage"}))

# --- an embedding that both stages hold: its gradients are exchanged, both write the new one ------------------------------


def tied_loss(e, w, ids, y):
    h = jnp.tanh(e[ids] @ w)
    return jnp.mean((h @ e.T - y) ** 2)


def tied_step(e, w, ids, y):
    de, dw = jax.grad(tied_loss, (0, 1))(e, w, ids, y)
    return e - 0.5 * de, w - 0.5 * dw


def tied(defect):
    def first(p, r):
        e, w, ids = p
        h, back = jax.vjp(lambda e, w: jnp.tanh(e[ids] @ w), e, w)
        de, dw = back(r[0])
        theirs = de if defect == "own-gradient-twice" else r[1]
        return (e - 0.5 * (de + theirs), w - 0.5 * dw), (h, de)

    def second(p, r):
        e, y = p
        dh, de = jax.grad(lambda h, e: jnp.mean((h @ e.T - y) ** 2), (0, 1))(r[0], e)
        total = de if defect == "not-summed-on-the-last" else de + r[1]
        return (e - 0.5 * total,), (dh, de)

    return [Stage(first, ["e", "w", "ids"], [0, 1], [Message(1, 2, (6, 8)), Message(1, 3, (16, 8))],
                  [Message(1, 1, (6, 8)), Message(1, 3, (16, 8))]),
            Stage(second, ["e", "y"], [0], [Message(0, 1, (6, 8)), Message(0, 3, (16, 8))],
                  [Message(0, 2, (6, 8)), Message(0, 3, (16, 8))])]


PIPELINES.append(Pipeline(
    "stages-tied-embedding", 1, tied_step,
    {"e": Arg((16, 8)), "w": Arg((8, 8)), "ids": Arg((6,), dtype=np.int32, range=(0, 16)), "y": Arg((6, 16))}, [P(), P()], tied,
    {"own-gradient-twice": "the first stage adds its own gradient of the embedding again in place of the last one's",
     "not-summed-on-the-last": "the last stage updates its copy of the embedding with its own gradient only"}))

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
