"""Lists of objects of several classes: what their gradients cost, by names and by identity.

    python benchmarks/several_classes.py [--seconds S]

A net is a list of layers of three classes, applied one after the other; `keeping` is one whose
layers keep their inputs and outputs; shapes of three classes
have areas; a chain (examples/hanging_chain.py) is one list of springs, weights, pins and a floor.
Columns: times over that of the function, of the gradient by hand, which asks for the class of each
item, of `tl.grad`, and of the same found by identity, as before there was a branch for each class.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import math
import sys
from pathlib import Path
from typing import Any

import harness
import numpy as np
from by_identity import by_identity

import tangent_lite as tl

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
spec = importlib.util.spec_from_file_location("hanging_chain", EXAMPLES / "hanging_chain.py")
assert spec is not None and spec.loader is not None
hanging_chain = sys.modules["hanging_chain"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hanging_chain)


class Dense:
    def __init__(self, W: Any, b: Any) -> None:
        self.W, self.b = W, b

    def forward(self, x: Any) -> Any:
        return x @ self.W + self.b


class Tanh:
    def forward(self, x: Any) -> Any:
        return np.tanh(x)


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def forward(self, x: Any) -> Any:
        return self.k * x


class Kept(Dense):
    """Keeps its input."""

    def forward(self, x: Any) -> Any:
        self.x = x
        return x @ self.W + self.b


class KeptTanh:
    """Keeps its output."""

    def forward(self, x: Any) -> Any:
        self.y = np.tanh(x)
        return self.y


class Disc:
    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        return math.pi * self.radius**2


class Box:
    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height

    def area(self) -> float:
        return self.width * self.height


def net(x: Any, layers: Any) -> Any:
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x)


def keeping(x: Any, layers: Any) -> Any:
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x)


def keeping_by_hand(x: Any, layers: Any) -> Any:
    for layer in layers:
        x = layer.forward(x)
    bx = 2.0 * x
    for layer in reversed(layers):
        bx = bx * (1.0 - layer.y * layer.y) if type(layer) is KeptTanh else bx @ layer.W.T
    return bx


def net_by_hand(x: Any, layers: Any) -> Any:
    inputs = []
    for layer in layers:
        inputs.append(x)
        x = layer.forward(x)
    bx = 2.0 * x
    for layer, x in zip(reversed(layers), reversed(inputs)):
        if type(layer) is Dense:
            bx = bx @ layer.W.T
        elif type(layer) is Tanh:
            t = np.tanh(x)
            bx = bx * (1.0 - t * t)
        else:
            bx = layer.k * bx
    return bx


def weighted(w: Any, shapes: Any) -> Any:
    total = 0.0
    for shape in shapes:
        total += w * shape.area()
    return total * total


def weighted_by_hand(w: Any, shapes: Any) -> Any:
    whole = 0.0
    for shape in shapes:
        if type(shape) is Disc:
            whole += math.pi * shape.radius**2
        else:
            whole += shape.width * shape.height
    return 2.0 * w * whole * whole


def chain(p: Any, parts: Any) -> Any:
    total = 0.0
    for part in parts:
        total += part.energy(p)
    return total


def chain_by_hand(p: Any, parts: Any) -> Any:
    bp = np.zeros_like(p)
    for part in parts:
        if type(part) is hanging_chain.Spring:
            apart = p[part.one] - p[part.other]
            length = np.sqrt(apart @ apart)
            pull = part.stiffness * (length - part.length) / length * apart
            bp[part.one] += pull
            bp[part.other] -= pull
        elif type(part) is hanging_chain.Weight:
            bp[part.node, 1] += part.mass * part.gravity
        elif type(part) is hanging_chain.Pin:
            bp[part.node] += part.stiffness * (p[part.node] - part.place)
        else:
            bp[:, 1] += part.stiffness * np.minimum(p[:, 1] - part.height, 0.0)
    return bp


def workloads() -> list[tuple[Any, Any, tuple[Any, ...]]]:
    """The function, its gradient by the first parameter by hand, and arguments."""
    rng = np.random.default_rng(0)
    sizes = (8, 16, 16, 4)
    layers: list[Any] = []
    for m, n in itertools.pairwise(sizes):
        layers += [Dense(0.3 * rng.standard_normal((m, n)), np.zeros(n)), Tanh()]
    kept: list[Any] = []
    for layer in layers:
        kept.append(Kept(layer.W, layer.b) if type(layer) is Dense else KeptTanh())
    x = rng.standard_normal((32, 8))
    keeping(x, kept)                    # so that the objects have all their attributes
    shapes = [Disc(1.0 + k) if k % 2 else Box(1.0, 1.0 + k) for k in range(40)]
    places = np.stack([np.linspace(0.0, 3.0, 9), -0.5 * np.sin(np.linspace(0.0, np.pi, 9))], 1)
    return [(net, net_by_hand, (x, [*layers, Scale(2.0)])),
            (keeping, keeping_by_hand, (x, kept)),
            (weighted, weighted_by_hand, (1.3, shapes)),
            (chain, chain_by_hand, (places, hanging_chain.chain(9)))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each workload (0.5)")
    options = parser.parse_args()
    print("Times over the time of the function.")
    print(f"{'function':<12}{'by hand':>9}{'tl':>9}{'by identity':>13}")
    wrong = 0
    for function, by_hand, values in workloads():
        primal = harness.function_contender("primal", function, values)
        hand = harness.function_contender("hand", by_hand, values)
        named = harness.function_contender("tl", tl.grad(function), values)
        found = harness.Contender("tl by identity", by_identity(function, values))
        wrong += sum(not np.allclose(one.thunk(), hand.thunk()) for one in (named, found))
        harness.measure([primal, hand, named, found], budget=options.seconds)
        print(f"{function.__name__:<12}{hand.ratio:>9.2f}{named.ratio:>9.2f}{found.ratio:>13.1f}",
              flush=True)
    if wrong:
        print(f"{wrong} gradients DISAGREE with those by hand")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
