"""Saved derivatives run without tangent_lite, and say what they read."""

import ast
import sys

import fresh
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.written.standalone import literal

MODULE = '''
import math
import numpy as np
import scipy_free_names as names
import tangent_lite as tl
from math import floor
from numpy import sin as s

SCALE = np.float32(0.5)
TABLE = np.arange(4.0)
LIMITS = (0.0, float("inf"), {"low": [1, None]})
unbroadcast = 3.0


def step(x: "Missing", table=TABLE) -> "Missing":
    # nothing varies here
    return 2.0 if x > SCALE else floor(table.sum()) + LIMITS[0]


def helper(x, w):
    y = np.sin(x) * w
    return y * y


def f(x, w, n=3):
    total = 0.0
    for i in range(n):
        total = total + np.sum(helper(x, w)) * unbroadcast * step(0.2)
    return total + np.sum(x[:, None] * w) + names.offset(LIMITS[1] > 1.0)


def live(x):
    return tl.stop_gradient(x) * s(x) * TABLE[1] + math.exp(x) * SCALE


def keyword(x, y=TABLE, *, k=2.0):
    return np.sum(x * y) * k


def untellable(x):
    return x * len(SINK)


SINK = {1, 2}


def objects(k, n):
    body = names.Plain(np.array([1.0, 2.0]))
    force = names.force_of(k)
    for _ in range(n):
        body.step(force)
    return np.sum(body.x)


def too_large(x):
    return np.sum(x * HUGE)


HUGE = np.ones(5000)
'''


WITHOUT_US = '''
def offset(flag):
    return 1.0 * flag


class Plain:
    """The name of a class of ours."""

    def __init__(self, x):
        self.x, self.v = x, 0.0             # a number at first

    def step(self, force):
        self.v = self.v + 0.1 * force(self)
        self.x = self.x + 0.1 * self.v


def force_of(k):
    def force(body):
        return -k * body.x
    return force
'''


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """module, save(function, wrt, *args) -> text of out.py, in a folder that is on the path."""
    (tmp_path / "to_save.py").write_text(MODULE)
    (tmp_path / "scipy_free_names.py").write_text(WITHOUT_US)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("to_save", "scipy_free_names"):
        sys.modules.pop(name, None)
    import to_save
    return to_save, tmp_path


def test_everything_is_written_out(saved):
    module, folder = saved
    x, w = np.ones(3), np.ones(3)
    d = tl.grad(module.f, wrt=("x", "w"))
    want = d(x, w)
    d.save(folder / "out.py")
    text = (folder / "out.py").read_text()
    assert "tangent_lite" not in text and "SCALE = np.float32(0.5)" in text
    got = fresh.run("""
        import sys
        import numpy as np
        import out
        print([g.tolist() for g in out.f_grad(np.ones(3), np.ones(3))])
        assert "to_save" not in sys.modules
    """, folder, with_us=False)
    assert ast.literal_eval(got) == [g.tolist() for g in want]


def test_one_text_for_one_derivative(saved):
    module, _ = saved
    x = np.ones(3)
    texts = {tl.grad(module.f).standalone(x, x) for _ in range(3)}
    assert len(texts) == 1


def test_our_own_functions_are_written_out(saved):
    module, folder = saved
    d = tl.grad(module.live)
    want = d(2.0)
    d.save(folder / "out.py")
    assert float(fresh.run("import out; print(float(out.live_grad(2.0)))", folder,
                           with_us=False)) == want


def test_defaults_and_keywords(saved):
    module, folder = saved
    d = tl.grad(module.keyword)
    want = d(np.ones(4))
    d.save(folder / "out.py")
    got = fresh.run("""
        import numpy as np, out
        print(out.keyword_grad(np.ones(4), np.arange(4.0), k=2.0).tolist())
    """, folder, with_us=False)
    assert ast.literal_eval(got) == want.tolist()


def test_value_and_grad(saved):
    module, folder = saved
    tl.value_and_grad(module.live).save(folder / "out.py", 2.0)
    got = fresh.run("import out; print(tuple(map(float, out.live_value_and_grad(2.0))))", folder,
                    with_us=False)
    assert ast.literal_eval(got) == tl.value_and_grad(module.live)(2.0)


def test_what_has_no_text_is_refused_and_leaves_no_file(saved):
    module, folder = saved
    for function, args, why in ((module.untellable, (2.0,), "SINK"),
                                (module.too_large, (np.ones(5000),), "5000 numbers")):
        with pytest.raises(tl.TangentError, match=why):
            tl.grad(function).save(folder / "never.py", *args)
    assert not (folder / "never.py").exists()


def test_objects_are_made_of_classes_that_are_imported(saved):
    module, folder = saved
    derivative = tl.grad(module.objects)
    wanted = derivative(2.0, 3)
    derivative.save(folder / "out.py")
    text = (folder / "out.py").read_text()
    assert "def replaced(" in text and text.count("\nclass ") == 2
    got = fresh.run("import out; print(out.objects_grad(2.0, 3))", folder, with_us=False)
    assert float(got) == wanted


