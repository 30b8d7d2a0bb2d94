"""Parts that change in place: the shape, the type and the errors that NumPy has."""
import linecache
import operator
from types import SimpleNamespace

import numpy as np
import pytest

import tangent_lite as tl


class Body:
    pass


def in_a_loop(x, v):
    parts = [x.copy(), x * 2]
    for k in range(2):
        parts[k] *= v
    return np.sum(parts[0] * parts[1])


def in_a_while_loop(x, v):
    parts, k = [x.copy(), x * 2], 0
    while k < 2:
        parts[k] -= v
        k += 1
    return np.sum(parts[0] * parts[1])


def of_a_comprehension(x, v):
    parts = [x * a for a in (1, 2)]
    for k in range(len(parts)):
        parts[k] += x * v
    return np.sum(parts[0] * parts[1])


def appended(x, v):
    parts = []
    for k in range(3):
        parts.append(x * k)
        parts[-1] -= v
    return sum([np.sum(part * part) for part in parts])


def at_a_parameter(x, v, k=1):
    parts = [x.copy(), x * 2]
    parts[k] += v
    return np.sum(parts[1] * parts[1])


def by_another_name(x, v):
    parts = [x.copy(), x * 2]
    other = parts
    for k in range(2):
        other[k] *= v
    return np.sum(parts[0] * parts[1])


def in_a_dict(x, v):
    d = {"x": x.copy()}
    d["x"] += v
    return np.sum(d["x"] * d["x"])


def at_the_keys_of_a_dict(x, v):
    d = {"a": x.copy(), "b": x * 2}
    for key in d:
        d[key] += v
    return np.sum(d["a"] * d["b"])


def at_computed_keys(x, v):
    d = {}
    for k in range(3):
        d[k] = x * k
    for k in range(3):
        d[k] += v
    return sum([np.sum(part * part) for part in d.values()])


def in_a_list_of_a_dict(x, v):
    d = {"a": [x.copy(), x * 2]}
    for k in range(2):
        d["a"][k] *= v
    return np.sum(d["a"][0] * d["a"][1])


def in_nested_lists(x, v):
    parts = [[x.copy()], [x * 2]]
    for k in range(2):
        parts[k][0] *= v
    return np.sum(parts[0][0] * parts[1][0])


def in_an_object(x, v):
    body = Body()
    body.x = x.copy()
    body.x += v
    return np.sum(body.x * body.x)


def in_an_object_that_steps(x, v):
    body = SimpleNamespace(x=x.copy())
    for _ in range(3):
        body.x -= v
    return np.sum(body.x * body.x)


def change(parts, k, v):
    parts[k] *= v


def in_a_helper(x, v):
    parts = [x.copy(), x * 2]
    for k in range(2):
        change(parts, k, v)
    return np.sum(parts[0] * parts[1])


def in_rows(x, v):
    z = np.stack([x, x * 2])
    for k in range(2):
        z[k] *= v
    return np.sum(z * z)


FUNCTIONS = [in_a_loop, in_a_while_loop, of_a_comprehension, appended, at_a_parameter,
             by_another_name, in_a_dict, at_the_keys_of_a_dict, at_computed_keys,
             in_a_list_of_a_dict, in_nested_lists, in_an_object, in_an_object_that_steps,
             in_a_helper, in_rows]


def natural(f, x, v):
    """What the function gives, or the sort of error that it ends in."""
    try:
        return f(x.copy(), v.copy())
    except (ValueError, TypeError) as error:
        return ValueError if isinstance(error, ValueError) else TypeError


def ways(f, x, v, tangents):
    """What all ways to derivatives give as the value."""
    wrt = (0, 1) if x.dtype.kind in "fc" else 1
    return [lambda: tl.value_and_grad(f, wrt=wrt)(x, v)[0],
            lambda: tl.value_and_grad(f, wrt=1)(x, v)[0], lambda: tl.vjp(f, x, v)[0],
            lambda: tl.jvp(f, (x, v), tangents)[0], lambda: tl.linearize(f, x, v)[0]]


@pytest.mark.sweep(6)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [
    ((1,), (3,)), ((3,), (2, 3)), ((3,), (1, 3)), ((), (3,)), ((2, 1), (2, 3)), ((1,), (0,)),
    ((0,), (1,)), ((3,), ()), ((3,), (1,)), ((3,), (3,)), ((2, 3), (3,)), ((), ())], ids=str)
