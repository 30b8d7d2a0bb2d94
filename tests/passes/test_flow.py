"""Hostile control flow, held against differences."""
import numpy as np
import pytest

from tests.passes.effects import holds

COUNT = 3


def break_in_branches(xs):
    total = 0.0
    for x in xs:
        if x > 0.0:
            if x > 9.0:
                total = total * 3.0
                break
            total = total + 1.0
        total = total + x * x
    return total


def return_in_branches(xs):
    total = 0.0
    for x in xs:
        if x > 0.0:
            if x > 9.0:
                return total * 3.0
            total = total + x
        total = total + x * x
    return total


def break_continue_else(xs):
    total = 0.0
    for x in xs:
        if x > 0.0:
            total = total + x * x
            if x > 9.0:
                break
        else:
            if x < -9.0:
                continue
            total = total * x
        total = total + x * x * x
    else:
        total = total * 2
    return total


def assert_in_try(x):
    try:
        assert x > 0, f"x is {x}"
        y = x * x
    except AssertionError as e:
        print(type(e).__name__)
        y = -x * 3
    return y


def assert_with_walrus(x):
    if x < 0:
        raise ValueError(f"bad {x * 2}")
    print(f"x={x:.2f}")
    assert (y := x * x) > 0, "no"
    return y * x


def reads_global(x):
    global COUNT
    return x * COUNT


def make_reader():
    a = 2.0
    def reads_nonlocal(x):
        nonlocal a
        return x * a * x
    return reads_nonlocal


def walrus_in_while(x):
    y = 0.0
    while (z := x * 2 - y) > 0.5 and (w := z * z) > 0.1:
        y = y + 0.25 * w
        if y > 100:
            break
    return y * x


def chained(x):
    return x * x if 0 < x < 2 < x + 3 else x * x * x


def zero_trips(x):
    s = 0.0
    for i in range(0):
        s = s + x
        if i:
            break
    else:
        s = s + x * x
    while False:
        s = 0
    else:
        s = s * 2
    return s


def three_deep(x):
    for i in range(3):
        for j in range(3):
            for k in range(3):
                if i + j + k == 4:
                    break
                if k == 1:
                    continue
                x = x * 1.1 + 0.1
            else:
                x = x + 1
                continue
            if x > 50:
                break
            x = x * 0.9
        else:
            continue
        x = x * x * 0.01
    return x


def while_in_while(x):
    i = 0
    while True:
        i += 1
        if i > 6:
            return x
        if i == 2:
            continue
        while True:
            x = x * 1.3
            if x > 8:
                break
            if x > 5 and i == 4:
                return x * x
            if i % 2:
                break
        else:
            x = 0.0
        x = x - 0.1 * i


def array(*values):
    return np.array(values)


@pytest.mark.parametrize("x", [
    array(1.0, -2.0, 10.0, 5.0), array(10.0, 1.0), array(1.0, 2.0), array(-1.0, -20.0, 12.0, 3.0)])
@pytest.mark.parametrize("function", [
    break_in_branches, return_in_branches, break_continue_else])
def test_exits(function, x):
    holds(function, x)


@pytest.mark.parametrize("function, x", [
    (assert_in_try, 2.0), (assert_in_try, -2.0), (assert_with_walrus, 2.0),
    (assert_with_walrus, -1.0), (reads_global, 2.0), (make_reader(), 2.0), (walrus_in_while, 2.0),
    (walrus_in_while, 0.1), (chained, 1.0), (chained, 3.0), (zero_trips, 2.0), (three_deep, 0.7),
    (three_deep, 3.0), (three_deep, 20.0), (while_in_while, 0.5), (while_in_while, 2.0),
    (while_in_while, 7.0)])
def test_holds(function, x):
    holds(function, x)
