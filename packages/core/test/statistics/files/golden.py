"""Writes NumPy's percentiles, and exact means and standard deviations: python3 golden.py > golden.json (NumPy 2.4.6)."""

import json
import math
from fractions import Fraction

import numpy as np

PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99]
rng = np.random.default_rng(20251210)
CASES = {
    "one value": [3.25],
    "two values": [1.0, 2.0],
    "odd count": [5.0, 1.0, 4.0, 2.0, 3.0],
    "even count": [0.1, 0.7, 0.2, 0.9, 0.4, 0.4],
    "ties": [2.0, 2.0, 2.0, 7.0, 7.0, 1.0],
    "negative and zero": [-3.5, 0.0, -1.0, 2.5, -3.5, 0.0, 10.0],
    "large and small": [1e300, -1e300, 1e-300, 5e-324, 1.0],
    "near a trillion": list(1e12 + np.round(rng.normal(0, 1e-2, 50), 3)),
    "normal": list(rng.normal(50, 12, 200)),
    "lognormal": list(rng.lognormal(-3, 1.5, 157)),
    "requests running": [float(v) for v in rng.poisson(8, 101)],
    "ratio": list(np.round(rng.beta(2, 5, 99), 4)),
}


def expected(values):
    # Uses fractions, because NumPy's mean and std contain rounding errors of their sums.
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / max(1, len(exact) - 1)
    percentiles = {f"p{p}": float(np.percentile(np.array(values), p)) for p in PERCENTS}
    return {"avg": float(mean), "min": min(values), "max": max(values), "std": root(variance), **percentiles}


def root(fraction):
    # The variance may overflow or underflow a double even if its root does not.
    power = max(0, (fraction.numerator.bit_length() - fraction.denominator.bit_length()) // 2)
    return math.sqrt(fraction / 4**power) * 2.0**power


print(json.dumps([{"name": k, "values": v, "expected": expected(v)} for k, v in CASES.items()], indent=1))
