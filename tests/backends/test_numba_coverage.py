"""Calls of NumPy in compiled derivatives: a sample of what rules are tested with (all of it with
the slow tests), and the corners of those that have functions of ours.

What is held against the Python backend here is held against differences as well, where the
function is smooth, so that not both are wrong.
"""
import math
import os
import subprocess
import sys
import warnings

import gast
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")
linalg = pytest.importorskip("scipy.linalg")

from tangent_lite.backends.numba_contractions import explicit  # noqa: E402
from tangent_lite.backends.numba_known import as_tuples  # noqa: E402
from tangent_lite.backends.numba_products import letters_of_tensordot  # noqa: E402
from tests.backends import calls  # noqa: E402
from tests.backends.comparing import compare  # noqa: E402
from tests.rules.support import Case  # noqa: E402

rng = np.random.default_rng(11)


def drawn(*shape):
    return rng.normal(size=shape)


# Calls -------------------------------------------------------------------------------------------
def of_einsum(x, y):
    return np.sum(np.einsum("bij,bjk->bik", x, y) ** 2)


def of_repeated_letters(x, y):
    return np.sum(np.einsum("ii,ij->j", x, y, optimize=True) ** 2)


def of_an_ellipsis(x, y):
    return np.sum(np.einsum("...i,ij", x, y) ** 2)


def of_three(x, y, z):
    return np.sum(np.einsum("ij,jk,ki->i", x, y, z) ** 2)


def of_a_diagonal(x):
    return np.sum(np.einsum("ii->i", x) ** 2)


def of_stacks(x, y):
    return np.sum((x @ y) ** 2)


def of_tensordot(x, y):
    return np.sum(np.tensordot(x, y, axes=([0, -1], [1, 0])) ** 2)


def of_take(x):
    return np.sum(np.take(x, [0, -1, 0], axis=1) ** 3) + np.sum(np.take(x, 1, axis=-1) ** 2)


def of_tile(x):
    return np.sum(np.tile(x, (2, 1, 3)) ** 2 * np.arange(1.0, 1.0 + x.shape[1] * 3))


def of_repeat(x):
    return np.sum(np.repeat(x, 3, axis=-1) ** 3) + np.sum(np.repeat(x, 2) ** 2)


def of_roll(x):
    return np.sum(x * np.roll(x, (1, -4), axis=(0, -1)))


def of_pad(x):
    return np.sum(np.pad(x, ((1, 0), (2, 1)), mode="reflect") ** 2) + np.sum(
        np.pad(x, (1, 2), "constant", constant_values=3.0) ** 3)


def of_sort(x):
    return np.sum(np.sort(x, axis=0) * np.arange(1.0, 1.0 + x.size).reshape(x.shape))


def of_an_order(x):
    order = np.argsort(x, axis=-1)
    return np.sum(np.take_along_axis(x, order, axis=-1) ** 2 * np.arange(1.0, 1.0 + x.shape[-1]))


def of_a_stable_order(x):
    order = np.argsort(x, axis=0, kind="stable")
    return np.sum(np.take_along_axis(x, order, 0) ** 2 * np.arange(1.0, 1.0 + x.size).reshape(
        x.shape))


def of_cumulated(x):
    return np.sum(np.cumsum(x, axis=1) ** 2) + np.sum(np.cumprod(x, axis=-2)) + np.sum(
        np.cumsum(x) ** 2)


def of_diff(x):
    return np.sum(np.diff(x, axis=0) ** 2) + np.sum(np.diff(x, n=2) ** 2)


def of_spreads(x):
    return np.sum(np.std(x, axis=(0, 1), ddof=1)) + np.sum(x * np.var(x, axis=-1, keepdims=True))


def of_several_axes(x):
    top = np.max(x, axis=(0, 2), keepdims=True)
    return np.sum(top * np.mean(x, axis=(0, 2), keepdims=True)) + np.sum(
        np.prod(x, axis=-1, keepdims=True) * x)


def of_medians(x):
    return np.sum(np.median(x, axis=1) ** 2) + np.median(x)


