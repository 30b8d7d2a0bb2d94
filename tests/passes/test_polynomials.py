"""Drawn functions that add, multiply and bind names anew: everything that terms are joined in.

The reference is a complex step: what is drawn are polynomials and quotients, and the branches that
they take are those of real parts.
"""

import linecache
import random

import numpy as np
import pytest

import tangent_lite as tl

STEP = 1e-30


class Drawn:
    """The text of a function of x, y, a (numbers, or arrays of three) and the int n."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.arrays = self.draw.random() < 0.5
        self.names = ["x", "y", "a"]
        self.head = ["def f(x, y, a, n):"]
        if self.arrays:
            self.head.append("    x, y, a = x * 1.0, y * 1.0, a * 1.0")
        self.lines = []
        self.block(0, False)
        total = " + ".join(self.draw.sample(self.names, 3))
        self.lines.append(f"    return np.sum({total})" if self.arrays
                          else f"    return {total} + {self.sum()}")
        self.text = "\n".join([*self.head, *self.lines]) + "\n"

    def term(self):
        draw = self.draw
        factors = [draw.choice([*self.names, "x", "y", "a", "2.0", "0.5", "3"])
                   for _ in range(draw.choice([1, 2, 2, 3, 3]))]
        term = draw.choice(self.names)
        for factor in factors:
            term = f"{term} * {factor}" if draw.random() < 0.75 else f"{factor} * ({term})"
        form = draw.random()
        if form < 0.15:
            return f"-({term})"
        if form < 0.25:
            return f"({term}) ** 2"
        if form < 0.33:
            return f"({term}) / (4.0 + 0.1 * x * {draw.choice(self.names)})"
        return f"({term}) * (1 - {draw.choice(self.names)})" if form < 0.43 else term

    def sum(self):
        return self.draw.choice([" + ", " - "]).join(
            self.term() for _ in range(self.draw.choice([1, 1, 2, 3])))

    def block(self, depth, in_loop):
        draw, indent = self.draw, "    " * (depth + 1)
        for _ in range(draw.randint(1, 4)):
            form = draw.random()
            if form < 0.45 or depth > 2:
                name = draw.choice([*self.names, f"t{len(self.names)}"])
                if name not in self.names:
                    self.names.append(name)
                    self.head.append(f"    {name} = 0.1 * a")
                self.lines.append(f"{indent}{name} = 0.3 * ({self.sum()})")
            elif form < 0.6:
                operator = draw.choice(["+=", "-=", "*="])
                self.lines.append(f"{indent}{draw.choice(self.names)} {operator} "
                                  f"0.2 * ({self.term()})")
            elif form < 0.7 and self.arrays:
                name, part = draw.choice(self.names), draw.choice(["0", "-1", "1:", "::2"])
                self.lines += [f"{indent}{name} = {name} * 1.0",
                               f"{indent}{name}[{part}] {draw.choice(['=', '+=', '*='])} "
                               f"0.5 * {draw.choice(self.names)}[{part}]"]
            elif form < 0.85:
                test = "k % 2 == 0" if in_loop and draw.random() < 0.5 else \
                    "np.sum(x).real > 0.3" if self.arrays else "x.real > 0.3"
                self.lines.append(f"{indent}if {test}:")
                self.block(depth + 1, in_loop)
                if draw.random() < 0.5:
                    self.lines.append(f"{indent}else:")
                    self.block(depth + 1, in_loop)
            elif depth < 2:
                self.lines.append(f"{indent}for k in range({draw.choice(['n', '0', '3'])}):")
                self.block(depth + 1, True)
            else:
                self.lines.append(f"{indent}a = a * 0.9 + x")

    def function(self, file):
        linecache.cache[file] = len(self.text), None, self.text.splitlines(True), file
        space = {"np": np}
        exec(compile(self.text, file, "exec"), space)
        return space["f"]


def stepped(function, args, n, position):
    """The derivative by one argument, by complex steps."""
    spots = [()] if isinstance(args[position], float) else [(j,) for j in range(3)]
    out = np.zeros(np.shape(args[position]))
    for spot in spots:
        moved = [np.array(a, complex) if spot else complex(a) for a in args]
        if spot:
            moved[position][spot] += 1j * STEP
        else:
            moved[position] += 1j * STEP
        out[spot] = function(*moved, n).imag / STEP
    return out


@pytest.mark.parametrize("seed", range(40))
def test_drawn(seed):
    drawn = Drawn(seed)
    function = drawn.function(f"<polynomial {seed}>")
    values = np.random.default_rng(seed)
    args = [values.normal(size=3) * 0.7 if drawn.arrays else float(values.normal() * 0.7)
            for _ in range(3)]
    for n in (0, 3):
        value, found = tl.value_and_grad(function, wrt=(0, 1, 2))(*args, n)
        assert value == function(*args, n), drawn.text
        forward = tl.jacfwd(function, wrt=(0, 1, 2))(*args, n)
        for position in range(3):
            expected = stepped(function, args, n, position)
            near = {"rtol": 1e-9, "atol": 1e-10 * max(1.0, np.max(np.abs(expected)))}
            assert np.allclose(found[position], expected, **near), drawn.text
            assert np.allclose(forward[position], expected, **near), drawn.text
