"""Exceptions that carry numbers from where they are raised to where they are handled."""
import pytest

import tangent_lite as tl
from tests.heap.referee import held, world

HEAD = """
class Err(Exception):
    def __init__(self, value, code=3):
        super().__init__("bad")
        self.value, self.code = value, code
class Best(ValueError):
    pass
class Kept(Exception):
    def __init__(self, message, state):
        super().__init__(message, state)
        self.state = state
"""
NUMBER, VECTOR = "0.7", "np.array([0.5, 1.3, 0.8])"

PROGRAMS = {
    "an attribute": (NUMBER, """
def f(x):
    try:
        raise Err(x * x)
    except Err as e:
        y = e.value * e.code
    return y * x
"""),
    "raised in a helper": (NUMBER, """
def check(x):
    if x > 0.1:
        raise Err(x * x)
    return x
def f(x):
    try:
        return check(x)
    except Err as e:
        return e.value * x
"""),
    "its arguments": (NUMBER, """
def f(x):
    try:
        raise ValueError(x * x)
    except ValueError as e:
        return e.args[0] * x
"""),
    "in a loop": (VECTOR, """
def f(xs):
    t = 0.0
    for v in xs:
        try:
            if v > 0.6:
                raise Err(v * v, code=2)
            t += v
        except Err as e:
            t += e.value * e.code
    return t
"""),
    "kept under another name": (NUMBER, """
def check(x):
    if x > 0.1:
        raise Err(x * x)
    return x
def f(x):
    try:
        check(x)
    except Err as e:
        err = e
    return err.value * x
"""),
    "set from outside": (NUMBER, """
def f(x):
    e = Best("a")
    e.best = x * x
    try:
        raise e
    except Best as h:
        return h.best * x
"""),
    "a container": (NUMBER, """
def f(x):
    try:
        raise Kept("no", {"a": x, "b": [x * x]})
    except Kept as e:
        return e.state["a"] * e.state["b"][0] * e.args[1]["a"]
"""),
    "an array that changes": (VECTOR, """
def f(xs):
    try:
        raise Err(xs * 2.0)
    except Err as e:
        v = e.value
        v[0] = 1.0
        return np.sum(v * xs)
"""),
    "the best so far": (NUMBER, """
def newton(x, n):
    for k in range(n):
        x = 0.5 * (x + 2.0 / x)
        if abs(x * x - 2.0) < 1e-12:
            return x
    raise Err(x)
def f(x):
    try:
        return newton(x, 2)
    except Err as e:
        return e.value ** 2
"""),
    "from far below": (NUMBER, """
def deep(x, d):
    if d == 0:
        raise Err(x * x)
    return deep(x * 1.1, d - 1)
def f(x):
    try:
        return deep(x, 3)
    except Err as e:
        return e.value * x
"""),
    "raised from another one": (NUMBER, """
def f(x):
    try:
        try:
            raise Err(x * x)
        except Err as e:
            raise Kept("x", e.value * x) from e
    except Kept as k:
        return k.state * k.__cause__.value
"""),
    "through a finally": (NUMBER, """
def f(x):
    y = x
    try:
        try:
            raise Err(y * x)
        finally:
            y = y * 3.0
    except Err as e:
        return e.value * y
"""),
    "kept in a list": (NUMBER, """
def f(x):
    errors = []
    for k in range(3):
        try:
            if k:
                raise Err(x * k)
        except Err as e:
            errors.append(e)
    return sum(e.value ** 2 for e in errors)
"""),
    "a way that is not taken": (NUMBER, """
def f(x):
    try:
        y = math.sqrt(x)
    except ValueError as e:
        y = e.args[0]
    return y
"""),
    "after changes": (NUMBER, """
def f(x):
    a = [x]
    try:
        a.append(x * x)
        a[0] = a[0] * 2.0
        raise Err(a[0] * a[1])
    except Err as e:
        a[1] = e.value
    return a[0] * a[1]
"""),
    "changed in the handler": (NUMBER, """
def f(x):
    try:
        raise Err(x)
    except Err as e:
        e.value = e.value * x
        return e.value
"""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_against_differences(name):
    argument, text = PROGRAMS[name]
    held(HEAD + text, argument)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep(4)
def test_second_derivatives(name):
    argument, text = PROGRAMS[name]
    space = world(HEAD + text)
    tl.check_grads(space["f"], (eval(argument, space),), order=2)


def test_one_that_was_not_made_in_the_run():
    """What it carries was computed elsewhere."""
    space = world("""
class Err(Exception):
    value = 1.0

known = Err("known")

def f(x):
    try:
        raise known
    except Err as e:
        e.value = x
        return e.value * x
""")
    with pytest.raises(tl.UnsupportedSyntaxError, match="that an exception carries"):
        tl.grad(space["f"])(0.7)
