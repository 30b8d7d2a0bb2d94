"""The table of kinks: the derivative is what it says, in both modes, and the page shows it."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names
from tests.rules import kinks
from tests.rules.kinks import KINKS


@pytest.mark.parametrize("kink", KINKS, ids=lambda k: k.shown)
def test_kink(kink):
    found, pushed = kink.reverse(), kink.forward()
    if isinstance(kink.expected, str):
        assert found == pushed == kink.expected
        return
    expected = np.ravel(kink.expected).astype(complex)
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), 1e-14, 1e-14)
    np.testing.assert_allclose(pushed, np.broadcast_to(expected, found.shape), 1e-14, 1e-14)


def test_the_page_shows_the_table():
    text = kinks.PAGE.read_text(encoding="utf-8")
    assert kinks.with_table(text) == text, "python -m tests.rules.kinks"


def test_numbers_as_keys_by_names_and_by_identity():
    for forced in (by_names, by_identity):
        with forced():
            assert tl.grad(kinks.remembered, wrt=(0, 1))(2.0, 2.0) == (48.0, 0.0)
            assert tl.jvp(kinks.remembered, (2.0, 2.0), (1.0, 5.0))[1] == 48.0
            assert tl.grad(kinks.remembered, wrt=(0, 1))(2.0, 1.0) == (12.0, 9.0)
