"""Function -> tree: from real files, notebooks and doctests, and refused where text is not code."""

import ast
import dataclasses
import inspect
import linecache
import threading
import typing

import gast
import pytest

from tangent_lite.source import Source, source_of
from tangent_lite.source.trees import to_gast
from tests.source_modules import body, carets, execute, find, loader, unparse


@pytest.fixture
def load(tmp_path):
    return loader(tmp_path)


# Plain functions.


def test_function_of_a_file(load):
    module = load(
        """
        scale = 3.0

        def f(x, y=2.0):
            '''Doc.'''
            z = x * y
            return z * scale
        """
    )
    source = source_of(module.f)
    assert isinstance(source, Source)
    assert isinstance(source.tree, gast.FunctionDef)
    assert source.function is module.f
    assert (source.name, source.qualname, source.tree.name) == ("f", "f", "f")
    assert source.file == module.__file__
    assert source.lines[3] == "def f(x, y=2.0):"
    assert source.globals is module.__dict__
    assert source.cells == {}
    assert (source.tree.lineno, source.tree.col_offset) == (4, 0)
    assert source.tree.body[1].lineno == 6
    assert body(source) == '"""Doc."""\n    z = x * y\n    return z * scale'


def test_each_call_gives_a_fresh_tree(load):
    f = load("def f(x): return x\n").f
    first = source_of(f)
    first.tree.body.clear()
    assert body(source_of(f)) == "return x"


def test_all_kinds_of_parameters(load):
    text = "def f(a, /, b: float, *c, d=1, e: int=2, **k):\n    return a"
    assert unparse(source_of(load(text).f)) == text


def test_file_without_a_newline_at_its_end(load):
    assert body(source_of(load("def f(x): return x").f)) == "return x"


def test_windows_newlines(tmp_path):
    path = tmp_path / "dos.py"
    path.write_bytes(b"a = 1\r\ndef f(x):\r\n    y = x\r\n    return y\r\n")
    source = source_of(execute(path, "dos").f)
    assert source.lines[1:4] == ("def f(x):", "    y = x", "    return y")
    assert carets(source, find(source, gast.Return)) == "return y"


def test_async_function_is_found(load):
    tree = source_of(load("async def f(x):\n    return await x\n").f).tree
    assert isinstance(tree, gast.AsyncFunctionDef)


def test_generator_is_found(load):
    assert body(source_of(load("def f(x):\n    yield x\n").f)) == "yield x"


# Decorators.


def test_decorated_function(load):
    module = load(
        """
        def same(f): return f
        def keep(**options): return same

        @same
        @keep(a=1,
              b=2)
        def f(x):
            return x
        """
    )
    source = source_of(module.f)
    assert source.tree.decorator_list == []
    assert source.tree.lineno == 8
    assert body(source) == "return x"
    assert source.text(source.tree) == "def f(x):"


def test_wrapper_is_itself_not_what_it_wraps(load):
    module = load(
        """
        import functools
        def twice(f):
            @functools.wraps(f)
            def wrapper(*args):
                return 2 * f(*args)
            return wrapper

        @twice
        def f(x):
            return x + 1
        """
    )
    source = source_of(module.f)
    assert source.name == "f"  # __name__ is what wraps made it
    assert body(source) == "return 2 * f(*args)"
    assert body(source_of(module.f.__wrapped__)) == "return x + 1"
    assert source.cells["f"].cell_contents is module.f.__wrapped__


# Closures and classes.


def test_closure(load):
    module = load(
        """
        def outer(a):
            b = 2
            def inner(x):
                return a * b * x
            return inner
        """
    )
    three, four = module.outer(3), module.outer(4)
    source = source_of(three)
    assert source.qualname == "outer.<locals>.inner"
    assert {name: cell.cell_contents for name, cell in source.cells.items()} == {"a": 3, "b": 2}
    assert source_of(four).cells["a"].cell_contents == 4
    assert (source.tree.lineno, source.tree.col_offset) == (4, 4)


def test_recursive_closure_has_its_own_cell(load):
    module = load(
        """
        def outer():
            def inner(n):
                return n * inner(n - 1) if n else 1
            return inner
        """
    )
    inner = module.outer()
    assert source_of(inner).cells["inner"].cell_contents is inner


def test_two_functions_of_one_name(load):
    module = load(
        """
        def outer(flag):
            if flag:
                def f(x): return x
            else:
                def f(x): return 2 * x
            return f
        """
    )
    assert body(source_of(module.outer(True))) == "return x"
    assert body(source_of(module.outer(False))) == "return 2 * x"


