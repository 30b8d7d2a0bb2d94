"""The numbers in the names of emitted code."""
import re

import numpy as np

import tangent_lite as tl
from tangent_lite.names import stem


def numbers(text, base):
    """The numbers of the names made from a base, in the order of the text."""
    return list(dict.fromkeys(re.findall(rf"\b[bd]*{base}(?:_(\d+))?\b", text)))


def long_chain(x):
    y = np.sin(x * x + 1.0) * np.exp(-x * (x + 2.0)) / (1.0 + np.cos(3.0 * x))
    z = (y - x) ** 2 * (y + x) ** 3 / (2.0 + x * y)
    return np.tanh(z - y) * np.sqrt(1.0 + z * z)


def slope(f, x, h=1e-6):
    return (f(x + h) - f(x - h)) / (2.0 * h)


def test_numbers_have_no_gaps():
    text = tl.grad(long_chain).source_for(0.3)
    found = sorted(int(n or 0) for n in numbers(text, "t"))
    assert found == list(range(len(found))) and len(found) > 3
    np.testing.assert_allclose(tl.grad(long_chain)(0.3), slope(long_chain, 0.3), rtol=1e-7)


def two_loops(xs, r):
    total = 0.0
    for x in xs:
        for y in xs:
            total += x * y * r
    for x in xs:
        total *= 1.0 + 0.1 * x
    return total


def test_loops_beside_each_other_count_by_one_name():
    xs = np.array([0.3, -0.2, 0.7])
    text = tl.grad(two_loops).source_for(xs, 2.0)
    assert {stem(n) for n in re.findall(r"for (k\w*) in", text)} == {"k"}
    assert set(re.findall(r"for (k\w*) in", text)) == {"k", "k_1"}
    found = tl.grad(two_loops)(xs, 2.0)
    for i in range(3):
        e = np.eye(3)[i]
        np.testing.assert_allclose(found[i], slope(lambda h, e=e: two_loops(xs + h * e, 2.0), 0.0),
                                   rtol=1e-7)


def counters_of_the_user(x, n):
    for i in range(n):
        x = x * (1.0 + 0.1 * i)
    for i in range(2, n):
        x = x * x / (1.0 + i)
    return x * i


def test_a_counter_that_is_read_behind_its_loop_stays():
    text = tl.grad(counters_of_the_user).source_for(0.9, 4)
    space = {}
    exec(text, space)
    assert space["counters_of_the_user_grad"](0.9, 4) == tl.grad(counters_of_the_user)(0.9, 4)
    np.testing.assert_allclose(tl.grad(counters_of_the_user)(0.9, 4),
                               slope(lambda x: counters_of_the_user(x, 4), 0.9), rtol=1e-7)


def elements(x, t_1):
    a = x[2] * x[0]
    b = x[1] * a * t_1
    return a * b * x[2] + np.exp(a * b) / (1.0 + np.sin(b))


def test_names_of_elements_and_of_the_user_stay():
    x = np.array([0.3, 0.5, 0.7])
    text = tl.grad(elements).source_for(x, 1.5)
    for name, index in re.findall(r"\bx_(\d) = x\[(\d)\]", text):
        assert name == index
    assert "def elements_grad(x, t_1, " in text
    found = tl.grad(elements)(x, 1.5)
    for i in range(3):
        e = np.eye(3)[i]
        np.testing.assert_allclose(found[i], slope(lambda h, e=e: elements(x + h * e, 1.5), 0.0),
                                   rtol=1e-7)


def test_second_derivatives():
    for f in (long_chain,):
        np.testing.assert_allclose(tl.grad(tl.grad(f))(0.3), slope(tl.grad(f), 0.3), rtol=1e-6)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def volume(a, b, c):
    v = dot(a, cross(b, c))
    return abs(v) / 6.0


def test_both_halves_of_a_helper_call_an_element_by_its_number():
    args = tuple(np.array([[1.0, 2.0, 3.0], [0.3, 1.0, 2.0], [1.0, -0.5, 1.0]]))
    text = tl.grad(volume, wrt=("a", "b", "c")).source_for(*args)
    assert "a_1 = a[1]" in text and "ba[1] = ba_1" in text and "ba[2] = ba_2" in text
    tl.check_grads(volume, args, order=1)


def iterated(A, v, n):
    for _ in range(n):
        v = A @ v
        v = v / np.linalg.norm(v)
    return v @ A @ v


def test_tapes_have_the_number_of_what_they_hold():
    args = (np.array([[1.0, 0.3], [0.2, 0.7]]), np.array([0.5, -0.4]), 3)
    text = tl.grad(iterated, wrt=("A", "v")).source_for(*args)
    assert "v_tape.append(v)" in text and "v_tape_1.append(v_1)" in text
    made = re.findall(r"(\w+) = \[\]", text)
    appended = re.findall(r"(\w+)\.append", text)
    tapes = [name for name in made if "_tape" in name]
    assert tapes == [name for name in appended if name in tapes] and len(tapes) == 3
    tl.check_grads(lambda A, v: iterated(A, v, 3), args[:2], order=2)


def by_operands(rho, T, a, b):
    v = 1.0 / rho
    return T / (v - b) - a / (np.sqrt(T) * v * (v + b))


def test_numbers_rise_from_the_top():
    """And no temporary is called after another one."""
    args = (0.3, 2.0, 0.1, 0.2)
    text = tl.grad(by_operands, wrt=(0, 1, 2, 3)).source_for(*args)
    bound = re.findall(r"^ +[bd]*t(?:_(\d+))? = ", text, re.MULTILINE)
    found = [int(number or 0) for number in dict.fromkeys(bound)]
    assert found == sorted(found) and len(found) > 2
    assert not re.search(r"\bt_\d+[a-z]", text)
    tl.check_grads(by_operands, args, order=1)


def test_numbers_of_batches_have_no_gaps():
    text = tl.hessian(lambda x: np.sum(long_chain(x))).source_for(np.array([0.3, 0.4]))
    found = sorted(int(n or 0) for n in numbers(text, "t"))
    assert found == list(range(len(found))) and len(found) > 3
