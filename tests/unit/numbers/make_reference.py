#!/usr/bin/env python3
"""Writes reference_values.inc: values of the elementary functions to more than 226 bits, computed by mpmath.

Each row is REFERENCE(function, x, y, scale, {parts}): the value is 2^scale * (sum of the parts), which are doubles that
halve the remaining error each; x and y are doubles, exactly. Run: python3 make_reference.py > reference_values.inc
"""
import mpmath
from mpmath import mp, mpf

mp.prec = 4000
SMALL = ["0x1p-200", "-0x1.8p-60", "0x1.999999999999ap-4", "-0x1.3333333333333p-3", "0x1.0000000000001p-2",
         "-0x1.fffffffffffffp-3", "0x1.921fb54442d18p-1", "-0x1.5555555555555p-1"]
MIDDLE = ["0x1p0", "0x1.8p0", "-0x1.921fb54442d18p+0", "0x1.62e42fefa39efp+1", "-0x1.921fb54442d18p+1", "0x1.6p+2",
          "-0x1.18p+3"]
LARGE = ["0x1.921fb54442d18p+6", "-0x1.9p+6", "0x1.d4cp+14", "-0x1.d4cp+14"]
HUGE = ["0x1.e848p+19", "0x1.921fb54442d18p+300", "0x1.fffffffffffffp+1023"]
POSITIVE = ["0x1p-1000", "0x1.999999999999ap-4", "0x1.fffffffffffffp-1", "0x1.0000000000001p+0", "0x1.6a09e667f3bcdp+0",
            "0x1.5bf0a8b145769p+1", "0x1p+2", "0x1.d4cp+14", "0x1.fffffffffffffp+1023"]


def sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


UNARY = {
    "Exp": (mpmath.exp, SMALL + MIDDLE + LARGE + ["0x1.e848p+19", "-0x1p+38"]),
    "Expm1": (mpmath.expm1, SMALL + MIDDLE + LARGE),
    "Log": (mpmath.log, POSITIVE),
    "Log1p": (mpmath.log1p, SMALL + ["-0x1.fffffffffffffp-1"] + POSITIVE),
    "Logistic": (sigmoid, SMALL + MIDDLE + LARGE),
    "Tanh": (mpmath.tanh, SMALL + MIDDLE + ["0x1.4p+5"]),
    "Erf": (mpmath.erf, SMALL + MIDDLE + ["0x1.19999999999ap+3", "0x1.8p+3"]),
    "Sin": (mpmath.sin, SMALL + MIDDLE + LARGE + HUGE),
    "Cos": (mpmath.cos, SMALL + MIDDLE + LARGE + HUGE),
    "Tan": (mpmath.tan, SMALL + MIDDLE + LARGE + HUGE),
    "Sqrt": (mpmath.sqrt, POSITIVE),
    "Rsqrt": (lambda x: 1 / mpmath.sqrt(x), POSITIVE),
    "Cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), POSITIVE + ["-0x1.8p+3", "0x1.bp+4"]),
}
BINARY = {
    "Power": (mpmath.power, [("0x1.999999999999ap-4", "0x1.8p0"), ("0x1.388p+13", "-0x1.999999999999ap-4"),
                             ("0x1.0000000000001p+0", "0x1.8p+50"), ("0x1.8p0", "0x1.d4cp+14"), ("-0x1.8p0", "0x1.9p+4"),
                             ("0x1.6p+2", "-0x1.4p+2"), ("-0x1.4p+1", "0x1.8p+1"), ("0x1.ccccccccccccdp-1", "0x1.f4p+9"),
                             ("0x1p-1000", "0x1.5p+6")]),
    "Atan2": (mpmath.atan2, [("0x1p0", "0x1.8p0"), ("-0x1p-30", "0x1.8p0"), ("0x1p-30", "-0x1.8p0"), ("0x1p+40", "-0x1p-40"),
                             ("-0x1.8p+3", "-0x1.4p+2"), ("0x1.8p+1", "0x1.0000000000001p-50"),
                             ("0x1p-1000", "0x1p+1000")]),
}


def row(name, f, x, y):
    value = f(mpf(float.fromhex(x))) if y is None else f(mpf(float.fromhex(x)), mpf(float.fromhex(y)))
    scale = int(mpmath.floor(mpmath.log(abs(value), 2)))
    rest = value * mpf(2) ** -scale
    parts = []
    for _ in range(6):
        parts.append(float(rest))
        rest -= mpf(parts[-1])
    print("REFERENCE(%s, %s, %s, %d, {%s})" % (name, x, y or "0", scale, ", ".join(p.hex() for p in parts)))


print("// Written by make_reference.py (mpmath). REFERENCE(function, x, y, scale, parts)")
for name, (f, xs) in UNARY.items():
    for x in xs:
        row(name, f, x, None)
for name, (f, pairs) in BINARY.items():
    for x, y in pairs:
        row(name, f, x, y)
