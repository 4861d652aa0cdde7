"""A stage of a pipeline as a JAX function, its values beside the sequential function's, and its text with sends and recvs."""
import dataclasses
import re
from typing import Callable

import make_pairs

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

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
