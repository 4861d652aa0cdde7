"""The place of each element in the sorted whole, counted: how many are smaller, or equal and before it. Ranks compare their elements with those of all, equal ones by rank and then
by place; numbers are counted into bins that are spread over the ranks."""
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, gather, pair

TP = [["tp", 4]]
LEVELS = Arg((12,), P("tp"), I32, (0, 6))


def before(x, place):
    """[i, j]: is element j before element i?"""
    return (x[None] < x[:, None]) | ((x[None] == x[:, None]) & (place[None] < place[:, None]))


def ranked(x):
    return jnp.sum(before(x, jnp.arange(len(x))), 1)


# --- (rank, place) before (rank, place) ---------------------------------------------------------------------------------------
def ranked_tp(defect):
    def run(x):
        others, mine, rank, place = lax.all_gather(x, "tp"), lax.axis_index("tp"), jnp.arange(4)[:, None, None], jnp.arange(len(x))
        smaller, equal = others[:, None] < x[None, :, None], others[:, None] == x[None, :, None]
        nearer = place[None, None] <= place[None, :, None] if defect == "itself" else place[None, None] < place[None, :, None]
        first = nearer if defect == "places-alone" else (rank < mine) | ((rank == mine) & nearer)
        if defect == "later-ranks":
            first = (rank > mine) | ((rank == mine) & nearer)
        return jnp.sum(smaller | (equal & first), (0, 2))
    return run


WRONG = {"places-alone": "equal elements are in the order of their places in the shards", "later-ranks": "of equal elements those of later ranks come first",
         "itself": "an element is before itself"}
pair("ranked-integers", TP, ranked, ranked_tp, [LEVELS], [P("tp")], WRONG)


def ranked_rows(x):
    return ranked(jnp.floor(x)) * 2


def ranked_rows_tp(defect):
    def run(x):
        return ranked_tp(defect)(jnp.floor(x)) * 2
    return run


pair("ranked-reals", TP, ranked_rows, ranked_rows_tp, [Arg((12,), P("tp"), F32, (0, 4))], [P("tp")], WRONG)


# --- each rank compares its elements with all, and the counts are added ------------------------------------------------------
def ranked_sum(defect):
    def run(x):
        whole, mine = gather(x, "tp"), jnp.arange(len(x)) + (0 if defect == "own-places" else lax.axis_index("tp") * len(x))
        place = jnp.arange(len(whole))
        return lax.psum(jnp.sum((x[None] < whole[:, None]) | ((x[None] == whole[:, None]) & (mine[None] < place[:, None])), 1), "tp")
    return run


pair("ranked-sum", TP, ranked, ranked_sum, [LEVELS], [P()], {"own-places": "places count from each rank's own first element"})


# --- bins that are spread over the ranks --------------------------------------------------------------------------------------
def counted(x):
    return jnp.bincount(x, length=16)


def counted_tp(defect):
    def run(x):
        own = x - 4 * (0 if defect == "first-bins" else lax.axis_index("tp"))
        place = jnp.clip(own, 0, 3) if defect == "clamped" else jnp.where((own >= 0) & (own < 4), own, 4)
        return jnp.zeros(4, I32).at[place].add(1, mode="drop")
    return run


pair("ranked-bins", TP, counted, counted_tp, [Arg((20,), P(), I32, (0, 16))], [P("tp")],
     {"first-bins": "every rank counts the first bins", "clamped": "numbers of other ranks are counted in the first and the last bin"})
