"""Jacobians and Hessians against one derivative for each basis vector, and linear maps against jvp.

    jacfwd      all columns at once          a jvp for each element of the argument
    jacrev      all rows at once             a pullback for each element of the result
    hessian     all columns at once          an hvp for each element of the argument
    linearize   a tangent of a linear map    a jvp along that tangent

Printed: the time of the first, of the second, and how many times as long that takes. Everything has
been called before, so that only running counts.
"""
import argparse

import numpy as np
from harness import shortest

import tangent_lite as tl


def layers(x, W1, W2):
    return np.tanh(W2 @ np.tanh(W1 @ x))


def stencil(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
    return u


def elements(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = np.sin(y[i - 1]) * x[i]
    return y


def solved(b, A):
    return np.linalg.solve(A, np.sin(b))


def squared(y):
    return np.sum(y * y)


def layers_squared(x, W1, W2):
    return squared(layers(x, W1, W2))


def stencil_squared(u, n):
    return squared(stencil(u, n))


def elements_squared(x):
    return squared(elements(x))


def solved_squared(b, A):
    return squared(solved(b, A))


RNG = np.random.default_rng(0)
N = 50
CASES = [
    (layers, layers_squared, (RNG.standard_normal(N),
                              *(RNG.standard_normal((2, N, N)) / N ** 0.5))),
    (stencil, stencil_squared, (RNG.random(N), 20)),
    (elements, elements_squared, (RNG.standard_normal(N),)),
    (solved, solved_squared, (RNG.standard_normal(N),
                              RNG.standard_normal((N, N)) + 10.0 * np.eye(N))),
]


def compared(f, total, args):
    """(name, all at once, one by one) of each operator."""
    x, more = args[0], args[1:]
    units, none = np.eye(len(x)), (None,) * len(more)
    jacfwd, jacrev, hessian = tl.jacfwd(f), tl.jacrev(f), tl.hessian(total)
    hvp = tl.hvp(total)
    value, pullback = tl.vjp(f, *args)
    _, linear = tl.linearize(f, *args)
    rows = np.eye(len(value))
    return [
        ("jacfwd", lambda: jacfwd(*args),
         lambda: np.stack([tl.jvp(f, args, (e, *none))[1] for e in units], axis=-1)),
        ("jacrev", lambda: jacrev(*args), lambda: np.stack([pullback(e)[0] for e in rows])),
        ("hessian", lambda: hessian(*args), lambda: np.stack([hvp(*args, e) for e in units])),
        ("linearize", lambda: linear(units[0], *none),
         lambda: tl.jvp(f, args, (units[0], *none))[1]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    print(f"{'':10}{'':10}{'at once':>12}{'one by one':>12}{'ratio':>8}")
    for f, total, args in CASES:
        for name, at_once, one_by_one in compared(f, total, args):
            np.testing.assert_allclose(at_once(), one_by_one(), rtol=1e-9, atol=1e-9)
            first, second = shortest(at_once, repeats), shortest(one_by_one, repeats)
            print(f"{f.__name__:10}{name:10}{first * 1e3:10.3f}ms{second * 1e3:10.3f}ms"
                  f"{second / first:8.2f}")


if __name__ == "__main__":
    main()
