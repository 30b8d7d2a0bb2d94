"""Views that differ from step to step: what is overwritten through them is put back through them.

No adjoint reads the array itself there; it is read where its elements are computed again.
"""
import numpy as np
import pytest

import tangent_lite as tl


def elements(a):
    b = a.copy()
    for i in range(2):
        r = b[i:]
        r[0] = np.sin(b[0]) * b[1]
    return np.sum(b)


def element_of_view(a):
    b = a.copy()
    for i in range(2):
        r = b[i:]
        r[0] = np.sin(r[0])
    return np.sum(b)


def chosen(a):
    m = np.outer(a, a)
    for i in range(2):
        r = m[0] if i > 0 else m[1]
        r[0] = np.sin(m[0, 0]) * m[1, 1]
        r = m[:, i]
        r[1] = np.sin(m[0, 1]) * m[1, 0]
    return np.sum(m)


def put(row, i, t):
    row[i] = np.tanh(t)


def by_helper(a):
    m = np.outer(a, a)
    for i in range(2):
        put(m[i], 0, m[0, 0])
    return np.sum(m)


def counted(a):
    b = a.copy()
    k = 0
    while k < 2:
        r = b[k:]
        t = b[0]
        r[:1] = t * t
        k += 1
    return np.sum(b)


@pytest.mark.parametrize("f", [elements, element_of_view, chosen, by_helper, counted])
@pytest.mark.sweep(2)
def test_steps_write_through_views_of_their_own(f):
    tl.check_grads(f, (np.array([0.5, 0.2]),), order=2)