def test_function_of_a_finally_block(load):
    # The compiler makes the code of a finally block twice.
    module = load("try:\n    pass\nfinally:\n    def f(x): return x\n    g = lambda x: x * 2\n")
    assert body(source_of(module.f)) == "return x"
    assert body(source_of(module.g)) == "return x * 2"


def test_methods(load):
    module = load(
        """
        class Model:
            def call(self, x):
                return self.w * x
            @staticmethod
            def static(x):
                return x
            @classmethod
            def of_class(cls, x):
                return cls, x
            @property
            def size(self):
                return self.w
            class Inner:
                def call(self): return __class__
        """
    )
    model = module.Model
    assert body(source_of(model.call)) == "return self.w * x"
    assert source_of(model.call).qualname == "Model.call"
    assert body(source_of(model.static)) == "return x"
    assert body(source_of(model.of_class.__func__)) == "return (cls, x)"
    assert body(source_of(model.size.fget)) == "return self.w"
    inner = source_of(model.Inner.call)
    assert inner.cells["__class__"].cell_contents is model.Inner


PRIVATE = """
class _Model:
    def f(self, __k):
        global __counter
        import os.path as __path
        from os import __name__ as __name
        self.__w.__v__ = __k
        def __g(x):
            return x.__u
        class In:
            __a = __k
            def h(self): return self.__b
        match __k:
            case {**__rest}: pass
            case [*__some]: pass
            case __other: pass
        try:
            pass
        except ValueError as __e:
            raise
        return __g(call(__kw=1)) + self._plain + __dunder__
class __:
    def f(self): return self.__w
"""


def test_private_names_are_those_that_run(load):
    module = load(PRIVATE)
    f = module._Model.f
    tree = source_of(f).tree
    again = compile(unparse(source_of(f)), "again", "exec").co_consts[0]
    # Compiled outside its class, the function has the names that it has inside.
    assert again.co_varnames == f.__code__.co_varnames
    assert again.co_names == f.__code__.co_names
    assert tree.name == "f"
    # A class of underscores only does not mangle.
    assert body(source_of(module.__dict__["__"].f)) == "return self.__w"


def test_private_method_is_shown_as_written(load):
    module = load("class Model:\n    def __f(self): return self.__w\n")
    source = source_of(module.Model._Model__f)
    assert source.name == source.tree.name == "__f"
    assert body(source) == "return self._Model__w"
    assert source.text(find(source, gast.Attribute)) == "self.__w"


# Price.


def test_a_file_is_compiled_once_for_all_its_functions(load, monkeypatch):
    count = 1000
    module = load("".join(f"def f{k}(x):\n    y = x * {k}\n    return y\n\n" for k in range(count)))
    compiled = []
    original = compile
    monkeypatch.setattr("builtins.compile",
                        lambda *a, **k: compiled.append(a[1]) or original(*a, **k))
    for k in range(count):
        assert source_of(getattr(module, f"f{k}")).name == f"f{k}"
    # Some 50 ms each time: once for each function it would be a minute.
    assert len(compiled) <= 2


def test_threads(load):
    module = load("fs = [" + ", ".join(f"lambda x: x + {k}" for k in range(50)) + "]\n")
    found = {}

    def work(k):
        found[k] = body(source_of(module.fs[k]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: f"return x + {k}" for k in range(50)}


@pytest.mark.parametrize("module", [ast, dataclasses, inspect, typing])
@pytest.mark.sweep(2)
def test_trees_are_those_of_gast(module):
    tree = ast.parse(inspect.getsource(module))
    assert gast.dump(to_gast(tree), include_attributes=True) == gast.dump(
        gast.ast_to_gast(tree), include_attributes=True)


def test_a_function_of_no_module():
    """As `exec` makes it in a dict that has no name."""
    import numpy as np

    import tangent_lite as tl

    text = "def f(x):\n    y = [v * v for v in x]\n    y[0] = y[1] * x[0]\n    return sum(y)\n"
    name = "<of no module>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    assert space["f"].__module__ is None
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(tl.grad(space["f"])(x), [4.0, 8.0])
    np.testing.assert_allclose(tl.hvp(space["f"])(x, np.array([1.0, 0.0])), [0.0, 4.0])
    np.testing.assert_allclose(tl.jvp(space["f"], (x,), (x,))[1], 20.0)
