"""Ring attention: keys and values travel around the ring, forward with a running softmax, backward with their gradients beside them."""
import torch
import torch.distributed as dist

import gg_torch

RANKS = {"cp": 2}
CASE = dict(batch={"q": "cp", "k": "cp", "v": "cp"})
DEFECTS = {"backward-with-own-keys": "huggingface/diffusers#14265: the backward pass uses the rank's own keys and values in every step of the ring",
           "no-rescaling": "zhuzilin/ring-flash-attention style: sums of earlier blocks are not rescaled when the maximum grows",
           "gradients-not-returned": "huggingface/diffusers#14265: the gradients of keys and values are not sent back to their owner"}


def rotate(*tensors):
    """Every tensor from the previous rank of the ring."""
    rank, n = dist.get_rank(), dist.get_world_size()
    received = [torch.empty_like(t) for t in tensors]
    work = [dist.P2POp(dist.isend, t.contiguous(), (rank + 1) % n) for t in tensors] + [dist.P2POp(dist.irecv, t, (rank - 1) % n) for t in received]
    for w in dist.batch_isend_irecv(work):
        w.wait()
    return received


class Ring(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, defect):
        own, n = (k, v), dist.get_world_size()
        largest = total = out = None
        for step in range(n):
            s = q @ k.T
            block = s.amax(-1, keepdim=True)
            if step == 0:
                largest = block
                p = (s - largest).exp()
                total, out = p.sum(-1, keepdim=True), p @ v
            else:
                before, largest = largest, torch.maximum(largest, block)
                p = (s - largest).exp()
                scale = 1.0 if defect == "no-rescaling" else (before - largest).exp()  # wrong: no-rescaling
                total = total * scale + p.sum(-1, keepdim=True)  # wrong: no-rescaling
                out = out * scale + p @ v  # wrong: no-rescaling
            if step < n - 1:
                k, v = rotate(k, v)
        out = out / total
        ctx.defect = defect
        ctx.save_for_backward(q, *own, out, largest + total.log())
        return out

    @staticmethod
    def backward(ctx, g):
        q, k, v, out, logsumexp = ctx.saved_tensors
        n = dist.get_world_size()
        delta = (g * out).sum(-1, keepdim=True)
        dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
        for step in range(n):
            p = (q @ k.T - logsumexp).exp()  # wrong: backward-with-own-keys
            ds = p * (g @ v.T - delta)  # wrong: backward-with-own-keys
            dq, dk, dv = dq + ds @ k, dk + ds.T @ q, dv + p.T @ g  # wrong: backward-with-own-keys gradients-not-returned
            if step == n - 1 and ctx.defect == "gradients-not-returned":
                break
            if ctx.defect == "backward-with-own-keys":
                dk, dv = rotate(dk, dv)  # wrong: backward-with-own-keys
            else:
                k, v, dk, dv = rotate(k, v, dk, dv)
        return dq, dk, dv, None


def args():
    return {name: torch.randn(8, 4, requires_grad=True) for name in "qkv"}


def sequential(q, k, v):
    out = torch.softmax(q @ k.T, -1) @ v
    loss = out.square().sum()
    return {"out": out, "loss": loss, "grads": gg_torch.grads(loss, {"q": q, "k": k, "v": v})}


def distributed(q, k, v, defect=None):
    out = Ring.apply(q, k, v, defect)
    loss = out.square().sum()
    g = gg_torch.grads(loss, {"q": q, "k": k, "v": v})
    loss = loss.detach().clone()
    dist.all_reduce(loss)
    return {"out": out, "loss": loss, "grads": g}


CASE["outputs"] = {"out": "cp"}
