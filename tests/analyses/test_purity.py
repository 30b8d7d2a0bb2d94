"""Which calls only compute, and may be run again."""
import math
import random

import numpy as np
import pytest
import scipy.stats

import tangent_lite as tl
from tangent_lite.analyses.purity import computes

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("function", [
    RNG.normal, RNG.bit_generator.random_raw, np.random.normal, np.random.RandomState(1).rand,
    random.random, random.Random(2).gauss, scipy.stats.norm.rvs, scipy.stats.norm(0, 1).rvs,
    [].append, print], ids=lambda function: function.__qualname__)
def test_what_acts(function):
    assert not computes(function)


@pytest.mark.parametrize("function", [
    np.sin, math.sin, np.add.reduce, scipy.stats.norm.logpdf, "text".join, dict],
    ids=lambda function: function.__name__)
def test_what_computes(function):
    assert computes(function)


def test_a_generator_of_the_module_is_asked_once():
    """Columns of a Jacobian that are taken one after another would draw anew for each."""
    def f(x):
        return np.array([x[0] * RNG.normal(), np.sort(x)[0] * 2.0])

    before = RNG.bit_generator.state
    found = tl.jacfwd(f)(np.array([3.0, 1.0]))
    RNG.bit_generator.state = before
    np.testing.assert_array_equal(found, [[RNG.normal(), 0.0], [0.0, 2.0]])
