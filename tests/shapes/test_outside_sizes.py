"""Arrays of the module and of functions around have sizes, too, which are asked at each call: the
next one may find other arrays there."""
import pickle
import sys

import numpy as np
import pytest

import tangent_lite as tl

RNG = np.random.default_rng(0)
X, Y, MU = RNG.normal(size=(5, 3)), RNG.normal(size=5), RNG.normal(size=3)
HERE = sys.modules[__name__]
# Of X, Y and MU.
SHAPES = [((5, 3), (5,), (3,)), ((5, 3), (1,), (3,)), ((1, 3), (5,), (1,)), ((1, 3), (1,), (3,)),
          ((2, 3), (2,), (1,)), ((0, 3), (0,), (3,)), ((5, 3), (5, 1), (3,))]


def misfit(w):
    r = X @ w + w[0] - Y
    return np.sum(r ** 2)


def distance(w):
    return np.sum(np.sin(w - MU) ** 2)


def scaled(w):
    return np.tanh(w * MU)


def in_a_helper(w):
    return np.sum(scaled(w) * MU)


def in_a_loop(w):
    s = 0.0
    for k in range(3):
        s = s + np.sum(np.sin(w * MU + k))
        w = w * MU
    return s


def also_an_argument(w, MU=np.array([0.3, 0.5, 0.7])):
    return np.sum(w * MU) + np.sum(scaled(w))


def parts(w):
    return np.sum(w[1:] * MU[1:]) + np.sum(w[:1] * MU) + np.sum(w * MU[:1])


def differences(function, w):
    return np.array([(function(w + h) - function(w - h)) / 2e-6 for h in 1e-6 * np.eye(len(w))])


@pytest.mark.parametrize("function", [
    misfit, distance, in_a_helper, in_a_loop, also_an_argument, parts])
def test_other_arrays_at_each_call(function, monkeypatch):
    kept, valued, tried = tl.grad(function), tl.value_and_grad(function), 0
    for number in [*range(len(SHAPES)), *range(len(SHAPES))[::-1], 0, 0]:
        for name, shape in zip(("X", "Y", "MU"), SHAPES[number]):
            monkeypatch.setattr(HERE, name, RNG.normal(size=shape))
        for w in (RNG.normal(size=3), RNG.normal(size=1)):
            try:
                value = function(w)
            except ValueError:
                continue                                    # these do not fit together
            expected = differences(function, w)
            for derivative in (kept, kept, tl.grad(function), lambda w: valued(w)[1]):
                found = derivative(w)
                assert found.shape == w.shape
                np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
            assert valued(w)[0] == value
            _, slope = tl.jvp(function, (w,), (np.ones_like(w),))
            np.testing.assert_allclose(slope, expected.sum(), rtol=1e-5, atol=1e-5)
            tried += 1
    assert tried > 8


def test_cells():
    A, c = RNG.normal(size=(4, 3)), RNG.normal(size=4)

    def f(w):
        return np.sum((A @ w - c) ** 2)

    d, w = tl.grad(f), RNG.normal(size=3)
    assert "unbroadcast" not in d.source_for(w)
    assert "Written for A.shape[0] == c.shape[0]." in d.source_for(w)
    for rows, length in [(4, 4), (4, 1), (1, 4), (1, 1), (4, 4), (2, 2)]:
        A, c = RNG.normal(size=(rows, 3)), RNG.normal(size=length)
        np.testing.assert_allclose(d(w), differences(f, w), rtol=1e-5, atol=1e-5)


def test_of_another_kind(monkeypatch):
    d, w = tl.grad(distance), RNG.normal(size=3)
    for other in (MU, MU[:, None], MU[None], 2.0, MU.astype(np.float32), MU[:1], [1.0, 2.0, 3.0]):
        monkeypatch.setattr(HERE, "MU", other)
        np.testing.assert_allclose(d(w), differences(distance, w), rtol=1e-5, atol=1e-5)
    monkeypatch.delattr(HERE, "MU")
    with pytest.raises(NameError, match="MU"):
        d(w)


def test_in_another_process():
    w = RNG.normal(size=3)
    d = tl.grad(misfit)
    d(w)
    assert np.array_equal(pickle.loads(pickle.dumps(d))(w), d(w))


def test_text():
    text = tl.grad(misfit).source_for(np.ones(3))
    assert "Written for X.shape[0] == Y.shape[0], w.shape[0] == X.shape[1]." in text
    assert "unbroadcast" not in text
    # A helper of another module may find something else by that name: of one nothing is assumed.
    text = tl.grad(also_an_argument).source_for(np.ones(3), np.ones(3))
    assert "Written for w.shape[0] == MU.shape[0]." in text


def correlation(w):
    return np.corrcoef(w[0] * Y + w[1] * Y ** 2, Y)[0, 1]


def test_the_text_is_shown_where_nothing_rests_on_the_sizes():
    d = tl.grad(correlation)
    np.testing.assert_allclose(d(MU), tl.jacfwd(correlation)(MU))
    assert "np.corrcoef" in d.source_for(MU)
