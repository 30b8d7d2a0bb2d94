"""Calls that make a derivative and use it at once, in a loop: `tl.vjp(f, x)`, `tl.hessian(f)(x)`.

The first call transforms the function, the others take what was made. Printed: the first call, a
later one, what the derivative alone costs that was made beforehand, and the ratios of these.

Then the same of functions that are made anew at each call of the one around them: a lambda that
captures numbers and arrays, a local function, a partial, a method of a new object; beside
autograd, if it is installed, which makes nothing beforehand.
"""
import argparse
import functools

import numpy as np
from harness import shortest

import tangent_lite as tl


def loss(w, X, y):
    s = 0.0
    for i in range(len(y)):
        s = s + np.log(1.0 + np.exp(-y[i] * (X[i] @ w)))
    return s / len(y)


RNG = np.random.default_rng(0)
w, X, y = RNG.standard_normal(5), RNG.standard_normal((20, 5)), np.sign(RNG.standard_normal(20))
v = RNG.standard_normal(5)
AT_ONCE = {
    "vjp": lambda: tl.vjp(loss, w, X, y)[1](1.0),
    "jvp": lambda: tl.jvp(loss, (w, X, y), (v, None, None)),
    "linearize": lambda: tl.linearize(loss, w, X, y)[1](v, None, None),
    "grad": lambda: tl.grad(loss)(w, X, y),
    "hvp": lambda: tl.hvp(loss)(w, X, y, v),
    "jacobian": lambda: tl.jacobian(loss)(w, X, y),
    "hessian": lambda: tl.hessian(loss)(w, X, y),
    "elementwise_grad": lambda: tl.elementwise_grad(loss)(w, X, y),
}
MADE = {"grad": tl.grad(loss), "jacobian": tl.jacobian(loss), "hessian": tl.hessian(loss),
        "elementwise_grad": tl.elementwise_grad(loss)}


def squares(w, X, y, weight):
    """Vectorised, so that what is around the derivative counts."""
    r = X @ w - y
    return weight * (r * r).sum()


class Fit:
    def __init__(self, X, y, weight):
        self.X, self.y, self.weight = X, y, weight

    def loss(self, w):
        return squares(w, self.X, self.y, self.weight)


def by_lambda(grad, X, y, weight):
    return grad(lambda w: squares(w, X, y, weight))(w)


def by_local_function(grad, X, y, weight):
    def residual(w):
        return X @ w - y

    def local(w):
        r = residual(w)
        return weight * (r * r).sum()
    return grad(local)(w)


def by_partial(grad, X, y, weight):
    return grad(functools.partial(squares, X=X, y=y, weight=weight))(w)


def by_method(grad, X, y, weight):
    return grad(Fit(X, y, weight).loss)(w)


def by_second(grad, X, y, weight):
    return grad(lambda v: (grad(lambda w: squares(w, X, y, weight))(v) ** 2).sum())(w)


MADE_ANEW = (by_lambda, by_local_function, by_partial, by_method, by_second)


def made_anew(repeats):
    """Print what functions cost that are made at each call."""
    made = tl.grad(squares)
    kept = shortest(lambda: made(w, X, y, 0.5), repeats)
    print(f"\n{'made anew':18}{'first':>10}{'later':>10}   first/later  later/kept"
          f"{'autograd/kept':>16}")
    for way in MADE_ANEW:
        first = shortest(lambda way=way: way(tl.grad, X, y, 0.5), 1)
        later = shortest(lambda way=way: way(tl.grad, X, y, 0.5), repeats)
        line = f"{way.__name__[3:]:18}{first * 1e3:8.2f}ms{later * 1e3:8.3f}ms" \
               f"{first / later:11.0f}x {later / kept:11.1f}"
        try:
            import autograd
            peer = shortest(lambda way=way: way(autograd.grad, X, y, 0.5),
                            repeats)
            line += f"{peer / kept:16.1f}"
        except ImportError:
            pass
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    repeats = parser.parse_args().repeats
    tl.grad(lambda x: x * x)(1.0)                       # loads the rules
    print(f"{'':18}{'first':>10}{'later':>10}{'made':>10}   first/later  later/made")
    for name, call in AT_ONCE.items():
        first, later = shortest(call, 1), shortest(call, repeats)
        line = f"{name:18}{first * 1e3:8.2f}ms{later * 1e3:8.3f}ms"
        if name in MADE:
            made = shortest(lambda op=MADE[name]: op(w, X, y), repeats)
            line += f"{made * 1e3:8.3f}ms{first / later:11.0f}x {later / made:11.2f}"
        else:
            line += f"{'':10}{first / later:11.0f}x"
        print(line)
    made_anew(repeats)


if __name__ == "__main__":
    main()
