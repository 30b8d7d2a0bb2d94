"""Programs by which a hostile reader got a wrong answer once; each is right now, or refused."""
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names

OUTSIDE = np.zeros(2)
HOLDER = SimpleNamespace(a=np.zeros(1))


def twin_names(x):
    y = np.sqrt(x)
    y += 1.0
    z = y
    return np.sum(z * z)


def fancy_read_of_a_view(v):
    v[0, 0] = 0.0
    return np.sum(v[1][[0, 1]])


def view_of_itself(u, k):
    if k > 0:
        u = u[:]
    return u.sum()


def chosen_from_itself(s, m):
    for k in range(2):
        s = np.where(m, s, s)
        s[2] = s[k]
    return s[2]


def written_then_rebound(v, b):
    if not b > 2.0:
        v *= 5
        v = np.full(2, b) * v
    return np.sum(v)


def constant_unpacked(y):
    b = y
    for _ in range(3):
        z = np.ones(2)
        b, x = z
    return b * x


def list_that_grows(x, n):
    h = []
    for i in range(n):
        h.append(i + 1)
        x = x * h[-1]
    return x


def object_twice(s, x):
    return scaled(s, scaled(s, x))


def scaled(s, x):
    return s["W"] * x


def default_replaced(x, b=None):
    if b is None:
        b = np.zeros(3)
    b[0] = x
    return np.sum(b * b)


def without_dimensions(x):
    x[...] = x * x
    return x


def list_cut_short(x, st):
    while len(st) > 0:
        n = st[-1]
        st = st[:-1]
        x = x * x * n
    return x


def walrus_after_a_read(x):
    return x + (x := 3.0 * x)


def name_of_a_comprehension(x, k):
    for _ in range(3):
        x = x * len([k for k in range(k)])
        k = k + 1
    return x


def object_in_slots(y):
    u = np.ones(3)
    u[:] *= y[1]
    u[:] *= y[0]
    return np.sum(u * u)


def through_a_helper(y):
    return object_in_slots(y) * 1.0


def swept(u, steps):
    for _ in range(steps):
        d = u * 2.0
        for i in range(1, d.shape[0]):
            d[i] = d[i] + 0.1 * d[i - 1] * d[i]
        u = d * 0.4
    return np.sum(u)


def written_twice_in_a_step(u, steps):
    for _ in range(steps):
        d = u * 2.0
        d[0] = d[0] * d[1]
        d[1] = d[1] * d[0]
        u = d * 0.4
    return np.sum(u)


@pytest.mark.parametrize("function", [swept, written_twice_in_a_step])
def test_an_array_of_one_step_is_not_computed_again_if_it_is_written(function):
    tl.check_grads(function, (np.linspace(0.1, 0.5, 5), 3))


def filled(x):
    w = np.ones(2)
    y = x * w
    w.fill(7.0)
    return np.sum(y * y)


def sorted_in_place(x):
    w = np.array([3.0, 1.0])
    y = x * w
    w.sort()
    return y[0]


def left_before_a_write(v, b):
    v = v
    while b > 0.4:
        return np.sum(v)
    v *= 0.5
    return np.sum(v)


def scales(w, s):
    w *= s
    return w


def scaled_by_a_helper(x):
    """What w is, is not known in the loop at first."""
    w = x.copy()
    for _ in range(2):
        scales(w, x)
        w = scales(w, 0.5)
    return np.sum(w)


def real_part_of_what_is_written(x):
    """The adjoint of w is real at first."""
    w = x + 1j * x
    w[0] = w[0] * 1j
    return np.sum(x * np.real(w))


def real_part_of_a_product(x):
    w = x + 1j * x
    w *= 1j
    return np.sum(x * np.real(w))


def real_part_and_a_view(x):
    w = x + 1j * x
    v = w[1:]
    return np.sum(np.imag(v * v)) + np.sum(x * np.real(w))


def kept_and_bound_anew(x):
    """In second derivatives the shadow of `kept` is that of w, where it is bound."""
    w = x.copy()
    for _ in range(2):
        w *= x
        kept = w
        w = w * 1.0
    return np.sum(w * kept)


