"""Loops over generators of the user, written out; which of them go by names."""
import numpy as np
import pytest

import tangent_lite as tl
import tests.generator_effects  # noqa: F401 - it enters programs
from tests.generator_programs import PROGRAMS
from tests.heap.forced import by_names

# What keeps a generator, or looks at it in two places, goes by identity.
BY_IDENTITY = {
    "two_at_once", "kept", "by_hand", "gone_through_again", "tree", "given_twice",
    "made_a_short_array",
    "islice", "tried", "unpacked", "alone", "kept_in_list", "half_handed", "failing",
    "fails_after", "mapped", "reduced", "interleave", "args_rebound", "same_sum", "same_zip",
    "iterated", "sum_of_same", "beside_a_dict", "beside_a_tuple", "beside_a_text", "list_grows",
    "list_grows_first", "zip_range",
    "least_by_key", "accumulate", "in_pairs", "zipped_at_once", "enumerate_kept", "chained",
    "sliced", "extended", "starred_twice", "genexp_handed", "all_name", "conditional",
    "consumer_raises", "rows_in_a_list", "rows_summed", "windows_in_a_list",
    "bodies_in_a_list"}


# Of these the derivative once more goes by identity.
ONCE = {"try_in_gen", "in_a_dict", "in_lists", "in_a_condition",
        "dict_items"}


def differences(f, x, step=1e-6):
    return (f(x + step) - f(x - step)) / (2.0 * step)


@pytest.mark.parametrize("name", PROGRAMS)
def test_right(name):
    f = PROGRAMS[name]
    for x in (0.7, 1.3):
        value, slope = tl.value_and_grad(f)(x)
        _, tangent = tl.jvp(f, (x,), (1.0,))
        assert value == f(x)
        np.testing.assert_allclose([slope, tangent], differences(f, x), rtol=1e-6)


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in BY_IDENTITY])
def test_by_names(name):
    f = PROGRAMS[name]
    with by_names():
        np.testing.assert_allclose(tl.grad(f)(0.7), differences(f, 0.7), rtol=1e-6)


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in BY_IDENTITY | ONCE])
@pytest.mark.sweep(4)
def test_second_order_by_names(name):
    with by_names():
        slope = tl.grad(PROGRAMS[name])
        np.testing.assert_allclose(tl.grad(slope)(0.7), differences(slope, 0.7), rtol=1e-5,
                                   atol=1e-7)


@pytest.mark.parametrize("name", sorted(BY_IDENTITY))
def test_refused_by_names(name):
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(PROGRAMS[name])(0.7)
