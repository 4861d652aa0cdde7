"""What proofs of top-k positions, library calls, windows as rows and indices of several components rest on, by itself."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, block, gather, pair

DP, TP, BOTH = [["dp", 2]], [["tp", 4]], [["dp", 2], ["tp", 2]]
SCORES = Arg((6, 8), P(None, "tp"))


# --- positions of a top-k lie in the row ---
def own(i, n):
    return i - lax.axis_index("tp") * n


def best_two(x):
    return lax.top_k(x, 2)[1]


def counted(x):
    return jnp.sum(jax.nn.one_hot(best_two(x), 8), 1)


def counted_tp(defect):
    def run(x):
        i = best_two(gather(x.T, "tp").T)
        i = i if defect == "no-offset" else own(i, 2)
        return jnp.sum((i[..., None] == jnp.arange(2)).astype(jnp.float32), 1)
    return run


def looked_up(x, w):
    return w[best_two(x)]


def looked_up_tp(defect):
    def run(x, w):
        i = own(best_two(gather(x.T, "tp").T), 2)
        mine = (i >= 0) & (i < (3 if defect == "wide-mask" else 2))
        return lax.psum(jnp.where(mine[..., None], w[jnp.clip(i, 0, 1)], 0.0), "tp")
    return run


def kept(x):
    return jnp.where(jnp.any(best_two(x)[..., None] == jnp.arange(8), 1), x, 0.0)


def kept_tp(defect):
    def run(x):
        i = best_two(gather(x.T, "tp").T) + (1 if defect == "shifted" else 0)
        column = 2 * lax.axis_index("tp") + jnp.arange(2)
        return jnp.where(jnp.any(i[..., None] == column, 1), x, 0.0)
    return run


def top_gradient(k):
    return jax.grad(lambda x: jnp.sum(lax.top_k(x, k)[0] ** 2))


pair("topk-one-hot", TP, counted, counted_tp, [SCORES], [P(None, "tp")], {"no-offset": "positions count from each rank's own first column"})
pair("topk-lookup", TP, looked_up, looked_up_tp, [SCORES, Arg((8, 3), P("tp"))], [P()], {"wide-mask": "one row of the next rank is taken too"})
pair("topk-kept", TP, kept, kept_tp, [SCORES], [P(None, "tp")], {"shifted": "the elements beside the best are kept"})
pair("topk-gradient", TP, top_gradient(2), lambda defect: top_gradient(3 if defect == "of-three" else 2), [SCORES], [P(None, "tp")],
     {"of-three": "one more element of each row has a gradient"}, annotated=True)


# --- calls of LAPACK are functions, matrix by matrix ---
def positive(x):
    return x @ jnp.swapaxes(x, -1, -2) + 3 * jnp.eye(x.shape[-1])


def factor(x):
    return jnp.linalg.cholesky(positive(x))


def factor_dp(defect):
    return lambda x: jnp.linalg.cholesky(positive(x), upper=True) if defect == "upper" else factor(x)


def solved(x, b):
    return jnp.linalg.solve(positive(x) + x, b)


def solved_dp(defect):
    def run(x, b):
        a = positive(x) + x
        return jnp.linalg.solve(jnp.swapaxes(a, -1, -2) if defect == "transposed" else a, b)
    return run


def basis(x):
    return jnp.linalg.qr(x)[0]


def basis_dp(defect):
    return lambda x: basis(x) if defect == "own-rows" else block(basis(gather(x, "dp")), "dp")


def spectrum(x):
    return jnp.linalg.eigvalsh(x.T @ x)


def spectrum_dp(defect):
    return lambda x: jnp.linalg.eigvalsh(x.T @ x if defect == "own-rows" else lax.psum(x.T @ x, "dp"))


BATCH = Arg((4, 3, 3), P("dp"))
pair("library-cholesky", DP, factor, factor_dp, [BATCH], [P("dp")], {"upper": "the other triangle"})
pair("library-solve", DP, solved, solved_dp, [BATCH, Arg((4, 3, 2), P("dp"))], [P("dp")], {"transposed": "solved with the transposed matrix"})
pair("library-qr", DP, basis, basis_dp, [Arg((8, 3), P("dp"))], [P("dp")], {"own-rows": "each rank factors its own rows"})
pair("library-eigenvalues", DP, spectrum, spectrum_dp, [Arg((8, 3), P("dp"))], [P()], {"own-rows": "the product is not summed over ranks"})


# --- windows are rows ---
def joined(a, b):
    return a + b + a * b


def windows(x, size=3):
    return lax.reduce_window(x, 0.0, joined, (1, size), (1, 1), ((0, 0), (size - 1, 0)))


def flat_pool(x, window=(2, 2)):
    return jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID") ** 2))(x)


def running(x):
    return lax.cumlogsumexp(x, 0)


def running_dp(defect):
    return lambda x: running(x) if defect == "own-rows" else block(running(gather(x, "dp")), "dp")


pair("window-region", DP, windows, lambda defect: (lambda x: windows(x, 4 if defect == "wider" else 3)), [Arg((4, 8), P("dp"))], [P("dp")],
     {"wider": "windows are one wider"})
pair("window-region-sharded", TP, windows, lambda defect: (lambda x: windows(x, 2 if defect == "narrower" else 3)), [Arg((4, 16), P(None, "tp"))],
     [P(None, "tp")], {"narrower": "windows are one narrower"}, annotated=True)
pair("window-running", DP, running, running_dp, [Arg((8, 4), P("dp"))], [P("dp")], {"own-rows": "each rank sums its own rows"})
pair("window-side-by-side", BOTH, flat_pool, lambda defect: (lambda x: flat_pool(x, (2, 4) if defect == "longer" else (2, 2))),
     [Arg((8, 8), P("dp", "tp"))], [P("dp", "tp")], {"longer": "windows are twice as long"}, annotated=True)


# --- an index of several components ---
INDEX = lambda n: Arg((8,), P(), jnp.int32, (0, n))


def two(x, i, j):
    return x[i, j]


def three(x, i, j, k):
    return x[i, j, k]


def between(x, c):
    """Linear interpolation at real places."""
    return jax.scipy.ndimage.map_coordinates(x, [c, 2 * c], order=1)


def on_diagonal(x):
    return jnp.diagonal(x)


pair("components-two", BOTH, two, lambda defect: (lambda x, i, j: two(x, i, jnp.maximum(j - 1, 0) if defect == "left" else j)),
     [Arg((8, 16), P("dp", "tp")), INDEX(8), INDEX(16)], [P()], {"left": "the column before"}, annotated=True)
pair("components-three", BOTH, three, lambda defect: (lambda x, i, j, k: three(x, j, i, k) if defect == "exchanged" else three(x, i, j, k)),
     [Arg((4, 4, 6), P("dp", "tp")), INDEX(4), INDEX(4), INDEX(6)], [P()], {"exchanged": "rows and columns exchanged"}, annotated=True)
pair("components-interpolated", BOTH, between, lambda defect: (lambda x, c: between(x, c + 0.25 if defect == "aside" else c)),
     [Arg((8, 16), P("dp", "tp")), Arg((8,), P(), range=(0.1, 6.9))], [P()], {"aside": "a quarter further"}, annotated=True)
pair("components-diagonal", BOTH, on_diagonal, lambda defect: (lambda x: on_diagonal(jnp.roll(x, 1, 1) if defect == "rolled" else x)),
     [Arg((8, 8), P("dp", "tp"))], [P()], {"rolled": "the diagonal beside it"}, annotated=True)