def of_norms(x):
    return np.sum(np.linalg.norm(x, axis=-1) ** 3) + np.sum(
        np.linalg.norm(x, 1, axis=0)) + np.linalg.norm(x) + np.sum(
        np.linalg.norm(x, 2, axis=0, keepdims=True))


def of_solve(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2) + np.linalg.det(a) + np.sum(np.linalg.inv(a) ** 2)


def of_cholesky(a):
    return np.sum(np.linalg.cholesky(a @ a.T + np.eye(a.shape[0])) ** 3)


def of_pinv(a):
    return np.sum(np.linalg.pinv(a) ** 2)


def of_views(x):
    y = np.swapaxes(x, 0, 2) * 2.0
    return np.sum(np.squeeze(y[:, :1] ** 2, axis=1)) + np.sum(np.transpose(x, (2, 0, 1))[1] ** 2)


def of_joined(x, y):
    z = np.concatenate([x, y * x], axis=1)
    return np.sum(np.stack([z, z * z], axis=-1) ** 2) + np.sum(np.hstack((x, y)) ** 3) + np.sum(
        np.column_stack((x, y[:, 0])) ** 2)


def of_arrays_made(x):
    return np.sum(np.array(x) * np.asarray(x[::-1]) ** 2)


def of_interp(x, heights):
    return np.sum(np.interp(x, np.array([0.0, 1.0, 2.5]), heights) ** 2)


def of_convolution(x, y):
    return np.sum(np.convolve(x, y, "same") ** 2) + np.sum(np.convolve(x, y) ** 3)


def of_kron(x, y):
    return np.sum(np.kron(x, y) ** 2)


def of_clip(x, low):
    return np.sum(np.clip(x, low, 0.5) ** 2)


SQUARE = drawn(3, 3) + 3.0 * np.eye(3)
PROGRAMS = [
    (of_einsum, drawn(2, 3, 4), drawn(2, 4, 5)), (of_einsum, drawn(1, 3, 4), drawn(2, 4, 5)),
    (of_einsum, drawn(0, 3, 4), drawn(0, 4, 5)), (of_einsum, drawn(2, 20, 4), drawn(2, 4, 30)),
    (of_einsum, drawn(2, 4, 30).transpose(0, 2, 1)[::-1], drawn(2, 4, 50)[:, ::-1]),
    (of_repeated_letters, drawn(3, 3), drawn(3, 4)),
    (of_an_ellipsis, drawn(5, 2, 3), drawn(3, 4)), (of_an_ellipsis, drawn(3), drawn(3, 4)),
    (of_three, drawn(2, 3), drawn(3, 4), drawn(4, 2)), (of_a_diagonal, drawn(3, 3)),
    (of_stacks, drawn(2, 3, 4), drawn(4, 5)), (of_stacks, drawn(4), drawn(2, 4, 5)),
    (of_stacks, drawn(6, 1, 3, 4), drawn(2, 4, 5)), (of_stacks, drawn(2, 3, 4), drawn(4)),
    (of_stacks, drawn(2, 3, 0), drawn(2, 0, 5)),
    (of_stacks, drawn(2, 30, 40)[:, ::-1], np.asfortranarray(drawn(40, 50))),
    (of_tensordot, drawn(2, 3, 4), drawn(4, 2, 5)),
    (of_take, drawn(2, 3)), (of_take, np.asfortranarray(drawn(4, 3))[::-1]),
    (of_tile, drawn(3, 2)), (of_repeat, drawn(2, 3)), (of_repeat, drawn(2, 0)),
    (of_roll, drawn(3, 4)), (of_roll, drawn(1, 0)), (of_pad, drawn(3, 4)),
    (of_pad, drawn(4, 3).T[:, ::-1]), (of_sort, drawn(4, 3)), (of_sort, np.zeros((3, 2))),
    (of_an_order, drawn(3, 5)), (of_a_stable_order, rng.integers(0, 3, (6, 2)) * 1.0),
    (of_cumulated, drawn(3, 4)), (of_cumulated, drawn(1, 1)), (of_cumulated, drawn(0, 3)),
    (of_diff, drawn(4, 5)), (of_diff, drawn(1, 2)), (of_spreads, drawn(2, 3)),
    (of_several_axes, drawn(2, 3, 4)), (of_several_axes, np.ones((2, 1, 3))),
    (of_medians, drawn(3, 4)), (of_medians, np.zeros((2, 3))), (of_norms, drawn(3, 4)),
    (of_norms, np.zeros((2, 2))), (of_solve, SQUARE, drawn(3)), (of_solve, SQUARE.T, drawn(3, 2)),
    (of_cholesky, drawn(3, 3)), (of_pinv, drawn(4, 2)), (of_views, drawn(2, 3, 4)),
    (of_joined, drawn(3, 2), drawn(3, 2)), (of_arrays_made, drawn(4)),
    (of_interp, np.array([0.3, 1.4, 2.9, -1.0, 1.0]), drawn(3)),
    (of_convolution, drawn(5), drawn(3)), (of_convolution, drawn(2), drawn(4)),
    (of_kron, drawn(2, 3), drawn(3, 2)), (of_clip, drawn(5), -0.2),
]


