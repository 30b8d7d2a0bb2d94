"""Calls that make a derivative and use it at once, in a loop: `tl.vjp(f, x)`, `tl.hessian(f)(x)`.

The first call transforms the function, the others take what was made. Printed: the first call, a
later one, what the derivative alone costs that was made beforehand, and the ratios of these.
"""
import argparse

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


if __name__ == "__main__":
    main()