def test_second_derivatives_of_a_second_name():
    x, v = np.array([0.7, 1.1]), np.array([0.3, -0.2])
    np.testing.assert_allclose(tl.hvp(kept_and_bound_anew)(x, v), 30.0 * x**4 * v, rtol=1e-12)
    slope = tl.vjp(tl.grad(kept_and_bound_anew), x)[1](v)[0]
    np.testing.assert_allclose(slope, 30.0 * x**4 * v, rtol=1e-12)


@pytest.mark.parametrize("b, want", [(0.6, 1.0), (0.1, 0.5)])
def test_the_shadow_of_a_second_name_is_a_view_on_every_way(b, want):
    np.testing.assert_array_equal(tl.grad(left_before_a_write)(np.arange(1.0, 4.0), b), 3 * [want])


RIGHT = [
    (filled, (2.0,), 8.0), (sorted_in_place, (2.0,), 3.0),
    (twin_names, (np.array([4.0]),), [1.5]),
    (fancy_read_of_a_view, (np.ones((2, 2)),), [[0, 0], [1, 1]]),
    (view_of_itself, (np.ones(3), 1), [1, 1, 1]),
    (chosen_from_itself, (np.ones(3), np.ones(3, bool)), [0, 1, 0]),
    (written_then_rebound, (np.ones(2), 1.5), [7.5, 7.5]),
    (constant_unpacked, (2.0,), 0),
    (list_that_grows, (2.0, 3), 6),
    (default_replaced, (2.0,), 4),
    (without_dimensions, (np.array(1.5),), 3),
    (list_cut_short, (1.1, [1.0, 2.0]), 4 * 1.1**3 * 4),
    (walrus_after_a_read, (2.0,), 4),
    (name_of_a_comprehension, (2.0, 2), 24),
    (real_part_of_what_is_written, (np.array([2.0, 3.0]),), [-4.0, 6.0]),
    (real_part_of_a_product, (np.array([2.0, 3.0]),), [-4.0, -6.0]),
    (real_part_and_a_view, (np.array([2.0, 3.0]),), [4.0, 18.0]),
    (scaled_by_a_helper, (np.array([2.0, 3.0]),), [3.0, 6.75]),
    (through_a_helper, (np.array([2.0, 3.0, 5.0]),), [108, 72, 0]),
]


@pytest.mark.parametrize("function, args, want", RIGHT, ids=lambda v: getattr(v, "__name__", ""))
def test_right(function, args, want):
    np.testing.assert_allclose(tl.grad(function)(*args), want, rtol=1e-12)


def test_adjoint_of_a_dict_that_goes_into_a_helper_twice():
    assert tl.grad(object_twice)({"W": 2.0}, 3.0) == {"W": 12.0}


def alias_of_a_global(x):
    s = OUTSIDE
    s += 1
    return x * s[0]


def attribute_of_a_global(x):
    HOLDER.a[0] += 1
    return x * HOLDER.a[0]


def popped_argument(x, q):
    w = q.pop()
    return x * w


def tuple_slice(x):
    t = (x, x * x, x * x * x)
    u = t[1:]
    return u[0] * u[1]


def tuples_joined(x):
    t = (x,) + (x * x,)
    return t[0] * t[1]


def test_what_was_refused_once():
    assert tl.grad(filled)(2.0) == 8.0 and tl.grad(sorted_in_place)(2.0) == 3.0
    assert tl.grad(tuple_slice)(2.0) == 5 * 2.0**4
    assert tl.grad(tuples_joined)(2.0) == 3 * 2.0**2
    queue = [1.0, 3.0]
    assert tl.grad(popped_argument)(2.0, queue) == 3.0 and queue == [1.0, 3.0]


@pytest.mark.parametrize("function, error", [
    (alias_of_a_global, tl.AliasError), (attribute_of_a_global, tl.TangentError)])
def test_globals_under_other_names(function, error):
    """Which names mean what lives outside is known when it is changed."""
    told = refused_by_names(error, function, 2.0)
    assert "test_attacks.py:" in str(told) and "^" in str(told)
    assert tl.value_and_grad(function)(2.0) == (2.0, 1.0)
    assert OUTSIDE.sum() == 0 and HOLDER.a[0] == 0


