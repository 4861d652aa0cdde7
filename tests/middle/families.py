"""Model families at middle size: annotated programs that XLA's partitioner distributes over a mesh dp=2 x tp=4."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

F = jnp.float32
FAMILIES = {}


def family(name, d=256, layers=2, train=False, batch=4, seq=32):
    """Registers forward(parameters, x) -> array as a program; parameters(d, layers) gives {name: (shape, spec)}."""
    def add(make):
        FAMILIES[name] = (make, d, layers, train, batch, seq)
        return make
    return add


def norm(x, scale, bias=None):
    if bias is None:
        return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale
    x = x - jnp.mean(x, -1, keepdims=True)
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * scale + bias


def attend(q, k, v, causal):
    scores = jnp.einsum("bqhc,bkhc->bhqk", q, k) / jnp.sqrt(F(q.shape[-1]))
    if causal:
        seq = scores.shape[-1]
        scores = jnp.where(jnp.tril(jnp.ones((seq, seq), bool)), scores, F(-1e9))
    return jnp.einsum("bhqk,bkhc->bqhc", jax.nn.softmax(scores, -1), v)


def rotate(x):
    half = x.shape[-1] // 2
    angle = jnp.arange(x.shape[1], dtype=F)[:, None] * (1e-2 ** (jnp.arange(half, dtype=F) / half))
    cos, sin = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


ATTENTION = lambda d, kv=1: {"q": ((d, 8, d // 8), P(None, "tp")), "k": ((d, 8 // kv, d // 8), P(None, "tp")),
                             "v": ((d, 8 // kv, d // 8), P(None, "tp")), "o": ((8, d // 8, d), P("tp"))}
MLP = lambda d: {"up": ((d, 4 * d), P(None, "tp")), "down": ((4 * d, d), P("tp"))}


def self_attention(p, x, causal=True, turn=lambda t: t):
    q, k, v = (jnp.einsum("bsd,dhc->bshc", x, p[n]) for n in "qkv")
    if k.shape[2] != q.shape[2]:
        k, v = (jnp.repeat(t, q.shape[2] // t.shape[2], 2) for t in (k, v))
    return jnp.einsum("bshc,hcd->bsd", attend(turn(q), turn(k), v, causal), p["o"])


def mlp(p, x, act=jax.nn.gelu):
    return act(x @ p["up"]) @ p["down"]


@family("gpt-forward", d=256)
@family("gpt-train", d=256, train=True)
@family("gpt-wide-forward", d=1024)
def gpt(d):
    shapes = {**ATTENTION(d), **MLP(d), **{n: ((d,), P()) for n in ("s1", "b1", "s2", "b2")}}
    def layer(p, x):
        x = x + self_attention(p, norm(x, p["s1"], p["b1"]))
        return x + mlp(p, norm(x, p["s2"], p["b2"]))
    return shapes, layer


@family("bert-train", d=384, train=True, seq=48)
def bert(d):
    shapes = {**ATTENTION(d), **MLP(d), **{n: ((d,), P()) for n in ("s1", "b1", "s2", "b2")}}
    def layer(p, x):
        x = norm(x + self_attention(p, x, causal=False), p["s1"], p["b1"])
        return norm(x + mlp(p, x, jax.nn.relu), p["s2"], p["b2"])
    return shapes, layer


@family("llama-forward", d=512, layers=4)
@family("llama-train", d=256, train=True)
def llama(d):
    shapes = {**ATTENTION(d, 2), "gate": ((d, 2 * d), P(None, "tp")), "up": ((d, 2 * d), P(None, "tp")), "down": ((2 * d, d), P("tp")),
              "s1": ((d,), P()), "s2": ((d,), P())}
    def layer(p, x):
        x = x + self_attention(p, norm(x, p["s1"]), turn=rotate)
        h = norm(x, p["s2"])
        return x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]
    return shapes, layer


@family("moe-forward", d=256)
@family("moe-train", d=256, train=True)
def moe(d):
    shapes = {"route": ((d, 8), P()), "up": ((8, d, 2 * d), P("tp")), "down": ((8, 2 * d, d), P("tp")), "s1": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"])
        weight = jax.nn.softmax(h @ p["route"], -1)
        y = jax.nn.relu(jnp.einsum("bsd,edf->besf", h, p["up"]))
        return x + jnp.einsum("besf,efd,bse->bsd", y, p["down"], weight)
    return shapes, layer


@family("mixer-train", d=256, train=True)
def mixer(d, seq=32):
    shapes = {**MLP(d), "t1": ((seq, 2 * seq), P()), "t2": ((2 * seq, seq), P()), "s1": ((d,), P()), "s2": ((d,), P())}
    def layer(p, x):
        h = jnp.swapaxes(norm(x, p["s1"]), 1, 2)
        x = x + jnp.swapaxes(jax.nn.gelu(h @ p["t1"]) @ p["t2"], 1, 2)
        return x + mlp(p, norm(x, p["s2"]))
    return shapes, layer


@family("retention-forward", d=256, layers=3)
def retention(d):
    """Linear attention with a decay, in its parallel form."""
    shapes = {**ATTENTION(d), "g": ((d, d), P(None, "tp")), "go": ((d, d), P("tp")), "s1": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"])
        q, k, v = (jnp.einsum("bsd,dhc->bshc", h, p[n]) for n in "qkv")
        at = jnp.arange(h.shape[1])
        decay = jnp.where(at[:, None] >= at[None], F(0.9) ** (at[:, None] - at[None]).astype(F), F(0))
        y = jnp.einsum("bqhc,bkhc,qk,bkhe->bqhe", q, k, decay, v)
        x = x + jnp.einsum("bshc,hcd->bsd", y, p["o"])
        return x + jnp.tanh(h @ p["g"]) @ p["go"]
    return shapes, layer


@family("cross-forward", d=256)
def cross(d):
    """A decoder that attends to the first half of the sequence."""
    shapes = {**ATTENTION(d), **MLP(d), "s1": ((d,), P()), "s2": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"])
        memory = h[:, : h.shape[1] // 2]
        q = jnp.einsum("bsd,dhc->bshc", h, p["q"])
        k, v = (jnp.einsum("bsd,dhc->bshc", memory, p[n]) for n in "kv")
        x = x + jnp.einsum("bshc,hcd->bsd", attend(q, k, v, False), p["o"])
        return x + mlp(p, norm(x, p["s2"]))
    return shapes, layer


@family("conv-forward", d=256)
def conv(d):
    """Depthwise causal convolutions between products, as in Hyena-like models."""
    shapes = {"in": ((d, 2 * d), P(None, "tp")), "w": ((4, 2 * d), P(None, "tp")), "out": ((2 * d, d), P("tp")), "s1": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"]) @ p["in"]
        padded = jnp.pad(h, ((0, 0), (3, 0), (0, 0)))
        y = sum(padded[:, k:k + h.shape[1]] * p["w"][k] for k in range(4))
        return x + (jax.nn.silu(y) * h) @ p["out"]
    return shapes, layer


@family("adamw-train", d=512, train="adamw")
def gated(d):
    shapes = {"gate": ((d, 2 * d), P("dp", "tp")), "up": ((d, 2 * d), P("dp", "tp")), "down": ((2 * d, d), P("tp", "dp")), "s1": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"])
        return x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]
    return shapes, layer


@family("qk-norm-train", d=256, train=True)
def qk_norm(d):
    shapes = {**ATTENTION(d), **MLP(d), "qs": ((d // 8,), P()), "ks": ((d // 8,), P()), "s1": ((d,), P())}
    def layer(p, x):
        h = norm(x, p["s1"])
        q, k, v = (jnp.einsum("bsd,dhc->bshc", h, p[n]) for n in "qkv")
        y = jnp.einsum("bshc,hcd->bsd", attend(norm(q, p["qs"]), norm(k, p["ks"]), v, True), p["o"])
        return x + y + mlp(p, h)  # parallel block
    return shapes, layer


def program(name):
    """step(parameters, x, target or moments), and its arguments as (shape, spec)."""
    make, d, layers, train, batch, seq = FAMILIES[name]
    shapes, layer = make(d)
    parameters = [dict(shapes) for _ in range(layers)]
    data = ((batch, seq, d), P("dp"))

    def forward(ps, x):
        for p in ps:
            x = layer(p, x)
        return x

    def loss(ps, x, y):
        return jnp.mean((forward(ps, x) - y) ** 2)

    def step(ps, x, y):
        value, gradients = jax.value_and_grad(loss)(ps, x, y)
        return value, jax.tree.map(lambda p, g: p - F(0.1) * g, ps, gradients)

    def adamw(ps, m, v, x, y):
        value, g = jax.value_and_grad(loss)(ps, x, y)
        m = jax.tree.map(lambda m, g: F(0.9) * m + F(0.1) * g, m, g)
        v = jax.tree.map(lambda v, g: F(0.99) * v + F(0.01) * g * g, v, g)
        new = jax.tree.map(lambda p, m, v: p - F(0.01) * (m / (jnp.sqrt(v) + F(1e-6)) + F(0.1) * p), ps, m, v)
        return value, new, m, v

    if train == "adamw":
        return adamw, (parameters, parameters, parameters, data, data)
    return (step, (parameters, data, data)) if train else (forward, (parameters, data))
