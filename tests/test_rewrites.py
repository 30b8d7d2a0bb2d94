"""Rewritten programs: what means the same has the same derivative. See tests/rewriter.py.

    pytest tests/test_rewrites.py                         two dozen rewritten programs
    PROGRAMS=2000 pytest -m slow tests/test_rewrites.py   many
    python -m tests.rewriter --of full --count 500
"""
import os

import numpy as np
import pytest

from tests.programs.rewrites import REWRITES
from tests.programs.rewriting import Subject, generated, rewritten, trap, traps
from tests.rewriter import sweep

PROGRAMS = int(os.environ.get("PROGRAMS", "2000"))
SOURCE = '''
import math
import numpy as np

def f(x, u, n):
    s = 0.0
    v = u * x
    for i in range(n):
        v[i] = v[i] * s + x
        s = s + math.sin(v[i])
    w = v * u
    t = np.sum(w)
    if t > s:
        t += s * x
    return t + s * v[0]
'''


def subject():
    return Subject("f", SOURCE, "f", "f",
                   lambda space: (0.7, np.array([0.4, -0.3, 1.1]), 2), (0, 1))


def held(subject, folder, each):
    wrong, counts = sweep([subject], each, 4, (), folder)
    assert not wrong
    assert counts["right"] > 0.5 * each


@pytest.mark.parametrize("name", sorted(REWRITES))
@pytest.mark.sweep(3)
def test_each_rewrite(name, tmp_path):
    """There is a place for it in a program of the usual parts, and the derivative stays."""
    other = next(one for one in (rewritten(subject(), seed, 1, [name]) for seed in range(20))
                 if one.rewrites)
    assert other.source != SOURCE and other.rewrites == (name,)
    held(other, tmp_path, 1)


@pytest.mark.parametrize("seed", range(2))
def test_generated(seed, tmp_path):
    held(generated(700 + seed, ("scalar", "foundation")[seed]), tmp_path, 2)


@pytest.mark.parametrize("number", range(3))
def test_traps(number, tmp_path):
    names = traps()
    held(trap(names[number * 173 % len(names)]), tmp_path, 2)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["scalar", "vector", "foundation", "full"])
def test_many_generated(level, tmp_path):
    wrong, _ = sweep((generated(k, level) for k in range(30_000, 30_000 + PROGRAMS // 8)),
                     2, 5, (), tmp_path)
    assert not wrong


@pytest.mark.slow
def test_all_traps(tmp_path):
    wrong, _ = sweep(map(trap, traps()[:PROGRAMS]), 1, 5, (), tmp_path)
    assert not wrong
