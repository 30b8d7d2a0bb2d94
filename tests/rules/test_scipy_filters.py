"""scipy.signal: filters in sections, and filters that run forward and backward."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import MissingRuleError
from tests.rules.support import check

signal = pytest.importorskip("scipy.signal")
rng = np.random.default_rng(11)
SOS = signal.butter(3, 0.3, output="sos")
B, A = signal.butter(2, 0.4)


def draw(*shape):
    return rng.standard_normal(shape)




def test_sections():
    for shape, axis in (((7,), -1), ((1,), 0), ((4, 5), 0), ((2, 5, 3), 1)):
        check(signal.sosfilt, SOS, draw(*shape), axis, wrt=[1])
    check(signal.sosfilt, SOS, draw(5) + 1j * draw(5), wrt=[1])
    check(signal.sosfilt, SOS, draw(10)[::-2], wrt=[1])
    slope = tl.grad(lambda x: np.sum(signal.sosfilt(SOS, x)))(draw(6).astype(np.float32))
    assert slope.dtype == np.float32


@pytest.mark.parametrize("padtype, padlen", [("odd", None), ("even", 4), ("constant", 3),
                                             ("odd", 0), (None, None)])
def test_both_ways(padtype, padlen):
    check(signal.filtfilt, B, A, draw(13), -1, padtype, padlen, wrt=[2])
    check(signal.sosfiltfilt, SOS, draw(17), -1, padtype, padlen, wrt=[1])
    check(signal.filtfilt, B, A, draw(12, 2), axis=0, padtype=padtype, padlen=padlen, wrt=[2])
    check(signal.sosfiltfilt, SOS, draw(2, 16, 2), axis=1, padtype=padtype, padlen=padlen, wrt=[1])
    check(signal.filtfilt, B, A, draw(11) + 1j * draw(11), -1, padtype, padlen, wrt=[2])


@pytest.mark.parametrize("padtype", ["odd", "even", "constant", None])
def test_the_gradient_is_the_transpose(padtype):
    """Of the whole matrix of the filter, the longest extension included (padlen = n - 1)."""
    n, weights = 6, draw(6)
    padlen = None if padtype is None else n - 1
    rows = np.stack([signal.filtfilt(B, A, e, padtype=padtype, padlen=padlen) for e in np.eye(n)])
    found = tl.grad(lambda x: weights @ signal.filtfilt(B, A, x, padtype=padtype, padlen=padlen))
    np.testing.assert_allclose(found(draw(n)), rows @ weights, rtol=1e-10, atol=1e-12)
    rows = np.stack([signal.sosfiltfilt(SOS, e, -1, padtype, padlen) for e in np.eye(n)])
    found = tl.grad(lambda x: weights @ signal.sosfiltfilt(SOS, x, -1, padtype, padlen))
    np.testing.assert_allclose(found(draw(n)), rows @ weights, rtol=1e-10, atol=1e-12)


def test_second_order():
    tl.check_grads(lambda x: np.sum(signal.sosfilt(SOS, x) ** 3 + signal.filtfilt(B, A, x) ** 3
                                    + signal.sosfiltfilt(SOS, x, padlen=3) ** 2), (draw(10),),
                   order=2, modes=("fwd", "rev"))


def test_real_signals_through_complex_filters():
    taps = np.array([0.4 + 0.3j, 0.2j])
    tl.check_grads(lambda x: np.sum(np.abs(signal.filtfilt(taps, [1.0], x)) ** 2), (draw(9),),
                   order=2, modes=("fwd", "rev"))


def test_what_is_refused():
    for call, word in ((lambda x: signal.sosfilt(SOS, x, zi=np.zeros((2, 2)))[0], "zi"),
                       (lambda x: signal.filtfilt(B, A, x, method="gust"), "method"),
                       (lambda x: signal.filtfilt(x[:2], A, np.ones(20)), "coefficients"),
                       (lambda x: signal.sosfilt(np.concatenate((SOS[:, :3] * x[0], SOS[:, 3:]), 1),
                                                 x), "coefficients")):
        with pytest.raises(MissingRuleError, match=word):
            tl.grad(lambda x, call=call: np.sum(call(x)))(draw(20))
