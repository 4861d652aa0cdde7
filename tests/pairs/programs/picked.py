"""Experts whose sequential program takes them one after the other, each for the tokens that are its own, and adds them up (Mixtral): against masks in one product, and tokens in order."""
import jax
import jax.numpy as jnp
from jax import lax

from .base import I32, Arg, pair
from .sorted import DP, EXPERTS, ROWS, TOKENS, D, E, F, P, T, best_two, by_groups, gates, of_tokens, sorted_experts


def mlp(x, up, down):
    return jax.nn.silu(x @ up) @ down


def one_by_one(x, router, up, down):
    expert, gate = gates(x, router)
    made = jnp.zeros_like(x)
    for k in range(E):
        made = made + jnp.where((expert == k)[:, None], mlp(x, up[k], down[k]), 0)
    return made * gate[:, None]


def sorted_dp(defect):
    def run(x, router, up, down):
        expert, gate = gates(x, router)
        if defect == "descending":
            expert = jnp.where(expert == 1, 2, jnp.where(expert == 2, 1, expert))
        return by_groups(x, expert, up, down, defect) * gate[:, None]
    return run


pair("picked-sorted", DP, one_by_one, sorted_dp, [Arg((T, D), ROWS), *EXPERTS], [ROWS], {"sizes-rolled": "the groups have the sizes of their neighbours", "descending": "two experts are exchanged"})


# --- each rank its own experts, one after the other; given experts -------------------------------------------------------------
def own_one_by_one(defect):
    def run(x, expert, up):
        n, rank = len(up), lax.axis_index("ep")
        made = jnp.zeros((len(x), F))
        for k in range(n):
            made = made + jnp.where((expert == n * rank + (n - 1 - k if defect == "turned" else k))[:, None], x @ up[k], 0)
        return made if defect == "not-summed" else lax.psum(made, "ep")
    return run


pair("picked-own", [["ep", 2]], lambda x, expert, up: jnp.einsum("td,tdf->tf", x, up[expert]), own_one_by_one, [Arg((T, D)), Arg((T,), P(), I32, (0, 6)), Arg((6, D, F), P("ep"))], [P()],
     {"turned": "each rank takes its experts from the last one", "not-summed": "a rank's experts alone are counted"})


# --- two experts a token: what each counts for it, expert by expert -------------------------------------------------------------
def weights_one_by_one(x, router, up, down):
    expert, weight = best_two(x, router)
    made = jnp.zeros_like(x)
    for k in range(E):
        made = made + mlp(x, up[k], down[k]) * jnp.where(expert == k, weight, 0).sum(-1)[:, None]
    return made


def two_by_groups(defect):
    def run(x, router, up, down):
        expert, weight = best_two(x, router)
        order = jnp.argsort(expert.reshape(-1))
        made = of_tokens(x, expert, up, down, order // 2)[jnp.argsort(order)].reshape(len(x), 2, -1)
        return jnp.einsum("tkd,tk->td", made, weight[:, ::-1] if defect == "weights-exchanged" else weight)
    return run


pair("picked-two", DP, weights_one_by_one, two_by_groups, TOKENS, [ROWS], {"weights-exchanged": "each expert has the other one's weight"})


# --- each rank puts all tokens in the order of its own experts, the others behind them -----------------------------------------
def masked_given(x, expert, gate, up):
    return jnp.einsum("etf,et->tf", jnp.einsum("td,edf->etf", x, up), (expert == jnp.arange(6)[:, None]).astype(x.dtype)) * gate[:, None]


def own_sorted(defect):
    def run(x, expert, gate, up):
        n = len(up)
        local = expert - n * lax.axis_index("ep")
        key = jnp.where((local >= (-n if defect == "from-before" else 0)) & (local < n), local, n)
        order = jnp.argsort(key)
        sizes = jnp.bincount(key, length=n + 1)[:n]
        if defect == "sizes-rolled":
            sizes = jnp.roll(sizes, 1)
        made = lax.ragged_dot(x[order], up, sizes) * (gate if defect == "gates-unsorted" else gate[order])[:, None]
        return lax.psum(jnp.zeros((len(x), F)).at[order].add(made), "ep")
    return run


pair("picked-ranks", [["ep", 3]], masked_given, own_sorted, [Arg((8, D)), Arg((8,), P(), I32, (0, 6)), Arg((8,)), Arg((6, D, F), P("ep"))], [P()],
     {"from-before": "a rank takes tokens of the experts before its own", "sizes-rolled": "the groups have the sizes of their neighbours", "gates-unsorted": "weights are not put in order"})


# --- the hidden size over ranks, in the order of experts on both sides --------------------------------------------------------
def hidden_sorted(defect):
    def run(x, router, up, down):
        expert, gate = gates(x, router)
        made = by_groups(x, expert, up, down, defect)
        return (made if defect == "not-summed" else lax.psum(made, "tp")) * gate[:, None]
    return run


pair("picked-hidden", [["tp", 2]], sorted_experts, hidden_sorted, [Arg((8, D)), EXPERTS[0], Arg((E, D, F), P(None, None, "tp")), Arg((E, F, D), P(None, "tp"))], [P()],
     {"not-summed": "a rank's part of the hidden size alone is counted", "not-put-back": "tokens stay in the order of their experts"})