# Programs of many calls, which Numba compiles for 3 to 40 seconds.
LONG = {of_several_axes, of_stacks, of_tensordot, of_views, of_joined, of_einsum, of_solve, of_kron,
        of_norms, of_spreads, of_pad, of_tile, of_cholesky, of_three, of_pinv, of_an_ellipsis,
        of_convolution, of_interp, of_take, of_diff, of_a_stable_order, of_repeat, of_cumulated,
        of_clip}


def marked(function, *args, long=LONG):
    return pytest.param(function, *args, marks=[pytest.mark.slow] if function in long else [])


@pytest.mark.parametrize("function, args", [marked(f, a) for f, *a in PROGRAMS],
                         ids=[f"{f.__name__}-{k}" for k, (f, *_) in enumerate(PROGRAMS)])
@pytest.mark.sweep(6)
def test_calls(function, args):
    found = compare(function, args, range(len(args)), rtol=1e-10)
    assert found[0] == "same", found


SMOOTH = {of_einsum, of_repeated_letters, of_stacks, of_tensordot, of_take, of_tile, of_roll,
          of_pad, of_sort, of_cumulated, of_spreads, of_solve, of_cholesky, of_joined, of_views}


@pytest.mark.parametrize("function, args", [
    next(marked(f, a, long=LONG - {of_take, of_diff})
         for f, *a in PROGRAMS if f is function)
    for function in sorted(SMOOTH, key=lambda f: f.__name__)])
@pytest.mark.sweep(2)
def test_calls_against_differences(function, args):
    gradients = tl.grad(function, wrt=tuple(range(len(args))), backend="numba")(*args)
    for k, (one, gradient) in enumerate(zip(args, gradients)):
        along = np.cos(np.arange(one.size)).reshape(one.shape)
        ends = [function(*args[:k], one + h * along, *args[k + 1:]) for h in (1e-5, -1e-5)]
        assert np.isclose((ends[0] - ends[1]) / 2e-5, np.sum(gradient * along), rtol=1e-6)


# Numbers that are no numbers, and equal ones -----------------------------------------------------
@pytest.mark.parametrize("function", [
    marked(f, long={of_several_axes, of_a_stable_order})
    for f in (of_sort, of_a_stable_order, of_medians, of_several_axes)])
@pytest.mark.sweep(2)
def test_nan(function):
    x = drawn(3, 4) if function is not of_several_axes else drawn(2, 3, 4)
    x[1, 2] = np.nan
    x[0, 1] = np.nan
    assert compare(function, [x], [0])[0] == "same"


@pytest.mark.parametrize("x", [np.array([[1.0, 2.0, 1.0]]), np.array([[np.nan, 1.0, np.nan]]),
                               np.array([[0.0, -0.0]])])
@pytest.mark.sweep(2)
def test_equal_numbers_are_ordered_in_python(x):
    outcome, detail = compare(of_an_order, [x], [0])
    assert outcome == "stopped" and "ran in Python" in detail


