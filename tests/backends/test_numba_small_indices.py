"""Indices that are written out."""
import pytest

pytest.importorskip("numba")

from tangent_lite import syntax  # noqa: E402
from tangent_lite.backends.numba_small_indices import literal_index  # noqa: E402


@pytest.mark.parametrize(("text", "index"), [
    ("v[0]", 0), ("v[-1]", -1), ("v[1:]", slice(1, None)), ("v[::-1]", slice(None, None, -1)),
    ("v[1, None]", (1, None)), ("v[..., 0]", (..., 0)), ("v[k]", None), ("v[0, k]", None),
    ("v[True]", None), ("v[1:k]", None), ("v[0.0]", None)])
def test_what_is_written_out(text, index):
    assert literal_index(syntax.parse_expression(text).slice) == index
