"""Derivatives in other processes: workers of a Dask cluster, of joblib, and bare interpreters."""

import functools
import pickle

import fresh
import numpy as np
import pytest

import tangent_lite as tl

cloudpickle = pytest.importorskip("cloudpickle")


# What workers look up by name, in this module -----------------------------------------------------
def loss(w, x, y):
    z = x @ w
    return np.mean(np.logaddexp(0.0, z) - y * z)


def logistic(r, x):
    for i in range(20):
        x = r * x * (1.0 - x)
    return x


@tl.grad(wrt=("a", "b"))
def decorated(a, b):
    return a * np.sin(b) + a * a


class Model:
    def __init__(self, w):
        self.w = w

    def energy(self, x):
        return np.sum(np.tanh(self.w * x) ** 2)


def swapped(x):
    items = [x, 2.0 * x]
    items[0], items[1] = items[1], items[0]
    items[0][0] = 5.0
    return np.sum(items[0] * items[1])


RNG = np.random.default_rng(5)
X, W = RNG.normal(size=(12, 3)), RNG.normal(size=3)
LABELS = (X[:, 0] > 0.0) * 1.0
VECTOR = np.arange(1.0, 4.0)


def _cases():
    """(derivative, arguments) by name; those defined in here go by value."""
    factor = 3.0

    def inside(x):
        return _cube(x) * factor

    cases = {
        "grad": (tl.grad(loss), (W, X, LABELS)),
        "value_and_grad": (tl.value_and_grad(loss), (W, X, LABELS)),
        "wrt": (tl.grad(loss, wrt=("x", "w")), (W, X, LABELS)),
        "debug": (tl.grad(logistic, debug="nan"), (3.7, 0.3)),
        "jacobian": (tl.jacobian(np.sin), (W,)),
        "hessian": (tl.hessian(loss), (W, X, LABELS)),
        "hvp": (tl.hvp(loss), (W, X, LABELS, VECTOR)),
        "elementwise": (tl.elementwise_grad(np.tanh), (W,)),
        "decorated": (decorated, (0.7, 0.3)),
        "method": (tl.grad(Model(VECTOR).energy), (W,)),
        "attribute": (tl.grad(Model.energy, wrt="self.w"), (Model(VECTOR), W)),
        "partial": (tl.grad(functools.partial(loss, y=LABELS)), (W, X)),
        "jvp": (functools.partial(tl.jvp, loss), ((W, X, LABELS), (VECTOR, None, None))),
        "second": (tl.grad(tl.grad(logistic)), (3.7, 0.3)),
        "pullback": (tl.vjp(loss, W, X, LABELS)[1], (2.0,)),
        "pullback_of_one": (tl.vjp(loss, W, X, LABELS, wrt=0)[1], (2.0,)),
        "closure": (tl.grad(inside), (2.0,)),
        "lambda": (tl.value_and_grad(lambda x: x * factor + np.sin(x)), (2.0,)),
        "by_identity": (tl.grad(swapped), (VECTOR,)),
    }
    try:
        import numba  # noqa: F401
    except ImportError:
        return cases
    cases["numba"] = (tl.grad(logistic, backend="numba", fastmath=True), (3.7, 0.3))
    return cases


def _cube(x):
    return x ** 3


def same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert type(found) is type(wanted) and len(found) == len(wanted)
        for part, other in zip(found, wanted):
            same(part, other)
    elif isinstance(wanted, Model):
        same(found.w, wanted.w)
    elif wanted is None:
        assert found is None
    else:
        assert type(found) is type(wanted)
        np.testing.assert_array_equal(found, wanted)


# Here, and back -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", _cases())
@pytest.mark.sweep(5)
def test_pickles_by_value(name):
    derivative, args = _cases()[name]
    same(pickle.loads(cloudpickle.dumps(derivative))(*args), derivative(*args))


def test_a_worker_makes_a_derivative_once():
    """It unpickles one for each task; what the function rests on is in the bytes."""
    scale = 2.0

    def f(x):
        return scale * x * x

    sent = cloudpickle.dumps(tl.grad(f))
    assert pickle.loads(sent) is pickle.loads(sent)
    scale = 3.0
    other = cloudpickle.dumps(tl.grad(f))
    assert pickle.loads(other)(1.0) == 6.0
    assert pickle.loads(sent)(1.0) == 4.0
    by_name = pickle.dumps(tl.grad(loss))
    assert pickle.loads(by_name) is pickle.loads(by_name)
    # An object may change, so there is one each time.
    model = pickle.dumps(tl.grad(Model(VECTOR).energy))
    assert pickle.loads(model) is not pickle.loads(model)


def test_a_pullback_pickles_and_is_called_twice():
    _, pullback = tl.vjp(loss, W, X, LABELS)
    again = pickle.loads(pickle.dumps(pullback))
    for scale in (1.0, 3.0):
        same(again(scale), pullback(scale))


