"""Calls in all the forms that NumPy accepts: a sample here, all of them with the slow tests."""
import random

import numpy as np
import pytest

import tangent_lite as tl
from tests.rules import cases, counts, signatures
from tests.rules.signatures import CRASH, RIGHT, WRONG

AREAS = ["test_elementwise", "test_reductions", "test_shapes", "test_products", "test_parts",
         "test_quantiles", "test_statistics", "test_linalg"]
SAMPLE = 120


def collected(areas):
    folder = counts.ROOT / "tests" / "rules"
    return [case for area in areas for case in cases.collected(folder / f"{area}.py")]


def check_all(calls, folder):
    found = list(signatures.judged_calls(calls, folder))
    bad = [signatures.described(*one) for one in found if one[1] in (WRONG, CRASH)]
    assert not bad, "\n".join(bad)
    return found


def test_a_sample_of_all_forms(tmp_path):
    counts.load_everything()
    drawn = random.Random(3)
    bases = [base for area in drawn.sample(AREAS, 3)
             for base in signatures.bases(collected([area]), 1)]
    calls = [call for base in bases for call in signatures.variations(base)]
    found = check_all(drawn.sample(calls, min(SAMPLE, len(calls))), tmp_path)
    assert sum(verdict == RIGHT for _, verdict, _ in found) > len(found) // 2


@pytest.mark.slow
def test_all_forms(tmp_path):
    """Ten minutes."""
    counts.load_everything()
    found = cases.collected(counts.ROOT / "tests" / "rules")
    check_all((call for base in signatures.bases(found, 2)
               for call in signatures.variations(base)), tmp_path)


# What was wrong before calls were varied in this way ----------------------------------------------
X = np.random.default_rng(2).uniform(0.4, 1.6, (2, 3))
Z = X + 1j * X[::-1]


def divided(x, y):
    return x / y


def test_the_square_of_a_divisor_is_not_taken():
    assert tl.grad(divided, wrt="y")(1e-130, 1e-170) == pytest.approx(-1e210)
    assert tl.grad(divided, wrt="y")(1e300, 1e200) == pytest.approx(-1e-100)
    assert tl.jvp(divided, (1e-130, 1e-170), (0.0, 1.0))[1] == pytest.approx(-1e210)


def in_single(x):
    return np.sin(x, dtype=np.float32)


def in_another_order(x):
    return np.exp(x, order="F", casting="unsafe", subok=False, where=True)


def corrected(x):
    return np.var(x, axis=0, correction=1)


def by_position(x):
    return np.nansum(x, 0, None, None, True)


def extreme_by_position(x):
    return x.max(1, None, True)


def with_ends(x):
    return np.diff(x, 2, axis=1, prepend=x[:, :1], append=0.5) ** 2


def inserted(x):
    return np.insert(x[0], 1, x[1])


def outside(x):
    return np.setdiff1d(np.array([x[0, 0], x[0, 0] + 1.0, x[0, 1]]), [9.0], True)


@pytest.mark.parametrize("fun", [in_single, in_another_order, corrected, by_position, inserted,
                                 with_ends, extreme_by_position, outside])
def test_spellings(fun):
    single = fun(X).dtype == np.float32
    y, pullback = tl.vjp(fun, X)
    np.testing.assert_array_equal(y, fun(X))
    h = 1e-3 if single else 1e-6
    expected = (np.sum(fun(X + h * X), dtype=float) - np.sum(fun(X - h * X), dtype=float)) / (2 * h)
    found = pullback(np.ones_like(y))[0]
    assert found.dtype == X.dtype
    assert np.sum(found * X) == pytest.approx(expected, rel=1e-3 if single else 1e-7)
    assert np.sum(tl.jvp(fun, (X,), (X,))[1]) == pytest.approx(expected,
                                                               rel=1e-3 if single else 1e-7)


def real_product(z):
    return np.prod(z, dtype=float)


def real_spread(z):
    return np.var(z, dtype=float)


def running_real_product(z):
    return np.cumprod(z, dtype=float)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning" if hasattr(np, "exceptions")
                            else "ignore::numpy.ComplexWarning")
@pytest.mark.parametrize("fun", [real_product, real_spread, running_real_product])
def test_complex_numbers_in_a_real_type(fun):
    along, h = Z[::-1] * (0.3 - 0.2j), 1e-6
    expected = (np.sum(fun(Z + h * along)) - np.sum(fun(Z - h * along))) / (2 * h)
    y, pullback = tl.vjp(fun, Z)
    assert np.sum(tl.jvp(fun, (Z,), (along,))[1]) == pytest.approx(expected)
    assert np.sum(pullback(np.ones_like(y))[0] * along).real == pytest.approx(expected)


def into(x):
    out = np.zeros(2)
    np.max(x, axis=1, out=out)
    return out * out


def test_tangents_of_what_reads_its_result_and_is_written_out():
    y, dy = tl.jvp(into, (X,), (X,))
    np.testing.assert_allclose(dy, 2.0 * y)


def scaled_in_place(x, y):
    x = x * 1.0
    x /= y
    return x * x


def test_a_quotient_in_place():
    tl.check_grads(scaled_in_place, (X, X[::-1] + 1.0))


def choices_by_position(x):
    return np.array([0, 1, 1]).choose(x[0], x[1])


def untouched(x):
    out = np.zeros(3)
    np.fft.hfft(x[0] + 0j, 3, out=out)
    return out * x[0]


def squares_of_complex_points(z):
    return np.polyfit(z[0], z[1], 1)


@pytest.mark.parametrize("fun", [choices_by_position, untouched])
def test_refused(fun):
    with pytest.raises(tl.TangentError):
        tl.vjp(fun, X)


def test_complex_points_of_a_fit_are_refused():
    with pytest.raises(NotImplementedError, match="complex points"):
        tl.jvp(squares_of_complex_points, (Z,), (Z,))




def test_second_derivatives_of_ends():
    tl.check_grads(with_ends, (X,))
    tl.check_grads(lambda x, end: np.diff(x, prepend=end * x[0]) ** 3, (X[0], 0.7))


def complex_spread(z):
    return np.var(z, dtype=complex)


def test_a_spread_in_a_complex_type_takes_a_complex_cotangent():
    along, h, cotangent = Z[::-1] * (0.3 - 0.2j), 1e-6, 0.3 - 0.8j
    expected = (complex_spread(Z + h * along) - complex_spread(Z - h * along)) / (2 * h)
    _, pullback = tl.vjp(complex_spread, Z)
    found = np.sum(pullback(cotangent)[0] * along)
    assert found.real == pytest.approx((cotangent * expected).real)


def in_a_tuple(x):
    return np.cumulative_sum(x[0], axis=(0,))


def of_one_number(x):
    return np.cumulative_prod(x[0, 0], axis=-1, include_initial=True)


@pytest.mark.skipif(not hasattr(np, "cumulative_sum"), reason="NumPy 2.1")
@pytest.mark.parametrize("fun", [in_a_tuple, of_one_number])
def test_cumulative_sums_along_one_axis(fun):
    tl.check_grads(fun, (X,), order=1)
