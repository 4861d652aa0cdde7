"""Experts whose tokens are put in order by `argsort` before they are computed group by group (ragged_dot), and put back behind it."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

DP, EP = [["dp", 4]], [["ep", 4]]
ROWS = P("dp")
T, D, F, E = 16, 4, 6, 4


def gates(x, router):
    """Each token's expert, and what its value counts."""
    logits = x @ router
    return jnp.argmax(logits, -1), jnp.max(jax.nn.softmax(logits), -1)


def by_groups(x, expert, up, down, defect=""):
    """Rows in the order of their experts, a dense layer a group, and back."""
    order = jnp.argsort(expert)
    sizes = jnp.bincount(expert, length=len(up))
    if defect == "sizes-rolled":
        sizes = jnp.roll(sizes, 1)
    if defect == "descending":
        order = jnp.argsort(-expert)
    hidden = jax.nn.silu(lax.ragged_dot(x[order], up, sizes))
    made = lax.ragged_dot(hidden, down, sizes)
    if defect == "not-put-back":
        return made
    return made[order] if defect == "put-back-twice" else made[jnp.argsort(order)]


def sorted_experts(x, router, up, down):
    expert, gate = gates(x, router)
    return by_groups(x, expert, up, down) * gate[:, None]


def sorted_experts_dp(defect):
    def run(x, router, up, down):
        expert, gate = gates(x, router)
        return by_groups(x, expert, up, down, defect) * gate[:, None]
    return run


EXPERTS = [Arg((D, E)), Arg((E, D, F)), Arg((E, F, D))]
pair("sorted-experts", DP, sorted_experts, sorted_experts_dp, [Arg((T, D), ROWS), *EXPERTS], [ROWS],
     {"sizes-rolled": "the groups have the sizes of their neighbours", "descending": "tokens stand from the last expert to the first", "not-put-back": "tokens stay in the order of their experts",
      "put-back-twice": "tokens are put in order once more in place of back"})


def masked_experts(defect):
    def run(x, router, up, down):
        expert, gate = gates(x, router)
        own = lax.axis_index("ep") * len(up) + jnp.arange(len(up)) + (defect == "next-expert")
        hidden = jax.nn.silu(jnp.einsum("td,edf->etf", x, up))
        made = jnp.einsum("etf,efd,et->td", hidden, down, (expert == own[:, None]).astype(x.dtype))
        return (made if defect == "not-summed" else lax.psum(made, "ep")) * gate[:, None]
    return run


pair("sorted-masked", EP, sorted_experts, masked_experts, [Arg((T, D)), EXPERTS[0], Arg((E, D, F), P("ep")), Arg((E, F, D), P("ep"))], [P()],
     {"next-expert": "each rank takes the tokens of the next expert", "not-summed": "a rank's experts alone are counted"})


# --- experts that are given, and of which some have no tokens -----------------------------------------------------------------
def given(x, expert, up, down):
    return jax.nn.silu(jnp.einsum("td,tdf->tf", x, up[expert])) @ down


def given_dp(defect):
    def run(x, expert, up, down):
        order = jnp.argsort(expert)
        sizes = jnp.bincount(expert + (defect == "next-group"), length=len(up))
        made = lax.ragged_dot(x[order], up, sizes)
        return jax.nn.silu(made[jnp.argsort(-expert if defect == "another-order" else order)]) @ down
    return run


pair("sorted-given", DP, given, given_dp, [Arg((T, D), ROWS), Arg((T,), ROWS, I32, (1, 3)), EXPERTS[1], Arg((F, D))], [ROWS],
     {"next-group": "tokens are counted for the next expert", "another-order": "rows are put back by another order"})


# --- two experts a token -----------------------------------------------------------------------------------------------------
def best_two(x, router):
    weight, expert = lax.top_k(jax.nn.softmax(x @ router), 2)
    return expert, weight / weight.sum(-1, keepdims=True)


def two_sorted(x, router, up, down):
    expert, weight = best_two(x, router)
    made = by_groups(jnp.repeat(x, 2, 0), expert.reshape(-1), up, down)
    return (made.reshape(len(x), 2, -1) * weight[..., None]).sum(1)


def of_tokens(x, expert, up, down, token):
    """The rows of tokens in the order of their experts."""
    sizes = jnp.bincount(expert.reshape(-1), length=len(up))
    return lax.ragged_dot(jax.nn.silu(lax.ragged_dot(x[token], up, sizes)), down, sizes)


def two_sorted_dp(defect):
    def run(x, router, up, down):
        expert, weight = best_two(x, router)
        order = jnp.argsort(expert.reshape(-1))
        made = of_tokens(x, expert, up, down, order % len(x) if defect == "token-by-remainder" else order // 2)
        made = made if defect == "not-put-back" else made[jnp.argsort(order)]
        return jnp.einsum("tkd,tk->td", made.reshape(len(x), 2, -1), weight[:, ::-1] if defect == "weights-exchanged" else weight)
    return run


TOKENS = [Arg((T, D), ROWS), *EXPERTS]
pair("sorted-two", DP, two_sorted, two_sorted_dp, TOKENS, [ROWS],
     {"token-by-remainder": "a place is taken to hold another token", "not-put-back": "rows stay in the order of their experts", "weights-exchanged": "each expert has the other one's weight"})


def two_masked(x, router, up, down):
    expert, weight = best_two(x, router)
    made = jnp.einsum("etf,efd->etd", jax.nn.silu(jnp.einsum("td,edf->etf", x, up)), down)
    return jnp.einsum("etd,tke,tk->td", made, jax.nn.one_hot(expert, E), weight)


def two_scattered_dp(defect):
    def run(x, router, up, down):
        expert, weight = best_two(x, router)
        order = jnp.argsort(expert.reshape(-1))
        token = order // 2
        made = of_tokens(x, expert, up, down, token) * (weight.reshape(-1) if defect == "weights-unsorted" else weight.reshape(-1)[order])[:, None]
        to = order % len(x) if defect == "to-remainder" else token
        return jnp.zeros_like(x).at[to].set(made) if defect == "last-one-stays" else jnp.zeros_like(x).at[to].add(made)
    return run


pair("sorted-scattered", DP, two_masked, two_scattered_dp, TOKENS, [ROWS],
     {"weights-unsorted": "weights are not put in order", "to-remainder": "rows are added to other tokens", "last-one-stays": "of a token's two experts one is kept"})