def number_or_array(x, w):
    v, u = x, 2.0 * x
    t = v + (u if w is None else w)
    return np.sum(t + v) * 2.0 + np.sum(v)


def maybe_number_or_array(x, n):
    v, last = x, None
    while n > 0:
        n -= 1
        last = v * x
        v = v + last
    if n < 0:
        last = np.array([x, x])
    return np.sum(last + v)


def transposed_number_or_array(x, w):
    t = np.transpose(x if w is None else w)
    return np.sum(t * x)


@pytest.mark.parametrize("f, given", [
    (number_or_array, None), (number_or_array, {0: None}.get(0)), (maybe_number_or_array, 2),
    (transposed_number_or_array, None)])
def test_no_two_adjoints_of_numbers_are_one_array(f, given):
    tl.check_grads(lambda x: f(x, given), (2.3,))
    tl.check_grads(f, (2.3, given), order=1)


def asarray(r):
    return np.asarray(r)


def reshaped(r):
    return np.reshape(r, -1)


def with_two_axes(r):
    return np.atleast_2d(r)


def transposed(r):
    return r.T


def squeezed(r):
    return np.squeeze(r)


def raveled(r):
    return r.ravel()


def expanded(r):
    return np.expand_dims(r, 0)


@pytest.mark.parametrize("handed_on", [asarray, reshaped, with_two_axes, transposed, squeezed,
                                       raveled, expanded])
@pytest.mark.parametrize("x", [0.6, np.array(0.6), np.array([0.6, -0.7])], ids=np.shape)
def test_an_item_that_may_be_a_number_or_a_row(handed_on, x):
    def f(x, n):
        v = x
        for _ in range(n):
            v = v * x
        w = np.array([v])
        w[0] = w[0] * x
        z = handed_on(w[0])
        return np.sum(z * z) + np.sum(w)

    step = 1e-6 * np.ones_like(x)
    wanted = (f(x + step, 2) - f(x - step, 2)) / 2e-6
    np.testing.assert_allclose(np.sum(tl.grad(f)(x, 2)), wanted, rtol=1e-6)
    again = tl.grad(lambda x: np.sum(tl.grad(f)(x, 2)))(x)
    slopes = [np.sum(tl.grad(f)(x + s * step, 2)) for s in (1, -1)]
    np.testing.assert_allclose(np.sum(again), (slopes[0] - slopes[1]) / 2e-6, rtol=1e-5)


# np.block asks how its lists are nested, and makes no array of them ------------------------------
def beside_each_other(a, b):
    return np.sum(np.block(arrays=[a, b]) ** 2 * np.arange(1.0, 5.0))


def list_with_a_name(parts):
    return np.sum(np.block(parts).shape[0] * parts[0] ** 2)


def test_block_of_lists():
    a, b = np.array([1.0, 2.0]), np.array([0.5, 3.0])
    value, (da, db) = tl.value_and_grad(beside_each_other, wrt=(0, 1))(a, b)
    assert value == beside_each_other(a, b)
    np.testing.assert_allclose(np.concatenate([da, db]),
                               2.0 * np.concatenate([a, b]) * np.arange(1.0, 5.0))
    value, (da, db) = tl.value_and_grad(list_with_a_name)([a, b])
    assert value == list_with_a_name([a, b])
    np.testing.assert_allclose(da, 8.0 * a)
    np.testing.assert_allclose(db, 0.0 * b)


@dataclass(slots=True)
class Weighted:
    value: float
    weight: float = 2.0


def weighted(items):
    total = 0.0
    for item in items:
        total = total + item.value * item.weight ** 2
    return total


def test_objects_with_slots_in_a_list():
    items = [Weighted(2.0, 3.0), Weighted(1.0, 0.5)]
    wanted = [Weighted(9.0, 12.0), Weighted(0.25, 1.0)]
    assert tl.value_and_grad(weighted)(items) == (18.25, wanted)
    assert tl.vjp(weighted, items)[1](1.0) == (wanted,)
