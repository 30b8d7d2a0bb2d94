"""Small arrays as numbers: gradients and values as in plain Python, whatever is done with them."""
import warnings

import gast
import numpy as np
import pytest

numba = pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite.backends.numba_small_arrays import has_full_floats_alone  # noqa: E402
from tests.backends import small_array_programs as programs  # noqa: E402
from tests.backends.comparing import same  # noqa: E402

RNG = np.random.default_rng(7)
POINTS = [RNG.normal(size=(5, k)) for k in (3, 2, 1, 5)]
LINKS = np.array([[0, 1], [1, 2], [4, 0], [-1, 2]])
CASES = {
    programs.runge_kutta: [(np.array([0.4, 0.1]), n, 0.1) for n in (4, 0, 1)],
    programs.from_argument: [(np.array(y), np.array([0.4, 0.1]), n, 0.1) for y, n in (
        ([0.9, 0.1, 0.0], 4), ([0.9, 0.1, 0.0], 0), ([0.9, 0.1], 0), ([0.9, 0.1], 2),
        ([0.9], 0), ([], 0))],
    programs.arm: [(RNG.normal(size=k), RNG.normal(size=k)) for k in (5, 1, 0)],
    programs.pairs: [(p, 2.5) for p in POINTS],
    programs.by_axes: [(POINTS[0], 2.5), (POINTS[3], 2.5)],
    programs.springs: [(p, LINKS, np.ones(4)) for p in POINTS],
    programs.bodies: [(p, p[::-1].copy(), np.ones(5), 3, 0.1) for p in POINTS[1:]]
    + [(POINTS[2], POINTS[1], np.ones(5), 0, 0.1)],
    programs.trajectory: [(0.5, 1.2, n, 0.1) for n in (5, 1, 0)],
    programs.any_size: [(RNG.normal(size=k), w, n) for k, w, n in (
        (3, 0.3, 4), (2, 0.3, 4), (6, 0.3, 4), (0, 0.3, 2))]
    + [(np.ones(1), RNG.normal(size=3), 3), (np.ones(3), RNG.normal(size=3), 3)],
    programs.rows_of_any_width: [(p, 0.3) for p in POINTS] + [(POINTS[0], np.ones(3))]
    + [(POINTS[2], np.ones(3)), (POINTS[0][:0], 0.2)],
    programs.row_that_changes: [(POINTS[1], 3), (POINTS[1], 0)],
    programs.row_written_into: [(POINTS[1], 3), (POINTS[0], 2)],
    programs.rows_to_powers: [(POINTS[1], 3), (POINTS[0], 2)],
    programs.while_it_moves: [(1.0, 2.0), (0.01, 0.0)],
    programs.with_matrix: [(RNG.normal(size=(3, 5)), np.ones(2), 3)],
    programs.norms: [(POINTS[0], 1), (POINTS[1], 1)],
    programs.last_row: [(POINTS[1], 0.7)],
    programs.mean_of_rows: [(p, np.ones(5)) for p in POINTS],
}
CASES |= {getattr(programs, name): [(x, n) for x, n in ((0.7, 4), (1.3, 1), (0.7, 0), (-0.4, 3))]
          for name in (
    "second_name", "copied", "swapped", "turned", "turned_in_place", "masks", "in_list",
    "in_dict", "changed_by_helper",
    "in_place", "at_computed_places", "in_branches", "bound_late", "spread_over_each_other",
    "matrices", "three_by_three", "solved", "functions_of_elements", "divided", "roots",
    "one_item", "by_two_axes", "left_early", "number_behind", "halved",
    "called_as_they_are")}


def outcome(derivative, args):
    args = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            return derivative(*args)
        except tl.TangentError:
            raise
        except Exception as error:
            return type(error), str(error)


