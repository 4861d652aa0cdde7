"""Recorded steps: what Python asks of values in a run, answered the same while the step is traced."""
import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree
from torch.utils.weak import WeakTensorKeyDictionary

from .errors import CaptureError
from .placements import part_of
from .rank_state import untraced

_ATEN = torch.ops.aten


def answered(jobs, ran):
    """Jobs of a recorded step with what its values answered when it ran; other jobs as they are."""
    return [dict(job, answers=mine["answers"]) for job, mine in zip(jobs, ran)] if ran else jobs


def values_of_run(ran, relation):
    """{input: its values}, row-major; every rank must have had its part of them."""
    whole = ran[0][0]["values"]
    for r, part in enumerate(ran[1]):
        for name, mine in part["values"].items():
            want = part_of(whole[name], relation["inputs"].get(name, "replicated"), relation["mesh"], r)  # or all of it, which the step cuts itself
            if want is None or not any(x.shape == mine.shape and torch.equal(x, mine) for x in (want, whole[name])):
                raise CaptureError(f"input '{name}' has other values on rank {r} than its part of those of the sequential step")
    for name, value in whole.items():
        if not torch.isfinite(value).all():
            raise CaptureError(f"input '{name}' is not finite: a recorded run needs finite inputs")
    return {name: [x if isinstance(x, float) else int(x) for x in value.flatten().tolist()] for name, value in whole.items()}


_ASKED = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
_BY_PLACES = {_ATEN.index.Tensor, _ATEN.index_put.default, _ATEN.index_put_.default, _ATEN._index_put_impl_.default}


class KnownSizes(torch.utils._python_dispatch.TorchDispatchMode):
    """Tells torch how many elements a mask takes that hangs on no input: what is computed of no input is computed beside the trace, with its writes."""

    def __init__(self):
        super().__init__()
        self.known = WeakTensorKeyDictionary()

    def value(self, x):
        """The elements of a tensor; None if they hang on an input."""
        return self.known.get(x) if isinstance(x, FakeTensor) else x

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        given = [x for x in pytree.tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        if function is _ATEN.index.Tensor and len(args[1]) == 1 and args[1][0] is not None and args[1][0].dtype == torch.bool and self.value(args[1][0]) is not None:
            with untraced():
                count = int(self.value(args[1][0]).sum())
            torch._check(result.shape[0] == count)
        if function.namespace == "aten" and torch.Tag.nondeterministic_seeded not in function.tags and all(self.value(x) is not None for x in given):
            with untraced():
                own = function(*pytree.tree_map_only(torch.Tensor, self.value, args), **pytree.tree_map_only(torch.Tensor, self.value, kwargs))
            self.known.update((x, y) for x, y in zip(pytree.tree_leaves(result), pytree.tree_leaves(own)) if isinstance(x, torch.Tensor))
        elif function.namespace not in ("aten", "prim") or function._schema.is_mutable:
            self.forget({y.untyped_storage().data_ptr() for y in map(self.value, given) if y is not None})
        return result

    def forget(self, storages):
        """What may be written with values of an input is known no longer."""
        for x in [x for x, y in self.known.items() if y.untyped_storage().data_ptr() in storages]:
            del self.known[x]


class Steering(torch.utils._python_dispatch.TorchDispatchMode):
    """What Python asks of values, `.item()` and sizes that values decide: watched in a run (`answers` None), and answered as in that run while it is traced.

    Masks as indices become the places that they chose, so that all sizes are numbers."""

    def __init__(self, answers):
        super().__init__()
        self.traced, self.answers, self.at = answers is not None, answers or [], 0

    def __enter__(self):
        torch.Tensor.tolist = lambda x: x.item() if x.dim() == 0 else [part.tolist() for part in x.unbind(0)]  # that of torch reads memory
        return super().__enter__()

    def __exit__(self, *why):
        del torch.Tensor.tolist
        return super().__exit__(*why)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is _ATEN.masked_select.default:
            x, mask = torch.broadcast_tensors(*args)
            return x[tuple(self.places(mask))]
        if function in _BY_PLACES and not (len(args) > 2 and args[2].numel() == 1):  # one value for all places is a choice by the mask
            return self.by_places(function, *args, **kwargs)
        return self.answer(function, lambda: function(*args, **kwargs)) if _ASKED & set(function.tags) and function not in _BY_PLACES else function(*args, **kwargs)

    def by_places(self, function, x, indices, values=None, accumulate=False, **kwargs):
        masks = [k for k, index in enumerate(indices) if index is not None and index.dtype in (torch.bool, torch.uint8)]
        chosen = [place for k, index in enumerate(indices) for place in (self.places(index) if k in masks else [index])]
        if values is None:
            return function(x, chosen)
        if masks != [0] or len(indices) != 1 or accumulate:
            return function(x, chosen, values, accumulate, **kwargs)
        mask = indices[0].reshape(*indices[0].shape, *[1] * (x.dim() - indices[0].dim())).bool()  # its places are different ones: what is there is replaced
        result = _ATEN.index_put.default(_ATEN.where.self(mask, torch.zeros_like(x), x), chosen, values, True)
        return x.copy_(result) if function._schema.is_mutable else result

    def places(self, mask):
        return self.answer(_ATEN.nonzero.default, mask.nonzero).unbind(1)

    def answer(self, function, ask):
        if not self.traced:
            result = ask()
            self.answers.append((str(function), pytree.tree_map_only(torch.Tensor, torch.clone, result)))
            return result
        asked, result = self.answers[self.at] if self.at < len(self.answers) else ("nothing", None)
        if asked != str(function):
            raise CaptureError(f"the step asks for {function} of values where its run asked for {asked}: it takes other ways each time")
        self.at += 1
        for x in pytree.tree_leaves(result):
            if isinstance(x, torch.Tensor) and x.is_floating_point():
                raise CaptureError(f"{function} makes floats of a size that values decide, which is not recorded")
        return pytree.tree_map_only(torch.Tensor, _ATEN.lift_fresh_copy.default, result)

    def told(self):
        """Lines for capture.log: what the values of the run answered."""
        if self.at < len(self.answers):
            raise CaptureError(f"the run of the step asked for {self.answers[self.at][0]} of values where it asks for nothing: it takes other ways each time")
        return [f"of this run: {function} = {str(result)[:80]}" for function, result in self.answers]
