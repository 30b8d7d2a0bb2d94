"""What derivatives of nested structures are held against, and slopes by differences."""
import numpy as np


def close(got, want, rtol=1e-8, atol=1e-10):
    assert type(got) is type(want) or np.ndim(want) == 0, (got, want)
    if isinstance(want, dict):
        assert list(got) == list(want)
        for key in want:
            close(got[key], want[key], rtol, atol)
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            close(g, w, rtol, atol)
    elif want is None or isinstance(want, str):
        assert got == want
    else:
        assert np.shape(got) == np.shape(want)
        np.testing.assert_allclose(got, want, rtol, atol)


def slope(f, x, h=1e-3):
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    return sum(w * (f(x + k * h) - f(x - k * h)) for k, w in enumerate(weights, 1)) / h
