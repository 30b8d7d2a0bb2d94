"""Imports in a function are what they would be at the top of its module."""
import math
import sys
import types

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit
from tangent_lite.inference import NO_OBJECT
from tangent_lite.passes.imports import imports

X = np.array([0.3, -0.7])


def from_import(x):
    from scipy.special import ndtr
    return np.sum(x * ndtr(x))


def renamed(x):
    import math as m
    from math import pi
    from math import sin as s
    return s(pi * x[0]) * m.cos(x[1])


def dotted(x):
    import os.path

    import numpy.linalg
    return numpy.linalg.norm(x) * len(os.path.sep)


def used_in_functions_inside(x):
    import numpy as np

    def inner(y):
        return np.sin(y)
    return np.sum(inner(x)) + sum([np.cos(v) for v in x])


def behind_statements(x):
    y = x * 2.0
    import math
    return math.sin(y[0]) * y[1]


def helper(v):
    from math import exp
    return exp(v) * v


def in_a_helper(x):
    return helper(x[0]) * helper(x[1])


def in_a_branch(x):
    if x[0] > 0.0:
        import math
        return math.sin(x[0]) * x[1]
    return x[0]


def bound_again(x):
    import math
    y = math.sin(x[0])
    math = 3.0
    return y * math * x[1]


def means_another_thing_outside(x):
    from numpy import linalg as math
    return math.norm(x)


def tried(x):
    try:
        import no_such_module as fast
    except ImportError:
        fast = None
    return x[0] * x[1] if fast is None else x[0]


@pytest.mark.parametrize("function", [from_import, renamed, dotted, used_in_functions_inside,
                                      behind_statements, in_a_helper])
def test_taken_out(function):
    tl.check_grads(function, (X,), order=2)
    assert "tape" not in tl.grad(function).source_for(X)
    assert "import" in tl.grad(function).standalone(X) or function is used_in_functions_inside


@pytest.mark.parametrize("function", [in_a_branch, bound_again, means_another_thing_outside, tried])
def test_left_where_they_are(function):
    tl.check_grads(function, (X,), order=1)
    assert "import" in tl.grad(function).source_for(X)


def test_saved(tmp_path):
    found = tl.grad(from_import)
    path = tmp_path / "saved.py"
    found.save(path, X)
    space = {}
    exec(path.read_text(), space)
    np.testing.assert_array_equal(space["from_import_grad"](X), found(X))


def used_before(x):
    y = cmath.sin(x)                                # noqa: F823
    import cmath
    return y + cmath.pi


def missing(x):
    import no_such_module
    return x * no_such_module.two


@pytest.mark.parametrize(("function", "error"), [(used_before, UnboundLocalError),
                                                 (missing, ModuleNotFoundError)])
def test_what_fails_when_it_is_called(function, error):
    for call in (function, tl.grad(function)):
        with pytest.raises(error):
            call(0.5)


def test_a_module_that_changes(monkeypatch):
    made = types.ModuleType("module_of_a_test")
    made.scale = lambda v: 2.0 * v
    monkeypatch.setitem(sys.modules, "module_of_a_test", made)

    def named(x):
        from module_of_a_test import scale
        return scale(x) * x

    def dotted(x):
        import module_of_a_test
        return module_of_a_test.scale(x) * x

    found = [tl.grad(named), tl.grad(dotted)]
    assert [d(0.5) for d in found] == [2.0, 2.0]
    made.scale = lambda v: 3.0 * v
    assert [d(0.5) for d in found] == [3.0, 3.0]
    other = types.ModuleType("module_of_a_test")
    other.scale = lambda v: 4.0 * v
    monkeypatch.setitem(sys.modules, "module_of_a_test", other)
    assert found[1](0.5) == 4.0


def written(text, **outside):
    bound = {}
    tree = imports(gast.parse(text).body[0], lambda name: outside.get(name, NO_OBJECT), None,
                   lambda name, thing, looked: bound.update({name: thing}))
    return emit(tree), bound


def test_data_of_a_module_that_changes(monkeypatch):
    """What is imported is looked at again on each call: numbers and lists, too."""
    module = types.ModuleType("data_of_a_test")
    module.rate, module.weights = 2.0, [1.0, 2.0]
    monkeypatch.setitem(sys.modules, "data_of_a_test", module)

    def f(x):
        from data_of_a_test import rate, weights
        return x * x * rate + weights[0] * x
    df = tl.grad(f)
    assert df(1.0) == 5.0
    module.rate = 5.0
    assert df(1.0) == 11.0
    module.weights[0] = 7.0
    assert df(1.0) == 17.0
    module.weights = [9.0, 1.0]
    assert df(1.0) == 19.0


def test_text():
    text, bound = written("def f(x):\n    import math, cmath as c\n    return math.sin(x)\n")
    assert text == "def f(x):\n    return math.sin(x)\n"
    assert bound["math"] is math and set(bound) == {"math", "c"}


@pytest.mark.parametrize("text", [
    "def f(math):\n    import math\n    return math\n",
    "def f(x):\n    import math\n    def math():\n        pass\n    return x\n",
    "def f(x):\n    import math\n    def g():\n        nonlocal math\n    return x\n",
    "def f(x):\n    import math\n    from cmath import sin as math\n    return x\n",
    "def f(x):\n    for math in x:\n        pass\n    import math\n    return x\n",
    "def f(x):\n    from . import math\n    return x\n",
    "def f(x):\n    from math import nothing\n    return x\n"])
def test_not_taken_out(text):
    assert written(text) == (text, {})


def test_another_meaning_outside():
    text = "def f(x):\n    import math\n    return math.sin(x)\n"
    assert written(text, math=3) == (text, {})
    assert written(text, math=math)[1] == {"math": math}


def captured(x):
    m_imported = x[1]
    if len(x):
        import math as m
        from math import pi

        import numpy.linalg

    def inner(y):
        return m.sin(y) * pi + numpy.linalg.norm(x)
    return inner(x[0]) * m_imported


def bound_anew_inside(x):
    import math

    def change():
        nonlocal math
        math = 2.0
    change()
    return x[0] * math


@pytest.mark.parametrize("function", [captured, bound_anew_inside])
def test_by_identity_in_functions_inside(function):
    tl.check_grads(function, (X,), order=1)
    assert "tape" in tl.grad(function).source_for(X)
