"""What a call of a derivative costs beyond the code that was emitted for it.

    python benchmarks/call_overhead.py [--ratios]

The derivative object chooses, at each call, the code for the kinds of its arguments. Here it is
compared with the emitted function itself, saved to a file and imported from there. The same
function is also called with its numbers in a dict, in objects of several sorts and in a named
tuple, as a method, with a default, and with something else beside its value; and it reads a number
from a dict, an object or an array outside, whose kinds are looked at in each call.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import harness
import numpy as np


@dataclasses.dataclass
class Pair:
    """The two numbers, and the product as a method."""

    x: float
    y: float

    def times(self, x: float) -> float:
        """The product for another x."""
        return x * self.y + x


@dataclasses.dataclass
class Slotted:
    """The two numbers in slots."""

    __slots__ = ("x", "y")
    x: float
    y: float


class Plain:
    """The two numbers in an ordinary object, with what is no number."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y, self.name = x, y, "plain"


class Named(NamedTuple):
    """The two numbers in a named tuple."""

    x: float
    y: float


def of_pair(p: Pair) -> float:
    """The product of an object."""
    return p.x * p.y + p.x


def of_dict(p: dict[str, float]) -> float:
    """The product of a dict."""
    return p["x"] * p["y"] + p["x"]


SETTINGS = {"one": 1.0, "two": 2.0, "name": "settings", "steps": 10, "on": True}
OBJECT = Plain(1.0, 2.0)
ARRAY = np.array([1.0, 2.0])


def of_global_dict(x: float, y: float) -> float:
    """The product, and a number in a dict outside."""
    return x * y + SETTINGS["one"] * x


def of_global_object(x: float, y: float) -> float:
    """The product, and a number in an object outside."""
    return x * y + OBJECT.x * x


def of_global_array(x: float, y: float) -> float:
    """The product, and a number in an array outside."""
    return x * y + ARRAY[0] * x


def with_default(x: float, y: float = 1.3) -> float:
    """The product with a default."""
    return x * y + x


def with_aux(x: float, y: float) -> tuple[float, str]:
    """The product and something else."""
    return x * y + x, "product"


def with_many(x: float, y: float) -> tuple[float, dict[str, float]]:
    """The product and what depends on its factors."""
    return x * y + x, {"x": x, "sum": x + y}


def product(x: float, y: float) -> float:
    """As little work as a derivative can do."""
    return x * y + x


def product_hand(x: float, y: float) -> tuple[float, float]:
    """Its derivative."""
    return y + 1.0, x


def emitted(derivative) -> Callable:
    """The function product_grad of the derivative's source, saved and imported."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "product_derivative.py"
        derivative.save(path)
        spec = importlib.util.spec_from_file_location("product_derivative", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module.product_grad


def main() -> int:
    """Time the ways to call, and print nanoseconds and ratios."""
    args = (0.7, 1.3)
    try:
        import tangent_lite as tl

        derivative = tl.grad(product, wrt=("x", "y"))
        bare = emitted(derivative)
        with_value = tl.value_and_grad(product, wrt=("x", "y"))
        expected = product_hand(*args)
        pair, table = Pair(*args), {"x": args[0], "y": args[1]}
        method, by_object, by_key = tl.grad(pair.times), tl.grad(of_pair), tl.grad(of_dict)
        by_default = tl.grad(with_default, wrt=(0, 1))
        by_aux = tl.grad(with_aux, wrt=(0, 1), has_aux=True)
        by_many = tl.value_and_grad(with_many, wrt=(0, 1), has_aux=True)
        outside = [tl.grad(f, wrt=(0, 1)) for f in (
            of_global_dict, of_global_object, of_global_array)]
        of_table, of_object, of_array = outside
        slotted, plain, named = Slotted(*args), Plain(*args), Named(*args)
        by_slotted, by_plain, by_named = tl.grad(of_pair), tl.grad(of_pair), tl.grad(of_pair)
        for gradient in (derivative(*args), bare(*args), with_value(*args)[1],
                         (method(0.7), args[0]), dataclasses.astuple(by_object(pair)),
                         tuple(by_key(table).values()), by_default(0.7), by_aux(*args)[0],
                         by_many(*args)[1], dataclasses.astuple(by_slotted(slotted)),
                         (by_plain(plain).x, by_plain(plain).y), tuple(by_named(named)),
                         *(one(*args) for one in outside)):
            if harness.disagreement(gradient, expected) > harness.RTOL:
                print(f"DISAGREES: {gradient} for {expected}")
                return 1
    except Exception as error:
        print(f"refused: {harness.first_line(error)}")
        return 1
    x, y = args
    contenders = [
        harness.Contender("emitted function", lambda: bare(x, y)),
        harness.Contender("grad(f)(x, y)", lambda: derivative(x, y)),
        harness.Contender("grad(f)(x, y=y)", lambda: derivative(x, y=y)),
        harness.Contender("value_and_grad", lambda: with_value(x, y)),
        harness.Contender("default", lambda: by_default(x)),
        harness.Contender("dict", lambda: by_key(table)),
        harness.Contender("object", lambda: by_object(pair)),
        harness.Contender("ordinary object", lambda: by_plain(plain)),
        harness.Contender("object with slots", lambda: by_slotted(slotted)),
        harness.Contender("named tuple", lambda: by_named(named)),
        harness.Contender("method", lambda: method(x)),
        harness.Contender("has_aux", lambda: by_aux(x, y)),
        harness.Contender("value and has_aux", lambda: by_many(x, y)),
        harness.Contender("reads a dict", lambda: of_table(x, y)),
        harness.Contender("reads an object", lambda: of_object(x, y)),
        harness.Contender("reads an array", lambda: of_array(x, y)),
        harness.Contender("hand", lambda: product_hand(x, y)),
        harness.Contender("primal", lambda: product(x, y)),
        harness.Contender("empty call", lambda: None),
    ]
    harness.measure(contenders, budget=0.5)
    nanoseconds = {c.name: 1e9 * statistics.median(c.seconds) for c in contenders}
    empty = nanoseconds["empty call"]
    base = nanoseconds["emitted function"]
    times = "--ratios" not in sys.argv
    print(f"{'call':<18}{'to emitted':>12}" + (f"{'ns':>8}{'beyond it, ns':>15}" if times else ""))
    for name, value in nanoseconds.items():
        if name != "empty call":
            ratio = (value - empty) / (base - empty)
            more = f"{value - empty:>8.0f}{value - base:>15.0f}" if times else ""
            print(f"{name:<18}{ratio:>12.2f}{more}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
