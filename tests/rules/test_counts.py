"""Second derivatives of rules in all sequences of modes: a sample here, of all rules with the slow
tests; and docs/checked-rules.md, which counts them, is that of today's rules."""
import cmath
import math
import re
from collections import Counter

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import coverage
from tests.rules import counts, orders
from tests.rules.orders import RIGHT
from tests.rules.support import Case

rng = np.random.default_rng(17)
X, Y, V = rng.uniform(0.3, 1.5, (2, 3)), rng.uniform(0.3, 1.5, (2, 3)), rng.uniform(0.3, 1.5, 3)
A = rng.uniform(-1.0, 1.0, (3, 3)) + 2.0 * np.eye(3)
ZERO_D = np.array(0.7)

SAMPLE = [
    (np.add, (X, V), {}), (np.multiply, (X, V), {}), (np.divide, (X, V), {}), (np.exp, (X,), {}),
    (np.power, (X, V), {}), (np.tanh, (X,), {}), (np.maximum, (X, Y), {}),
    (np.sum, (X,), {"axis": 1}), (np.mean, (X,), {"axis": 0, "keepdims": True}),
    (np.max, (X,), {"axis": 1}), (np.prod, (X,), {"axis": 0}), (np.std, (X,), {"ddof": 1}),
    (np.matmul, (X, A), {}), (np.einsum, ("ij,ij->i", X, Y), {}), (np.where, (X > 0.7, X, Y), {}),
    (np.concatenate, ([X, Y],), {"axis": 1}), (np.take, (V, [0, 2, 0]), {}),
    (np.linalg.solve, (A, V), {}), (np.linalg.norm, (X,), {}), (np.fft.rfft, (V,), {}),
    (math.atan2, (0.4, -0.3), {}), (np.arctan2, (X, Y), {}), (np.ndarray.sum, (X, 1), {}),
    # What was wrong, or refused, before these were looked at
    (np.interp, (np.array([0.3, 1.4, 2.5]), np.array([0.0, 1.0, 2.0]), V), {}),
    (np.linalg.qr, (A,), {}), (np.linalg.qr, (A, "r"), {}), (np.linalg.svd, (A,), {}),
    (np.frexp, (V,), {}), (math.frexp, (0.7,), {}), (cmath.polar, (0.3 + 0.4j,), {}),
    (cmath.log, (0.3 + 0.4j, 1.2 - 0.5j), {}), (math.prod, ([0.3, 1.4],), {"start": 2.0}),
    (math.dist, ([0.3, 1.4], [0.9, 0.2]), {}), (min, (0.3, 0.7), {}), (max, (0.3, 0.7), {}),
    (np.polydiv, (rng.uniform(0.3, 1.5, 5) + 0.2j, V), {}), (np.add, (ZERO_D, 2.0 * ZERO_D), {}),
]
SAMPLE_OF_SCIPY = [
    ("scipy.linalg", "toeplitz", (V, V + 0.3), {}), ("scipy.special", "shichi", (V,), {}),
    ("scipy.special", "sph_harm_y", (3, -3, V, V + 0.2), {"wrt": [2, 3]}),
    ("scipy.special", "logsumexp", (X,), {"axis": 0}),
]
if hasattr(np.linalg, "vector_norm"):               # NumPy 2
    SAMPLE += [(np.linalg.vector_norm, (X,), {"ord": 1, "axis": None}),
               (np.linalg.vector_norm, (X,), {"ord": 3, "axis": (0, 1)})]


def check_orders(fun, args, options, folder):
    options = dict(options)
    wrt = options.pop("wrt", None)
    made = orders.program_of(Case(fun, args, options, wrt, fun, 1e-3, False), folder)
    for sequence, verdict in orders.judge(made, *orders.directions_of(made)).items():
        assert verdict.what == RIGHT, f"{sequence}: {verdict.what}, {verdict.reason}\n{made.text}"


@pytest.mark.parametrize("fun, args, options", SAMPLE,
                         ids=[f"{f.__name__}-{k}" for k, (f, *_) in enumerate(SAMPLE)])
@pytest.mark.sweep(8)
def test_second_derivatives(fun, args, options, tmp_path):
    check_orders(fun, args, options, tmp_path)


@pytest.mark.parametrize("module, name, args, options", SAMPLE_OF_SCIPY)
@pytest.mark.sweep(2)
def test_second_derivatives_of_scipy(module, name, args, options, tmp_path):
    fun = getattr(pytest.importorskip(module), name, None)
    if fun is not None:
        check_orders(fun, args, options, tmp_path)


def of_the_real_part(z):
    return np.sum(np.real(z) ** 2)


@pytest.mark.parametrize("z", [np.array([1.0 + 1.0j, 2.0]), 1.0 + 2.0j])
def test_a_real_gradient_takes_the_real_part_of_a_cotangent(z):
    found, = tl.vjp(tl.grad(of_the_real_part), z)[1](0.0 * z + 1.0 + 5.0j)
    np.testing.assert_array_equal(found, 0.0 * z + 2.0)


def test_a_cotangent_of_no_dimensions_is_not_written_into():
    seeds = np.array(1.0), np.array(2.0)
    tl.vjp(tl.grad(lambda x, y: (x + y) ** 3, wrt=(0, 1)), ZERO_D, 2.0 * ZERO_D)[1](seeds)
    assert seeds == (1.0, 2.0)


# The page -----------------------------------------------------------------------------------------
def lines_of_the_page():
    """The figures of the page, by namespace."""
    text = counts.PAGE.read_text(encoding="utf-8")
    return {cells[0]: dict(zip(counts.COLUMNS, map(int, cells[1:]))) for cells in
            ([c.strip() for c in line.strip("| \n").split("|")] for line in text.splitlines()
             if re.match(r"\| [\w.* ]+ \| \d", line))}


def skip_unless_of_these_versions():
    pytest.importorskip("scipy")
    text = counts.PAGE.read_text(encoding="utf-8")
    counts.load_everything()
    if f"({coverage.version()})" not in text:
        pytest.skip("the page is that of other versions")


def test_the_page_knows_all_rules():
    skip_unless_of_these_versions()
    today = Counter(counts.namespace(e.function) for e in counts.entries())
    told = {space: figures["rules"] for space, figures in lines_of_the_page().items()}
    for other in (told, today):                     # helpers come and go with the rules
        other.pop("**all**", None)
        other.pop(counts.HELPERS, None)
    assert told == today, "python -m tests.rules.counts > docs/checked-rules.md"


@pytest.mark.slow
def test_all_second_derivatives():
    """Half an hour on two cores."""
    skip_unless_of_these_versions()
    counts.note_rules()
    found = counts.cases.collected(counts.ROOT / "tests" / "rules")
    table, _ = counts.rows(found, counts.MOST, jobs=2)
    assert counts.told(table, counts.WRONG) == ["* nothing"]
    assert counts.untested(table) == []
