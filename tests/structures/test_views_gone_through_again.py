"""Views of dicts that have a name, and are gone through again when the dict holds other values."""
import pytest

from tests.heap.referee import check, world

BODIES = {
    "in the next round": """
for t in range(2):
    for k, v in items:
        d[k] = v * x
        s = s + v
""", "in a second loop": """
for k, v in items:
    d[k] = v * x * x
for k, v in items:
    s = s + v
""", "in a loop in the loop": """
for k, v in items:
    for q, w in items:
        s = s + w
    d[k] = v * x
""", "at once": """
for k, v in items:
    d[k] = v * x
s = sum(v for k, v in items)
""", "by a zip of it": """
for (k, v), q in zip(items, [1.0, 2.0]):
    d[k] = v * q * x
s = sum([v for _, v in items])
""", "never again": """
for k, v in items:
    d[k] = v * x
    s = s + v * d[k]
"""}


@pytest.mark.parametrize("name", BODIES)
def test_value_and_gradient(name):
    text = "def f(x):\n    d = {'a': x, 'b': 2.0 * x}\n    items = d.items()\n    s = 0.0" \
        + BODIES[name].replace("\n", "\n    ") + "\n    return s + d['a'] * d['b']\n"
    check(lambda: (world(text, "model")["f"], (1.3,)))
