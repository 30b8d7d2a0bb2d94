"""What a part was before it was overwritten has a name that says which part, if that is one."""
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def by_numbers(x):
    memo = {}
    for k in (1.3, 2.5, 1.3):
        if k not in memo:
            memo[k] = x * k
        memo[k] = memo[k] * x
    return memo[1.3] + memo[2.5]


def by_words(x):
    d = {"a b": x, "class": x * x, "für": x}
    d["a b"] = d["a b"] * d["class"]
    d["class"] = d["class"] * d["a b"]
    d["für"] = d["für"] * d["class"]
    return d["für"] + d["a b"]


@pytest.mark.parametrize("f", [by_numbers, by_words])
def test_by_names(f):
    with by_names():
        slope = tl.grad(f)(1.2)
    assert slope == pytest.approx((f(1.2 + 1e-6) - f(1.2 - 1e-6)) / 2e-6, rel=1e-7)


def test_a_number_met_in_a_memo():
    def f(x):
        memo = {}

        def cube(y):
            if y not in memo:
                memo[y] = y ** 3
            return memo[y]
        return cube(x) + 3.0 * cube(1.3)
    assert tl.grad(f)(1.1) == pytest.approx(3.0 * 1.1 ** 2)