@pytest.mark.parametrize("function, args", [marked(*case, long=LONG - {of_solve}) for case in (
    (of_stacks, (drawn(2, 3, 1), drawn(2, 4, 5))), (of_einsum, (drawn(2, 3, 4), drawn(2, 5, 6))),
    (of_einsum, (drawn(2, 3, 4), drawn(3, 4, 5))), (of_a_diagonal, (drawn(3, 4),)),
    (of_joined, (drawn(3, 2), drawn(2, 2))), (of_take, (drawn(2, 1),)),
    (of_solve, (np.zeros((2, 2)), np.ones(2))), (of_interp, (drawn(3), drawn(4))),
    (of_tensordot, (drawn(1, 3, 4), drawn(4, 2, 5))))])
@pytest.mark.sweep(4)
def test_what_numpy_refuses_is_refused(function, args):
    outcome, detail = compare(function, list(args), range(len(args)))
    assert (outcome, detail) == ("same", "raises")


# Functions that call themselves -------------------------------------------------------------------
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)


def times_factorial(x, n):
    return np.sum(x ** 2) * factorial(n)


def product_of_all(x, n):
    if n == 0:
        return 1.0
    return x[n - 1] * product_of_all(x, n - 1)


def test_a_function_that_calls_itself_is_compiled():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tl.grad(times_factorial, backend="numba")(np.ones(3), 4)
    assert np.array_equal(found, np.full(3, 48.0))


# Methods of results of loops --------------------------------------------------------------------
def flattened(x, w):
    y = np.ravel(x)
    return np.sum(w * (y + 0.5 * y * y))


def test_a_result_of_a_loop_that_is_given_another_shape():
    """Its elements were taken to be read by nobody."""
    for x in (drawn(2, 3), np.asfortranarray(drawn(2, 3)), drawn(3, 2).T[::-1]):
        assert compare(flattened, [x, drawn(6)], [0, 1])[0] == "same"


# What is not compiled -----------------------------------------------------------------------------
def of_fft(x):
    return np.sum(np.abs(np.fft.fft(x)))


def of_lists_of_axes(x):
    return np.sum(np.einsum(x, [0, 1], x, [1, 2]))


def of_a_part_of_an_order(x):
    return np.sum(x[np.argpartition(x, 2)] ** 2)


def of_unknown_shapes(x):
    return np.sum(np.squeeze(x) ** 2)


def of_a_diagonal_view(x):
    return np.sum(np.diagonal(x) ** 2)


def of_bins(x):
    return np.sum(np.histogram(x, 3)[1])


def of_scipy(x):
    return np.sum(linalg.expm(x))


def of_random(x):
    return np.sum(x * np.random.normal(size=3))


REFUSED = [(of_fft, drawn(4)), (of_lists_of_axes, drawn(3, 3)), (of_a_part_of_an_order, drawn(5)),
           (of_unknown_shapes, drawn(1, 3)), (of_random, drawn(3)),
           (of_a_diagonal_view, drawn(2, 2, 2)), (of_bins, drawn(4)), (of_scipy, drawn(2, 2))]