def wrt_of(args):
    return tuple(k for k, a in enumerate(args) if isinstance(a, float) or (
        isinstance(a, np.ndarray) and a.dtype.kind == "f"))


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("form", [tl.value_and_grad, tl.grad])
@pytest.mark.sweep(11)
def test_as_in_python(function, form):
    """At all sizes, one after the other: what is written for the first serves no others."""
    wrt = wrt_of(CASES[function][0])
    compiled, plain = (form(function, wrt=wrt, backend=b) for b in ("numba", "python"))
    for args in CASES[function]:
        found, expected = outcome(compiled, args), outcome(plain, args)
        assert same(expected, found, 1e-11), args
        if form is tl.value_and_grad and isinstance(expected[0], float):
            assert found[0] == expected[0] or np.isnan(expected[0])     # to the last bit


def test_no_arrays_are_made_in_loops():
    """As by hand: but for the gradient all is numbers, also on tapes."""
    gradient = tl.grad(programs.pairs, backend="numba")
    gradient(POINTS[0], 2.5)
    text = gradient._latest.compiled.text
    assert "made_array" not in text and "d_tape_2" in text
    assert gradient._latest.assumed.noted == ["pos.shape[1] == 3"]


def test_what_is_written_for_sizes_is_asked_for_them():
    """By calls from Python, and by compiled code, which has code for all sizes."""
    gradient = tl.grad(programs.any_size, backend="numba")
    plain = tl.grad(programs.any_size)

    @numba.njit
    def caller(x):
        return gradient(x, 0.3, 4)

    for size in (3, 5, 2, 0):
        x = RNG.normal(size=size)
        assert same(plain(x, 0.3, 4), gradient(x, 0.3, 4), 1e-12)
        assert same(plain(x, 0.3, 4), caller(x), 1e-12)


def rounded_when_written(x):
    half = np.zeros(3, dtype=np.float32)
    total = 0.0
    for i in range(3):
        half[i] = x[i] / 3.0
        total += half[i] * x[0]
    return total


def rounded_by_name(x):
    kind = np.dtype("f4")
    half = np.zeros(2, dtype=kind)
    half[0] = x[0] / 3.0
    return half[0] * x[1]


@pytest.mark.parametrize("function", [rounded_when_written, rounded_by_name])
def test_floats_of_fewer_bits(function):
    """Their arrays round what is put into them, which numbers would not; of what is computed of
    their items it is not clear in which type NumPy does (`numba_narrow`)."""
    with pytest.raises(tl.TangentError, match="float32|may be one of integers"):
        tl.value_and_grad(function, backend="numba")(np.array([0.7, 0.31, 0.93]))


@pytest.mark.parametrize(("text", "full"), [
    ("np.zeros(3)", True), ("np.zeros(3, float)", True), ("np.zeros(3, dtype=np.float64)", True),
    ("np.zeros(3, dtype=None)", True), ("np.zeros(3, dtype=x.dtype)", True),
    ("np.zeros(3, 'f8')", True), ("x.astype(int)", True), ("np.full(3, 0.5, dtype=bool)", True),
    ("np.einsum('ij,jk->ik', x, x)", True), ("np.einsum('i,i', x, x)", True),
    ("np.zeros(3, np.float32)", False), ("np.zeros(3, dtype=np.single)", False),
    ("np.zeros(3, 'f4')", False), ("np.array(x, dtype='float16')", False),
    ("x.astype(np.float32)", False), ("x.astype('f4')", False), ("np.dtype('f4')", False),
    ("np.zeros(3, dtype=kind)", False), ("np.zeros(3, dtype=settings.kind)", False),
    ("np.zeros(3, dtype=kinds[0])", False)])
def test_what_is_asked_for(text, full):
    """What is not known may be floats of fewer bits."""
    def meant(node):
        if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
            return getattr(np, node.attr, None) if node.value.id == "np" else None
        return None
    tree = gast.parse(f"def f(x):\n    return {text}").body[0]
    assert has_full_floats_alone(tree, meant) == full
