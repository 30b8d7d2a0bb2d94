"""The most used vectorised functions: the emitted adjoint over the one by hand, and rows scattered.

    python benchmarks/rules.py [NAME ...] [--budget SECONDS] [--json FILE]

Each function stands alone, on arrays of 100 000 elements: the two functions that are emitted for
`tl.vjp`, over value and adjoint as one writes them. (`tl.vjp` copies the arguments as well, since
they may have changed when the pullback is called; `grad` does not.) Ratios are those of harness.py:
side by side in one process, medians over rounds. The last lines are gradients of `x[idx]` with
repeated rows, over np.add.at. Fails where a ratio is beyond 1.15, or one of these beyond 1.
"""
import argparse
import ctypes
import json

import harness
import numpy as np
from harness import TARGET, Contender

import tangent_lite as tl
from tangent_lite.api import GradientFunction

ROWS, COLUMNS = 500, 200
rng = np.random.default_rng(0)


def keep_memory():
    """Let the allocator keep what is freed, or the time of an array is that of its page faults."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-1, 1 << 30)               # M_TRIM_THRESHOLD
        libc.mallopt(-3, 1 << 30)               # M_MMAP_THRESHOLD
    except (OSError, AttributeError):
        pass                                    # not the GNU library


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


X, POSITIVE, COLUMN = draw(ROWS, COLUMNS), draw(ROWS, COLUMNS) + 2.0, draw(COLUMNS)
A, B = draw(200, 150), draw(150, 100)


def add(x, b):
    return x + b


def add_hand(by, x, b):
    return x + b, by.copy(), by.sum(axis=0)


def multiply(x, b):
    return x * b


def multiply_hand(by, x, b):
    return x * b, by * b, (by * x).sum(axis=0)


def divide(x, y):
    return x / y


def divide_hand(by, x, y):
    z = x / y
    bx = by / y
    return z, bx, -bx * z


def exp(x):
    return np.exp(x)


def exp_hand(by, x):
    y = np.exp(x)
    return y, by * y


def log(x):
    return np.log(x)


def log_hand(by, x):
    return np.log(x), by / x


def tanh(x):
    return np.tanh(x)


def tanh_hand(by, x):
    y = np.tanh(x)
    return y, by * (1.0 - y * y)


def square(x):
    return x ** 2


def square_hand(by, x):
    return x ** 2, 2.0 * x * by


def row_sum(x):
    return np.sum(x, axis=1)


def row_sum_hand(by, x):
    return x.sum(axis=1), np.broadcast_to(by[:, None], x.shape).copy()


def mean(x):
    return np.mean(x, axis=0)


def mean_hand(by, x):
    return x.mean(axis=0), np.broadcast_to(by / x.shape[0], x.shape).copy()


def row_max(x):
    return np.max(x, axis=1)


def row_max_hand(by, x):
    y = x.max(axis=1)
    largest = x == y[:, None]
    return y, largest * (by / largest.sum(axis=1))[:, None]


def matmul(a, b):
    return a @ b


def matmul_hand(by, a, b):
    return a @ b, by @ b.T, a.T @ by


def where(x, y):
    return np.where(x > 0.0, x, y)


def where_hand(by, x, y):
    positive = x > 0.0
    return np.where(positive, x, y), np.where(positive, by, 0.0), np.where(positive, 0.0, by)


def relu(x):
    return np.maximum(x, 0.0)


def relu_hand(by, x):
    return np.maximum(x, 0.0), by * np.heaviside(x, 0.5)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def softmax_hand(by, x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    y = e / np.sum(e, axis=1, keepdims=True)
    return y, (by - np.sum(by * y, axis=1, keepdims=True)) * y


def logsumexp(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]


def logsumexp_hand(by, x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - m)
    total = np.sum(e, axis=1)
    return np.log(total) + m[:, 0], e * (by / total)[:, None]


def softmax_held(x):
    e = np.exp(x - tl.stop_gradient(np.max(x, axis=1, keepdims=True)))
    return e / np.sum(e, axis=1, keepdims=True)


def logsumexp_held(x):
    m = tl.stop_gradient(np.max(x, axis=1, keepdims=True))
    return np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]


# Rows with repetitions ----------------------------------------------------------------------------
def gather(x, idx):
    return x[idx]


def gather_add_at(by, x, idx):
    bx = np.zeros_like(x)
    np.add.at(bx, idx, by)
    return x[idx], bx


def rows(count, width, drawn):
    return draw(count, width), rng.integers(0, count, drawn)


# name: (what it is, the function, by hand, the arguments)
FUNCTIONS = {
    "add": ("x + b, broadcast", add, add_hand, (X, COLUMN)),
    "multiply": ("x * b, broadcast", multiply, multiply_hand, (X, COLUMN)),
    "divide": ("x / y", divide, divide_hand, (X, POSITIVE)),
    "exp": ("np.exp(x)", exp, exp_hand, (X,)),
    "log": ("np.log(x)", log, log_hand, (POSITIVE,)),
    "tanh": ("np.tanh(x)", tanh, tanh_hand, (X,)),
    "square": ("x ** 2", square, square_hand, (X,)),
    "sum": ("np.sum(x, axis=1)", row_sum, row_sum_hand, (X,)),
    "mean": ("np.mean(x, axis=0)", mean, mean_hand, (X,)),
    "max": ("np.max(x, axis=1)", row_max, row_max_hand, (X,)),
    "matmul": ("a @ b", matmul, matmul_hand, (A, B)),
    "where": ("np.where(x > 0, x, y)", where, where_hand, (X, POSITIVE)),
    "maximum": ("np.maximum(x, 0)", relu, relu_hand, (X,)),
}
# By hand with the algebra that one does on paper: the largest element cancels.
COMPOSITIONS = {
    "softmax": ("exp, max, sum, division", softmax, softmax_hand, (X,)),
    "softmax, held": ("stop_gradient of the max", softmax_held, softmax_hand, (X,)),
    "logsumexp": ("max, exp, sum, log", logsumexp, logsumexp_hand, (X,)),
    "logsumexp, held": ("stop_gradient of the max", logsumexp_held, logsumexp_hand, (X,)),
}
SCATTERS = {
    "rows": ("10 000 of 1000 rows of 32", gather, gather_add_at, rows(1000, 32, 10_000)),
    "few rows": ("1000 of 20 rows of 100", gather, gather_add_at, rows(20, 100, 1000)),
}


def contenders(function, by_hand, args):
    """Hand and ours; their adjoints agree."""
    y = function(*args)
    by = rng.uniform(-1.0, 1.0, np.shape(y))

    variant = GradientFunction("vjp", function, None, False, True)._build(args)

    def ours():
        value, saved = variant.main(*args)
        return value, variant.backward(saved, by)

    value, adjoints = ours()
    adjoints = adjoints if isinstance(adjoints, tuple) else (adjoints,)
    expected = by_hand(by, *args)
    for found, wanted in zip((value, *adjoints), expected):
        np.testing.assert_allclose(found, wanted, 1e-9, 1e-9)
    return [Contender("hand", lambda: by_hand(by, *args)), Contender("tl", ours)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for each contender")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--json", help="a file for the ratios")
    options = parser.parse_args()
    keep_memory()
    ratios, failed = {}, False
    for title, table, limit in (("by hand", FUNCTIONS, TARGET),
                                ("by hand, which knows better", COMPOSITIONS, np.inf),
                                ("np.add.at", SCATTERS, 1.0)):
        print(f"{'':<16}{'hand, us':>10}{'tl':>8}   over {title}")
        for name, (what, function, by_hand, args) in table.items():
            if options.names and name not in options.names:
                continue
            found = contenders(function, by_hand, args)
            harness.measure(found, budget=options.budget, rounds=options.rounds)
            hand, ours = found
            slow = ours.ratio > limit
            failed |= slow
            ratios[name] = ours.ratio
            print(f"{name:<16}{1e6 * np.median(hand.seconds):>10.1f}"
                  f"{harness.show_ratio(ours.ratio):>8}   {what}{' <-' if slow else ''}",
                  flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(ratios, file, indent=1)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
