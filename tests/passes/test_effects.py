"""Calls that write into arrays, and views that may be copies.

Each program is compared with differences of itself (never with our own formulas), its value bit for
bit with what the function returns; the arguments are frozen, and the derivative is called twice.
"""
import linecache

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names

X = np.array([1.3, 0.7, 2.1])
M = np.array([[1.3, 0.7, 2.1], [0.4, 1.9, 0.8]])
S = np.arange(1.0, 10.0).reshape(3, 3) / 5.0
WEIGHTS = "np.arange(1.0, 1.0 + y.size).reshape(y.shape)"


def function(text):
    """The function f of a text, with lines that tracebacks and tangent_lite can read."""
    name = f"<effects {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def program(body, start="x * x", result=f"np.sum(np.abs(y * y * {WEIGHTS}))"):
    """A function that makes y, uses it, writes into it by the body, and uses it again."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return function(f"def f(x):\n    y = {start}\n    q = y * x\n{lines}"
                    f"    return {result} + np.sum(np.abs(q))\n")


def first_line(value):
    return value.split("\n")[0] if isinstance(value, str) else ""


def differences(f, x, lie, step=1e-6):
    """The gradient of f by central differences; lie: puts an array where x lay in memory."""
    found = np.zeros_like(x)
    units = (1.0, 1j) if np.iscomplexobj(x) else (1.0,)
    for spot in np.ndindex(x.shape):
        for unit in units:
            ends = []
            for sign in (1.0, -1.0):
                moved = x.copy()
                moved[spot] += sign * step * unit
                ends.append(f(lie(moved)))
            slope = (ends[0] - ends[1]) / (2.0 * step)
            found[spot] += slope if unit == 1.0 else -1j * slope
    return found


def check(f, x, lie=np.array, step=1e-6, rtol=1e-5, by_names=True):
    """by_names: whether names tell all; if not, that is said, and it is right all the same."""
    if not by_names:
        refused_by_names(tl.TangentError, f, lie(x))
    given = lie(x)
    given.flags.writeable = False
    want = f(lie(x))
    derivative = tl.value_and_grad(f)
    value, slope = derivative(given)
    assert type(value) is type(want)
    assert value == want or (value != value and want != want)
    assert slope.dtype == x.dtype and slope.shape == x.shape
    numbers = differences(f, x, lie, step)
    np.testing.assert_allclose(slope, numbers, rtol=rtol, atol=rtol * (1.0 + abs(want)))
    np.testing.assert_array_equal(derivative(given)[1], slope)
    np.testing.assert_array_equal(given, x)


# out= -------------------------------------------------------------------------------------------
KINDS = {"three": X, "none": X[:0], "one": X[:1], "matrix": M, "transposed": M.T,
         "steps": np.arange(1.0, 7.0)[::2], "backwards": X[::-1], "number": np.array(1.5),
         "complex": M * (1.0 + 0.5j)}
EVERYWHERE = [
    "z = np.multiply(x, x, out=y)\ny = z * x",
    "np.exp(y, out=y)\nnp.multiply(y, x, out=y)",
    "np.add(y, x, y)",
    "np.subtract(q, y, out=(y,))",
    "np.multiply(x, q, out=y, where=np.abs(x) > 0.9)",
    "np.copyto(y, x)",
    "np.copyto(y, x * 3.0, where=np.abs(x) > 0.9)",
    "y.fill(2.5)",
    "y.fill(np.sum(x))",
    "for k in range(0):\n    np.multiply(y, x, out=y)",
    "for k in range(3):\n    np.multiply(y, x, out=y)",
    "v = y\nnp.multiply(x, x, out=v)",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", EVERYWHERE)
@pytest.mark.sweep(8)
def test_everywhere(body, kind):
    is_number = kind == "number" and "out=y, where" in body         # and so is the mask
    check(program(body, start="np.array(x * x)"), KINDS[kind], by_names=not is_number)


@pytest.mark.parametrize("body", EVERYWHERE)
def test_float32(body):
    f = program(body, start="np.array(x * x)")
    x = X.astype(np.float32)
    value, slope = tl.value_and_grad(f)(x)
    assert value == f(x) and type(value) is type(f(x)) and slope.dtype == np.float32
    np.testing.assert_allclose(slope, differences(f, X, np.array), rtol=1e-3)


OUT = [
    ("np.clip(y, 0.6, 2.0, out=y)", X), ("np.clip(y, 0.6, 2.0, y)", X),
    ("y.clip(0.6, 2.0, out=y)", X), ("y.cumsum(0, None, y)", M), ("np.cumprod(y, 1, out=y)", M),
    ("np.round(np.floor(x), 0, y)", X),
    ("np.multiply(y[:-1], y[1:], out=y[1:])", X), ("np.add(y[1:], y[:-1], out=y[:-1])", X),
    ("np.exp(x[0], out=y[1])\nnp.multiply(y[1], x[0], out=y[0])", M),
    ("np.sum(q * x, axis=0, out=y[0])", M), ("np.mean(q * x, axis=0, out=y[0])", M),
    ("np.max(q * x, axis=0, out=y[0])\nz = y * x\ny[0] = 2.0\ny *= z", M),
    ("np.prod(q * x, axis=0, out=y[0])", M), ("np.std(q * x, axis=0, out=y[0])", M),
    ("np.dot(x, x, out=y)", S), ("np.dot(x, x, y)", S), ("np.matmul(x, y, out=y)", S),
    ("np.matmul(x, x[0], out=y[:, 1])", S), ("np.einsum('ij,jk->ik', x, q, out=y)", S),
    ("np.take(x, [2, 0, 0], out=y)", X), ("np.outer(x, x, out=y[:2, :2])\ny *= x[0]", X[:2]),
    ("np.concatenate((x[1:], x[:1] * x[:1]), out=y)", X),
    ("np.stack((x[0], x[1] * x[0]), out=y)", M),
    ("z = np.multiply(x, x, out=None)\ny = z * x", X),
    ("z = x.sum(axis=0, out=None)\ny = z * x", X),
    ("np.multiply(x, x, out=y, casting='unsafe')", X), ("np.add(x, 2.5, out=y, where=True)", X),
    ("m = x[0] > 1.0\nnp.multiply(y, x[1], out=y, where=m)", M),
    ("b = np.zeros(3, int)\nnp.argmax(x, axis=0, out=b)\ny = y * b", M),
    ("if x[0] > 1.0:\n    np.multiply(y, x, out=y)\nelse:\n    y.fill(1.0)", X),
    ("w = np.array([3.0, 1.0, 2.0])\ny = y * w\nnp.multiply(w, 2.0, w)\ny = y * w", X),
]


@pytest.mark.parametrize("body, x", OUT, ids=first_line)
def test_out(body, x):
    start = "np.zeros((2, 2))" if "outer" in body else "x * x"
    if start != "x * x":
        check(function("def f(x):\n    y = np.zeros((2, 2))\n    np.outer(x, x, out=y)\n"
                       "    return np.sum(y * y * x[0])\n"), x)
        return
    check(program(body), x)


def test_out_larger_than_its_operands():
    check(function("def f(x):\n    y = np.zeros((2, 3))\n    np.exp(x, out=y)\n    y *= y\n"
                   "    np.multiply(x, 2.0, out=y[:, ::-1])\n"
                   "    return np.sum(y * np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))\n"), X)


def test_where_never_looks_at_the_rest():
    f = function("def f(x):\n    y = np.zeros_like(x)\n    np.log(x, out=y, where=x > 0.0)\n"
                 "    return np.sum(y * y)\n")
    slope = tl.grad(f)(np.array([0.0, 1.5, 2.0, -1.0]))
    np.testing.assert_allclose(slope, [0.0, 2 * np.log(1.5) / 1.5, np.log(2.0), 0.0], rtol=1e-14)


def test_value_is_returned_in_place():
    f = function("def f(x):\n    y = np.empty(())\n    return np.sum(x * x, out=y)\n")
    np.testing.assert_allclose(tl.grad(f)(X), 2.0 * X)
    g = function("def f(x):\n    y = x * 2.0\n    y[0, 0] = 3.0\n    return y.T\n")
    value, pullback = tl.vjp(g, M)
    np.testing.assert_array_equal(value, g(M))
    want = 2.0 * np.arange(6.0).reshape(3, 2).T
    want[0, 0] = 0.0
    np.testing.assert_array_equal(pullback(np.arange(6.0).reshape(3, 2))[0], want)


@pytest.mark.parametrize("call", ["np.sum(x, axis=0, out=y)", "np.mean(x, axis=0, out=y)",
                                  "np.prod(x, axis=0, out=y)", "np.cumsum(x[:3, 0], out=y)"])
def test_value_is_taken_in_the_type_of_out(call):
    """A sum of float32 into float64 is a sum in float64; z * y reads the result once more."""
    x = (np.random.default_rng(0).random((100, 3)) + 0.5).astype(np.float32)
    for after in ("np.sum(y)", "np.sum(y * y)"):
        f = function(f"def f(x):\n    y = np.zeros(3)\n    {call}\n    return {after}\n")
        value, slope = tl.value_and_grad(f)(x)
        assert value == f(x) and slope.dtype == np.float32


def test_value_of_a_product_is_taken_in_the_order_of_out():
    f = function("def f(x):\n    y = np.zeros((37, 29), order='F')\n"
                 "    np.matmul(x, x[:29].T, out=y)\n    return np.sum(y * y)\n")
    x = np.random.default_rng(0).random((37, 41))
    assert tl.value_and_grad(f)(x)[0] == f(x)


def test_a_global_is_copied():
    f = function("TABLE = np.zeros(3)\ndef f(x):\n    np.multiply(x, x, out=TABLE)\n"
                 "    return np.sum(TABLE * x)\n")
    np.testing.assert_allclose(tl.grad(f)(X), 3.0 * X * X)
    assert not f.__globals__["TABLE"].any()


def test_text():
    f = function("def f(x, w):\n    y = np.zeros(3)\n    np.multiply(x, w, out=y)\n"
                 "    np.add.at(y, [0, 0], x[:2])\n    s = np.empty(())\n"
                 "    np.sum(y, out=s)\n    return s * x[0]\n")
    text = tl.grad(f).source_for(X, X)
    assert "    np.add.at(y, [0, 0], x_part)\n" in text and "    np.sum(y, out=s)\n" in text


# Functions that write ---------------------------------------------------------------------------
WRITES = [
    ("np.fill_diagonal(y, 2.5)", S), ("np.fill_diagonal(y, x[0, 1])", S),
    ("np.fill_diagonal(y, x[0])", S), ("np.fill_diagonal(y, x[0, :2])", S),
    ("np.fill_diagonal(y, x[0])", M), ("np.fill_diagonal(y, x[0, 0])", M.T),
    ("np.fill_diagonal(y, x[0, 0, 0])", np.arange(1.0, 9.0).reshape(2, 2, 2)),
    ("np.put(y, [0, 2], [7.0, 8.0])", X), ("np.put(y, [0, 2, 0], x)", X), ("np.put(y, [], [])", X),
    ("np.put(y, [0, 2, 0], x[:2])", X), ("np.put(y, 1, x)", X), ("np.put(y, [1, -1], x[0])", X),
    ("y.put([0, 1], x[1:])", X), ("np.put(y, np.array([2, 1]), x)", X),
    ("np.place(y, x > 1.0, [5.0])", X), ("np.place(y, x > 0.0, x[:2])", X),
    ("np.place(y, x > 1.0, x[0])", M), ("np.place(y, x > 100.0, [1.0])", X),
    ("np.putmask(y, x > 1.0, 5.0)", X), ("np.putmask(y, x > 1.0, x * x * x)", X),
    ("np.putmask(y, x > 1.0, x[:2])", X), ("np.putmask(y, x > 1.0, x[0])", M),
    ("np.putmask(y, x > 1.0, [1.0, 2.0])", X),
    ("np.add.at(y, [0, 0], x[:2])", X), ("np.add.at(y, [0, 0], x[0])", X),
    ("np.add.at(y, 0, x[1])", X), ("np.add.at(y, slice(0, 2), x[1])", X),
    ("np.add.at(y, (slice(None), [0, 0]), x[:, :2])", M), ("np.add.at(y, x > 1.0, x[x > 1.0])", X),
    ("np.add.at(y, ([0, 0, 1], [1, 1, 0]), x[0])", M), ("np.subtract.at(y, [0, 0, 1], x)", X),
    ("np.add.at(y, [0, 0], y[:2])", X), ("np.add.at(y[1:], [0, 0], x[:2])", X),
    ("np.add.at(y, [[0, 0], [1, 1]], x[0, 0])", M), ("np.add.at(y, [], x[:0])", X),
    ("k = np.array([0, 0])\nfor i in range(2):\n    np.add.at(y, k, y[:2] * x[:2])\n"
     "    k = k + 1", X),
    ("y.sort()", X), ("y.sort(0)", M), ("y.sort(axis=-1, kind='stable')", M), ("y[1:].sort()", X),
    ("np.ndarray.sort(y)", X), ("for i in range(2):\n    y.sort()\n    y *= x", X),
]


@pytest.mark.parametrize("body, x", WRITES, ids=first_line)
def test_writes(body, x):
    check(program(body), x)


PICKED = np.array([True, False, True, True])


def place_before(x):
    y = x * x
    np.place(y, PICKED, y[:3])
    return np.sum(y * x)


def diagonal_turned(x):
    y = np.outer(x, x * x)
    np.fill_diagonal(y, y.diagonal()[::-1])
    return np.sum(y * y)


def unchanged_by_x(x):
    y = np.arange(4.0)
    np.place(y, PICKED, y[:3])
    return np.sum(y * x)


@pytest.mark.parametrize("f", [place_before, diagonal_turned, unchanged_by_x])
@pytest.mark.parametrize("derivative", [
    lambda f, x: tl.grad(f)(x), lambda f, x: tl.jvp(f, (x,), (x,))], ids=["grad", "jvp"])
def test_values_that_are_written_over_before_they_are_read(f, derivative):
    with pytest.raises(tl.TangentError, match="overlaps with where it goes"):
        derivative(f, np.array([1.1, 2.0, 0.3, 0.7]))


def place_behind(x):
    y = x * x
    np.place(y, PICKED, y[1:])
    np.place(y, PICKED, y[PICKED])
    return np.sum(y * x)


def diagonal_from_a_row(x):
    y = np.outer(x, x * x)
    np.fill_diagonal(y, y[0])
    np.fill_diagonal(y[1:], y[2].copy())
    return np.sum(y * y)


@pytest.mark.parametrize("f", [place_behind, diagonal_from_a_row])
def test_values_that_are_read_in_time(f):
    check(f, np.array([1.1, 2.0, 0.3, 0.7]))


def test_repeated_positions_add_up():
    f = function("def f(x):\n    y = np.zeros(3)\n    np.add.at(y, [0, 0, 2], x)\n"
                 "    return np.sum(y * y)\n")
    np.testing.assert_allclose(tl.grad(f)(X), [4.0, 4.0, 4.2])


@pytest.mark.parametrize("change", [
    "np.multiply(w, 2.0, out=w)", "np.multiply(w, 2.0, w)", "np.clip(w, 1.5, 2.5, w)",
    "w.clip(1.5, 2.5, w)", "np.cumsum(w, 0, None, w)", "np.copyto(w, 2.0 * w)", "w.fill(2.0)",
    "w.sort()", "w.partition(1)", "np.put(w, [0], [7.0])", "np.add.at(w, [0, 0], 1.0)",
    "np.round(w / 3.0, 1, w)", "a = (w, 2.0, w)\n    np.multiply(*a)",
    "a = dict(out=w)\n    np.multiply(w, 2.0, **a)",
    "np.multiply(w[1:], 2.0, out=w[1:])", "np.einsum('i,i->i', w, w, out=w)", "w.flat[0] = 9.0",
    "w.flat = 3.0"])
def test_what_was_there_is_at_hand(change):
    f = function(f"def f(x):\n    w = np.array([3.0, 1.0, 2.0])\n    y = x * w\n    {change}\n"
                 "    return np.sum(y * y)\n")
    np.testing.assert_allclose(tl.grad(f)(X), 2.0 * X * np.array([9.0, 1.0, 4.0]), rtol=1e-14)


def before_a_change(change):
    return function(f"def f(x):\n    w = np.array([3.0, 1.0, 2.0])\n    y = x * w\n    {change}\n"
                    "    return np.sum(y * y)\n")


@pytest.mark.parametrize("change", [
    "w.__setitem__(0, 9.0)", "getattr(w, 'sort')()", "s = w.sort\n    s()",
    "np.take(w, [2, 1, 0], 0, w, 'wrap')", "w.real = 3.0"])
def test_right_by_identity(change):
    """What is called is known when it is called, and so is what it changes."""
    check(before_a_change(change), X, by_names=False)


@pytest.mark.parametrize("change", [
    "np.nan_to_num(w, copy=False, nan=0.0)", "np.nan_to_num(w, False)",
    "w.__iadd__(9.0)", "w.byteswap(inplace=True)", "w.resize(3)",
    "w.shape = (3, 1)",
    "for q in np.nditer(w, op_flags=['readwrite']):\n"
    "        q[...] = 2.0"])
def test_refused_where_what_was_there_is_read(change):
    """What is not understood is refused where the derivative reads what was there."""
    with pytest.raises(tl.TangentError):
        tl.grad(before_a_change(change))(X)


@pytest.mark.parametrize("change", [
    "y.resize((2, 2))", "y.setflags(write=False)", "np.modf(x, y, q)",
    "np.concatenate((y[1:], y[:1]), out=y)"])
def test_refused(change):
    with pytest.raises(tl.TangentError):
        tl.grad(program(change))(X)


@pytest.mark.parametrize("change", [
    "np.hypot.at(y, [0, 0], x[:2])", "np.negative.at(y, [0])",
    "np.put(y, [0, 7], x[0], mode='wrap')", "while np.multiply(y, x, out=y)[0] < 5.0:\n    pass",
    "z = [np.multiply(y, 2.0, out=y) for k in range(2)]"])
def test_written_by_identity(change):
    check(program(change), X, by_names=False)


def test_what_was_there_is_read_by_identity():
    check(before_a_change("np.hypot.at(w, [0, 1], 9.0)"), X, by_names=False)


# In-place operators -----------------------------------------------------------------------------
INDICES = ["[0, 0]", "np.array([0, 1, 0])", "x > 1.0", "1", "slice(0, 2)", "1:", "-1",
           "[True, False, True]", "np.array([], int)"]


@pytest.mark.parametrize("operator", ["+=", "-=", "*=", "/=", "**=", "//=", "%="])
@pytest.mark.sweep(3)
def test_in_place_operators(operator):
    for body in [f"y[{k}] {operator} {v}" for k in INDICES for v in ("x[0]", "2.1")] + [
            f"y[[0, 0, 1]] {operator} x", f"y[x > 1.0] {operator} y[x > 1.0] + 0.1",
            f"y[[2, 0]] {operator} y[[0, 2]]", f"y {operator} x + 0.1"]:
        check(program(body), X)


def test_in_place_operators_on_matrices():
    for operator in ("+=", "*=", "/=", "**="):
        for body in (f"y[[0, 0]] {operator} x", f"y[:, [0, 0]] {operator} x[:, :2]",
                     f"y[0, [0, 0]] {operator} x[0, :2]"):
            check(program(body), M)
    check(program("y @= x"), S)
    check(program("m = np.array([1, 2, 3])\nm &= 1\nm |= 2\nm <<= 2\ny = y * m\nm[[0, 0]] += 1\n"
                  "y = y * m\nm //= 2\ny = y + m"), X)


# Views ------------------------------------------------------------------------------------------
def stepped(a):
    whole = np.zeros([2 * n for n in a.shape], a.dtype)
    view = whole[tuple(slice(None, None, 2) for _ in a.shape)]
    view[...] = a
    return view


def reversed_(a):
    view = np.zeros(a.shape, a.dtype)[tuple(slice(None, None, -1) for _ in a.shape)]
    view[...] = a
    return view


def padded(a):
    view = np.zeros((*a.shape[:-1], a.shape[-1] + 3), a.dtype)[..., :a.shape[-1]]
    view[...] = a
    return view


LIES = {"C": lambda a: np.array(a, order="C"), "F": lambda a: np.array(a, order="F"),
        "steps": stepped, "reversed": reversed_, "padded": padded}
VIEWS = ["x.ravel()", "x.reshape(-1)", "x.T.ravel()", "x.T.reshape(-1)",
         "x.reshape(x.shape[-1], -1)",
         "np.asfortranarray(x)", "np.ascontiguousarray(x)", "x.ravel('F')", "x.ravel('K')",
         "x[::-1].ravel()", "x[..., 1:].reshape(-1)", "np.asarray(x)", "x.ravel().reshape(x.shape)",
         "x.ravel()[::-1]"]
BODIES = ["v = {0}\nv[...] = v * v\nx[...] = x * 2.0",
          "v = {0}\nfor i in range(2):\n    v[...] = v * v + x.sum()\n    x *= 0.5\n"
          "    v[...] += 1.0",
          "v = None\nfor i in range(2):\n    v = {0}\n    v[...] = v * v + x.sum()\n    x *= 0.5",
          "v = {0}\nif x.sum() > 1.0:\n    v[...] = v * v\nelse:\n    x *= 2.0\n"
          "x[...] = x * v.sum()"]


@pytest.mark.parametrize("lies", LIES)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.sweep(8)
def test_view_or_copy(view, lies):
    """Whether it is one shows in the value; the copy made on entry lies as the argument did."""
    for body in BODIES:
        if "None" in body:
            body, result = body.replace("v = None\n", ""), "0.0"
        else:
            result = "np.sum(v * v)"
        lines = "".join(f"    {line}\n" for line in body.format(view).split("\n"))
        f = function(f"def f(x):\n{lines}    return {result} + np.sum("
                     "x * x * np.arange(1.0, 1.0 + x.size).reshape(x.shape))\n")
        for x in (M / 2.0, X / 2.0) if "shape[-1]" in view else (M / 2.0, X / 2.0, X[:0]):
            check(f, x, LIES[lies])


@pytest.mark.parametrize("view", [
    "y.ravel()", "y.reshape(y.size)", "np.reshape(y, -1)", "y.T.ravel()", "y[:, 1:].ravel()",
    "y.flatten()", "np.atleast_1d(y)", "np.atleast_3d(y)", "np.squeeze(y)", "np.moveaxis(y, 0, 1)",
    "np.expand_dims(y, 0)", "y[:, None]", "np.flip(y)", "np.flipud(y)", "np.fliplr(y)",
    "np.rot90(y)", "y.swapaxes(0, 1)", "np.array(y)", "np.copy(y)", "y.copy()",
    "np.positive(y)", "np.diff(y)"])
@pytest.mark.parametrize("write", ["v[0] = x[0, 1] * 3.0", "y[0] = x[0, 1] * 3.0"])
def test_writing_through_either_name(view, write):
    check(program(f"v = {view}\n{write}\nq = q * np.sum(v * v)", start="x * 2.0"), M)


@pytest.mark.parametrize("view", [
    "np.einsum('ij->ji', y)", "np.diff(y, 0)", "np.linalg.matrix_power(y[:2, :2], 1)", "y.view()",
    "np.split(y, 2)[0]", "y.real", "np.diagonal(y)", "np.broadcast_to(y, (2, 3))",
    "np.real_if_close(y)", "max(y[0], y[1], key=sum)", "np.ravel(a=y)"])
@pytest.mark.parametrize("write", ["v[0] = x[0, 1] * 3.0", "y[0] = x[0, 1] * 3.0"])
def test_views_that_are_known_when_they_are_made(view, write):
    f = program(f"v = {view}\n{write}\nq = q * np.sum(v)", start="x * 2.0")
    try:
        f(M.copy())
    except ValueError:                  # it may only be read: the derivative says so, too
        assert "v[0]" in write and view.startswith(("np.diagonal", "np.broadcast_to"))
        with pytest.raises((ValueError, tl.TangentError)):
            tl.grad(f)(M)
        return
    check(f, M, by_names=False)


@pytest.mark.parametrize("view", ["np.nan_to_num(y, copy=False)", "y.flat"])
@pytest.mark.parametrize("write", ["v[0] = x[0, 1] * 3.0", "y[0] = x[0, 1] * 3.0"])
def test_views_that_are_not_followed(view, write):
    with pytest.raises(tl.TangentError):
        tl.grad(program(f"v = {view}\n{write}\nq = q * np.sum(v)", start="x * 2.0"))(M)


def test_index_that_moves_on():
    """`v = y[i:]; i = i + 1; v[0] = ...`: the shadow is that of the i of then."""
    check(function("def f(x):\n    y = x * 2.0\n    i = 0\n    while i < 2:\n        v = y[i:]\n"
                   "        i = i + 1\n        v[0] = v[0] * x[0]\n"
                   "    return np.sum(y * y * np.arange(1.0, 4.0))\n"), X)
    check(function("def f(x):\n    y = x * 2.0\n    k = 1\n    while k >= 0:\n"
                   "        v = np.swapaxes(y, 0, k)\n        k = k - 1\n"
                   "        v[0] = v[0] * x[0, 0]\n    return np.sum(y * y)\n"), M)


@pytest.mark.parametrize("lies", LIES)
def test_entry_copies_round_alike(lies):
    x = LIES[lies](np.random.default_rng(1).random((57, 43)))
    f = function("def f(x):\n    x[0, 0] = 0.1\n    return np.sum(x) + np.sum(x * x.T.copy().T)\n")
    assert tl.value_and_grad(f)(x)[0] == f(x.copy(order="K"))