def test_library_functions_are_imported(saved):
    pytest.importorskip("scipy")
    _, folder = saved
    (folder / "with_scipy.py").write_text(
        "import scipy.special\nfrom scipy import special\n\n\ndef f(x, n=2):\n"
        "    return x * scipy.special.comb(4, n) * special.factorial(n)\n")
    sys.modules.pop("with_scipy", None)
    import with_scipy
    d = tl.grad(with_scipy.f)
    assert d(1.0) == 12.0
    d.save(folder / "out.py")
    assert float(fresh.run("import out; print(out.f_grad(1.0))", folder, with_us=False)) == 12.0


@pytest.mark.parametrize("value", [
    0.1, -0.0, 1e300, float("inf"), 3, True, None, "a'b", b"x", 1 + 2j, complex("inf"),
    (1.0,), (), [1, (2.0, [])], {"a": {1: None}}, range(3), np.float32(0.1), np.float64(0.1),
    np.int16(3), np.bool_(True), np.arange(6).reshape(2, 3), np.array([np.nan, np.inf]),
    np.array([True, False]), np.array(2.5, np.float32), np.zeros((0, 3)), np.array([1 + 2j]),
    np.dtype(float), np.dtype(np.float32), np.dtype(bool),
], ids=repr)
def test_literals(value):
    text = literal(value, "name")
    again = eval(text, {"np": np})
    assert type(again) is type(value)
    if isinstance(value, (np.ndarray, np.generic)):
        assert again.dtype == value.dtype and again.shape == value.shape
        assert again.tobytes() == value.tobytes()
    else:
        assert repr(again) == repr(value)


@pytest.mark.parametrize("value", [{1, 2}, object(), np.ones(2000), [object()],
                                   np.dtype([("a", float)]), np.dtype(">f8")],
                         ids=lambda v: type(v).__name__)
def test_what_has_no_literal(value):
    with pytest.raises(tl.TangentError, match="weights.*cannot be written"):
        literal(value, "weights")


def test_the_adjoint_of_relu_is_saved(tmp_path):
    (tmp_path / "layer.py").write_text("import numpy as np\n\n\ndef f(x, w):\n"
                                       "    return np.sum(np.maximum(x * w, 0.0))\n")
    fresh.run("""
        import layer, numpy as np, tangent_lite as tl
        tl.grad(layer.f).save("saved.py", np.ones(3), np.ones(3))
    """, tmp_path)
    fresh.run("""
        import sys
        import numpy as np
        import saved
        assert "tangent_lite" not in sys.modules
        assert saved.f_grad(np.ones(3), np.array([2.0, 0.0, -1.0])).tolist() == [2.0, 0.0, 0.0]
    """, tmp_path)


def test_hooks_are_saved_too(tmp_path):
    (tmp_path / "hooked.py").write_text(
        "import numpy as np\nimport tangent_lite as tl\n\n\n"
        "def clip(g):\n    return np.clip(g, -0.5, 0.5)\n\n\n"
        "def f(x):\n    return np.sum(tl.grad_hook(x * 2.0, clip))\n")
    fresh.run("""
        import hooked, numpy as np, tangent_lite as tl
        tl.grad(hooked.f).save("saved.py", np.ones(3))
    """, tmp_path)
    fresh.run("""
        import sys
        import numpy as np
        import saved
        assert "tangent_lite" not in sys.modules
        assert saved.f_grad(np.ones(3)).tolist() == [1.0] * 3
    """, tmp_path)


def test_defaults_that_could_change_are_saved(tmp_path, monkeypatch):
    (tmp_path / "open_models.py").write_text('''
import functools
import numpy as np

def model(x, w=[1.0, 2.0], n=3, options={"scale": 2.0}, points=np.array([1.0, 2.0]), *, k=(1.0,)):
    return n * np.sum(w[1] * x ** 2 * points) * options["scale"] * k[0]

def unwritable(x, a=2.0, how=object(), b=3.0):
    return a * b * x * x

def twice(fun):
    @functools.wraps(fun)
    def wrapper(*args, **kwargs):
        return 2.0 * fun(*args, **kwargs)
    return wrapper

@twice
def wrapped(x, y=3.0):
    return x * x * y
''')
    monkeypatch.syspath_prepend(tmp_path)
    import open_models
    found = {}
    for function, args in [(open_models.model, (1.5,)), (open_models.unwritable, (1.5,)),
                           (open_models.wrapped, (1.5,))]:
        path = tmp_path / f"saved_{function.__name__}.py"
        tl.grad(function).save(path, *args)
        space = {}
        exec(compile(path.read_text(), str(path), "exec"), space)
        found[function.__name__] = space[f"{function.__name__}_grad"]
    assert found["model"](1.5) == tl.grad(open_models.model)(1.5) == 108.0
    assert found["model"](1.5, [1.0, 1.0], k=(2.0,)) == 108.0
    # What stands behind a default without a text keeps its own.
    assert found["unwritable"](1.5, 2.0, None) == 18.0
    with pytest.raises(TypeError, match="how"):
        found["unwritable"](1.5)
    assert found["wrapped"](1.5) == 18.0
