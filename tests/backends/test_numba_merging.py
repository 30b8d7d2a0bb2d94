"""Calls written out, loops made one, tuples taken apart: on drawn programs, run as Python.

    python tests/backends/test_numba_merging.py 0 2000

`numba_inlining`, `numba_fusing`, `numba_handing`, `numba_records` and `numba_aside` change text, so
what they make is run here as Python beside what they were given. `test_numba_merged` has what Numba
makes of it.
"""
import random
import sys

import numpy as np
import pytest

pytest.importorskip("numba")

from tests.backends.merging import merged, outcome  # noqa: E402

NAMES = ["a", "b", "c", "t", "u", "v"]


class Draw:
    """Two halves of a pair, and a function with a loop that records and one that goes back."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self):
        return self.pick(*NAMES)

    def value(self, known):
        one, other = self.pick(*known), self.pick(*known)
        return self.pick(one, f"{one} * {other}", f"{one} + 2.0", f"np.sin({one})", f"-{other}",
                         f"{one} - {other}", f"np.zeros(3) + {one}", f"np.zeros_like({one})")

    def steps(self, known, count, target):
        """Statements; known: names that are bound."""
        lines = []
        for _ in range(count):
            name, r = self.pick(*NAMES), self.random.random()
            if r < 0.55:
                lines.append(f"{name} = {self.value(known)}")
                known.append(name)
            elif r < 0.65:
                lines.append(f"{self.pick(*known)} += {self.value(known)}")
            elif r < 0.72:
                lines.append(f"{target}[i] += np.sum({self.value(known)})")
            elif r < 0.78:
                lines += [f"if np.sum({self.pick(*known)}) > 0.5:",
                          f"    {name} = {self.value(known)}", "else:",
                          f"    {name} = {self.value(known)}"]
                known.append(name)
            elif r < 0.82:
                other = self.pick(*known)
                lines.append(f"{name}, {other} = {self.value(known)}, {self.value(known)}")
                known.append(name)
            elif r < 0.85:
                lines.append(f"{self.pick('x', 'y', *known)}[...] = 0.25")
            elif r < 0.88:
                lines.append(f"{name} = [{name} * 2.0 for {name} in [{self.value(known)}]][0]")
                known.append(name)
            else:
                lines.append(f"{name} = {self.pick(*known)}")
                known.append(name)
        return lines

    def text(self):
        def indented(lines, depth):
            return "".join("    " * depth + line + "\n" for line in lines)

        inner = ["p", "q"]
        first = self.steps(inner, self.random.randrange(4), "np.zeros(9)") \
            if self.random.random() < 0.5 else []
        first = [line for line in first if "[i]" not in line]
        saved = [self.pick(*inner) for _ in range(2)]
        back = ["r", "s", "g"]
        second = [line for line in self.steps(back, self.random.randrange(4), "w")
                  if "[i]" not in line]
        text = "def half_fwd(p, q):\n" + indented(first, 1) \
            + f"    return {self.value(inner)}, ({saved[0]}, {saved[1]})\n\n"
        text += "def half_bwd(saved, g):\n    r, s = saved\n" + indented(second, 1) \
            + f"    return {self.value(back)}\n\n"
        outer = ["x", "y", "a", "b"]
        text += "def f(x, y, n):\n    a = np.zeros(3)\n    b = np.ones(3)\n    i = 0\n"
        text += "    tape = []\n    saved_tape = []\n    early = np.zeros(9)\n"
        again = self.random.random() < 0.5          # whether it is called in two places
        text += "    other_tape = []\n    saved_tape_2 = []\n" if again else ""
        known = [*outer, "x[i]", "early"]
        text += "    for i in range(n):\n" + indented(self.steps(known, self.pick(0, 1, 2), "early")
                                                       if self.random.random() < 0.6 else [], 2)
        arguments = ", ".join(self.pick(*known) for _ in range(2))
        text += f"        {self.pick('t', 'u')}, saved = half_fwd({arguments})\n"
        kept = "t" if "t, saved" in text else "u"
        if again:
            text += indented(self.steps(known, self.pick(0, 1), "early"), 2)
            text += f"        v, saved_2 = half_fwd({self.pick(*known)}, {self.pick(*known)})\n"
            puts = [f"other_tape.append({self.pick('v', kept)})", "saved_tape_2.append(saved_2)",
                    f"tape.append({kept})", "saved_tape.append(saved)"]
            self.random.shuffle(puts)
            text += indented(puts, 2)
        else:
            text += f"        tape.append({kept})\n        saved_tape.append(saved)\n"
        text += "    out = np.zeros(9)\n    bx = np.zeros_like(x)\n"
        between = [*outer, "out"]
        text += indented(self.steps(between, self.pick(0, 0, 1), "out"), 1).replace("[i]", "[0]")
        target = self.pick("t", "u", "v", "a", "b")
        text += "    for i in range(n - 1, -1, -1):\n        saved = saved_tape.pop()\n"
        text += f"        {target} = tape.pop()\n"
        known = [*outer, target, "x[i]", "out"]
        text += indented(self.steps(known, self.pick(0, 1, 2), self.pick("out", "bx", "early")), 2)
        if again:
            taken = self.pick("t", "u", "v", "h")
            takes = [f"{taken} = other_tape.pop()", "saved_2 = saved_tape_2.pop()"]
            self.random.shuffle(takes)
            known.append(taken)
            text += indented([*takes, f"h = half_bwd(saved_2, {self.pick(*known)})",
                              "out[i] += np.sum(h)"], 2)
        text += f"        g = half_bwd(saved, {self.pick(*known)})\n"
        text += "        out[i] += np.sum(g)\n"
        text += indented(self.steps([*known, "g"], self.pick(0, 1, 2), "out"), 2)
        return text + f"    return out, bx, {', '.join(self.pick(*outer) for _ in range(2))}\n"


    def nested_text(self):
        """The same with loops inside, which record and go back as well."""
        def indented(lines, depth):
            return "".join("    " * depth + line + "\n" for line in lines)

        def few(known, target):
            lines = self.steps(known, self.pick(0, 0, 1, 2), target)
            return lines if self.random.random() < 0.7 else []

        there, back = self.pick(("range(n)", "range(n - 1, -1, -1)"),
                                ("range(i + 1, n)", "range(n - 1, i, -1)"),
                                ("range(i)", "range(i - 1, -1, -1)"))
        text = "def f(x, y, n):\n    a = np.zeros(3)\n    b = np.ones(3)\n    i = j = 0\n"
        text += "    early = np.zeros(9)\n    out = np.zeros(9)\n    bx = np.zeros_like(x)\n"
        text += "    tape = []\n    inner = []\n"
        known = ["x", "y", "a", "b", "x[i]", "early"]
        text += "    for i in range(n):\n" + indented(few(known, "early"), 2)
        if self.random.random() < 0.5:
            text += "        c = x[i]\n"
            known.append("c")
        text += f"        for j in {there}:\n"
        text += indented(few([*known, "x[j]"], self.pick("early", "c[None]")), 3)
        is_left = self.random.random() < 0.2
        text += f"            inner.append({self.pick('x[j]', 'x[i] * x[j]', *known)})\n"
        outer = self.random.random() < 0.5
        if outer:
            text += f"        tape.append({self.pick(*known)})\n"
        if is_left:
            text += "        if x[i] > 1.0:\n            i = i + 0\n"
        text += indented(self.steps(["x", "y", "out"], self.pick(0, 0, 0, 1), "out"), 1).replace(
            "[i]", "[0]")
        counter = self.pick("j", "j", "k")
        known = ["x", "y", "a", "b", "x[i]", "out"]
        text += "    for i in range(n - 1, -1, -1):\n"
        if outer:
            text += "        t = tape.pop()\n"
            known.append("t")
        text += indented(few(known, "out"), 2)
        text += f"        for {counter} in {back}:\n            u = inner.pop()\n"
        text += indented(few([*known, "u", f"x[{counter}]"], self.pick("out", "bx", "early")), 3)
        text += f"            out[{counter}] += np.sum(u) * {counter}\n"
        text += indented(few(known, "out"), 2)
        return text + f"    return out, bx, {self.pick('x', 'a', 'b', 'early', 'i')}\n"


def sweep(start, stop, nested=False):
    """(how many programs ran, how many of them have one loop now)"""
    ran = fused = 0
    for seed in range(start, stop):
        draw = Draw(seed)
        text = draw.nested_text() if nested else draw.text()
        n = draw.pick(0, 1, 3)
        rng = np.random.default_rng(seed)
        args = [rng.normal(size=3), rng.normal(size=draw.pick(1, 3)), n]
        if draw.random.random() < 0.2:
            args[1] = args[0][::-1]
        expected = outcome(text, args)
        if isinstance(expected, type):
            continue
        made = merged(text)
        assert outcome(made, args) == expected, f"seed {seed}\n{text}\n=>\n{made}"
        ran += 1
        fused += made.count("for i in") == 1
    return ran, fused


@pytest.mark.slow
def test_drawn_programs_do_what_they_did():
    ran, fused = sweep(0, 1500)
    assert ran > 500 and 50 < fused < ran


@pytest.mark.slow
def test_drawn_programs_with_loops_inside_do_what_they_did():
    ran, fused = sweep(0, 1500, nested=True)
    assert ran > 500 and 50 < fused < ran


if __name__ == "__main__":
    for inside in (False, True):
        print("%d ran, of which %d have one loop now" % sweep(*map(int, sys.argv[1:]), inside))
