"""The seed left out of statements: what is known of a name ends where it may have been bound."""
import ast

import pytest

from tangent_lite.adjoints.seed_of_one import leave_out_seed


def left(text, numbers=("x",), arrays=None):
    """The statements without the seed `bf`."""
    made = leave_out_seed(ast.parse(text).body, "bf", {*numbers}, arrays or {"A": 1},
                          lambda node: None)
    return "\n".join(map(ast.unparse, made))


@pytest.mark.parametrize("text", [
    "bs = n\nfor i in range(k):\n    bs = bf\nelse:\n    bt = bs * x",
    "bs = n\nwhile k:\n    bs = bf\nelse:\n    bt = bs * x",
    "bs = bf\nbt = (bs := n) + bs * x",
    "bs = bf\nbt += (bs := n) + bs * x",
    "bs = bf\nif (bs := n):\n    pass\nbt = bs * x",
    "bs = bf\ntry:\n    f()\nexcept ValueError as bs:\n    pass\nbt = bs * x",
    "bs = bf\nmatch n:\n    case [bs, *r]:\n        pass\nbt = bs * x",
    "bs = bf\nmatch n:\n    case [*bs]:\n        pass\nbt = bs * x",
    "bs = bf\nmatch n:\n    case {**bs}:\n        pass\nbt = bs * x",
    "bs = bf\nwith f() as bs:\n    pass\nbt = bs * x",
    "bs = bf\nfor i in range(3):\n    bt = bs * x\n    bs = n",
])
def test_a_product_with_another_number_stays(text):
    assert "bs * x" in left(text)


@pytest.mark.parametrize("text", [
    "x = n\nbt = bf * x", "for x in n:\n    bt = bf * x", "x += n\nbt = bf * x",
    "bt = (x := n) + bf * x", "while n:\n    bt = bf * x\n    x = n",
])
def test_a_product_with_what_may_be_whole_stays(text):
    assert "1.0 * x" in left(text)


def test_what_walrus_binds_keeps_its_name():
    assert left("bs = bf\nbt = (bs := bf * x)") == "bs = 1.0\nbt = (bs := x)"


def test_places_that_are_not_the_loop_s_any_more():
    text = left("for i in range(3):\n    bt = bf * A[i]\n    i = n\n    bu = bf * A[i]")
    assert "bt = A[i]" in text and "bu = 1.0 * A[i]" in text
