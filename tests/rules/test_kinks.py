"""The table of kinks: the derivative is what it says, in both modes, and the page shows it."""
import numpy as np
import pytest

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
