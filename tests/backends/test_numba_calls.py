"""Compiled code that calls derivatives, derivatives of compiled code, and what is kept on disk."""
import linecache
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")


def preference(u, i, j):
    return np.log1p(np.exp(-np.dot(u, i - j)))


VECTORS = [np.linspace(0.1, 0.9, 4), np.linspace(-1.0, 1.0, 4), np.linspace(1.0, 0.5, 4)]


def test_called_from_compiled_code():
    d = tl.value_and_grad(preference, wrt=("u", "i"), backend="numba")

    @numba.njit
    def step(u, i, j):
        value, (bu, bi) = d(u, i, j)
        return value, bu, bi

    value, bu, bi = step(*VECTORS)
    expected, gradient = tl.value_and_grad(preference, wrt=("u", "i"))(*VECTORS)
    assert value == pytest.approx(expected, rel=1e-12)
    assert np.allclose((bu, bi), gradient, rtol=1e-12)


def calls_in(compiled, name):
    """Calls of functions with this in their names, in the machine code before it is one."""
    return [line for text in compiled.inspect_llvm().values() for line in text.splitlines()
            if " call " in line and name in line]


def test_short_derivatives_are_written_out_in_what_calls_them():
    text = "\n".join(["def many(x):", *[f"    x = x * np.sin(x + {k}.0)" for k in range(40)],
                      "    return x"])
    source = f"<program of {__name__}>"
    linecache.cache[source] = (len(text), None, text.splitlines(True), source)
    space = {"np": np}
    exec(compile(text, source, "exec"), space)
    short = tl.grad(preference, wrt=("u", "i", "j"), backend="numba")
    long = tl.grad(space["many"], backend="numba")

    @numba.njit
    def of_short(u, i, j):
        bu, bi, bj = short(u, i, j)
        return bu + bi - bj

    @numba.njit
    def of_long(x):
        return long(x)

    bu, bi, bj = tl.grad(preference, wrt=("u", "i", "j"))(*VECTORS)
    assert np.allclose(of_short(*VECTORS), bu + bi - bj, rtol=1e-12)
    assert of_long(0.5) == pytest.approx(tl.grad(space["many"])(0.5), rel=1e-12)
    assert not calls_in(of_short, "preference") and calls_in(of_long, "many_grad")


def test_gradients_in_compiled_code_are_fresh():
    d = tl.grad(lambda x, y: np.sum(x * y), wrt=(0, 1), backend="numba")
    same = tl.grad(lambda x, y: np.sum(x + y), wrt=(0, 1), backend="numba")

    @numba.njit
    def write(x, y):
        bx, by = d(x, y)
        bx[0] = 100.0
        ax, ay = same(x, y)
        ax[0] = 100.0
        return x, y, by, ay

    assert [part.tolist() for part in write(np.ones(2), np.ones(2))] == [[1.0, 1.0]] * 4


def weighted(x, y):
    t = x * y
    u = t + x
    return np.sum(u * u) + np.sum(np.exp(-y))


def in_steps(x, y):
    out = np.zeros(3)
    out[:] = x * y
    out += x
    return np.sum(out ** 3)


@pytest.mark.parametrize("function", [weighted, in_steps])
@pytest.mark.sweep(2)
def test_other_shapes_in_compiled_code(function):
    """What one loop serves and what is stretched, in one compiled caller."""
    python = tl.grad(function, wrt=(0, 1))
    d = tl.grad(function, wrt=(0, 1), backend="numba")

    @numba.njit
    def called(x, y):
        bx, by = d(x, y)
        return bx, by

    rng = np.random.default_rng(2)
    for n, m in ((3, 3), (3, 1), (1, 3), (3, 3), (1, 1)):
        x, y = rng.normal(size=n), rng.normal(size=m)
        for found, wanted in zip(called(x, y), python(x, y)):
            assert found.shape == wanted.shape and np.allclose(found, wanted, rtol=1e-12)
    assert np.allclose(d(np.ones(3), np.ones(1))[1], python(np.ones(3), np.ones(1))[1])
    if function is weighted:
        with pytest.raises(Exception):                      # noqa: B017 (whatever Numba makes of it)
            called(np.ones(3), np.ones(2))
        x, y = rng.normal(size=(2, 70))                     # too long for one piece of memory
        bx, by = called(x, y)
        assert np.allclose(bx, python(x, y)[0]) and np.allclose(by, python(x, y)[1])


