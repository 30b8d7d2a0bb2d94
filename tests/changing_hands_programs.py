"""Programs drawn at random in which arrays change hands: names bound anew in loops to arrays that
are copied, made, swapped and written into, some of them data of which no derivative is asked."""
import random

import numpy as np

NAMES = ["u", "v", "w"]         # what depends on the arguments
DATA = ["p", "q"]               # what does not


class Drawing:
    """One program, as text: f(x, y, k, n)."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        starts = [f"    {name} = {self.one('x', 'x * k', 'x.copy()', 'np.zeros_like(x)', 'y')}"
                  for name in NAMES]
        body = [*self.block(0, 4, 3), "    for i in range(n):", *self.block(1, 8, 5),
                *self.block(0, 4, 2)]
        return "\n".join([
            "import numpy as np", "", "",
            "A, B = np.array([1.0, 0.5, 0.3, 0.7]), np.array([0.2, 0.8, 0.6, 0.4])", "", "",
            "def f(x, y, k, n, a=A, b=B):",
            "    s = 0.0", "    i = 1", "    p = a.copy()", "    q = b.copy()", *starts, *body,
            f"    return np.sum({self.name()} * {self.name()}) "
            f"+ s * {self.one('k', '1.0', 'u[0]')}",
            ""])

    def one(self, *choices):
        return self.random.choice(choices)

    def name(self):
        return self.random.choice(NAMES)

    def array(self):
        a, b = self.name(), self.name()
        return self.one(f"{a} * {b}", f"0.5 * {a} + {b}", f"np.sin({a})", f"{a} * k",
                        f"{a} - 0.3 * {b} * k")

    def number(self):
        a, at = self.name(), self.random.randrange(4)
        return self.one(f"{a}[{at}]", f"np.sum({a} * {self.name()}) * 0.1", f"{a}[{at}] * k", "0.5")

    def block(self, depth, indent, most):
        lines = []
        for _ in range(self.random.randrange(1, most + 1)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth, indent):
        a, b, at = self.name(), self.name(), self.random.randrange(4)
        d, e = self.random.choice(DATA), self.random.choice(DATA)
        choices = [
            [f"{a} = {b}.copy()"], [f"{a} = {b}"], [f"{a} = {self.array()}"],
            [f"{a}[{at}] = {self.number()}"], [f"{a}[1:] = {b}[:-1] * {self.name()}[1:]"],
            [f"{a} += {self.one('0.3 * ' + b, b + ' * k', 'k')}"], [f"s = s + {self.number()}"],
            [f"{a} = np.zeros_like(x)", f"{a}[:] = {self.array()}"], [f"{a}, {b} = {b}, {a}"],
            [f"t = {b}.copy()", f"t[1:-1] = {a}[1:-1] * {a}[2:]", f"{self.one(a, b)} = t"],
            [f"t = {self.array()}", f"t[{at}] = {self.number()}", f"{a} = t"],
            ["p, q = q, p"], [f"s = s + np.sum({a} * p * q)"], [f"{d} = {e}.copy()"],
            ["for j in range(2):", f"    {d}[j] = {e}[j + 1] * 0.5 + i"],
            [f"{d}[1:] = {e}[:-1] * 0.9"], ["if n > 1:", f"    {d}[0] = 0.5 * {e}[1]"],
            [f"z = {d}[1:]", "for j in range(2):", "    z[j] = 0.25 * j"], [f"{a} = {a} * {d}"],
            [f"z = {e}.copy()", "for j in range(3):", f"    z[j] = {d}[j] * 0.5", f"{d} = z"],
            [f"{a}[1:] = {a}[1:] * {d}[:-1]"], [f"{d} = {e}"],
            [f"{a}[1:] = {a}[1:] + k * {b}[:-1]"],
            [f"t = {a}.copy()", f"t[1:-1] = {a}[1:-1] + k * ({b}[2:] - {a}[:-2])", f"{a} = t"],
            [f"t = {a} * 1.0", "for j in range(1, 4):", f"    t[j] = {a}[j] - k * {b}[j - 1]",
             f"{a} = t"],
            [f"{a}[1:] += {b}[:-1] * {a}[1:]"], [f"{a}[{at}] = {a}[{at}] + {self.number()}"],
            [f"{a}[:] = 0.5 * {a} + {b}"], [f"{a}[...] = {b} - {a} * {self.name()}"],
            [f"{a} *= {self.one('k', b)}"], [f"{a} -= {b}"], [f"{a} *= 0.5", f"{a} += {b} * {a}"],
            [f"z = {a}[1:]", f"z += 0.3 * {b}[:-1]"], [f"z = {a}[::-1]", f"z[0] = {b}[1]"],
            [f"{a} = {b}[::-1]"], [f"{a} = {b}[::-1].copy()", f"{a}[1] *= k"],
            [f"{a} = np.concatenate(({b}[1:], {self.name()}[:1]))"],
            [f"z = {a}.reshape(2, 2)", f"z[0] = z[1] * {b}[2]"],
            [f"{a}, {b} = {b} * k, {a} + {b}"], [f"rows = [{a}, {b}]", f"{a} = rows[1]"],
            [f"rows = [{a} * k, {b}.copy()]", "rows[0][1] = s", f"{a} = rows[0]"],
            [f"{a} = {a} + {b}", f"{a}[0] = 0.0"], [f"{a}[[0, 2]] = {b}[[1, 3]]"],
            [f"{a}[[1, 1]] += {b}[[0, 3]]"], [f"np.add.at({a}, [1, 1], {b}[:2])"],
            [f"{a} = {b}.copy() if i % 2 else {self.name()} * 2.0"],
            [f"s += {a} @ {b} * 0.1", f"{a}[1] = s"], [f"{a}[1:3] = {self.number()}"],
            [f"{a} = np.cumsum({b}) * 0.3"], [f"np.multiply({a}, {b}, out={a})"]]
        number = self.random.randrange(len(choices) + (5 if depth < 2 else 0))
        if number < len(choices):
            return [" " * indent + line for line in choices[number]]
        head = f"for {'ilm'[depth]} in range(n):" if number > len(choices) + 1 else \
            f"if {self.one('i % 2 == 0', 'n > 2', 'i > 0')}:"
        lines = [" " * indent + head, *self.block(depth + 1, indent + 4, 3)]
        if head.startswith("if") and self.random.random() < 0.5:
            lines += [" " * indent + "else:", *self.block(depth + 1, indent + 4, 2)]
        return lines


X, Y, K = np.array([0.3, -0.2, 0.5, 0.7]), np.array([0.6, 0.1, -0.4, 0.2]), 0.7


def by_complex_steps(f, n):
    """The gradient with respect to x, y and k, from runs with complex numbers; None where it
    overflows."""
    h = 1e-200

    def slope(at, spot):
        given = [X.astype(complex), Y.astype(complex), complex(K)]
        given[at] = given[at] + 1j * h * (spot if at < 2 else 1.0)
        return f(*given, n).imag / h

    with np.errstate(all="ignore"):
        found = [np.array([slope(0, d) for d in np.eye(4)]),
                 np.array([slope(1, d) for d in np.eye(4)]), slope(2, None)]
    return found if all(np.all(np.abs(part) < 1e8) for part in found) else None
