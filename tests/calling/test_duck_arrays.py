"""Arrays of other types than NumPy's: what derivatives do with them is left to its protocols."""

import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tests.duck_matrix_programs import IN_MEMORY, OF_ANY_TYPE
from tests.duck_programs import PROGRAMS, V, W, X, Y
from tests.stand_in import Frozen, Writable

CASES = pytest.mark.parametrize("function, args", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
MATRICES = pytest.mark.parametrize(
    "function, args", OF_ANY_TYPE, ids=[f.__name__ for f, _ in OF_ANY_TYPE])
ELEMENTS = pytest.mark.parametrize(
    "function, args", IN_MEMORY, ids=[f.__name__ for f, _ in IN_MEMORY])
TYPES = pytest.mark.parametrize("cls", [Frozen, Writable])
# What they read has a step: nothing but writing puts an adjoint back there.
NEED_WRITING = {"reversed_rows", "stepped"}


def given(cls, args):
    return tuple(cls(a.copy()) if isinstance(a, np.ndarray) else a for a in args)


def agree(got, wanted):
    data = got._data if isinstance(got, Frozen) else got
    np.testing.assert_allclose(data, wanted, rtol=1e-12, atol=1e-12)


def directions(args):
    return tuple(np.cos(3.0 * a) for a in args)


# Both modes -----------------------------------------------------------------------------------
@TYPES
@CASES
@pytest.mark.sweep(8)
def test_gradient(function, args, cls):
    wrt = tuple(range(len(args)))
    arrays = given(cls, args)
    if cls is Frozen and function.__name__ in NEED_WRITING:
        with pytest.raises(tl.InputError, match=r"duck_programs.py:\d+: arrays of type Frozen"):
            tl.grad(function, wrt)(*arrays)
        return
    value, found = tl.value_and_grad(function, wrt)(*arrays)
    assert type(value) is cls
    agree(value, function(*args))
    for gradient, argument, wanted in zip(found, arrays, tl.grad(function, wrt)(*args)):
        if isinstance(argument, cls):
            assert type(gradient) is cls
            assert gradient.shape == argument.shape
            assert gradient is not argument
        agree(gradient, wanted)
    for before, after in zip(args, arrays):
        agree(after, before)                            # nothing that is passed in changes


@TYPES
@CASES
@pytest.mark.sweep(8)
def test_tangent(function, args, cls):
    value, tangent = tl.jvp(function, given(cls, args), given(cls, directions(args)))
    assert type(value) is type(tangent) is cls
    wanted = tl.jvp(function, args, directions(args))
    agree(value, wanted[0])
    agree(tangent, wanted[1])


@TYPES
@MATRICES
@pytest.mark.sweep(4)
def test_both_modes(function, args, cls):
    found, = tl.grad(function, (0,))(*given(cls, args))
    assert type(found) is cls
    agree(found, tl.grad(function)(*args))
    _, tangent = tl.jvp(function, given(cls, args), given(cls, directions(args)))
    agree(tangent, tl.jvp(function, args, directions(args))[1])


@ELEMENTS
@pytest.mark.sweep(2)
def test_elements_of_arrays_in_memory(function, args):
    """What reads or writes single elements: of arrays that lie in memory, not of lazy ones."""
    found = tl.grad(function)(*given(Writable, args))
    assert type(found) is Writable
    agree(found, tl.grad(function)(*args))
    _, tangent = tl.jvp(function, given(Writable, args), given(Writable, directions(args)))
    agree(tangent, tl.jvp(function, args, directions(args))[1])
    if function.__name__ != "row_by_row":           # no Frozen is gone through
        with pytest.raises((tl.MissingRuleError, tl.InputError), match="Frozen"):
            tl.grad(function)(*given(Frozen, args))


@TYPES
def test_slopes_of_each_element(cls):
    found = tl.elementwise_grad(lambda x: np.sin(x) * x)(cls(V.copy()))
    assert type(found) is cls
    agree(found, np.cos(V) * V + np.sin(V))


@TYPES
def test_objects_made_in_the_function(cls):
    class Layer:
        def __init__(self, w):
            self.w = w

        def __call__(self, x):
            return np.tanh(x @ self.w)

    def loss(w, x):
        return np.sum(Layer(w)(x) ** 2)

    agree(tl.grad(loss)(*given(cls, (W, X))), tl.grad(loss)(W, X))


@TYPES
def test_pullback(cls):
    def layer(x, w):
        return np.tanh(x @ w)

    y, pullback = tl.vjp(layer, *given(cls, (X, W)))
    wanted, back = tl.vjp(layer, X, W)
    agree(y, wanted)
    for _ in range(2):
        for part, other in zip(pullback(cls(np.cos(wanted))), back(np.cos(wanted))):
            assert type(part) is cls
            agree(part, other)


@TYPES
def test_hessian_times_vector(cls):
    def loss(w, x, y):
        z = x @ w
        return np.mean(np.logaddexp(0.0, z) - y * z)

    args = (V, X, (X[:, 0] > 0) * 1.0, np.cos(V))
    found = tl.hvp(loss)(*given(cls, args))
    assert type(found) is cls
    agree(found, tl.hvp(loss)(*args))


@pytest.mark.parametrize("function, args", [p for p in PROGRAMS if p[0].__name__ in (
    "sines", "products", "slices", "larger", "means", "broadcasts", "reshaped")],
    ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.sweep(3)
def test_gradient_of_gradient(function, args):
    def of_one(x):
        return np.sum(tl.grad(function)(x) ** 2)

    def of_two(x, y):
        return np.sum(tl.grad(function)(x, y) ** 2)

    size = of_one if len(args) == 1 else of_two
    found = tl.grad(size)(*given(Writable, args))
    assert type(found) is Writable
    agree(found, tl.grad(size)(*args))


def test_structures():
    def loss(params, x):
        return np.sum(np.tanh(x @ params["w"] + params["b"][0]) ** 2)

    params = {"w": W, "b": [W[0]]}
    wanted = tl.grad(loss)(params, X)
    found = tl.grad(loss)({"w": Writable(W.copy()), "b": [Writable(W[0].copy())]}, Writable(X))
    assert type(found["w"]) is type(found["b"][0]) is Writable
    agree(found["w"], wanted["w"])
    agree(found["b"][0], wanted["b"][0])


def test_single_precision_and_unused():
    def loss(x, y):
        return np.sum(x * x)

    found = tl.grad(loss, (0, 1))(*given(Writable, (X.astype(np.float32), Y)))
    assert [type(g) for g in found] == [Writable, Writable]
    assert found[0].dtype == np.float32
    agree(found[0], 2.0 * X.astype(np.float32))
    agree(found[1], np.zeros_like(Y))


def test_one_derivative_for_both():
    """The same object takes arrays of NumPy again, by the code that is for them."""
    def loss(x):
        return np.sum(np.sin(x) ** 2)

    derivative = tl.grad(loss)
    before = derivative.source_for(X)
    agree(derivative(Writable(X.copy())), derivative(X))
    assert type(derivative(X)) is np.ndarray
    assert derivative.source_for(X) == before


def test_calls_what_its_type_says():
    Frozen.calls.clear()
    tl.grad(PROGRAMS[0][0])(Frozen(X))
    assert {"sin", "cos", "multiply", "sum"} <= set(Frozen.calls)


def test_a_branch_asks_once():
    def branch(x):
        y = x * 2.0
        if np.sum(x) > 0.0:
            y = y * x
        return np.sum(y)

    Frozen.calls.clear()
    agree(tl.grad(branch)(Frozen(abs(X))), tl.grad(branch)(abs(X)))
    assert Frozen.calls.count("bool") == 1


# What is refused --------------------------------------------------------------------------------
def _writes(x):
    y = np.zeros(6)
    for i in range(6):
        y[i] = x[i] * 2.0
    return np.sum(y)


def _writes_into_argument(x):
    x[0] = 1.0
    return np.sum(x)


def _writes_by_call(x):
    y = x * 1.0
    y.sort()
    return np.sum(y * x)


def _writes_into_out(x):
    y = np.zeros(6)
    np.sin(x, out=y)
    return np.sum(y)


def _turns(x):
    return np.sum(np.asarray(x) ** 2)


def _weighs(x):
    return np.median(x) ** 2


def _second_name(x):
    y = x
    y += 1.0
    return np.sum(y * x)


@TYPES
@pytest.mark.parametrize("function, error, text", [
    (_writes, tl.UnsupportedSyntaxError, "y[i] = x[i] * 2.0"),
    (_writes_into_argument, tl.UnsupportedSyntaxError, "x[0] = 1.0"),
    (_writes_by_call, tl.UnsupportedSyntaxError, "y.sort()"),
    (_writes_into_out, tl.UnsupportedSyntaxError, "np.sin(x, out=y)"),
    (_turns, tl.MissingRuleError, "np.asarray(x)"),
    (_weighs, tl.MissingRuleError, "np.median(x)"),
    (_second_name, tl.AliasError, "y += 1.0"),
], ids=lambda p: getattr(p, "__name__", ""))
def test_refused(function, error, text, cls):
    with pytest.raises(error) as caught:
        tl.grad(function)(cls(V.copy()))
    assert f"{__file__.rsplit('/', 1)[1]}:{caught.value.place.line}" in str(caught.value)
    assert text in caught.value.place.text


@TYPES
def test_refused_for_all_elements_at_once(cls):
    def f(x):
        return np.sum(x * x)

    for operator in (tl.jacobian, tl.jacfwd, tl.jacrev, tl.hessian):
        with pytest.raises(tl.InputError, match=cls.__name__):
            operator(f)(cls(V.copy()))
    with pytest.raises(tl.InputError, match=cls.__name__):
        tl.check_grads(f, (cls(V.copy()),))


def test_result_must_be_one_number():
    with pytest.raises(tl.OutputError, match=r"shape \(6,\)"):
        tl.grad(lambda x: x * 2.0)(Frozen(V))


def test_directions_must_fit():
    with pytest.raises(tl.InputError, match=r"shape \(2,\)"):
        tl.jvp(lambda x: np.sum(x), (Frozen(V),), (Frozen(V[:2]),))
    with pytest.raises(tl.InputError, match="no array"):
        tl.jvp(lambda x: np.sum(x), (Frozen(V),), ("up",))


def test_integers_cannot_vary():
    with pytest.raises(tl.InputError, match="cannot vary"):
        tl.grad(lambda x: np.sum(x))(Frozen(np.arange(3)))


# Dask ---------------------------------------------------------------------------------------------
da = None
try:
    import dask
    import dask.array as da
except ImportError:
    pass
needs_dask = pytest.mark.skipif(da is None, reason="Dask is not installed")
# What Dask lays out in other chunks: it cuts where axes are joined, or parts are put elsewhere.
OTHER_CHUNKS = {"reshaped", "einsums", "rolled", "listed"}


def lazy(args):
    return tuple(da.from_array(a, chunks=tuple((n + 1) // 2 for n in a.shape))
                 if isinstance(a, np.ndarray) else a for a in args)


class _Nothing:
    """Nothing is computed here, and Dask does not warn that it is going to."""

    def __enter__(self):
        self.warned = warnings.catch_warnings()
        self.warned.__enter__()
        warnings.simplefilter("error", FutureWarning)
        started = self.started = []
        self.callback = dask.callbacks.Callback(start=lambda graph: started.append(graph))
        self.callback.__enter__()

    def __exit__(self, *error):
        self.callback.__exit__(*error)
        self.warned.__exit__(*error)
        assert error[0] is not None or not self.started, "computed"


@needs_dask
@CASES
@pytest.mark.sweep(8)
def test_gradient_is_lazy(function, args):
    wrt = tuple(range(len(args)))
    arrays = lazy(args)
    with _Nothing():
        value, found = tl.value_and_grad(function, wrt)(*arrays)
    assert type(value) is da.Array
    agree(value.compute(), function(*args))
    for gradient, argument, wanted in zip(found, arrays, tl.grad(function, wrt)(*args)):
        assert type(gradient) is da.Array
        if isinstance(argument, da.Array) and function.__name__ not in OTHER_CHUNKS:
            assert gradient.chunks == argument.chunks
        agree(gradient.compute(), wanted)


@needs_dask
@CASES
@pytest.mark.sweep(8)
def test_tangent_is_lazy(function, args):
    with _Nothing():
        value, tangent = tl.jvp(function, lazy(args), lazy(directions(args)))
    assert type(value) is type(tangent) is da.Array
    wanted = tl.jvp(function, args, directions(args))
    agree(value.compute(), wanted[0])
    agree(tangent.compute(), wanted[1])


@needs_dask
@pytest.mark.parametrize("which", [0, 1, 2])
def test_next_to_arrays_of_numpy(which):
    """Weights are small and NumPy's, data are large and lazy: the gradient of the weights is lazy,
    as nothing says when it is wanted."""
    def loss(w, x, y):
        z = x @ w[1:] + w[0]
        return np.mean((z - y) ** 2) + np.sum(w[::2] * w[::2])

    args = (np.append(1.0, V), X, Y[:, 0])
    mixed = tuple(one if k < which else a for k, (one, a) in enumerate(zip(args, lazy(args))))
    wanted = tl.grad(loss, (0, 1, 2))(*args)
    with _Nothing():
        found = tl.grad(loss, (0, 1, 2))(*mixed)
    for gradient, other in zip(found, wanted):
        assert type(gradient) is da.Array
        agree(gradient.compute(), other)


@needs_dask
def test_data_from_outside():
    data, = lazy((X,))

    def helper(w):
        return data[1:] @ w

    def loss(w):
        return np.sum(np.sin(helper(w)) ** 2) + w[0] * w[1]

    def same(w):
        return np.sum(np.sin(X[1:] @ w) ** 2) + w[0] * w[1]

    with _Nothing():
        found = tl.grad(loss)(V)
    agree(found.compute(), tl.grad(same)(V))


@needs_dask
def test_sizes_that_are_not_known():
    """What is left of an array by a mask has no size before it is computed."""
    def loss(x):
        return np.mean(np.sin(x) * x ** 2) + np.sum(np.maximum(x, 0.5))

    flat, = lazy((X.ravel(),))
    some = flat[flat > 0.0]
    assert np.isnan(some.shape[0])
    with _Nothing():
        found = tl.grad(loss)(some)
        _, tangent = tl.jvp(loss, (some,), (np.cos(some),))
    kept = X[X > 0.0]
    agree(found.compute(), tl.grad(loss)(kept))
    agree(tangent.compute(), tl.jvp(loss, (kept,), (np.cos(kept),))[1])


@needs_dask
def test_a_branch_computes_once_as_dask_does():
    def branch(x):
        y = x * 2.0
        if np.sum(x) > 0.0:
            y = y * x
        return np.sum(y)

    started = []
    with dask.callbacks.Callback(start=started.append):
        found = tl.grad(branch)(*lazy((abs(X),)))
    assert len(started) == 1                    # the condition, once for both passes
    agree(found.compute(), tl.grad(branch)(abs(X)))


@needs_dask
@pytest.mark.parametrize("function, error", [
    (_writes, tl.UnsupportedSyntaxError), (_writes_into_argument, tl.UnsupportedSyntaxError),
    (_weighs, tl.MissingRuleError), (_turns, tl.MissingRuleError),
    (lambda x: np.sum(x[x > 0.0] ** 2), tl.InputError),
    (lambda x: np.sum(x[np.array([0, 0, 1])] ** 2), tl.InputError)])
def test_refused_and_not_computed(function, error):
    with _Nothing(), pytest.raises(error, match=r"test_duck_arrays.py:\d+"):
        tl.grad(function)(*lazy((V,)))


@needs_dask
def test_compiled_code_takes_arrays_of_numpy_only():
    pytest.importorskip("numba")
    with _Nothing(), pytest.raises(tl.InputError, match="Array"):
        tl.grad(lambda x: np.sum(x * x), backend="numba")(*lazy((V,)))


# CuPy ---------------------------------------------------------------------------------------------
ON_A_GPU = PROGRAMS + OF_ANY_TYPE + IN_MEMORY


@pytest.mark.parametrize("function, args", ON_A_GPU, ids=[f.__name__ for f, _ in ON_A_GPU])
def test_on_a_gpu(function, args):
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    if not cupy.is_available():
        pytest.skip("there is no GPU")
    wrt = tuple(range(len(args)))
    arrays = tuple(cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in args)
    found = tl.grad(function, wrt)(*arrays)
    for gradient, argument, wanted in zip(found, arrays, tl.grad(function, wrt)(*args)):
        assert isinstance(gradient, cupy.ndarray)
        np.testing.assert_allclose(cupy.asnumpy(gradient), wanted, rtol=1e-10, atol=1e-10)


def test_names_of_cupy_on_a_gpu():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    if not cupy.is_available():
        pytest.skip("there is no GPU")

    def loss(w, x):
        xp = cupy.get_array_module(x)
        h = cupy.tanh(xp.reshape(xp.concatenate([x, 2.0 * x]) @ w, -1))
        return cupy.sum(cupy.stack([h, h * h])) + cupy.linalg.norm(w) + cupy.zeros(3).sum()

    def of_numpy(w, x):
        h = np.tanh(np.reshape(np.concatenate([x, 2.0 * x]) @ w, -1))
        return np.sum(np.stack([h, h * h])) + np.linalg.norm(w)

    found = tl.grad(loss)(cupy.asarray(W), cupy.asarray(X))
    assert isinstance(found, cupy.ndarray)
    np.testing.assert_allclose(cupy.asnumpy(found), tl.grad(of_numpy)(W, X), rtol=1e-10)
