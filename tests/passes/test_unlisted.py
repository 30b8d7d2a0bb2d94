"""What a list of adjoints holds many times is no list."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def of_squares(x, xs):
    return sum((x * v - 0.1) ** 2 for v in xs) / len(xs)


def of_squares_and_more(x, xs):
    parts = [math.sin(x * v) for v in xs]
    return sum(parts) * parts[0] + sum(parts)


def nested(x, rows):
    return sum(sum(x * v for v in row) ** 2 for row in rows)


def of_complex_numbers(x, xs):
    return abs(sum(x * v * (1.0 + 2.0j) for v in xs)) ** 2


def of_none(x, xs):
    return x * x + sum(x * v for v in xs if v > 100.0)


def of_real_parts_seen_as_complex(x, xs):
    return (sum(x * v for v in xs) * 1.0j).imag


def left_alone(x, xs):
    parts = [x * v for v in xs]
    total = sum(parts)
    parts[0] = parts[0] * total
    return sum(parts) * total


CASES = [(of_squares, [0.5, -1.0, 2.0]), (of_squares_and_more, [0.5, 2.0]),
         (nested, [[0.5, 2.0], [1.0], []]), (of_complex_numbers, [0.5, -1.0, 2.0]),
         (of_none, [0.5]), (of_none, []), (of_real_parts_seen_as_complex, [0.5, 2.0]),
         (left_alone, [0.5, 2.0, 3.0])]


@pytest.mark.parametrize("program, xs", CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_right(program, xs):
    tl.check_grads(lambda x: program(x, xs), (0.7,), order=2)
    value, slope = tl.value_and_grad(program)(0.7, xs)
    assert value == program(0.7, xs)
    step = 1e-6
    np.testing.assert_allclose(
        slope, (program(0.7 + step, xs) - program(0.7 - step, xs)) / (2.0 * step), rtol=1e-7)


def test_written_as_by_hand():
    text = tl.grad(of_squares).source_for(0.7, [1.0, 2.0])
    assert "parts.append" not in text and ".pop" not in text and "* len(" not in text


def test_what_a_helper_does_not_read_is_still_named_by_the_text():
    """The call of a helper is written out in what is compiled, and its text read again."""
    def make():
        xs = []                             # the loop over them is left out
        return lambda x: of_none(x, xs)

    tl.check_grads(make(), (0.7,), order=2)
