"""Random chains of views, copies and writes of one matrix and one vector.

    pytest tests/test_view_programs.py                        a hundred programs
    PROGRAMS=5000 pytest -m slow tests/test_view_programs.py  many

Each program binds names to views and copies of each other, writes through them, also through views
that have no name, swaps and rebinds them in a loop. Both modes are compared with differences.
"""
import importlib.util
import os
import random

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

PROGRAMS = int(os.environ.get("PROGRAMS", "5000"))

# What is made of a matrix {a} and another {b}: matrices that are views, vectors that are, matrices
# that are not; and vectors of a vector {a}, another {b} and a matrix {m}.
MATRIX_VIEWS = (
    "{a}.T", "{a}[::-1]", "{a}[:, ::-1]", "np.flip({a})", "np.flip({a}, 0)",
    "np.swapaxes({a}, 0, 1)", "np.moveaxis({a}, 0, 1)", "{a}.reshape(3, 3)", "np.rot90({a})",
    "np.asarray({a})", "{a}[...]", "np.transpose({a})", "{a}.swapaxes(0, 1)", "np.fliplr({a})",
    "np.flipud({a})", "np.rot90({a}, 2)", "{a}.view()", "np.atleast_2d({a})", "{a}.squeeze()",
    "{a}.transpose(1, 0)", "np.ascontiguousarray({a})", "np.expand_dims({a}, 0)[0]",
    "{a}[None][0]", "np.asanyarray({a})")
ROWS = ("{a}[0]", "{a}[-1]", "{a}[:, 1]", "{a}[1, :]", "{a}[::-1][0]", "{a}.T[2]",
        "np.flip({a})[1]", "np.diagonal({a})", "{a}.diagonal()", "{a}[2, ::-1]")
VECTOR_VIEWS = ("{a}[::-1]", "np.flip({a})", "{a}.ravel()", "np.asarray({a})", "{a}.reshape(3)",
                "np.atleast_1d({a})", "{a}[:]", "np.squeeze({a})", "{a}.reshape(-1)",
                "np.ravel({a})")
MATRICES = ("{a}[[2, 0, 1]]", "{a} * 1.0", "{a}[:, [1, 1, 0]]", "{a}.copy()", "np.array({a})",
            "np.sin({a})", "{a} + {b}", "{a} * {b}", "{a} @ {b}", "np.roll({a}, 1, 0)",
            "np.where({a} > 0.1, {a}, {b})", "{a}[{a}[:, 0].argsort()]", "np.tril({a})",
            "np.maximum({a}, {b})")
VECTORS = ("{a}[[2, 0, 1]]", "{a} * 2.0", "np.sum({m}, axis=0)", "{m}.mean(axis=1)",
           "{m}[[0, 1, 2], [2, 2, 0]]", "np.cos({a})", "{m} @ {a}", "{a} * {b}",
           "np.flip({a})[[0, 0, 1]]", "np.cumsum({a})", "{a}.copy()", "{a}[{a} > -9.0]")
UNNAMED = ("np.flip({a})", "{a}.T", "np.swapaxes({a}, 0, 1)", "{a}[::-1]", "np.rot90({a})",
           "np.transpose({a})")


