"""Gradients, Hessian-vector products and Hessians of 50 variables, beside other libraries.

    python benchmarks/second_order.py [--seconds S] [--peers autograd torch jax]

Times are those of one round robin, over the time of tangent_lite's gradient: `hvp` should stay
within 3, and the Hessian of autograd should take at least 5 times as long as tangent_lite's. All
results must agree before anything is timed. torch and jax are used as their experts would: jax
under jit, forward over reverse; torch by `torch.func`, which runs the rows as a batch.

Below that: gradients of functions that take Hessians and Jacobians themselves, over the time of one
such matrix by tangent_lite, beside jax under jit.
"""

from __future__ import annotations

import argparse
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import threads

threads.limit(sys.argv)   # before NumPy is imported

import harness  # noqa: E402
import numpy as np  # noqa: E402
from harness import Contender  # noqa: E402

N = 50
RNG = np.random.default_rng(0)
X = RNG.standard_normal((200, N))
Y = np.where(RNG.random(200) > 0.5, 1.0, -1.0)


def rosenbrock(x):
    """By whole arrays."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def logistic(w):
    """The loss of a logistic regression, 200 observations."""
    return np.mean(np.log(1.0 + np.exp(-Y * (X @ w)))) + 0.5 * np.sum(w * w)


def network(w):
    """A hidden layer of five, 200 observations."""
    hidden = np.tanh(X[:, :8] @ w[:40].reshape((8, 5)) + w[40:45])
    return np.mean((hidden @ w[45:50] - Y) ** 2)


def loop(x):
    """Rosenbrock element by element."""
    total = 0.0
    for i in range(49):
        step = x[i + 1] - x[i] ** 2
        total = total + 100.0 * step * step + (1.0 - x[i]) ** 2
    return total


FUNCTIONS = (rosenbrock, logistic, network, loop)
# A loop of Python under jit is written out, and takes minutes to compile twice over.
LEFT_OUT = {("jax", "loop")}


def rebound(fun: Callable, **names: Any) -> Callable:
    """The function with globals replaced."""
    return types.FunctionType(fun.__code__, {**fun.__globals__, **names}, fun.__name__)


def ours(fun: Callable) -> dict[str, Callable]:
    import tangent_lite as tl

    gradient, product, hessian = tl.grad(fun), tl.hvp(fun), tl.hessian(fun)
    return {"grad": lambda x, v: gradient(x), "hvp": product, "hessian": lambda x, v: hessian(x)}


def by_autograd(fun: Callable) -> dict[str, Callable]:
    import autograd.numpy as anp
    from autograd import grad, hessian, hessian_vector_product

    called = rebound(fun, np=anp)
    gradient, product, matrix = grad(called), hessian_vector_product(called), hessian(called)
    return {"grad": lambda x, v: gradient(x), "hvp": product, "hessian": lambda x, v: matrix(x)}


def by_torch(fun: Callable) -> dict[str, Callable]:
    import torch

    torch.set_num_threads(threads.number())

    class Names:
        """NumPy's names for torch."""
        sum, exp, log, mean, tanh = torch.sum, torch.exp, torch.log, torch.mean, torch.tanh

    called = rebound(fun, np=Names, X=torch.from_numpy(X), Y=torch.from_numpy(Y))
    gradient, matrix = torch.func.grad(called), torch.func.hessian(called)

    def product(x, v):
        return torch.func.jvp(gradient, (torch.from_numpy(x),), (torch.from_numpy(v),))[1].numpy()

    def plain_gradient(x, v):
        variable = torch.tensor(x, requires_grad=True)
        return torch.autograd.grad(called(variable), variable)[0].numpy()

    return {"grad": plain_gradient, "hvp": product,
            "hessian": lambda x, v: matrix(torch.from_numpy(x)).numpy()}


def by_jax(fun: Callable) -> dict[str, Callable]:
    import jax

    jax.config.update("jax_enable_x64", True)
    called = rebound(fun, np=jax.numpy)
    gradient, matrix = jax.jit(jax.grad(called)), jax.jit(jax.hessian(called))
    product = jax.jit(lambda x, v: jax.jvp(jax.grad(called), (x,), (v,))[1])
    return {"grad": lambda x, v: np.asarray(gradient(x)),
            "hvp": lambda x, v: np.asarray(product(x, v)),
            "hessian": lambda x, v: np.asarray(matrix(x))}


LIBRARIES: dict[str, Callable[[Callable], dict[str, Callable]]] = {
    "tl": ours, "autograd": by_autograd, "torch": by_torch, "jax": by_jax}
WHAT = ("grad", "hvp", "hessian")


def contenders(fun: Callable, libraries: list[str], x: np.ndarray, v: np.ndarray) \
        -> tuple[list[Contender], list[str]]:
    """All calls to time, and what is to be said of those that there are none of."""
    found, notes = [], []
    expected: dict[str, Any] = {}
    for library in libraries:
        if (library, fun.__name__) in LEFT_OUT:
            continue
        try:
            made = LIBRARIES[library](fun)
            results = {what: made[what](x, v) for what in WHAT}
        except Exception as error:
            notes.append(f"{library}: {harness.first_line(error)}")
            continue
        for what in WHAT:
            off = harness.disagreement(results[what], expected.setdefault(what, results[what]))
            if not off <= harness.RTOL:
                notes.append(f"{library} {what} DISAGREES by {off:.1e}")
                continue
            call = made[what]
            found.append(Contender(f"{library} {what}", lambda call=call: call(x, v)))
    return found, notes


