"""Context managers of the user that set something back: written out where they are entered."""
import contextlib
import io

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.heap.referee import check, world
from tests.passes.drawn_managers import Drawn

WORLD = Drawn(0).text()[0].split("def f(")[0]

BY_NAMES = {
    "a generator": """
with plainly(m, 2.0 * x) as n:
    y = n(x)
""", "a generator with finally": """
with surely(m, "b", x):
    y = m(x)
""", "what it gives varies": """
with grown(m, by=x) as a:
    y = a * m(x)
""", "a class": """
with Switched(m) as n:
    y = n(x) * m.b
""", "a class in a loop, left by break": """
y = 0.0
for k in range(4):
    with Scaled(m, 1.0 + k):
        y = y + m(x)
        if y > 9.0:
            break
""", "two at once, and a return": """
with Scaled(m, x), plainly(m, 0.3) as n:
    if n(x) > 0.0:
        return n(x) * m.a
    y = n(x)
y = y * 2.0
""", "one in another": """
with Scaled(m, x) as s:
    y = m(x) * s.inside
    with surely(m, "a", y):
        y = y + m(y)
    y = y + m.a
""", "a method": """
with m.frozen(x * x):
    y = m(x)
""", "made before": """
scaled = Scaled(m, x)
with scaled:
    y = m(x)
with scaled:
    y = y + m(y)
""", "try and finally of the function itself": """
old, m.a = m.a, x
try:
    y = m(x)
finally:
    m.a = old
"""}


def made(body, head="def f(x, b):\n    m = Model(x, b)\n"):
    text = WORLD + head + body.replace("\n", "\n    ") + "\n    return y + m.a * m.b"
    space = world(text, "model")
    return space, (space["f"], (1.3, 0.4))


@pytest.mark.parametrize("name", BY_NAMES)
def test_by_names(name):
    with by_names():
        f, args = made(BY_NAMES[name])[1]
        tl.grad(f)(*args)
        tl.jvp(f, args, (1.0, None))
    check(lambda: made(BY_NAMES[name])[1])


GIVEN = "def f(x, m):\n"


@pytest.mark.parametrize("name", BY_NAMES)
def test_an_object_that_is_given(name):
    def make():
        space, (f, (x, _)) = made(BY_NAMES[name], GIVEN)
        return f, (x, space["Model"](1.2, 0.4))

    with by_names():
        f, args = make()
        tl.grad(f)(*args)
    check(make)


def test_no_try_where_nobody_sees_it():
    f, args = made(BY_NAMES["a generator with finally"])[1]
    assert "try" not in tl.grad(f).source_for(*args)


def test_what_prints_when_it_is_left_is_left_by_finally():
    f, args = made("""
with Said(m, 2.0):
    y = math.sqrt(x - 1.0)
""")[1]
    with by_names():
        assert "finally" in tl.grad(f).source_for(*args)
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.raises(ValueError, match="math"):
        tl.grad(f)(0.5, 0.4)
    assert said.getvalue() == "left 0\n"


NOT_WRITTEN_OUT = {
    "it asks for the exception": """
class Asking(Scaled):
    def __exit__(self, kind, error, trace):
        if kind is None:
            self.model.b = self.saved
""", "it hides exceptions": """
class Asking(Scaled):
    def __exit__(self, kind, error, trace):
        self.model.b = self.saved
        return True
""", "it handles them": """
@contextlib.contextmanager
def Asking(model, factor):
    model.b = model.b * factor
    try:
        yield
    except ValueError:
        pass
    model.b = model.b / factor
""", "it yields in a branch": """
@contextlib.contextmanager
def Asking(model, factor):
    if factor > 1.0:
        model.b = model.b * factor
        yield
    else:
        yield
""", "it binds a global": """
@contextlib.contextmanager
def Asking(model, factor):
    global SCALE
    SCALE = factor
    model.b = model.b * factor
    yield
SCALE = 1.0
"""}


@pytest.mark.parametrize("name", NOT_WRITTEN_OUT)
def test_others_are_followed_or_refused(name):
    text = WORLD + NOT_WRITTEN_OUT[name] + """
def f(x, b):
    m = Model(x, b)
    with Asking(m, x):
        y = m(x)
    return y + m.a * m.b
"""
    f = world(text, "model")["f"]
    with by_names(), pytest.raises(tl.UnsupportedSyntaxError, match="this context manager"):
        tl.grad(f)(1.3, 0.4)


@pytest.mark.parametrize("seed", range(64))
@pytest.mark.sweep(8)
def test_drawn(seed):
    text, second = Drawn(seed).text()

    def make():
        space = world(text, "model")
        return space["f"], (1.3, eval(second, space))

    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = make()[0](*make()[1])
    except (ValueError, UnboundLocalError, ZeroDivisionError, OverflowError):
        pytest.skip("the function raises")
    if abs(value) > 1e4:
        pytest.skip("too steep for differences")
    check(make)


class Model:
    def __init__(self):
        self.s, self.m = 2.0, np.array([1.0, 2.0, 3.0])


class Held:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.old = self.model.m

    def __exit__(self, *args):
        self.model.m = self.old


@contextlib.contextmanager
def first_set(model, value):
    model.m[0] = value
    yield model


def left_early(x, model):
    y = x[0] * model.s
    with first_set(model, model.s):
        if x[0] > 0.2:
            return y * model.s
        with Held(model):
            y = y + np.sum(model.m * x)
            model.m += x
    return y + np.sum(model.m)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_put_back_through_the_name_of_a_record_is_kept(sign):
    # The array is put back under the name that kept it, which nothing else reads.
    x = sign * np.array([0.3, 0.5, 0.7])

    with by_names():
        value, (gradient, _) = tl.value_and_grad(left_early, wrt=(0, 1))(x, Model())
    assert value == left_early(x, Model())
    for k, step in enumerate(1e-6 * np.eye(3)):
        slope = (left_early(x + step, Model()) - left_early(x - step, Model())) / 2e-6
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-8)