def test_small_gradients_are_arrays_of_their_own():
    d = tl.grad(weighted, wrt=(0, 1), backend="numba")

    @numba.njit
    def written(x, y):
        bx, by = d(x, y)
        bx[:] = 7.0
        first = by.copy()
        by[:] = 8.0
        return first, bx, by

    x, y = np.linspace(0.5, 1.5, 5), np.linspace(-1.0, 1.0, 5)
    for n in (5, 2, 1, 0):
        first, bx, by = written(x[:n], y[:n])
        assert np.allclose(first, tl.grad(weighted, wrt=1)(x[:n], y[:n]))
        assert bx.tolist() == [7.0] * n and by.tolist() == [8.0] * n
        bx, by = d(x[:n], y[:n])
        bx[:] = 9.0
        assert np.allclose(by, tl.grad(weighted, wrt=1)(x[:n], y[:n]))
        assert by.flags.writeable and not np.shares_memory(bx, by)


def relaxed(u, f):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i] * u[i])
    return np.sum(u * u)


def test_what_is_written_into_is_a_copy_in_compiled_code():
    d = tl.grad(relaxed, wrt=(0, 1), backend="numba")

    @numba.njit
    def called(u, f):
        return d(u, f)

    both = np.linspace(0.5, 1.5, 10)
    u, f = both[:5], both[5:]
    expected = tl.grad(relaxed, wrt=(0, 1))(u, f)
    assert all(np.allclose(*pair) for pair in zip(called(u, f), expected))
    assert np.array_equal(both, np.linspace(0.5, 1.5, 10))
    for other in u, both[4:9]:
        with pytest.raises(tl.AliasError, match="u is written into, and may share memory"):
            called(u, other)


def test_numbers_in_compiled_code():
    d = tl.grad(lambda x, n: x ** n, backend="numba")

    @numba.njit
    def total(x):
        found = 0.0
        for n in range(4):
            found += d(x, n)
        return found

    assert total(2.0) == 0.0 + 1.0 + 4.0 + 12.0


def test_what_compiled_code_may_not_call():
    table = np.ones(2)
    python = tl.grad(preference)
    outside = tl.grad(lambda x: np.sum(x * table), backend="numba")
    vector = tl.grad(lambda x: x * 2.0, backend="numba")

    for derivative, words in [(python, "Cannot determine Numba type|Untyped global"),
                              (outside, "reads an array from outside"),
                              (vector, "no single number")]:
        @numba.njit
        def call(x):
            return derivative(x)

        with pytest.raises(numba.core.errors.TypingError, match=words):
            call(np.ones(2))


def test_a_stop_in_compiled_code_is_an_exception():
    d = tl.grad(lambda x, y: x / y, backend="numba")

    @numba.njit
    def call(x, y):
        return d(x, y)

    with pytest.raises(ZeroDivisionError):
        call(1.0, 0.0)


@numba.njit
def square(x):
    return x * x


@numba.njit
def by_steps(x, n):
    for _ in range(n):
        x = square(x) * np.sin(x)
    return x


@pytest.mark.parametrize("backend", ["python", "numba"])
def test_functions_that_are_compiled_themselves(backend):
    found = tl.grad(by_steps, backend=backend)(1.2, 2)
    expected = (by_steps(1.2 + 1e-6, 2) - by_steps(1.2 - 1e-6, 2)) / 2e-6
    assert found == pytest.approx(expected, rel=1e-8)


