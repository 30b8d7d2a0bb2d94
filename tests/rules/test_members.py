"""Members of arrays, of known and of unknown kinds: all that have a derivative."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.array([[0.41, -1.23, 0.93], [1.37, 0.52, -0.31]])
WEIGHTS = np.arange(1.0, 7.0).reshape(2, 3)

EXPRESSIONS = [
    "x.T", "x.mT" if hasattr(np.ndarray, "mT") else "x.T", "x.real", "x.imag", "abs(x)", "x + x[0]",
    "x - x[:, :1]",
    "x * x", "x / (x * x + 1.0)", "x // 0.5 + x", "x % 0.7", "(x * x + 0.1) ** 1.5", "2.0 ** x",
    "-x", "+x", "x @ x.T", "x[1]", "x[:, ::-1]", "x[x > 0.0]", "x[[0, 0, 1]]", "x[..., None]",
    "x.astype(float)", "x.clip(-0.5, 1.0)", "x.clip(max=0.4)", "x.compress([1, 0, 1], axis=1)",
    "x.compress([True, False, True])", "x.conj()", "x.copy()", "x.cumprod()", "x.cumprod(axis=1)",
    "x.cumsum()", "x.cumsum(0)", "x.diagonal()", "x.diagonal(1)", "x.dot(x.T)", "x.flatten()",
    "x.flatten('F')", "x.max()", "x.max(axis=0)", "x.mean()", "x.mean(1, keepdims=True)",
    "x.min()", "x.prod()", "x.prod(axis=0)", "x.ravel()", "x.repeat(2)", "x.repeat(2, axis=1)",
    "x.reshape(3, 2)", "x.reshape((-1,))", "x.round(1) + x", "x[:1].squeeze()", "x.squeeze()",
    "x.std()", "x.std(axis=0, ddof=1)", "x.sum()", "x.sum(axis=(0, 1))", "x.sum(where=x > 0.0)",
    "x.swapaxes(0, 1)", "x.take([0, 5, 5])", "x.take([0, 2], axis=1)", "x.trace()", "x.trace(1)",
    "x.transpose()", "x.transpose(1, 0)", "x.var()", "x.var(axis=1)", "x.item(4)",
    "x[0].tolist()[1]", "np.array([0, 1, 0]).choose(x)", "x.argmax() * x", "x.argsort()[0] * x",
    "x.nonzero()[0].size * x",
    "(x > 0.0).all() + x", "(x > 0.0).any() * x", "x.searchsorted([0.0]) if False else x",
    "len(x) * x", "x.shape[0] * x", "x.size * x", "x.ndim * x", "(0.9 in x) * x", "(x == x) * x",
    "(x >= 0.5) * x", "divmod(x, 0.7)[1]",
]


def measured(v):
    return np.sum(np.asarray(v) ** 2 * 0.5 + np.asarray(v))


def made(expression, unknown):
    """A function of the expression; unknown: of an array of which no kind tells."""
    space = {"np": np, "measured": measured, "hidden": hidden}
    first = "    x = hidden([x])\n" if unknown else ""
    text = f"def f(x):\n{first}    return measured({expression})\n"
    name = f"<expression {expression}{' hidden' if unknown else ''}>"
    import linecache
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)
    return space["f"]


def hidden(boxes):
    box = {"k": boxes[0], 1: 2.0}
    found = None
    for key in box:
        if key == "k":
            found = box[key]
    return found


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.sweep(8)
def test_member(expression, unknown):
    f = made(expression, unknown)
    tl.check_grads(f, (X,), order=1, modes=("fwd", "rev"))
    assert tl.value_and_grad(f)(X)[0] == f(X)


@pytest.mark.parametrize("statement", [
    "y.fill(x[0, 0])", "y.sort()", "y.sort(axis=0)", "y.partition(1)", "y.put([0, 3], x[0, :2])",
    "y[0] = x[1]", "y[y > 0.5] = x[0, 0]", "y += x", "y -= x[0]", "y *= x", "y /= x + 3.0",
    "y **= 2", "np.add.at(y, ([0, 0], [1, 1]), x[0, :2])", "np.copyto(y, x, where=x > 0.0)",
    "np.fill_diagonal(y, x[0, 0])", "np.multiply(x, x, out=y)", "x.cumsum(axis=1, out=y)",
    "np.putmask(y, y > 0.5, x)", "np.place(y, y > 0.5, x[0])",
    "np.put_along_axis(y, np.array([[1], [0]]), x[:, :1], 1)",
])
def test_what_writes(statement):
    text = f"def f(x):\n    y = x * x\n    {statement}\n    return measured(y * x)\n"
    space = {"np": np, "measured": measured}
    import linecache
    linecache.cache[f"<{statement}>"] = (len(text), None, text.splitlines(True), f"<{statement}>")
    exec(compile(text, f"<{statement}>", "exec"), space)
    tl.check_grads(space["f"], (X,), order=1, modes=("fwd", "rev"))
    assert tl.value_and_grad(space["f"])(X)[0] == space["f"](X)


@pytest.mark.parametrize("expression", ["x.flat", "x.view(np.int64) * x",
                                        "np.frombuffer(x.tobytes())"])
def test_what_is_refused(expression):
    with pytest.raises(tl.TangentError):
        tl.grad(made(expression, False))(X)
