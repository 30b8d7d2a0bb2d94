"""Names of compiled code that choose by types: what they are to Python, to Numba and to pickle."""
import pickle

import numba
import numpy as np
import pytest

from tangent_lite.backends import numba as _registered  # noqa: F401
from tangent_lite.backends.numba_functions import METHODS, ORIGINALS, OWN, REPLACED
from tangent_lite.backends.numba_numpy import np_mean, np_sum
from tangent_lite.backends.numba_own_sums import own_sum
from tangent_lite.backends.numba_settled_calls import fits
from tangent_lite.backends.numba_shapes import np_ravel


def test_a_name_stands_for_its_original():
    assert REPLACED[np.ravel] is METHODS["ravel"] is np_ravel
    assert OWN[np_sum] is own_sum and ORIGINALS[own_sum] is np.sum
    x = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(np_ravel(x), x.ravel()) and own_sum(x) == 15.0


def test_a_name_without_an_original_is_for_compiled_code():
    with pytest.raises(NotImplementedError, match="fits"):
        fits(1.0, 1.0)


@pytest.mark.parametrize("name", [np_mean, np_sum, np_ravel, own_sum, fits])
def test_names_are_found_in_their_modules(name):
    assert pickle.loads(pickle.dumps(name)) is name


@pytest.mark.parametrize("ddof", [0, 1])
def test_an_option_may_be_known_at_run_time_only(ddof):
    own_var = OWN[REPLACED[np.var]]

    @numba.njit
    def run(x, ddof):
        return own_var(x, None, ddof)

    x = np.arange(7.0) ** 2
    assert run(x, ddof) == np.var(x, ddof=ddof)