@pytest.mark.parametrize("function, x", REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_what_is_not_compiled(function, x):
    with pytest.raises(tl.TangentError) as caught:
        tl.grad(function, backend="numba")(x)
    line = function.__code__.co_firstlineno + 1
    said = str(caught.value)
    assert f"{os.path.basename(__file__)}:{line}: " in said and "Instead: " in said


def chebyshev(x, n):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return 2 * x * chebyshev(x, n - 1) - chebyshev(x, n - 2)


def evens(x, n):
    return x * odds(x, n - 1) ** 2 if n > 0 else x


def odds(x, n):
    return evens(x, n - 1) * math.sin(x)


@pytest.mark.parametrize("function, x, words", [
    (product_of_all, np.ones(3), "product_of_all(x, n - 1)"),
    (chebyshev, 0.3, "chebyshev(x, n - 1)"), (evens, 0.3, "(x, n - 1)")])
def test_a_record_without_a_type_is_refused(function, x, words):
    with pytest.raises(tl.TangentError, match="the record of a call") as caught:
        tl.grad(function, backend="numba")(x, 3)
    assert words in str(caught.value)


# Words --------------------------------------------------------------------------------------------
def test_specs():
    assert explicit("ij,jk", [2, 2]) == (["ij", "jk"], "ik")
    assert explicit("...i, ...i", [3, 2]) == (["ABi", "Bi"], "AB")
    assert explicit("ii", [2]) == (["ii"], "")
    for spec, ranks in [("ij", [3]), ("ij->k", [2]), ("ij->ii", [2]), ("i...", [0]), ("i", [1, 1])]:
        assert explicit(spec, ranks) is None
    assert letters_of_tensordot(3, 2, 1) == (("ABC", "Cb"), "ABb")
    assert letters_of_tensordot(2, 2, ((0, 0), (0, 1))) is None
    assert letters_of_tensordot(2, 2, ((2,), (0,))) is None


def test_lists_of_axes_are_tuples():
    for text, expected in [("[0, -1]", "(0, -1)"), ("([0], [1])", "((0,), (1,))"),
                           ("[x, 1]", "[x, 1]"), ("[]", "[]"), ("[1.0]", "[1.0]")]:
        made = as_tuples(gast.parse(text, mode="eval").body)
        assert gast.unparse(made).strip() == expected


# Calls that rules are tested with ---------------------------------------------------------------
SAMPLE = [
    (np.multiply, (drawn(2, 3), drawn(3)), {}), (np.std, (drawn(2, 3),), {"axis": 0}),
    (np.cumprod, (drawn(4),), {}), (np.tile, (drawn(2, 2), 2), {}),
    (np.einsum, ("ij,ij->i", drawn(2, 3), drawn(2, 3)), {}), (np.atleast_2d, (drawn(3),), {}),
    (np.expand_dims, (drawn(2, 3), 0), {}), (np.ndarray.flatten, (drawn(2, 3),), {}),
]


@pytest.mark.parametrize("fun, args, options", SAMPLE,
                         ids=[f"{f.__name__}-{k}" for k, (f, *_) in enumerate(SAMPLE)])
@pytest.mark.sweep(3)
def test_cases_of_rules(fun, args, options, tmp_path):
    case = Case(fun, args, options, None, fun, 1e-3, False)
    assert calls.judged(case, tmp_path)[0] == "same"


@pytest.mark.slow
def test_all_cases_of_rules():
    """Some ten minutes on one core."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.backends.calls", "--most", "1", "--show",
         "different,nowhere"], capture_output=True, text=True,
        env={**os.environ, "NUMBA_OPT": "0"})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


# Values that are not finite ---------------------------------------------------------------------
def cumulated(x):
    return np.sum(np.cumsum(x)[-1:]) + np.sum(np.cumsum(x.reshape(1, -1), axis=1)[:, :1])


def multiplied(x):
    return np.sum(np.cumprod(x))


def middle(x):
    return np.median(x) + np.sum(np.median(x.reshape(1, -1), axis=1))


def spread(x):
    return np.sum(np.std(x.reshape(1, -1), axis=1)) + np.var(x)


def lengths(x):
    return np.sum(np.linalg.norm(x.reshape(-1, 1), axis=1)) + np.linalg.norm(x)


def differences(x):
    return np.sum(np.diff(x) * x[1:])


def largest(x):
    return np.sum(np.max(x.reshape(1, -1), axis=1)) + np.sum(x * np.min(x, keepdims=True))


@pytest.mark.parametrize("function", [
    marked(f, long={multiplied, spread, largest}) for f in (
        cumulated, multiplied, middle, spread, lengths, differences, largest)])
@pytest.mark.sweep(4)
def test_values_that_are_not_finite(function):
    compiled, plain = (tl.value_and_grad(function, backend=b) for b in ("numba", "python"))
    for x in ([np.inf, 1.0, 2.0], [-np.inf, 1.0, 2.0], [np.nan, 1.0, 2.0], [1.0, np.inf, np.nan],
              [1e308, 1e308, 1.0], [1e200, 1.0], [-0.0, 0.0], [5e-324, 2.0], [3.0]):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found, expected = compiled(np.array(x)), plain(np.array(x))
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, err_msg=str(x))
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-12, err_msg=str(x))
