"""Recurrences and linear attention over a sequence in shards: each rank from a state of zero, corrected by the state that it is entered with."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

N = 4
SP = [["sp", N]]
def me(): return lax.axis_index("sp")


# F1: causal linear attention, masked form; distributed: local mask + states of ranks before
def lin(q, k, v):
    s = jnp.einsum("tk,sk->ts", q, k)
    return jnp.tril(s) @ v


def lin_sp(defect):
    def step(q, k, v):
        state = lax.all_gather(jnp.einsum("sk,sv->kv", k, v), "sp")
        before = jnp.arange(N) <= me() if defect == "own" else jnp.arange(N) < me()
        enter = jnp.sum(jnp.where(before[:, None, None], state, 0.0), 0)
        return lin(q, k, v) + q @ enter
    return step


QKV = [Arg((16, 3), P("sp")), Arg((16, 3), P("sp")), Arg((16, 2), P("sp"))]
pair("r-lin-mask", SP, lin, lin_sp, QKV, [P("sp")], {"own": "own state twice"})


# F2: the sequential one as a cumulative sum of states
def lin_cum(q, k, v):
    states = jnp.cumsum(k[:, :, None] * v[:, None, :], 0)
    return jnp.einsum("tk,tkv->tv", q, states)


pair("r-lin-cum", SP, lin_cum, lin_sp, QKV, [P("sp")], {"own": "own state twice"})


def lin_cum_sp(defect):
    def step(q, k, v):
        local = jnp.cumsum(k[:, :, None] * v[:, None, :], 0)
        total = lax.all_gather(local[-1], "sp")
        before = jnp.arange(N) <= me() if defect == "own" else jnp.arange(N) < me()
        enter = jnp.einsum("r,rkv->kv", before.astype(jnp.float32), total)
        return jnp.einsum("tk,tkv->tv", q, local + enter)
    return step


pair("r-lin-cum2", SP, lin_cum, lin_cum_sp, QKV, [P("sp")], {"own": "own state twice"})


# F3: by a scan
def lin_scan_from(q, k, v, s0):
    def f(s, x):
        q, k, v = x
        s = s + k[:, None] * v[None]
        return s, q @ s
    return lax.scan(f, s0, (q, k, v))


def lin_scan(q, k, v):
    return lin_scan_from(q, k, v, jnp.zeros((3, 2)))[1]


def lin_scan_sp(defect):
    def step(q, k, v):
        s, o = lin_scan_from(q, k, v, jnp.zeros((3, 2)))
        total = lax.all_gather(s, "sp")
        before = jnp.arange(N) <= me() if defect == "own" else jnp.arange(N) < me()
        enter = jnp.sum(jnp.where(before[:, None, None], total, 0.0), 0)
        return o + q @ enter
    return step


pair("r-lin-scan", SP, lin_scan, lin_scan_sp, QKV, [P("sp")], {"own": "own state twice"})


# G1: gated scalar recurrence, prefix by python loop; T=32
def gated(a, x, h0):
    def f(h, ax):
        h = ax[0] * h + ax[1]
        return h, h
    return lax.scan(f, h0, (a, x))


def gated_seq(a, x):
    return gated(a, x, jnp.zeros_like(x[0]))[1]


def gated_sp(form):
    def make(defect):
        def step(a, x):
            local = gated(a, x, jnp.zeros_like(x[0]))[1]
            decay = jnp.cumprod(a, 0)
            ends, decays = lax.all_gather(local[-1], "sp"), lax.all_gather(decay[-1], "sp")
            r = me()
            if form == "loop":
                enter = jnp.zeros_like(x[0])
                for i in range(N):
                    enter = jnp.where(i < r, decays[i] * enter + ends[i], enter)
            elif form == "scan":
                def f(h, da):
                    return da[0] * h + da[1], h
                enters = lax.scan(f, jnp.zeros_like(x[0]), (decays, ends))[1]
                enter = enters[r]
            elif form == "scan-mask":
                def f(h, i):
                    return jnp.where(i < r, decays[i] * h + ends[i], h), None
                enter = lax.scan(f, jnp.zeros_like(x[0]), jnp.arange(N))[0]
            elif form == "weights":
                i, j = jnp.arange(N)[:, None], jnp.arange(N)[None]
                w = jnp.prod(jnp.where(((i < j) & (j < r))[:, :, None], decays[None], 1.0), 1)
                enter = jnp.sum(jnp.where((jnp.arange(N) < r)[:, None], w * ends, 0.0), 0)
            elif form == "ring":
                enter, hold = jnp.zeros_like(x[0]), jnp.zeros_like(x[0])
                h = jnp.zeros_like(x[0])
                for i in range(N - 1):
                    h = lax.ppermute(decay[-1] * h + local[-1], "sp", [(k, k + 1) for k in range(N - 1)])
                enter = h
            if defect == "late":
                return local + decay * enter * 0.5
            return local + decay * enter
        return step
    return make


for T in (8, 32):
    IN = [Arg((T, 3), P("sp"), range=(0.25, 1.0)), Arg((T, 3), P("sp"))]
    for form in ("loop", "scan", "scan-mask", "weights", "ring"):
        pair(f"r-gated-{form}-{T}", SP, gated_seq, gated_sp(form), IN, [P("sp")], {"late": "half"})


# R: retention with a constant decay, matrix state
def ret_from(q, k, v, s0, g=0.9):
    def f(s, x):
        q, k, v = x
        s = g * s + k[:, None] * v[None]
        return s, q @ s
    return lax.scan(f, s0, (q, k, v))


def ret_seq(q, k, v):
    return ret_from(q, k, v, jnp.zeros((3, 2)))[1]


def ret_par(q, k, v, g=0.9):
    t = jnp.arange(q.shape[0])
    d = jnp.where(t[:, None] >= t[None], g ** (t[:, None] - t[None]).astype(jnp.float32), 0.0)
    return ((q @ k.T) * d) @ v


def ret_sp(local_form):
    def make(defect):
        def step(q, k, v):
            L, g = q.shape[0], 0.9
            t = jnp.arange(L, dtype=jnp.float32)
            if local_form == "scan":
                s, o = ret_from(q, k, v, jnp.zeros((3, 2)))
            else:
                o = ret_par(q, k, v)
                s = jnp.einsum("sk,sv,s->kv", k, v, g ** (L - 1 - t))
            S = lax.all_gather(s, "sp")
            i = jnp.arange(N)
            w = jnp.where(i < me(), g ** ((me() - 1 - i) * L).astype(jnp.float32), 0.0)
            enter = jnp.einsum("r,rkv->kv", w, S)
            back = g ** t if defect == "late" else g ** (t + 1)
            return o + back[:, None] * (q @ enter)
        return step
    return make


pair("r-ret-scan", SP, ret_seq, ret_sp("scan"), QKV, [P("sp")], {"late": "one step short"})
pair("r-ret-par", SP, ret_par, ret_sp("par"), QKV, [P("sp")], {"late": "one step short"})


# M: Mamba-2 / GLA style: data-dependent scalar decay by exp of log decays, segment sums
def seg(la):
    c = jnp.cumsum(la)
    d = c[:, None] - c[None]
    return jnp.where(jnp.tril(jnp.ones((la.shape[0],) * 2, bool)), jnp.exp(d), 0.0)


def ssd(la, q, k, v):
    return ((q @ k.T) * seg(la)) @ v


def ssd_sp(defect):
    def step(la, q, k, v):
        c = jnp.cumsum(la)
        o = ssd(la, q, k, v)
        s = jnp.einsum("sk,sv,s->kv", k, v, jnp.exp(c[-1] - c))
        S, tot = lax.all_gather(s, "sp"), lax.all_gather(c[-1], "sp")
        i = jnp.arange(N)
        ct = jnp.cumsum(tot)
        before = jnp.where(me() > 0, ct[jnp.maximum(me() - 1, 0)], 0.0)
        w = jnp.where(i < me(), jnp.exp(before - ct), 0.0)
        enter = jnp.einsum("r,rkv->kv", w, S)
        back = jnp.exp(c - la) if defect == "late" else jnp.exp(c)
        return o + back[:, None] * (q @ enter)
    return step


pair("r-ssd", SP, ssd, ssd_sp, [Arg((16,), P("sp"), range=(-1.0, 0.0)), *QKV], [P("sp")], {"late": "one step short"})


def assoc(a, x):
    def combine(l, r):
        return r[0] * l[0], r[0] * l[1] + r[1]
    return lax.associative_scan(combine, (a, x))[1]


def assoc_sp(defect):
    def combine(l, r):
        return r[0] * l[0], r[0] * l[1] + r[1]
    def step(a, x):
        A, H = lax.associative_scan(combine, (a, x))
        ends, decays = lax.all_gather(H[-1], "sp"), lax.all_gather(A[-1], "sp")
        C = lax.associative_scan(combine, (decays, ends))[1]
        enter = jnp.where(me() > 0, C[jnp.maximum(me() - 1, 0)], 0.0)
        return H + (A if defect != "late" else a) * enter
    return step


for T in (8, 16, 32):
    IN = [Arg((T, 3), P("sp"), range=(0.25, 1.0)), Arg((T, 3), P("sp"))]
    pair(f"r-assoc-{T}", SP, assoc, assoc_sp, IN, [P("sp")], {"late": "no decay"})
    pair(f"r-scan-assoc-{T}", SP, gated_seq, assoc_sp, IN, [P("sp")], {"late": "no decay"})
pair("r-assoc-annotated-32", SP, assoc, lambda d: (lambda a, x: assoc(a, x) if not d else assoc(a, x) * 0.5), IN, [P("sp")], {"late": "x"}, annotated=True)


def ssd_sp2(defect):
    def step(la, q, k, v):
        full = jnp.cumsum(lax.all_gather(la, "sp", tiled=True))
        L = la.shape[0]
        c = lax.dynamic_slice_in_dim(full, me() * L, L) - jnp.where(me() > 0, full[jnp.maximum(me() * L - 1, 0)], 0.0)
        d = c[:, None] - c[None]
        seg = jnp.where(jnp.tril(jnp.ones((L,) * 2, bool)), jnp.exp(d), 0.0)
        o = ((q @ k.T) * seg) @ v
        s = jnp.einsum("sk,sv,s->kv", k, v, jnp.exp(c[-1] - c))
        S, tot = lax.all_gather(s, "sp"), lax.all_gather(c[-1], "sp")
        i = jnp.arange(N)
        ct = jnp.cumsum(tot)
        before = jnp.where(me() > 0, ct[jnp.maximum(me() - 1, 0)], 0.0)
        w = jnp.where(i < me(), jnp.exp(before - ct), 0.0)
        enter = jnp.einsum("r,rkv->kv", w, S)
        back = jnp.exp(c - la) if defect == "late" else jnp.exp(c)
        return o + back[:, None] * (q @ enter)
    return step


pair("r-ssd2", SP, ssd, ssd_sp2, [Arg((16,), P("sp"), range=(-1.0, 0.0)), *QKV], [P("sp")], {"late": "one step short"})
