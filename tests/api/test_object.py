"""The derivative as an object: its text, its variants, in threads, pickled, in other processes."""
import ast
import inspect
import os
import pickle
import subprocess
import sys
import threading
import typing
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl
from tests import fresh
from tests.api.functions import frozen, product, same, writes


def subject(x, W):
    h = np.tanh(x @ W)
    return np.sum(h * h)


def annotated(x: float, y: float = 2.0) -> float:
    return x * y


def over_layers(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
    return np.sum(x * x)


def test_source_where_too_little_is_known():
    """Before the first call only what goes by identity can be written for a list of pairs."""
    d = tl.grad(over_layers)
    assert "tape.matmul" in d.source
    args = ([(np.eye(2), np.ones(2))], np.ones(2))
    d(*args)
    assert d.source == d.source_for(*args)
    assert "bh = bt @ W" in d.source or "bx = bt @ W" in d.source
    assert max(d.line_map) <= d.source.count("\n")


def test_source():
    d = tl.grad(subject)
    assert "# h = np.tanh(x @ W)" in d.source and "def subject_grad(x, W, bsubject=1.0)" in d.source
    assert isinstance(ast.parse(d.source), ast.Module)
    assert d.source == tl.grad(subject).source
    assert "unbroadcast" in tl.grad(product).source
    assert "unbroadcast" not in tl.grad(product).source_for(2.0, 3.0)
    assert "unbroadcast" not in tl.grad(annotated).source


def test_looking():
    d = tl.grad(subject, wrt="W")
    assert d.primal is subject
    assert repr(d) == "<grad(subject, wrt='W')>"
    assert repr(tl.value_and_grad(subject)) == "<value_and_grad(subject)>"
    assert inspect.getsource(d).count("# h = np.tanh(x @ W)") == 1
    assert "tanh" in d._repr_html_() and "<" in d._repr_html_()
    assert d.__name__ == "subject_grad" and d.__module__ == __name__


def test_show(capsys):
    tl.grad(subject).show()
    assert "# h = np.tanh(x @ W)" in capsys.readouterr().out
    tl.grad(product).show(2.0, 3.0)
    assert "unbroadcast" not in capsys.readouterr().out


def test_annotations_are_those_of_the_parameters():
    def f(x: np.ndarray, y: float = 1.0) -> float:
        return np.sum(x) * y

    for made in (tl.grad(f), tl.value_and_grad(f, wrt="y"), tl.hessian(f), tl.grad(tl.grad(f))):
        assert typing.get_type_hints(made) == {"x": np.ndarray, "y": float}
    assert typing.get_type_hints(tl.grad(np.sin)) == {}


def test_what_is_called_shows_the_signature_of_the_function():
    d = tl.grad(annotated)
    for _ in range(3):
        d(2.0)
        assert inspect.signature(d.__call__) == inspect.signature(d) == inspect.signature(annotated)


TYPED = """
import numpy as np
import tangent_lite as tl

@tl.grad(wrt=("a", "b"))
def area(a: float, b: float) -> float:
    return a * b

class Model:
    @tl.value_and_grad
    def loss(self, x: float) -> float:
        return x * x

text: str = tl.grad(area.primal).source
lines: dict[int, tuple[str, int]] = area.line_map
y, pullback = tl.vjp(Model.loss.primal, Model(), 2.0)
reveal_type(area)
reveal_type(tl.grad(lambda x: x * x))
tl.grad(3)
"""


@pytest.mark.slow
def test_types_as_users_see_them(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "model.py").write_text(TYPED)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
         f"--cache-dir={tmp_path}", "model.py"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "MYPYPATH": str(Path(tl.__file__).parent.parent)})
    told = [line for line in done.stdout.splitlines() if line.startswith("model.py")]
    revealed = [line for line in told if "Revealed type" in line]
    assert len(revealed) == 2 and all("GradientFunction" in line for line in revealed), done.stdout
    wrong, = [line for line in told if " error: " in line]
    assert 'No overload variant of "grad"' in wrong, done.stdout


def test_one_variant_for_a_kind():
    d = tl.grad(subject)
    for n in (2, 3, 4):
        d(np.ones((n, n)), np.ones((n, 1)))
    assert len(d._variants) == 1
    d(np.ones(2), np.ones((2, 1)))
    assert len(d._variants) == 2


# Threads, pickles, processes ----------------------------------------------------------------------
def test_threads():
    results, gate, shared = {}, threading.Barrier(8), tl.value_and_grad(writes)

    def work(k):
        gate.wait()
        made = tl.value_and_grad(writes)
        x = frozen([1.0, 2.0 + k, 3.0])
        results[k] = [d(x, 3.0) for d in (shared, made) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(8))
    for k, found in results.items():
        b = 2.0 + k
        for value, gradient in found:
            assert value == writes(np.array([1.0, b, 3.0]), 3.0)
            same(gradient, np.array([0.0, 8 * b * 9 + 8 * b, 24.0]))


@tl.grad
def decorated(x):
    return x * x


def test_pickles():
    for d in (tl.grad(subject, wrt=("W", 0)), tl.value_and_grad(subject)):
        again = pickle.loads(pickle.dumps(d))
        assert repr(again) == repr(d) and again.source == d.source
    again = pickle.loads(pickle.dumps(decorated))
    assert again is decorated and again(3.0) == 6.0


def test_a_pickle_in_a_new_process(tmp_path):
    (tmp_path / "pickled.py").write_text(
        "import tangent_lite as tl\n\n\ndef f(a, b):\n    return a * b * b\n\n\n"
        "@tl.grad\ndef g(a):\n    return a * a\n")
    fresh.run("""
        import pickle, pickled, tangent_lite as tl
        d = tl.grad(pickled.f, wrt=("a", "b"))
        assert d(2.0, 3.0) == (9.0, 12.0)
        pickle.dump((d, pickled.g), open("d.pickle", "wb"))
    """, tmp_path)
    fresh.run("""
        import pickle
        d, g = pickle.load(open("d.pickle", "rb"))
        assert d(2.0, 3.0) == (9.0, 12.0) and g(3.0) == 6.0
    """, tmp_path)


def test_import_brings_little_along(tmp_path):
    fresh.run("""
        import sys
        import numpy
        before = set(sys.modules)
        import tangent_lite
        new = set(sys.modules) - before
        assert not new & {"gast", "astunparse", "html", "ast", "tangent_lite.transform"}, new
        assert all(hasattr(tangent_lite, name) for name in tangent_lite.__all__)
        assert set(tangent_lite.__all__) <= set(dir(tangent_lite))
    """, tmp_path)


def test_modules_have_no_other_attributes():
    with pytest.raises(AttributeError, match="absent"):
        tl.absent  # noqa: B018


def test_sources_do_not_depend_on_the_run(tmp_path):
    (tmp_path / "written.py").write_text(
        "import numpy as np\n\n\ndef f(x, w):\n    s = 0.0\n    for i in range(3):\n"
        "        t = {'a': x[i], 'b': w}\n        s = s + t['a'] * np.sum(t['b'] * x)\n"
        "    return s\n")
    code = "import tangent_lite as tl, written; print(tl.grad(written.f, wrt=('x', 'w')).source)"
    texts = {fresh.run(f"import os; os.environ.update(SEED='{k}')\n{code}", tmp_path)
             for k in range(3)}
    assert len(texts) == 1
