"""Calls of functions in Python from compiled code: values, memory, exceptions, threads, caches."""
import gc
import os
import subprocess
import sys
import threading
from collections import namedtuple

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from numba import types  # noqa: E402

from tangent_lite.backends.numba_by_numpy import (  # noqa: E402
    axes_left,
    by_numpy,
    declare,
    floats,
    ints,
    like,
    named,
    rank,
)
from tangent_lite.backends.numba_functions import REPLACED  # noqa: E402

Both = namedtuple("Both", "first, second")
EVENTS = []


def itself(x):
    return x


def turned(x):
    return x.T


def whole(x, n=1, *, name="a"):
    EVENTS.append((n, name))
    return len(x)


def both(x):
    return Both(x + 1.0, float(x.sum()))


def failing(x, kind):
    raise (ValueError, KeyError, np.linalg.LinAlgError, KeyboardInterrupt)[kind]("said in Python")


def large(n):
    return np.full(n, 2.0)


by_numpy(itself, like("x"))
by_numpy(turned, like("x"))
by_numpy(whole, lambda x: ints(0))
by_numpy(both, lambda x: named(Both, floats(rank(x)), floats(0)))
by_numpy(failing, lambda x: floats(0))
by_numpy(large, lambda: floats(1))
declare()
np_itself, np_turned, np_whole, np_both, np_failing, np_large = (
    REPLACED[one] for one in (itself, turned, whole, both, failing, large))


@numba.njit
def call_views(x):
    y, z = np_itself(x), np_turned(x)
    y[0, 0] = 7.0
    z[0, 0] = 8.0
    return y, z


def test_results_have_memory_of_their_own():
    x = np.arange(6.0).reshape(2, 3)
    for given in (x, np.asfortranarray(x), x[::-1, ::2]):
        before = given.copy()
        y, z = call_views(given)
        assert np.array_equal(given, before) and y[0, 0] == 7.0 and z[0, 0] == 8.0
        before[0, 0] = 7.0
        assert np.array_equal(y, before) and np.array_equal(z.T[1:], before[1:])
    assert rank(types.float64) == 0 and rank((1, 2)) == 1 and rank(types.float64[:, :]) == 2
    assert axes_left(types.float64[:, :], (0,)) == 1 and axes_left(types.float64[:], None) == 0


@numba.njit
def call_options(x, n):
    return np_whole(x), np_whole(x, n), np_whole(x, 3, name="b"), np_both(x).second, np_both(x)[0]


def test_options_and_names():
    EVENTS.clear()
    found = call_options(np.ones(3), 2)
    assert found[:4] == (3, 3, 3, 3.0) and np.array_equal(found[4], np.full(3, 2.0))
    assert EVENTS == [(1, "a"), (2, "a"), (3, "b")]


@numba.njit
def call_large(n, count):
    total = 0.0
    for _ in range(count):
        total += np_large(n)[0] + np_both(np.ones(2)).second
    return total


def test_nothing_leaks():
    numbers = sys.getrefcount(np.dtype(float))
    assert call_large(4, 10) == 40.0
    gc.collect()
    before = len(gc.get_objects())
    assert call_large(200_000, 20_000) == 80_000.0      # 32 GB if they stayed
    gc.collect()
    assert len(gc.get_objects()) - before < 100        # what others left may be gone
    assert abs(sys.getrefcount(np.dtype(float)) - numbers) < 100


@numba.njit
def call_failing(x, kind):
    return np_failing(x, kind)


@numba.njit
def call_caught(x, kind):
    try:
        return np_failing(x, kind)
    except Exception:
        return -1.0


@pytest.mark.parametrize("kind, error", [
    (0, ValueError), (1, RuntimeError), (2, np.linalg.LinAlgError), (3, KeyboardInterrupt)])
def test_exceptions(kind, error):
    for _ in range(100):
        with pytest.raises(error) as caught:
            call_failing(np.ones(2), kind)
    assert type(caught.value) is error
    if error is not KeyboardInterrupt:
        assert call_caught(np.ones(2), kind) == -1.0
    assert call_large(4, 1) == 4.0


@numba.njit(nogil=True)
def call_in_threads(x, count):
    total = 0.0
    for _ in range(count):
        total += np_both(x).first[0]
    return total + np_failing(x, 2)


def test_threads():
    found = []

    def work(k):
        try:
            call_in_threads(np.full(3, k), 300)
        except np.linalg.LinAlgError:
            found.append(k)
    call_large(1, 1)
    threads = [threading.Thread(target=work, args=(float(k),)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0.0, 1.0, 2.0, 3.0]


KEPT = """
import warnings
import numpy as np, scipy.special as sp, tangent_lite as tl
warnings.simplefilter("error")
def kept(x):
    return np.sum(np.linalg.eigh(x)[1] ** 3) + np.sum(sp.erf(x)) + np.quantile(x, 0.4)
d = tl.grad(kept, backend="numba", cache=True)
x = np.array([[2.0, 1.0], [1.0, 5.0]])
assert np.allclose(d(x), tl.grad(kept)(x), rtol=1e-14)
try:
    d(np.ones((2, 3)))
except np.linalg.LinAlgError as error:
    assert "square" in str(error)
"""


@pytest.mark.slow
def test_code_that_was_kept_on_disk(tmp_path):
    pytest.importorskip("scipy")
    file = tmp_path / "kept.py"
    file.write_text(KEPT)
    folder = {**os.environ, "TANGENT_LITE_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([sys.executable, str(file)], check=True, env=folder)


def of_inverses(x):
    return np.sum(np.linalg.inv(x) ** 2)


inverses = tl.grad(of_inverses, backend="numba")


@numba.njit
def or_itself(x):
    try:
        return inverses(x)
    except Exception:
        return x


@pytest.mark.slow
def test_compiled_callers():
    x = np.stack([np.eye(2), np.zeros((2, 2))])
    assert np.array_equal(or_itself(x), x)
    x = x + 1e-3 * np.eye(2)
    assert np.allclose(or_itself(x), tl.grad(of_inverses)(x), rtol=1e-12)