def test_a_pullback_by_identity_says_that_it_stays():
    _, pullback = tl.vjp(swapped, VECTOR)
    with pytest.raises(tl.TangentError, match="rests on memory"):
        pickle.dumps(pullback)


# A Dask cluster -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        yield client


@pytest.mark.parametrize("name", _cases())
@pytest.mark.sweep(5)
def test_on_a_worker_of_dask(client, name):
    derivative, args = _cases()[name]
    same(client.submit(derivative, *args, pure=False).result(timeout=60), derivative(*args))


def test_one_derivative_on_all_workers(client):
    derivative = tl.grad(loss)
    parts = np.array_split(np.arange(12), 4)
    found = client.map(derivative, [W] * 4, [X[p] for p in parts], [LABELS[p] for p in parts])
    for gradient, p in zip(client.gather(found), parts):
        same(gradient, derivative(W, X[p], LABELS[p]))


def test_errors_come_back_as_they_are(client):
    future = client.submit(tl.grad(loss), 3, X, LABELS)
    with pytest.raises(tl.InputError, match="cannot vary") as caught:
        future.result(timeout=60)
    assert str(caught.value) == str(_error_of(lambda: tl.grad(loss)(3, X, LABELS)))


def _error_of(call):
    try:
        call()
    except tl.TangentError as error:
        return error
    raise AssertionError("not refused")


def test_lazy_gradient_on_a_cluster(client):
    da = pytest.importorskip("dask.array")
    data, labels = da.from_array(X, chunks=(4, 3)), da.from_array(LABELS, chunks=4)
    value, gradient = tl.value_and_grad(loss)(W, data, labels)
    wanted = tl.value_and_grad(loss)(W, X, LABELS)
    found = client.gather(client.compute([value, gradient]))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-12, atol=1e-14)


# joblib -------------------------------------------------------------------------------------------
def test_in_processes_of_joblib():
    joblib = pytest.importorskip("joblib")
    cases = _cases()
    try:
        found = joblib.Parallel(n_jobs=2, backend="loky")(
            joblib.delayed(derivative)(*args) for derivative, args in cases.values())
    finally:
        # It keeps its workers for the next call, which may want modules from another place.
        joblib.externals.loky.get_reusable_executor().shutdown(wait=True)
    for one, (derivative, args) in zip(found, cases.values()):
        same(one, derivative(*args))


# Without the file ---------------------------------------------------------------------------------
SCRIPT = '''
    import sys
    import cloudpickle, numpy as np, tangent_lite as tl

    SCALE = 2.0

    def helper(x):
        return np.sin(x) * SCALE

    def f(x):
        return helper(x) * x

    @tl.grad
    def made(x):
        return helper(x) + x * x

    class Spring:
        def __init__(self, k):
            self.k = k
        def energy(self, x):
            return 0.5 * self.k * helper(x) ** 2

    def outer(a):
        def inner(x):
            return a * f(x)
        return inner

    if __name__ == "__main__":
        things = [tl.grad(f), tl.value_and_grad(f), made, tl.grad(lambda x: f(x) + x),
                  tl.grad(outer(3.0)), tl.grad(Spring(2.0).energy), tl.hessian(f),
                  tl.grad(tl.grad(f)), tl.vjp(f, 0.3)[1]]
        values = [thing(0.3) for thing in things]
        with open("things", "wb") as file:
            cloudpickle.dump(([cloudpickle.dumps(t) for t in things], values), file)
'''


def test_the_source_goes_along(tmp_path):
    import textwrap
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    done = fresh.start(script, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    script.unlink()
    fresh.run("""
        import pickle
        things, values = pickle.load(open("things", "rb"))
        for thing, value in zip(things, values):
            derivative = pickle.loads(thing)
            assert derivative(0.3) == value, derivative
    """, tmp_path)


def test_without_its_source_it_is_refused_by_name(tmp_path):
    """A function that goes by value inside of another one has no source where there is no file."""
    import textwrap
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent('''
        import cloudpickle, tangent_lite as tl

        def f(x):
            return x * x

        def task(x):
            return tl.grad(f)(x)

        if __name__ == "__main__":
            cloudpickle.dump(task, open("task", "wb"))
    '''), encoding="utf-8")
    done = fresh.start(script, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    script.unlink()
    fresh.run("""
        import pickle, tangent_lite as tl
        try:
            pickle.load(open("task", "rb"))(3.0)
        except tl.SourceNotFoundError as error:
            # cloudpickle 3.1.3 and later do not say where it is from.
            assert "script.py" in str(error) or "send the derivative" in str(error), error
        else:
            raise AssertionError("it was not refused")
    """, tmp_path)
