"""Graphs that exist already, in logs, traces and archives, as a case."""
import os
import re

import torch

from .case_folder import write_case
from .errors import CaptureError
from .placements import axes_of, mesh_size


def read(sequential, distributed, relation, out):
    """A case from what people have: `sequential` a file or folder, `distributed` a list of them by rank, or one log of all ranks: folders that
    TORCH_TRACE wrote (tlparse's input), logs of TORCH_LOGS=aot_graphs or aot_joint_graph, .pt2 archives of torch.export, texts. `relation` is
    relation.json as a dict; inputs are called as in the graphs. Of several graphs the largest joint or inference graph is taken, else one
    forward graph and its backward graph, and capture.log says which. Returns `out`; CaptureError where there is no graph of a whole step for a rank."""
    world, log = mesh_size(axes_of(relation)), []
    texts = {"sequential.fx": _whole_step(_graphs_in(sequential), 0, sequential, log)}
    sources = [distributed] * world if isinstance(distributed, (str, os.PathLike)) else list(distributed)
    if len(sources) != world:
        raise CaptureError(f"{len(sources)} sources of graphs for {world} ranks")
    for r, source in enumerate(sources):
        texts[f"distributed.r{r}.fx"] = f"# Graph[rank={r}]\n" + _whole_step(_graphs_in(source), r, source, log)
    return write_case(out, texts, relation, log)


def _graphs_in(source):
    """{rank (None: not said): [(title, text)]} of a folder of traces, a log, an archive or a text."""
    found = {}
    if os.path.isdir(source):
        for name in sorted(os.listdir(source)):
            said = re.search(r"rank_(\d+)", name)
            for rank, graphs in _graphs_in(os.path.join(source, name)).items():
                found.setdefault(int(said[1]) if said else rank, []).extend(graphs)
        return found
    if str(source).endswith(".pt2"):
        program = torch.export.load(source).run_decompositions()
        return {None: [("inference graph of torch.export", program.graph_module.print_readable(print_output=False))]}
    with open(source, errors="replace") as f:
        lines = f.read().splitlines()
    inside = None
    for line in lines:
        trace = re.match(r"[VIWE]\d{4} .*?\] (\{.*\})$", line)
        log = re.match(r"(?:\[rank(\d+)\]:)?[VIWE]\d{4} .*?\] (\[\S+\] )?\[__aot\w*\] ?(.*)$", line)
        if log:
            rank, text = int(log[1]) if log[1] else None, log[3]
            title = re.match(r"\s*=+ (.*?) =+", text)
            if title:
                found.setdefault(rank, []).append((title[1], []))
            elif found.get(rank):
                found[rank][-1][1].append(text)
        elif trace:
            kinds = [k for k in ("aot_joint_graph", "aot_inference_graph", "aot_forward_graph", "aot_backward_graph") if f'"{k}"' in trace[1]]
            rank = re.search(r'"rank": (\d+)', trace[1])
            inside = (kinds[0].replace("_", " "), []) if kinds else None
            if inside:
                found.setdefault(int(rank[1]) if rank else None, []).append(inside)
        elif inside is not None and line.startswith("\t"):
            inside[1].append(line[1:])
    if not found:
        return {None: [("graph of the whole text", "\n".join(lines) + "\n")]}
    return {rank: [(title, "\n".join(_one_line_each(text)) + "\n") for title, text in graphs] for rank, graphs in found.items()}


def _one_line_each(lines):
    """Statements, headers and returns that a log spreads over lines, one a line, and without the remarks behind their parts; from the class on."""
    start = next((k for k, line in enumerate(lines) if re.search(r"\bclass \S+\(torch\.nn\.Module\):", line)), 0)
    result, depth, declared = [], 0, []
    for line in lines[start:]:
        bare = re.sub(r"\s+# \w*(?:Input|Output|None)\b.*$", "", line)
        if re.fullmatch(r'\s+\w+: "[^"]*"', bare) and depth == 0:  # types of flattened inputs
            declared.append(bare.strip())
            continue
        if declared:
            result.append("        " + "; ".join(declared) + "; ")
            declared = []
        opened = depth
        if not bare.strip().startswith("#"):
            plain = re.sub(r'"[^"]*"|\'[^\']*\'', "", bare)
            depth += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
        if opened > 0:
            result[-1] = re.sub(r",\s*([\])])", r"\1", result[-1] + ("" if result[-1].endswith(("(", "[")) else " ") + bare.strip())
        else:
            result.append(bare)
        if depth == 0 and re.match(r"\s+return\b", result[-1]):
            break  # a log goes on with other things
    return [re.sub(r"^.*?(class \S+\(torch)", r"\1", line) for line in result]


def _whole_step(graphs, rank, source, log):
    """The graph of a whole step among those of a rank; forward and backward apart are one where there is one of each."""
    mine = graphs.get(rank) or graphs.get(None) or (next(iter(graphs.values())) if len(graphs) == 1 else [])
    of = lambda *kinds: [g for g in mine if any(kind in g[0].lower() for kind in kinds)]
    whole, ways = of("joint", "inference", "graph of"), [of("forward"), of("backward")]
    if not whole and not ways[1]:
        whole = mine
    if whole:
        title, text = max(whole, key=lambda g: len(g[1]))
    elif [len(way) for way in ways] == [1, 1]:
        title = " and ".join(way[0][0] for way in ways)
        text = "".join(f" ===== {name} graph 0 =====\n{way[0][1]}" for name, way in zip(("Forward", "Backward"), ways))
    else:
        said = ", ".join(title for title, _ in mine) or "none"
        raise CaptureError(f"{source}: no graph of a whole step for rank {rank} (there are: {said}); TORCH_LOGS=aot_joint_graph prints forward and backward as one")
    log.append(f"{source}, rank {rank}: '{title}' of {len(mine)} graphs")
    return text