def test_what_is_too_large_is_an_error(f, shapes):
    x, v = (np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape) for shape in shapes)
    wanted = natural(f, x, v)
    for way in ways(f, x, v, (x, v)):
        if isinstance(wanted, type):
            with pytest.raises(wanted, match="shape|sequence"):
                way()
        else:
            found = way()
            assert found == wanted
    if isinstance(wanted, type):
        with pytest.raises(wanted, match="shape|sequence"):
            tl.hessian(f, wrt=1)(x, v)
        return
    slopes = tl.grad(f, wrt=(0, 1))(x, v)
    step = [1e-6 * np.cos(1.0 + np.arange(one.size)).reshape(one.shape) for one in (x, v)]
    difference = (f(x + step[0], v + step[1]) - f(x - step[0], v - step[1])) / 2.0
    assert sum(np.sum(slope * one) for slope, one in zip(slopes, step, strict=True)) \
        == pytest.approx(difference, rel=1e-5, abs=1e-10)
    assert tl.jvp(f, (x, v), tuple(step))[1] == pytest.approx(difference, rel=1e-5, abs=1e-10)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("types", [
    (np.float32, np.float64), (np.int64, np.float64), (np.float32, np.float32),
    (np.float64, np.float32), (np.float64, np.complex128), (np.complex64, np.float64)], ids=str)
def test_the_type_stays(f, types):
    x, v = ((np.arange(1, 4) / 3 + 1).astype(kind) for kind in types)
    if "c" in x.dtype.kind + v.dtype.kind:
        inner = f

        def f(x, v):
            return np.real(inner(x, v))
    wanted = natural(f, x, v)
    for way in ways(f, x, v, (x if x.dtype.kind in "fc" else None, v)):
        if isinstance(wanted, type):
            with pytest.raises(wanted):
                way()
        else:
            found = way()
            assert found == wanted
            assert type(found) is type(wanted)
    if not isinstance(wanted, type) and x.dtype.kind == "f":
        found = tl.grad(f, wrt=(0, 1))(x, v)
        exact = tl.grad(f, wrt=(0, 1))(x.astype(float), v.astype(float))
        for one, other, given in zip(found, exact, (x, v), strict=True):
            assert one.dtype == given.dtype
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operation", ["iadd", "isub", "imul", "itruediv", "ipow"])
def test_each_operation(operation):
    text = {"iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ipow": "**"}[operation]
    space = {"np": np}
    source = f"def f(x, v):\n    parts = [x.copy(), x + x]\n    for k in range(2):\n" \
             f"        parts[k] {text}= v\n    return np.sum(parts[0] * parts[1])\n"
    name = f"<in place {operation}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), space)
    f = space["f"]
    x, v = np.array([1.1, 2.2, 3.3], np.float32), np.array([0.3, 0.7, 1.9])
    by_hand = getattr(operator, operation)
    one, other = by_hand(x.copy(), v), by_hand(x + x, v)
    value, slopes = tl.value_and_grad(f, wrt=(0, 1))(x, v)
    assert value == np.sum(one * other) and value.dtype == np.float32
    for slope, wanted in zip(slopes, tl.grad(f, wrt=(0, 1))(x.astype(float), v), strict=True):
        np.testing.assert_allclose(slope, wanted, rtol=1e-5)
    for larger in (np.ones((1, 3)), np.ones((2, 3))):
        with pytest.raises(ValueError, match="non-broadcastable"):
            tl.grad(f)(x, larger)


def test_what_is_known_to_fit_is_left():
    def f(x):
        parts, rows = [x.copy(), x * 2.0], np.stack([x, x])
        for k in range(2):
            parts[k] *= 2.0
            rows[k] *= x
        return np.sum(parts[0] * parts[1]) + np.sum(rows)
    x = np.ones(3)
    assert "fitted" not in tl.grad(f).source_for(x)
    np.testing.assert_allclose(tl.grad(f)(x), 16.0 * x + 4.0 * x)


def test_a_number_is_a_number():
    def f(x, v):
        d = {"x": x}
        d["x"] += v
        return np.sum(d["x"] * d["x"])
    assert "fitted" not in tl.grad(f).source_for(2.0, np.ones(3))
    assert tl.grad(f)(2.0, np.ones(3)) == 18.0      # the dict holds another array from then on


@pytest.mark.parametrize("f", [
    in_a_loop, of_a_comprehension, appended, at_a_parameter, in_a_list_of_a_dict])
@pytest.mark.sweep(3)
def test_compiled(f):
    pytest.importorskip("numba")
    compiled, plain = (tl.value_and_grad(f, wrt=(0, 1), backend=b) for b in ("numba", "python"))
    x, v = np.array([0.5, 1.0, 2.0]), np.array([1.5, 2.5, 0.5])
    found, wanted = compiled(x, v), plain(x, v)
    assert found[0] == pytest.approx(wanted[0], rel=1e-14)
    for one, other in zip(found[1], wanted[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)
    with pytest.raises(ValueError, match="fit|shape"):
        compiled(np.ones(1), v)
