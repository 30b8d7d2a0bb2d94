"""Names of functions and comprehensions inside a function."""
import gast
import pytest

from tangent_lite.syntax.scopes import names_inside


@pytest.mark.parametrize("body, names", [
    ("return x * y", set()),
    ("return [x * k for k in y] + z", {"x", "k", "y"}),
    ("g = lambda t: t * x\n    return g(z)", {"t", "x"}),
    ("def g(t):\n        return [t * k for k in y]\n    return g(z)", {"t", "k", "y"}),
    ("return {k: (lambda: v)() for k, v in x.items()}", {"k", "v", "x"}),
])
def test_names_inside(body, names):
    tree = gast.parse(f"def f(x, y, z):\n    {body}\n").body[0]
    assert names_inside(tree) == names