def by_differences(fun: Callable, x: np.ndarray, v: np.ndarray) -> float:
    """How far tangent_lite's product with v is from differences of its gradient."""
    import tangent_lite as tl

    gradient, h = tl.grad(fun), 1e-3
    weights = ((1, 45.0), (2, -9.0), (3, 1.0))
    quotient = sum(w * (gradient(x + k * h * v) - gradient(x - k * h * v)) for k, w in weights)
    return harness.disagreement(tl.hvp(fun)(x, v), quotient / (60.0 * h))


# Derivatives inside functions -----------------------------------------------------------------
def residuals(x):
    """Those of which Rosenbrock's function is the sum of squares."""
    return np.concatenate([10.0 * (x[1:] - x[:-1] ** 2), 1.0 - x[:-1]])


def evidence(w):
    """What a Laplace approximation adds to the loss."""
    return 0.5 * np.linalg.slogdet(hessian(logistic)(w))[1]


def newton(w):
    """The loss behind a step of Newton's."""
    return logistic(w - np.linalg.solve(hessian(logistic)(w), grad(logistic)(w)))


def gauss_newton(x):
    """How long a step of Gauss and Newton is."""
    J = jacobian(residuals)(x)
    return np.sum(np.linalg.solve(J.T @ J + np.eye(N), J.T @ residuals(x)) ** 2)


INSIDE = ((evidence, logistic, "hessian"), (newton, logistic, "hessian"),
          (gauss_newton, residuals, "jacobian"))


def measure_inside(seconds: float, peers: list[str], x: np.ndarray) -> int:
    """Gradients of functions that take derivatives; how many results are wrong."""
    import tangent_lite as tl

    global grad, hessian, jacobian
    grad, hessian, jacobian = tl.grad, tl.hessian, tl.jacobian
    wrong = 0
    for fun, inner, what in INSIDE:
        matrix = getattr(tl, what)(inner)
        gradient = tl.grad(fun)
        start = time.perf_counter()
        found = gradient(x)
        first = time.perf_counter() - start
        h, v = 1e-3, np.cos(np.arange(N))
        quotient = sum(w * (fun(x + k * h * v) - fun(x - k * h * v))
                       for k, w in ((1, 45.0), (2, -9.0), (3, 1.0))) / (60.0 * h)
        off = harness.disagreement(found @ v, quotient)
        wrong += not off < 1e-6
        calls = [Contender(what, lambda matrix=matrix: matrix(x)),
                 Contender("tl", lambda gradient=gradient: gradient(x))]
        if "jax" in peers:
            import jax

            jax.config.update("jax_enable_x64", True)
            names = {"np": jax.numpy, "grad": jax.grad, "hessian": jax.hessian,
                     "jacobian": jax.jacfwd}
            names.update({one.__name__: rebound(one, **names) for one in (logistic, residuals)})
            by_jax = jax.jit(jax.grad(rebound(fun, **names)))
            wrong += not harness.disagreement(np.asarray(by_jax(x)), found) <= harness.RTOL
            calls.append(Contender("jax", lambda by_jax=by_jax: np.asarray(by_jax(x))))
        harness.measure(calls, budget=seconds)
        print(f"gradient of {fun.__name__}: first {first:.2f} s, off differences by {off:.0e}; " +
              ", ".join(f"{c.name} {harness.show_ratio(c.ratio)}" for c in calls), flush=True)
    return wrong


def main() -> int:
    """Measure and print; nonzero if results disagree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=0.5, help="for each contender (0.5)")
    parser.add_argument("--peers", nargs="*", default=["autograd", "torch", "jax"])
    parser.add_argument("--threads", type=int, default=1, help="of every library (1)")
    options = parser.parse_args()
    wrong = 0
    x, v = 0.5 * RNG.standard_normal(N), RNG.standard_normal(N)
    print("Times over tangent_lite's gradient; above: the time of that, and of the first Hessian, "
          "which includes the transformation.")
    for fun in FUNCTIONS:
        off = by_differences(fun, x, v)
        wrong += not off < 1e-6
        import tangent_lite as tl

        start = time.perf_counter()
        tl.hessian(fun)(x)
        first = time.perf_counter() - start
        found, notes = contenders(fun, ["tl", *options.peers], x, v)
        wrong += sum("DISAGREES" in note for note in notes)
        harness.measure(found, budget=options.seconds)
        ratios = {c.name: c.ratio for c in found}
        times = sorted(found[0].seconds)
        print(f"{fun.__name__}: gradient {1e6 * times[len(times) // 2]:.1f} us, "
              f"first Hessian {first:.2f} s, hvp off differences by {off:.0e}")
        print(f"{'':>12}" + "".join(f"{what:>12}" for what in WHAT) + f"{'hessian/tl':>12}")
        for library in ["tl", *options.peers]:
            row = [ratios.get(f"{library} {what}") for what in WHAT]
            if any(row):
                row.append(row[2] / ratios["tl hessian"] if row[2] else None)
                print(f"{library:>12}" + "".join(
                    f"{'-' if r is None else harness.show_ratio(r):>12}" for r in row), flush=True)
        for note in notes:
            print(f"{'':>12}{note}")
    wrong += measure_inside(options.seconds, options.peers, x)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
