"""Variables that are real because of `abs(z)`, `z.real` and the like, and complex later on: what is
complex before them receives from the real part of their adjoint alone."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl


class Held:

    def __init__(self, v):
        self.v = v

    def turn(self, w):
        self.v = self.v * (1 + 1j * w)
        return self


def moduli(z, n):
    if n == 0:
        return abs(z)
    return moduli(z * (1 + 1j * 0.3), n - 1) * 1.5


def parts_of(z, n):
    if n == 0:
        return (abs(z), z.real)
    a, b = parts_of(z * (1 + 0.3j), n - 1)
    return (a * 1.5, b)


def list_of_parts(z, n):
    if n == 0:
        return [abs(z), z.real]
    return [v * 1.5 for v in list_of_parts(z * (1 + 0.3j), n - 1)]


def in_a_reversed_list(x):
    xs = [x[0], x[1] * 2.0]
    ys = xs[::-1]
    ys[0] = ys[0] * (2 + 1j) * x[2]
    return ys[0].imag * xs[0] + abs(ys[0]) * xs[1]


def real_in_some_iterations(x):
    d = x[0]
    for k in range(3):
        z = d * (1 + 1j * x[1])
        d = z.real if k < 2 else z
    return abs(d) + d.imag * x[2]


def a_modulus_in_one_iteration(x):
    d = x[0]
    for k in range(3):
        d = abs(d) if k == 1 else d * (1 + 1j * x[1])
    return d.imag * x[2] + d.real


def a_modulus(x):
    z = x[0] * (1 + 1j * x[1])
    d = abs(z)
    for k in range(2):
        d = d * (1 + 1j * x[2])
    return d.imag * x[0] + abs(d)


def real_parts_of_an_array(x):
    z = x * (1 + 1j * x[1])
    d = np.real(z)
    for k in range(2):
        d = d * (1 + 1j * x[2])
    return np.sum(d.imag * x[0] + abs(d))


def a_transform_back(x):
    z = x * (1 + 1j * x[1])
    d = np.fft.irfft(z, 4)
    for k in range(2):
        d = d * (1 + 1j * x[2])
    return np.sum(d.imag * x[0] + abs(d) * np.arange(4))


def what_a_recursion_returns(x):
    d = moduli(x[0] * (1 + 1j * x[1]), 2)
    for k in range(2):
        d = d * (1 + 1j * x[2])
    return d.imag * x[0] + abs(d)


def in_a_part_of_a_list(x):
    xs = [x[0], x[1], x[2]]
    ys = [0.0, 0.0, 0.0, 0.0]
    ys[1:] = xs
    for k in range(4):
        ys[k] = ys[k] * (2 + 1j) * x[0]
    return sum((y.imag for y in ys)) + abs(ys[2])


def in_a_dict(x):
    st = {"d": abs(x[0] * (1 + 1j * x[1]))}
    for k in range(2):
        st["d"] = st["d"] * (1 + 1j * x[2])
    return abs(st["d"]) + st["d"].imag


def in_an_object(x):
    p = Held(0.0)
    p.v = abs(x[0] * (1 + 1j * x[1]))
    for k in range(2):
        p.v = p.v * (1 + 1j * x[2])
    return abs(p.v) + p.v.imag


def by_turns(x):
    d = x[0] * (1 + 1j * x[1])
    d = abs(d)
    d = d * (2 + 1j * x[2])
    d = abs(d) * x[2]
    d = d * (1 + 1j * x[0])
    return d.imag


def put_into_a_dict(x):
    d = {}
    for k in range(3):
        d[k] = abs(x[k] * (1 + 1j * x[0]))
    for k in range(3):
        d[k] = d[k] * (1 + 1j * x[k])
    return sum((abs(v) * v.imag for v in d.values()))


def items_one_by_one(x):
    xs = [x[0], x[1]]
    xs[0] = xs[0] * (1 + 2j) * x[1]
    xs[1] *= 1j * x[2]
    return abs(xs[0]) + xs[1].imag * xs[0].real


def inserted(x):
    xs = [x[0]]
    xs.insert(0, xs[0] * (1 + 1j * x[1]))
    return xs[0].imag * x[2] + abs(xs[0])


def appended_to_a_list_in_a_list(x):
    d = [[x[0]], [x[1]]]
    d[0].append(d[0][0] * (1 + 1j * x[2]))
    d[1].append(abs(d[0][1]))
    d[1][0] = d[1][0] * 1j
    return abs(d[0][1]) * abs(d[1][1]) + d[0][1].imag + abs(d[1][0])


def objects_in_a_list(x):
    ps = [Held(x[0]), Held(x[1])]
    ps[0] = Held(abs(ps[1].v * 1j))
    for k in range(2):
        ps[k] = Held(ps[k].v * (1 + 1j * x[2]))
    return abs(ps[0].v) + ps[1].v.imag


def written_into_an_array(x):
    a = np.zeros(3)
    for k in range(3):
        a[k] = abs(x[k] * (1 + 1j * x[0]))
    for k in range(2):
        a = a * (1 + 1j * x[k])
    return np.sum(abs(a) * a.imag)


def added_to_an_array(x):
    a = x * 2.0
    for k in range(3):
        a[k] += abs(x[k] * (1 + 1j * x[0]))
    a *= abs(x * (1j + x[1]))
    for k in range(2):
        a = a * (1 + 1j * x[k])
    return np.sum(abs(a) * a.imag)


def a_tuple_of_a_recursion(x):
    a, b = parts_of(x[0] * (1 + 1j * x[1]), 2)
    for k in range(2):
        a, b = (a * (1 + 1j * x[2]), b * 1j)
    return abs(a) * a.imag + (a * b).imag


def a_list_of_a_recursion(x):
    a = list_of_parts(x[0] * (1 + 1j * x[1]), 2)
    for k in range(2):
        a[k] = a[k] * (1 + 1j * x[2])
    return abs(a[0]) * a[1].imag


def by_augmented_assignments(x):
    d = abs(x[0] * (1 + 1j * x[1]))
    d += abs(x[1] * (1 + 1j * x[0]))
    d *= 1j + x[2]
    d += x[0]
    return d.imag * abs(d)


def objects_in_a_dict(x):
    d = {}
    for k in range(2):
        d[k] = Held(abs(x[k] * (1j + x[2])))
    for k in range(2):
        d[k] = Held(d[k].v * (1 + 1j * x[k]))
    return abs(d[0].v) * d[1].v.imag


def tuples_in_a_list(x):
    ps = []
    for k in range(3):
        z = x[k] * (1j + x[0])
        ps.append((abs(z), z.real))
    for k in range(3):
        ps[k] = (ps[k][0] * (1 + 1j * x[1]), ps[k][1])
    return abs(ps[0][0]) * ps[1][0].imag * ps[2][1]


def joined_to_itself(x):
    l = [x[0]]
    l = l + [x[1] * (1 + 1j * x[2])]
    l = l + [abs(l[1])]
    l = [l[2]] + l
    return abs(l[2]) * l[0].real + (l[2] * l[3]).imag


def through_a_recursion(x):
    d = x[0]
    for k in range(2):
        d = moduli(d * (1j + x[1]), 1)
        d = d * (1 + 1j * x[2])
    return abs(d) * d.imag


def through_a_view(x):
    d = x * 1.0
    d[1:] *= x[0]
    v = d[1:]
    v[0] += abs(x[1] * (1j + x[2]))
    d = d * (1 + 1j * x[0])
    return np.sum(abs(d) * d.imag)


def in_branches(x):
    d = x[0]
    for k in range(4):
        if k % 2 == 0:
            d = d * (1 + 1j * x[1])
        else:
            d = abs(d) + d.real * x[2]
    d = d * (1 + 1j)
    return d.imag * abs(d)


def lists_in_a_list(x):
    l = [[x[0], x[1]], [x[2], x[0]]]
    r = l[0]
    l = [r, [abs(v * (1j + x[0])) for v in l[1]]]
    for i in range(2):
        for j in range(2):
            l[i][j] = l[i][j] * (1 + 1j * x[j])
    return abs(l[0][0]) * l[1][1].imag + l[1][0].real


FUNCTIONS = [in_a_reversed_list, real_in_some_iterations, a_modulus_in_one_iteration, a_modulus,
             real_parts_of_an_array, a_transform_back, what_a_recursion_returns,
             in_a_part_of_a_list, in_a_dict, in_an_object, by_turns, put_into_a_dict,
             items_one_by_one, inserted, appended_to_a_list_in_a_list, objects_in_a_list,
             written_into_an_array, added_to_an_array, a_tuple_of_a_recursion,
             a_list_of_a_recursion, by_augmented_assignments, objects_in_a_dict,
             tuples_in_a_list, joined_to_itself, through_a_recursion, through_a_view,
             in_branches, lists_in_a_list]
X = np.array([0.7, 0.3, -0.4])


@pytest.mark.parametrize("f", FUNCTIONS)
def test_such_functions(f):
    want = [(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")          # of complex numbers in real arrays
        slope = tl.grad(f)(X)
        _, along = tl.jvp(f, (X,), (np.cos(X),))
    assert np.isrealobj(slope)
    np.testing.assert_allclose(slope, want, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(along, np.dot(np.cos(X), slope), rtol=1e-10)


@pytest.mark.parametrize("f", [by_turns, a_modulus, tuples_in_a_list])
def test_second_derivatives(f):
    slope = tl.grad(f)
    want = [(slope(X + step) - slope(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tl.hessian(f)(X), want, rtol=1e-6, atol=1e-7)


def test_what_is_written_takes_real_parts_once():
    text = tl.grad(by_augmented_assignments).source_for(X)
    assert "np.real(np.real(" not in text


def test_what_is_added_to_an_item_is_complex():
    def f(x):
        xs = [x[1], x[0]]
        d = x[0] * (1 + 1j * x[1])
        xs[0] = d + xs[0]
        xs[1] = xs[1] + abs(d)
        for k in range(2):
            xs[k] = xs[k] * 1j
        return abs(xs[0]) * xs[1].imag

    want = [(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tl.grad(f)(X), want, rtol=1e-7, atol=1e-8)
