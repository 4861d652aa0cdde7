"""Collectives and messages of torch.distributed in a traced graph as functional operators."""
import operator
import re

import torch
import torch.distributed as dist

from .errors import CaptureError
from .releases import operators_added, reduction_of
from .source_lines import BLOCKING

_ATEN, _C10D, _ADDED = torch.ops.aten, torch.ops._c10d_functional, operators_added()


def _unbox(graph, node):
    """A boxed process group or reduction of a graph: (name, ranks) or the reduction's name."""
    box = getattr(graph, node.target)
    if "ProcessGroup" in str(box._type()):
        g = dist.ProcessGroup.unbox(box)
        return g.group_name, dist.get_process_group_ranks(g)
    kind, factor = reduction_of(box)
    return (kind, factor) if kind == "premul_sum" else kind


class Rewriter:
    """c10d.* and fsdp.* operators as functional collectives and copies into the tensors that they write."""

    def __init__(self, graph):
        self.old, self.new, self.values, self.meta, self.count, self.sent = graph, torch.fx.Graph(), {}, {}, {}, []

    def emit(self, op, *args):
        node = self.new.call_function(op, args)
        node.meta = {k: v for k, v in self.meta.items() if k not in ("val", "tensor_meta")}
        return node

    def finish(self):
        """Sends are waited for at the end, those of dist.send at once: an isend's own wait leaves nothing in the graph."""
        for send, self.meta in self.sent:
            self.emit(_C10D.wait_tensor.default, send)

    def wait(self, op, *args):
        return self.emit(_C10D.wait_tensor.default, self.emit(op, *args))

    def reduction(self, x, op):
        """The operand and the name of a reduction; the factor of PREMUL_SUM is an operator of its own."""
        return (self.emit(_ATEN.mul.Tensor, x, op[1]), "sum") if isinstance(op, tuple) else (x, op)

    def into(self, target, value, shape):
        self.emit(_ATEN.copy_.default, target, self.emit(_ATEN.view.default, value, list(shape)))

    def shape(self, argument):
        return list(argument.meta["val"].shape)

    def run(self):
        for node in self.old.graph.nodes:
            self.meta = node.meta
            args = torch.fx.map_arg((node.args, node.kwargs), lambda n: self.values[n])
            space = getattr(node.target, "namespace", "")
            if node.op == "get_attr" and node.target.startswith("_torchbind_obj"):
                self.values[node] = _unbox(self.old, node)
            elif node.op == "call_function" and (space in ("c10d", "fsdp") or space == "aten" and re.fullmatch(r"_fused_\w+_", node.target._opname)):
                name = node.target._opname
                rule = self.fused if space == "aten" else getattr(self, f"{space}_{name.strip('_')}", None)
                if rule is None:
                    raise CaptureError(f"{space}.{name} cannot be rewritten as a functional collective")
                self.count[f"{space}.{name}"] = self.count.get(f"{space}.{name}", 0) + 1
                defaults = {a.name: a.default_value for a in node.target._schema.arguments if a.has_default_value()}
                named = dict(zip([a.name for a in node.target._schema.arguments], args[0]))
                self.values[node] = rule(node, **{**defaults, **named, **args[1]})
            elif node.op == "call_function" and node.target.__name__ == "getitem" and not isinstance(self.values[node.args[0]], torch.fx.Node):
                self.values[node] = self.values[node.args[0]][node.args[1]]
            elif node.op == "output":
                self.finish()
                self.new.output(args[0][0])
            else:
                copy = self.new.node_copy(node, lambda n: self.values[n])
                self.values[node] = copy
        return torch.fx.GraphModule(self.old, self.new)

    # Each rule: (node, arguments of the schema) -> the results, tensors in place of themselves.
    def c10d_allreduce(self, node, tensors, process_group, reduce_op, **_):
        for x in tensors:
            self.into(x, self.wait(_C10D.all_reduce.default, *self.reduction(x, reduce_op), process_group[0]), self.shape(x))
        return tensors, None

    def c10d_allreduce_coalesced(self, node, **named):
        return self.c10d_allreduce(node, **named)[1]

    def c10d_allgather_base(self, node, output_tensor, input_tensor, process_group, **_):
        self.into(output_tensor, self.wait(_C10D.all_gather_into_tensor.default, input_tensor, len(process_group[1]), process_group[0]), self.shape(output_tensor))
        return output_tensor, None

    def c10d_allgather_into_tensor_coalesced(self, node, outputs, inputs, process_group, **_):
        for y, x in zip(outputs, inputs):
            self.c10d_allgather_base(node, y, x, process_group)

    def c10d_allgather(self, node, output_tensors, input_tensors, process_group, **_):
        for outs, x in zip(output_tensors, input_tensors):
            if any(self.shape(y) != self.shape(x) for y in outs):
                raise CaptureError("all_gather of tensors of different shapes")
            front = self.emit(_ATEN.unsqueeze.default, x, 0)
            all_of = self.wait(_C10D.all_gather_into_tensor.default, front, len(process_group[1]), process_group[0])
            for k, y in enumerate(outs):
                self.into(y, self.emit(_ATEN.select.int, all_of, 0, k), self.shape(y))
        return output_tensors, None

    def c10d_reduce_scatter_base(self, node, output_tensor, input_tensor, process_group, reduce_op, **_):
        x = self.emit(_ATEN.view.default, input_tensor, [len(process_group[1]), -1])
        self.into(output_tensor, self.wait(_C10D.reduce_scatter_tensor.default, *self.reduction(x, reduce_op), len(process_group[1]), process_group[0]), self.shape(output_tensor))
        return output_tensor, None

    def c10d_reduce_scatter_tensor_coalesced(self, node, outputs, inputs, process_group, reduce_op, **_):
        for y, x in zip(outputs, inputs):
            self.c10d_reduce_scatter_base(node, y, x, process_group, reduce_op)

    def c10d_reduce_scatter(self, node, output_tensors, input_tensors, process_group, reduce_op, **_):
        for y, xs in zip(output_tensors, input_tensors):
            stacked = self.emit(_ATEN.stack.default, list(xs))
            self.into(y, self.wait(_C10D.reduce_scatter_tensor.default, *self.reduction(stacked, reduce_op), len(process_group[1]), process_group[0]), self.shape(y))
        return output_tensors, None

    def c10d_alltoall_base(self, node, output, input, process_group, output_split_sizes, input_split_sizes, **_):
        n = len(process_group[1])
        even = lambda x: [self.shape(x)[0] // n] * n
        splits = list(output_split_sizes) or even(output), list(input_split_sizes) or even(input)
        self.into(output, self.wait(_C10D.all_to_all_single.default, input, *splits, process_group[0]), self.shape(output))

    def c10d_alltoall(self, node, output_tensors, input_tensors, process_group, **_):
        sizes = lambda xs: [torch.Size(self.shape(x)).numel() for x in xs]
        flat = self.emit(_ATEN.cat.default, [self.emit(_ATEN.view.default, x, [-1]) for x in input_tensors])
        got, at = self.wait(_C10D.all_to_all_single.default, flat, sizes(output_tensors), sizes(input_tensors), process_group[0]), 0
        for y, size in zip(output_tensors, sizes(output_tensors)):
            self.into(y, self.emit(_ATEN.slice.Tensor, got, 0, at, at + size), self.shape(y))
            at += size
        return output_tensors, None

    def c10d_broadcast(self, node, tensors, process_group, root_rank, **_):
        for x in tensors:
            self.into(x, self.wait(_C10D.broadcast.default, x, root_rank, process_group[0]), self.shape(x))
        return tensors, None

    def c10d_reduce(self, node, tensors, process_group, reduce_op, root_rank, **_):
        mine = float(process_group[1].index(dist.get_rank()) == root_rank)  # the same operators on every rank, another number
        for x in tensors:
            total = self.wait(_C10D.all_reduce.default, x, reduce_op, process_group[0])
            self.into(x, self.emit(_ATEN.add.Tensor, self.emit(_ATEN.mul.Tensor, total, mine), self.emit(_ATEN.mul.Tensor, x, 1 - mine)), self.shape(x))

    def c10d_send(self, node, tensors, process_group, dst, tag):
        blocking = BLOCKING in (node.stack_trace or "")
        if blocking:
            self.meta = {**self.meta, "stack_trace": node.stack_trace.replace(BLOCKING, "")}
        for x in tensors:
            send = self.emit(_C10D.isend.default, x, process_group[1][dst], tag, process_group[0])
            if blocking:
                self.emit(_C10D.wait_tensor.default, send)
            else:
                self.sent.append((send, self.meta))

    def c10d_recv(self, node, tensors, process_group, src, tag):
        for x in tensors:
            self.into(x, self.wait(_C10D.irecv.default, x, process_group[1][src], tag, process_group[0]), self.shape(x))

    def c10d_barrier(self, node, **_):
        return None

    c10d_monitored_barrier = c10d_check_for_nan = fsdp_record_grad_output_stream = c10d_barrier

    def fsdp_all_gather_copy_in(self, node, all_gather_inputs, inp_split_sizes, all_gather_input_numel, rank, all_gather_output=None, **made):
        if all_gather_output is None:  # an older release makes it here
            all_gather_output = self.emit(_ATEN.empty.memory_format, list(node.meta["val"][1].shape))
            all_gather_output.kwargs = {"dtype": made["dtype"], "device": made["device"], "pin_memory": False}
            all_gather_output.meta["val"] = node.meta["val"][1]
        mine = self.emit(_ATEN.slice.Tensor, all_gather_output, 0, all_gather_input_numel * rank, all_gather_input_numel * (rank + 1))
        flat = [self.emit(_ATEN.view.default, x, [-1]) for x in all_gather_inputs]
        self.emit(_ATEN.copy_.default, mine, self.emit(_ATEN.cat.default, flat))
        mine.meta["val"] = node.meta["val"][0]
        return mine, all_gather_output

    def fsdp_split_with_sizes_copy(self, node, all_gather_output, all_gather_input_split_sizes, dim, out):
        at = 0
        for y, size in zip(out, all_gather_input_split_sizes):
            self.into(y, self.emit(_ATEN.slice.Tensor, all_gather_output, dim, at, at + size), self.shape(y))
            at += size

    def fsdp_chunk_cat(self, node, tensors, dim, num_chunks, out):
        self.into(out, self.emit(_ATEN._chunk_cat.default, list(tensors), dim, num_chunks), self.shape(out))

    fsdp_chunk_cat_mixed_dtype = fsdp_chunk_cat

    def fused(self, node, /, grad_scale, found_inf, **named):
        """A fused optimizer's writes as copies of what its form without writes returns: torch cannot make a call functional whose lists are empty."""
        if grad_scale is not None or found_inf is not None:
            raise CaptureError(f"{node.target} with a scale of its gradients")
        plain = getattr(getattr(_ATEN, node.target._opname.rstrip("_")), node.target._overloadname)
        written = [a.name for a in node.target._schema.arguments if a.alias_info is not None and a.alias_info.is_write]
        positional = [a.name for a in plain._schema.arguments if not a.kwarg_only]
        made = self.emit(plain, *[named[name] for name in positional])
        made.kwargs = {name: value for name, value in named.items() if name not in positional}
        for k, name in enumerate(written):
            results = self.emit(operator.getitem, made, k)
            for j, x in enumerate(named[name]):
                if name != "grads":
                    self.emit(_ATEN.copy_.default, x, self.emit(operator.getitem, results, j))


def rewritten(graph, log):
    """A traced GraphModule with functional collectives; `log` tells how many of each were rewritten. CaptureError for one that cannot be."""
    rewriter = Rewriter(graph)
    result = rewriter.run()
    log += [f"rewritten {name}: {count}" for name, count in sorted(rewriter.count.items())]
    return result
