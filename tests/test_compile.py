"""Emitted functions live where the user's function lives, and debuggers see their lines."""

import ast
import bdb
import inspect
import linecache
import traceback

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.heap.functions import pair_of
from tests.any_shapes import for_any_shapes

CONSTANT = 3.0


def uses_a_global(x):
    y = CONSTANT * x
    return y * y


def looks_up(x, table):
    k = len(table)
    return x * table[3]


def emitted(d, *args):
    d(*args)
    return d._latest.main


def test_globals_and_cells_are_the_user_s():
    k = 2.0

    def f(x):
        return k * CONSTANT * x * x

    main = emitted(tl.grad(f), 1.0)
    assert main.__globals__ is globals()
    assert f.__closure__[0] in main.__closure__
    assert main.__module__ == __name__


def test_defaults_are_the_user_s():
    marker = np.ones(2)

    def f(x, w=marker, n=3):
        return np.sum(w * x) * n

    main = emitted(tl.grad(f), 1.0)
    assert main.__defaults__[0] is marker and main.__defaults__[1:] == (3, 1.0)
    assert main(1.0) == 6.0 and main(1.0, bf=2.0) == 12.0


def test_keyword_only_parameters():
    def f(x, *, k=2.0):
        return x * x * k

    main = emitted(tl.grad(f, wrt=("k", "x")), 3.0)
    assert main(3.0) == (9.0, 12.0) and main(3.0, k=1.0, bf=2.0) == (18.0, 12.0)


def test_the_seed_scales():
    main = emitted(tl.grad(uses_a_global), 1.0)
    assert main(1.0) == 18.0 and main(1.0, 0.5) == 9.0


def test_source_lines():
    main = emitted(tl.grad(uses_a_global), 1.0)
    lines, first = inspect.getsourcelines(main)
    assert lines[0].startswith("def uses_a_global_grad(x, buses_a_global=1.0):")
    file = main.__code__.co_filename
    assert linecache.getline(file, first) == lines[0]
    linecache.checkcache()
    assert linecache.getline(file, first) == lines[0]
    assert isinstance(ast.parse("".join(linecache.getlines(file))), ast.Module)


def test_tracebacks_show_the_line_of_the_derivative():
    d = tl.grad(looks_up)
    assert d(2.0, [1.0, 2.0, 3.0, 4.0]) == 4.0
    with pytest.raises(IndexError) as error:
        d(2.0, [1.0])
    frames = traceback.extract_tb(error.value.__traceback__)
    assert frames[-1].name == "looks_up_grad" and "table[3]" in frames[-1].line


def test_debuggers_can_stop_there():
    d = tl.grad(uses_a_global)
    main = emitted(d, 1.0)
    _, first = inspect.getsourcelines(main)
    seen = []

    file = main.__code__.co_filename

    class Debugger(bdb.Bdb):  # what pdb is made of
        def user_line(self, frame):
            if frame.f_code is main.__code__:
                seen.append(linecache.getline(file, frame.f_lineno).strip())
            self.set_step()

    debugger = Debugger()
    assert debugger.set_break(file, first + 1) is None
    debugger.runcall(main, 1.0)
    assert all(seen) and seen[-1].startswith("return")


def test_two_helpers_of_one_name(tmp_path, monkeypatch):
    for name, body in (("one", "x * x"), ("two", "x * x * x")):
        (tmp_path / f"named_{name}.py").write_text(f"def helper(x):\n    return {body}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import named_one
    import named_two

    def f(x):
        helper_fwd = named_one.helper(x)
        return helper_fwd + named_two.helper(x) + named_one.helper(2.0 * x)

    d = tl.grad(f)
    assert d(2.0) == 4.0 + 12.0 + 16.0
    text = d.source_for(2.0)
    definitions = [n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
    assert len(definitions) == len(set(definitions)) == 5
    called = {n.func.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)
              and isinstance(n.func, ast.Name)}
    assert set(definitions) - {"f_grad"} <= called
    space = {"named_one": named_one, "named_two": named_two}
    exec(text, space)
    assert space["f_grad"](2.0) == 32.0


def test_recursion():
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    globals()["power"] = power
    try:
        assert tl.grad(power)(2.0, 5) == 80.0
    finally:
        del globals()["power"]


def test_helpers_are_imported_in_what_is_shown():
    with for_any_shapes():
        text = tl.grad(lambda x, y: np.sum(x * y)).source_for(np.ones(3), np.ones((2, 3)))
    assert text.startswith("from tangent_lite.runtime import broadcast, unbroadcast")
    space = {}
    exec(text, space)
    assert space["lambda__grad"](np.ones(3), np.ones((2, 3))).tolist() == [2.0] * 3


def test_classes_are_imported_in_what_is_shown():
    def largest(A):
        w, V = np.linalg.eigh(A)
        return w[-1] * np.sum(V[:, :1] ** 4)

    A = np.arange(9.0).reshape(3, 3) + np.arange(9.0).reshape(3, 3).T
    derivative = tl.grad(largest)
    space = {}
    exec(derivative.source_for(A), space)
    np.testing.assert_array_equal(space["largest_grad"](A), derivative(A))


# When -------------------------------------------------------------------------------------------
def slope_of(x):
    return x * scale


scale = 3.0


def several_helpers(A, x, k):
    """A function of which the derivative imports more than a line holds."""
    y = np.abs(A @ x) * np.max(x)
    return np.sum(y[k] / np.sum(x, axis=0)) + np.sum(np.where(y > 0.0, y, x))


def test_long_imports_stand_on_several_lines():
    derivative = tl.grad(several_helpers, wrt=(0, 1))
    lines = derivative.source.splitlines()
    assert max(map(len, lines)) <= 100
    assert "from tangent_lite.runtime import (" in lines
    first = next(number for number, line in enumerate(lines, 1) if line.startswith("def "))
    assert derivative.line_map[first][1] == several_helpers.__code__.co_firstlineno


def test_the_general_code_is_compiled_when_it_is_called(monkeypatch):
    d = tl.grad(slope_of)
    assert "bslope_of * scale" in d.source
    variant = d.variant_to_read(None)
    assert "main" not in vars(variant) and "functions" not in vars(variant)
    monkeypatch.setitem(globals(), "scale", 5.0)        # names are live all the same
    assert d.__wrapped__(2.0) == 5.0 and d.__wrapped__ is variant.main is variant.call
    assert inspect.getsource(d).endswith("return bx\n")
    assert not hasattr(variant, "backward") and not hasattr(variant, "anything")


def test_no_text_takes_the_place_of_another():
    """Of both strategies, whose functions are called alike."""
    by_names, by_identity = set(), set()
    for number in range(20):
        def f(x, number=number):
            return x * x * number
        variant, _ = tl.api.derivative("vjp", f, None, True).variant_for((2.0,), {})
        by_names.add(variant.main.__code__.co_filename)
        by_identity.add(pair_of(f).forward.__code__.co_filename)
    assert len(by_names) == 20 and not by_names & by_identity
    assert all(linecache.getlines(file) for file in by_names | by_identity)
