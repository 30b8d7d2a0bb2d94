"""What is read before it is bound is an error, also where its record holds None."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

FULL, EMPTY = np.array([0.9, 0.4, 0.7]), np.zeros(0)


def the_first_binds(x, a):
    for k in range(len(x)):
        if k == 0:
            h = x[k] * a
        else:
            h = h * h + x[k]
    return h


def in_two_loops(x, a):
    for i in range(2):
        for k, v in enumerate(x):
            if k == 0 and i == 0:
                h = v * a
            else:
                h = h * h
    return h


def of_the_last_item(x, a):
    for v in x:
        h = np.exp(v * a)
    return h


def under_another_name(x, a):
    if len(x) > 1:
        h = np.exp(a)
    y = h
    return y * a


def in_a_list(x, a):
    for v in x:
        h = np.exp(v * a)
    return [h, a]


def in_a_sum(x, a):
    for v in x:
        h = x * np.exp(v * a)
    return np.sum(h)


def kept(x, a):
    for v in x:
        h = np.exp(v * a)
    found = []
    found.append(h)
    return len(found) * a


def compared(x, a):
    for v in x:
        h = np.exp(v * a)
    return a if h == 2.0 else a * a


def by_a_helper(x, a):
    return [of_the_last_item(x, a)]


def in_arithmetic(x, a):
    for v in x:
        h = np.exp(v * a)
    return h * a


def changed_in_place(x, a):
    for v in x:
        h = np.exp(v * a)
    h *= a
    return h


def asked_for_first(x, a):
    for v in x:
        h = np.exp(v * a)
    if h > 2.0:
        a = a * h
    return a


def where_it_may_be_left_out(x, a):
    for v in x:
        h = np.exp(v * a)
    if len(x) > 0 and h > 1.0:
        a = a * h
    return a * h if len(x) else a


EVERY = [in_arithmetic, changed_in_place, asked_for_first, the_first_binds, in_two_loops,
         of_the_last_item, under_another_name, in_a_list, in_a_sum, kept, compared, by_a_helper]


@pytest.mark.parametrize("f", EVERY, ids=lambda f: f.__name__)
def test_it_is_an_error_as_in_python(f):
    with pytest.raises(UnboundLocalError):
        f(EMPTY, 1.3)
    with by_names():
        with pytest.raises(UnboundLocalError):
            tl.vjp(f, EMPTY, 1.3)
        with pytest.raises(UnboundLocalError):
            tl.jvp(f, (EMPTY, 1.3), (EMPTY, 1.0))
        y, pullback = tl.vjp(f, FULL, 1.3)
        assert y == f(FULL, 1.3)
        if isinstance(y, list):
            return
        with pytest.raises(UnboundLocalError):
            tl.value_and_grad(f, wrt=1)(EMPTY, 1.3)
        up, down = f(FULL, 1.3 + 1e-6), f(FULL, 1.3 - 1e-6)
        assert pullback(1.0)[1] == pytest.approx((up - down) / 2e-6, rel=1e-6)


def test_what_is_not_reached_is_not_asked():
    assert tl.vjp(where_it_may_be_left_out, EMPTY, 1.3)[0] == 1.3
    assert tl.grad(where_it_may_be_left_out, wrt=1)(EMPTY, 1.3) == 1.0
    tl.check_grads(where_it_may_be_left_out, (FULL, 1.3))


def test_the_text_says_it_where_none_would_be_taken_for_a_value():
    text = tl.grad(in_two_loops).source_for(FULL, 1.3)
    assert '''\
    if h is None:
        raise UnboundLocalError("h is read before it is bound")
''' in text
    assert text.count("is None") == 1                   # `h * h` says so itself


def test_what_is_bound_in_any_case_is_not_asked():
    def f(x, a):
        for k in range(len(x)):
            if k == 0:
                h = a
            else:
                h = h * h
        h = a * a
        return h

    assert "is None" not in tl.grad(f).source_for(FULL, 1.3)


def test_numba_says_so_too():
    pytest.importorskip("numba")
    compiled = tl.value_and_grad(of_the_last_item, wrt=1, backend="numba")
    assert compiled(FULL, 1.3)[0] == pytest.approx(of_the_last_item(FULL, 1.3))
    with pytest.raises(UnboundLocalError):
        compiled(EMPTY, 1.3)
