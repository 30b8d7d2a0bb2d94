"""In forward mode what a tangent reads as well is computed in front of it."""
import numpy as np

from tangent_lite.operators import _pushing


def four_cosines(x, y, z, w):
    product = np.sin(x) * np.sin(y) * np.sin(z) * np.sin(w)
    a, b, c, d = np.cos(x), np.cos(y), np.cos(z), np.cos(w)
    return product + a + b + c + d


def test_what_moves_keeps_its_order():
    """Not that of a set, which is another one in each run."""
    text = _pushing(four_cosines, (0, 1, 2, 3)).source_for(0.1, 0.2, 0.3, 0.4)
    places = [text.index(f"{name} = np.cos(") for name in "abcd"]
    assert places == sorted(places)
    assert places[-1] < text.index("dproduct = ")
    assert text.count("np.cos(") == 4