class Writer:
    """Writes one program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.matrices, self.vectors = ["A"], ["v"]

    def filled(self, forms):
        pick = self.random.choice
        return pick(forms).format(a=pick(self.matrices), b=pick(self.matrices))

    def vector(self, forms):
        pick = self.random.choice
        return pick(forms).format(a=pick(self.vectors), b=pick(self.vectors),
                                  m=pick(self.matrices))

    def bind(self, names, value):
        name = f"{'m' if names is self.matrices else 'w'}{len(self.matrices) + len(self.vectors)}"
        names.append(name)
        return f"{name} = {value}"

    def statement(self):
        pick, chance = self.random.choice, self.random.random()
        m, n, v, w = (pick(names) for names in (
            self.matrices, self.matrices, self.vectors, self.vectors))
        for share, write in (
                (0.18, lambda: self.bind(self.matrices, self.filled(MATRIX_VIEWS))),
                (0.12, lambda: self.bind(self.vectors, self.filled(ROWS))),
                (0.08, lambda: self.bind(self.vectors, self.vector(VECTOR_VIEWS))),
                (0.08, lambda: self.bind(self.matrices, self.filled(MATRICES))),
                (0.08, lambda: self.bind(self.vectors, self.vector(VECTORS))),
                (0.06, lambda: f"{m}[...] = {self.filled(MATRIX_VIEWS)} * 0.5"),
                (0.06, lambda: f"{m}[{self.random.randrange(3)}] = "
                               + self.vector(VECTOR_VIEWS + VECTORS)),
                (0.06, lambda: f"{m}[:, {self.random.randrange(3)}] "
                               f"{pick(['=', '+=', '*=', '-='])} {self.filled(ROWS)}"),
                (0.06, lambda: f"{v}[{pick(['0', '1:', '[2, 0]', '::2', '::-1', '-1'])}] "
                               f"{pick(['=', '+=', '*='])} "
                               + pick([f"{w}[1]", f"{m}[0, 1] * {w}[0]", "0.3"])),
                (0.04, lambda: f"{self.filled(UNNAMED)}[{pick(['0', '1:', '0, 1', ':, 0'])}] "
                               f"{pick(['=', '+=', '*='])} "
                               + pick([f"{m}[0, 1]", f"{v}[0] * 0.7"])),
                (0.05, lambda: f"{m}, {n} = {n}, {m}" if m != n
                    else f"{m} += 0.1 * {self.filled(MATRIX_VIEWS)}"),
                (0.05, lambda: f"{pick([m, v])} *= {pick(['0.9', w + '[0]', n + '[1, 2]'])}")):
            chance -= share
            if chance < 0.0:
                return write()
        return f"{m} = {self.filled(MATRIX_VIEWS + MATRICES)}"

    def source(self):
        count = self.random.randint(4, 9)
        body = ["A = A.copy()", "v = v.copy()"]
        body += [self.statement() for _ in range(count // 2)]
        rest = [self.statement() for _ in range(count - count // 2)]
        if self.random.random() < 0.4:
            body += ["for i in range(2):", *("    " + line for line in rest)]
        else:
            body += rest
        parts = [f"np.sum({name} * {name}) * {self.random.uniform(0.3, 1.5):.2f}"
                 for name in self.random.sample(self.matrices, min(3, len(self.matrices)))]
        parts += [f"np.sum(np.sin({name}))"
                  for name in self.random.sample(self.vectors, min(2, len(self.vectors)))]
        lines = "".join(f"    {line}\n" for line in body)
        return f"import numpy as np\n\n\ndef f(A, v):\n{lines}    return {' + '.join(parts)}\n"


def outcome(seed, folder):
    """"right", "refused", "skipped" where Python refuses the program, or what is wrong."""
    path = folder / f"views_{seed}.py"
    path.write_text(Writer(seed).source(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rng = np.random.default_rng(seed)
    args = rng.uniform(-1.0, 1.0, (3, 3)), rng.uniform(-1.0, 1.0, 3)
    try:
        value = module.f(*args)
    except ValueError:
        return "skipped"
    if not abs(value) < 1e6:
        return "skipped"
    expected, trustworthy = numeric_gradient(module.f, args, (0, 1))
    if not trustworthy:
        return "skipped"
    scale = max(1.0, *(float(np.max(np.abs(e))) for e in expected))
    found = "right"
    try:
        gradient = tl.grad(module.f, wrt=(0, 1))(*args)
        if not all(np.allclose(g, e, atol=1e-6 * scale) for g, e in zip(gradient, expected)):
            return f"{path}: reverse: {gradient}, not {expected}"
    except tl.TangentError:
        found = "refused"
    directions = rng.uniform(-1.0, 1.0, (3, 3)), rng.uniform(-1.0, 1.0, 3)
    try:
        _, slope = tl.jvp(module.f, args, directions)
        along = sum(float(np.sum(d * e)) for d, e in zip(directions, expected))
        if abs(slope - along) > 1e-5 * scale:
            return f"{path}: forward: {slope}, not {along}"
    except tl.TangentError:
        found = "refused"
    return found


def held(seeds, folder):
    found = [outcome(seed, folder) for seed in seeds]
    wrong = [one for one in found if one not in ("right", "refused", "skipped")]
    assert not wrong, "\n".join(wrong)
    assert found.count("refused") < 0.1 * len(found)
    assert found.count("skipped") < 0.1 * len(found)


@pytest.mark.parametrize("seeds", [
    range(20), pytest.param(range(20, 100), marks=pytest.mark.slow)])
def test_a_few(tmp_path, seeds):
    held(seeds, tmp_path)


@pytest.mark.slow
def test_many(tmp_path):
    held(range(1000, 1000 + PROGRAMS), tmp_path)