def test_threads():
    d = tl.grad(by_steps, backend="numba")
    found = []
    workers = [threading.Thread(target=lambda: found.append(d(1.2, 2))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [tl.grad(by_steps)(1.2, 2)] * 8 or np.ptp(found) == 0.0


def spread(x, k):
    y = x * k
    return np.sum(np.tanh(y) * y)


def test_threads_that_bring_other_shapes_first():
    """The form for all shapes is made by one thread while others run, or wait for it."""
    d = tl.grad(spread, backend="numba")
    x, row, column = np.linspace(0.1, 1.0, 12).reshape(3, 4), np.arange(4.0), np.ones((3, 1))
    found = {}
    workers = [threading.Thread(target=lambda n=n, k=k: found.update({n: d(x, k)}))
               for n, k in enumerate([x, row, column, x, row[None], column] * 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for n, k in enumerate([x, row, column, x, row[None], column] * 2):
        np.testing.assert_allclose(found[n], tl.grad(spread)(x, k), rtol=1e-12)


MODULE = """
import tangent_lite as tl


def power(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


if __name__ == "__main__":
    import sys
    d = tl.grad(power, backend="numba", cache=True)
    assert d(2.0, 3) == 12.0
    (variant,), = d._variants.values()
    print(sum(variant.compiled.main.stats.cache_hits.values()))
"""


def run(path, folder):
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=300, env={
            **os.environ, "TANGENT_LITE_CACHE_DIR": str(folder), "NUMBA_CACHE_DIR": "",
            "PYTHONPATH": str(Path(tl.__file__).parent.parent)})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_cache_on_disk(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODULE)
    assert run(path, tmp_path / "cache") == "0"
    assert run(path, tmp_path / "cache") == "1"
    path.write_text(MODULE.replace("y * x", "y * x * 1.0"))
    assert run(path, tmp_path / "cache") == "0"


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TANGENT_LITE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match="is not kept on disk"):
        assert tl.grad(lambda x: x ** 3, backend="numba", cache=True)(2.0) == 12.0


def test_a_cache_that_is_read_only(tmp_path):
    path, folder = tmp_path / "model.py", tmp_path / "cache"
    path.write_text(MODULE)
    assert run(path, folder) == "0"
    assert len(list((folder / "__pycache__").iterdir())) == 4
    # Who runs as the administrator may write into any folder, so it is the functions that refuse.
    (tmp_path / "read_only.py").write_text(READ_ONLY)
    path.write_text(MODULE.replace("import sys", "import sys, read_only"))
    assert run(path, folder) == "1"                         # what is there is read
    for file in (folder / "__pycache__").iterdir():
        file.unlink()
    assert run(path, folder) == "0"                         # and where nothing is, it goes without
    assert not list((folder / "__pycache__").iterdir())


READ_ONLY = """
import builtins, tempfile, warnings
import numba.core.caching

def read_only(file, mode="r", *rest, old=builtins.open, **options):
    if "cache" in str(file) and mode != "r" and mode != "rb":
        raise PermissionError(13, "Permission denied", file)
    return old(file, mode, *rest, **options)

def nowhere(*args, **options):
    raise PermissionError(13, "Permission denied")

numba.core.caching.open = read_only
tempfile.TemporaryFile = tempfile.NamedTemporaryFile = nowhere
warnings.simplefilter("ignore", RuntimeWarning)
"""


def test_pickled_into_a_fresh_process(tmp_path):
    (tmp_path / "module.py").write_text(MODULE)
    code = ("import pickle, sys; sys.path.insert(0, {0!r}); import module, tangent_lite as tl; "
            "pickle.dump(tl.grad(module.power, backend='numba'), open({0!r} + '/d', 'wb'))")
    subprocess.run([sys.executable, "-c", code.format(str(tmp_path))], check=True, env={
        **os.environ, "PYTHONPATH": str(Path(tl.__file__).parent.parent)})
    sys.path.insert(0, str(tmp_path))
    try:
        d = pickle.loads((tmp_path / "d").read_bytes())
        assert d(2.0, 3) == 12.0
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("module", None)


def with_default(x, k=2.0):
    return k * np.sum(x * x)


def test_a_derivative_as_an_argument_of_compiled_code():
    one, other = (tl.grad(f, backend="numba") for f in (with_default, lambda x, k: k * np.sum(x)))

    @numba.njit
    def twice(d, x):
        return d(x, 3.0) + d(x, 3.0)

    x = np.arange(3.0)
    assert twice(one, x).tolist() == (12.0 * x).tolist()
    assert twice(other, x).tolist() == [6.0, 6.0, 6.0]


class Spring:
    stiffness = 3.0

    def energy(self, x):
        return self.stiffness * x * x


@pytest.mark.parametrize("function, words", [
    (with_default, "takes x, k: compiled code passes all of them"),
    (Spring().energy, "energy is a method of an object"),
])
def test_calls_that_leave_out_what_is_needed(function, words):
    derivative = tl.grad(function, backend="numba")

    @numba.njit
    def called(x):
        return derivative(x)

    with pytest.raises(numba.core.errors.TypingError, match=words):
        called(1.5)


def test_compiled_callers_are_not_kept_on_disk():
    """Numba would go on with what was compiled of a function that has changed in another file, and
    call NumPy's loops where they lay in another process (it crashed there)."""
    def energy(x):
        return np.sum(np.exp(x))

    derivative = tl.value_and_grad(energy, backend="numba")

    @numba.njit
    def step(x):
        return x - 0.1 * derivative(x)[1]

    @numba.njit(cache=True)
    def steps(x):
        for _ in range(3):
            x = step(x)
        return x

    with pytest.warns(numba.NumbaWarning, match="Cannot cache compiled function"):
        found = steps(np.ones(2))
    expected = np.ones(2)
    for _ in range(3):
        expected = expected - 0.1 * np.exp(expected)
    assert np.allclose(found, expected, rtol=1e-12)
