#!/usr/bin/env python3
"""Writes the meaning of a fused operator as HLO for `gg-harness check ... --define FILE.hlo`, at each list of shapes that the
two programs use (the global ones of the sequential program, the local ones of the distributed one).

usage: .venv/bin/python make.py NAME SHAPES... > NAME.hlo        SHAPES: one list a call, f32 unless a type stands before:
  make.py rms_norm 8x16,16 2x16,16
  make.py rotary 2x8x4x6,8x3,8x3 1x8x2x6,8x3,8x3
  make.py attention 2x8x4x6,2x8x4x6,2x8x4x6 1x8x2x6,1x8x2x6,1x8x2x6
"""
import re
import sys

import jax
import jax.numpy as jnp


def rms_norm(x, w):
    """x * rsqrt(mean(x^2) + 1e-6) * w over the last dimension."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w


def rotary(x, cos, sin):
    """x: [batch, sequence, heads, dim]; cos, sin: [sequence, dim / 2]."""
    a, b = jnp.split(x, 2, -1)
    c, s = cos[:, None, :], sin[:, None, :]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def attention(q, k, v):
    """Causal attention, [batch, sequence, heads, dim]."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    n = q.shape[1]
    scores = jnp.where(jnp.tril(jnp.ones((n, n), bool)), scores, -jnp.inf)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)


def shape(text):
    kind, _, dims = text.rpartition(":")
    return jax.ShapeDtypeStruct(tuple(int(n) for n in dims.split("x")), kind or "float32")


def computations(function, shapes, number):
    """The computations of one lowering, their names made its own, the entry called NAME.number."""
    text = jax.jit(function).lower(*shapes).as_text(dialect="hlo")
    body = text[re.search(r"^\S+( \(.*)? \{$|^ENTRY ", text, re.M).start():]
    names = re.findall(r"^(?:ENTRY )?%?([\w.\-]+)[^\n]*\{$", body, re.M)
    entry = re.search(r"^ENTRY %?([\w.\-]+)", body, re.M).group(1)
    for name in names:
        new = f"{function.__name__}.{number}" if name == entry else f"{name}.of.{number}"
        body = re.sub(rf"(?<![\w.\-]){re.escape(name)}(?![\w.\-])", new, body)
    return re.sub(r", metadata=\{[^{}]*\}", "", body)


def main(name, lists):
    function = globals()[name]
    print(f"HloModule {name}\n")
    for k, text in enumerate(lists):
        body = computations(function, [shape(s) for s in text.split(",")], k)
        print(body if k == len(lists) - 1 else body.replace("ENTRY ", ""))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
