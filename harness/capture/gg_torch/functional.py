"""A traced graph without writes, dead code and baked-in tensors."""
import torch

from .errors import CaptureError

_ATEN = torch.ops.aten


def functional_graph(graph, values, names, log, sizes):
    """A traced GraphModule without writes and dead code, small constant tensors as operators; and which inputs are written and not returned. values: tensors
    like the inputs; names: of the inputs; sizes: a mode that runs meanwhile. CaptureError for what writes, is baked in or steers Python all the same."""
    from torch.fx.experimental.proxy_tensor import make_fx
    graph = _constants(graph, log)

    def run(*inputs):
        with torch.fx.traceback.preserve_node_meta(), sizes:
            return torch.fx.Interpreter(graph).run(*inputs)
    result = make_fx(torch.func.functionalize(run, remove="mutations"), tracing_mode="fake")(*values)
    result = _constants(result, [])
    inputs = [n for n in result.graph.nodes if n.op == "placeholder"]
    returned, written = {_named_anew(n) for n in result.graph.output_node().all_input_nodes}, []
    for node in list(result.graph.nodes):
        if node.target is _ATEN.copy_.default and node.args[0] in inputs and not node.users:
            if _named_anew(node.args[1]) not in returned:
                written.append(names[inputs.index(node.args[0])])
                log.append(f"left out: input '{written[-1]}' is written in place; return it to have it compared")
            result.graph.erase_node(node)
    _plain_strides(result)
    # What a rank does not need another one waits for: collectives stay.
    result.graph.eliminate_dead_code(lambda n: n.op in ("placeholder", "output") or getattr(n.target, "namespace", "") in ("_c10d_functional", "_dtensor"))
    for node in result.graph.nodes:
        if node.op == "call_function" and getattr(getattr(node.target, "_schema", None), "is_mutable", False):
            raise CaptureError(f"{node.target} writes into its operand and could not be made functional: {node.stack_trace or 'no line'}")
        if node.target is _ATEN._local_scalar_dense.default:
            raise CaptureError(f"a value steers Python here, an element of '{node.args[0]}': use fixed sizes or masks, or gg_torch.record() ({(node.stack_trace or 'no line').strip()})")
    return result, written


def _named_anew(node):
    """The node whose value this one only gives another name."""
    while node.target in (_ATEN.alias.default, _ATEN.detach.default):
        node = node.args[0]
    return node


def _plain_strides(graph):
    """as_strided and as_strided_scatter of a row-major piece of a tensor that is all of its storage, as slices of it."""
    for node in list(graph.graph.nodes):
        scatter = node.target is _ATEN.as_strided_scatter.default
        if not scatter and node.target is not _ATEN.as_strided.default:
            continue
        base, (size, stride) = node.args[0], node.args[1 + scatter:3 + scatter]
        whole, offset = base.meta["val"], (node.args[3 + scatter] if len(node.args) > 3 + scatter else 0)
        if not whole.is_contiguous() or whole.storage_offset() != 0 or list(torch.empty(size, device="meta").stride()) != list(stride):
            continue
        meta, end = {k: v for k, v in node.meta.items() if k not in ("val", "tensor_meta")}, offset + torch.Size(size).numel()
        with graph.graph.inserting_before(node):
            def call(op, *args):
                new = graph.graph.call_function(op, args)
                with whole.fake_mode:
                    new.meta = {**meta, "val": op(*torch.fx.map_arg(args, lambda n: n.meta["val"]))}
                return new
            flat = call(_ATEN.view.default, base, [-1])
            if scatter:
                part = call(_ATEN.view.default, node.args[1], [-1])
                new = call(_ATEN.view.default, call(_ATEN.slice_scatter.default, flat, part, 0, offset, end), list(whole.shape))
            else:
                new = call(_ATEN.view.default, call(_ATEN.slice.Tensor, flat, 0, offset, end), list(size))
        node.replace_all_uses_with(new)
        graph.graph.erase_node(node)


def _without_empty(graph, node):
    """What an empty tensor is put together with, alone (the first keys of a cache); CaptureError where anything else is done with one."""
    for user in list(node.users):
        if user.target in (_ATEN.lift_fresh_copy.default, _ATEN.alias.default, _ATEN.detach.default):
            _without_empty(graph, user)
        elif user.target is _ATEN.cat.default and len(user.args[0]) > user.args[0].count(node):
            user.args = ([x for x in user.args[0] if x is not node], *user.args[1:])
        else:
            raise CaptureError(f"{user.target} reads an empty tensor, which a program of fixed sizes has not (an empty cache: use_cache=False) ({(user.stack_trace or 'no line').strip().splitlines()[0]})")
    graph.graph.erase_node(node)


def _constants(graph, log):
    """get_attr of tensors: small ones as operators, others refused: nothing is baked in silently."""
    for node in list(graph.graph.nodes):
        if node.op != "get_attr":
            continue
        value = getattr(graph, node.target)
        value = getattr(value, "constant", None) if type(value).__name__ == "FakeTensor" else value
        if not isinstance(value, torch.Tensor) or value.numel() > 256:
            size = f" of {value.numel()} elements" if isinstance(value, torch.Tensor) else ""
            raise CaptureError(f"a tensor{size} would be baked in: make it an argument, a parameter or a buffer ({(node.stack_trace or 'no line').splitlines()[0].strip()})")
        if value.numel() == 0:
            _without_empty(graph, node)
            log.append(f"left out: an empty tensor {list(value.shape)}")
            continue
        with graph.graph.inserting_before(node):
            def full(shape, number):
                new = graph.graph.call_function(_ATEN.full.default, (shape, number), {"dtype": value.dtype, "device": torch.device("cpu"), "pin_memory": False})
                new.meta = {k: v for k, v in node.meta.items() if k not in ("val", "tensor_meta")}
                return new
            numbers = value.flatten().tolist()
            if len(set(numbers)) == 1:
                new = full(list(value.shape), numbers[0])
            else:
                new = graph.graph.call_function(_ATEN.cat.default, ([full([1], x) for x in numbers],))
                new = graph.graph.call_function(_ATEN.view.default, (new, list(value.shape)))
        log.append(f"baked in: a constant tensor {list(value.shape)} = {numbers if len(numbers) <= 8 else str(numbers[:8])[:-1] + ', ...]'}")
        for user in list(node.users):
            if user.target is _ATEN.lift_fresh_copy.default:
                user.replace_all_uses_with(new)
                graph.graph.erase_node(user)
        node.replace_all_uses_with(new)
        graph.graph.erase_node(node)
    graph.recompile()
    return graph
