"""Function -> tree: from real files, notebooks and doctests, and refused where text is not code."""

import ast
import asyncio
import dataclasses
import doctest
import functools
import hashlib
import importlib.util
import inspect
import itertools
import linecache
import math
import subprocess
import sys
import textwrap
import threading
import types
import typing

import gast
import pytest

from tangent_lite import source as source_module
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import Source, source_of
from tangent_lite.source_trees import to_gast

numbers = itertools.count()


@pytest.fixture
def load(tmp_path):
    """Write a module into a file and import it, without pytest's rewriting of asserts."""

    def load(text, name=None, encoding="utf-8"):
        name = name or f"module_{next(numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding=encoding)
        return execute(path, name)

    return load


def execute(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    # Python would read a stale .pyc if a file is written twice within a second.
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def unparse(source):
    """The function as text of the standard library, to compare with expected text."""
    module = gast.Module(body=[source.tree], type_ignores=[])
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(module)))


def body(source):
    return unparse(source).split("\n", 1)[1].strip()


def carets(source, node):
    line, below = source.place(node).show().splitlines()
    return line[below.index("^") : len(below)]


def find(source, kind, k=0):
    return [node for node in gast.walk(source.tree) if isinstance(node, kind)][k]


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


# Lambdas.


def test_lambda(load):
    module = load("f = lambda x, k=2: x ** k\n")
    source = source_of(module.f)
    assert unparse(source) == "def lambda_(x, k=2):\n    return x ** k"
    assert (source.name, source.qualname) == ("lambda_", "<lambda>")
    assert (source.tree.lineno, source.tree.col_offset, source.tree.end_col_offset) == (1, 4, 25)
    assert source.text(source.tree) == "lambda x, k=2: x ** k"
    assert source.text(source.tree.body[0]) == "x ** k"
    assert carets(source, source.tree.body[0]) == "x ** k"


def test_lambda_of_several_lines(load):
    module = load(
        """
        fs = [
            lambda x: (  # a comment
                x +
                1
            ),
            lambda x: x * 2, lambda x: x + 2,
        ]
        """
    )
    assert [body(source_of(f))[7:] for f in module.fs] == ["x + 1", "x * 2", "x + 2"]
    source = source_of(module.fs[0])
    assert source.text(source.tree) == "lambda x: (x + 1)"


def test_lambdas_on_one_line(load):
    module = load("fs = [lambda x: x + 1, lambda x: x + 2, lambda x: y, lambda x: z, lambda: 1]\n")
    expected = ["x + 1", "x + 2", "y", "z", "1"]
    assert [body(source_of(f)) for f in module.fs] == [f"return {e}" for e in expected]


def test_lambdas_that_differ_by_type_of_constant(load):
    values = ["0.0", "0", "-0.0", "False", "(1,)", "(1.0,)", "(True,)", "''", "b''", "None", "..."]
    module = load("fs = [" + ", ".join(f"lambda x: {v}" for v in values) + "]\n")
    assert [body(source_of(f)) for f in module.fs] == [f"return {v}" for v in values]


def test_lambdas_that_differ_by_set_constants(load):
    module = load("fs = [lambda x: x in {1, 2}, lambda x: x in {1, 2.0}, lambda x: x in {1, 3}]\n")
    assert [body(source_of(f))[12:] for f in module.fs] == ["{1, 2}", "{1, 2.0}", "{1, 3}"]


def test_nested_lambdas_on_one_line(load):
    module = load("f = lambda x: lambda y: lambda z: x * y * z\n")
    f = module.f
    assert body(source_of(f)) == "return lambda y: lambda z: x * y * z"
    assert body(source_of(f(1))) == "return lambda z: x * y * z"
    assert body(source_of(f(1)(2))) == "return x * y * z"
    assert sorted(source_of(f(1)(2)).cells) == ["x", "y"]


def test_nested_lambdas_of_one_code(load):
    f = load("f = lambda: lambda: lambda: None\n").f
    assert body(source_of(f)).count("lambda") == 2
    assert body(source_of(f())).count("lambda") == 1
    assert body(source_of(f()())) == "return None"


def test_lambda_in_the_defaults_of_a_lambda(load):
    f = load("f = lambda x, g=lambda x: x + 1, *, h=lambda x: x + 2: g(x) * h(x)\n").f
    assert body(source_of(f)) == "return g(x) * h(x)"
    assert body(source_of(f.__defaults__[0])) == "return x + 1"
    assert body(source_of(f.__kwdefaults__["h"])) == "return x + 2"


def test_lambda_with_branches_between_lambdas(load):
    f = load("f = lambda a: (lambda y: y + 1) if a else (lambda z: (z and a) or 2)\n").f
    assert body(source_of(f)).startswith("return (lambda y: y + 1) if a else")
    assert body(source_of(f(True))) == "return y + 1"
    assert body(source_of(f(False))) == "return z and a or 2"


def test_equal_lambdas_are_told_apart_by_column(load):
    module = load("fs = [lambda x: x * 2, lambda x: x * 2]\n")
    sources = [source_of(f) for f in module.fs]
    assert [body(s) for s in sources] == ["return x * 2"] * 2
    if sys.version_info >= (3, 11):
        assert [s.tree.col_offset for s in sources] == [6, 23]


def test_equal_lambdas_with_other_defaults(load):
    module = load("fs = [lambda x, k=1: x * k, lambda x, k=2: x * k, lambda x, k=1.0: x * k]\n")
    assert [unparse(source_of(f))[15:].split(")")[0] for f in module.fs] == ["k=1", "k=2", "k=1.0"]
    module = load("fs = [lambda x, *, k=1: x * k, lambda x, *, k=2: x * k]\n")
    assert [unparse(source_of(f))[18:].split(")")[0] for f in module.fs] == ["k=1", "k=2"]


def test_equal_lambdas_with_unknown_defaults(load):
    module = load("a, b = 1, 2\nfs = [lambda x, k=a: x * k, lambda x, k=b: x * k]\n")
    if sys.version_info >= (3, 11):
        assert [unparse(source_of(f))[15:].split(")")[0] for f in module.fs] == ["k=a", "k=b"]
    else:
        with pytest.raises(SourceNotFoundError, match="py:2: several lambdas") as caught:
            source_of(module.fs[0])
        assert "a line of its own" in str(caught.value)


def test_lambda_in_comprehension_class_and_decorator(load):
    module = load(
        """
        fs = [lambda x: x * i for i in range(2)]
        class A: f, g = lambda self: self.__x, lambda self: self.__y
        marks = []
        @(lambda mark: lambda f: marks.append(mark) or f)(lambda x: x + 7)
        def h(x): return x
        """
    )
    assert body(source_of(module.fs[1])) == "return x * i"
    assert body(source_of(module.A.f)) == "return self._A__x"
    assert body(source_of(module.A.g)) == "return self._A__y"
    assert body(source_of(module.marks[0])) == "return x + 7"
    assert body(source_of(module.h)) == "return x"


def test_function_named_by_hand(load):
    f = load("def f(x): return x\n").f
    f.__name__ = "better"
    assert source_of(f).name == source_of(f).tree.name == "better"
    for name in ("<made>", "for"):
        f.__name__ = name
        assert source_of(f).name == source_of(f).tree.name == "f"


# Is the text found the code that runs?


def changed(tmp_path, before, after):
    """A module imported with one text, whose file then has another."""
    path = tmp_path / f"module_{next(numbers)}.py"
    path.write_text(before)
    module = execute(path, path.stem)
    path.write_text(after)
    return module


@pytest.mark.parametrize(
    "after",
    [
        "def f(x):\n    return x * 3\n",
        "def f(x):\n    return x * 2.0\n",
        "def f(x):\n    return y * 2\n",
        "def f(x, y):\n    return x * 2\n",
        "def f(x, *, y):\n    return x * 2\n",
        "def f(x, /):\n    return x * 2\n",
        "def f(y):\n    return y * 2\n",
        "def f(x):\n    return 2 * x\n",
        "def f(x):\n    yield x * 2\n",
        "async def f(x):\n    return x * 2\n",
        "def g(x):\n    return x * 2\n",
        "f = lambda x: x * 2\n",
        "\ndef f(x):\n    return x + 2\n",
        "def f(x):\n    return x *\n",
        "def f(x):\n    return [x * 2 for x in x]\n",
        "x = 1\n",
    ],
)
def test_changed_file(tmp_path, after):
    module = changed(tmp_path, "def f(x):\n    return x * 2\n", after)
    with pytest.raises(SourceNotFoundError, match="is not the code that runs") as caught:
        source_of(module.f)
    text = str(caught.value)
    assert f"{module.__name__}.f" in text
    assert module.__file__ in text
    assert "reload" in text


def test_change_in_a_nested_function(tmp_path):
    text = "def f(x):\n    def g(y): return [y * 2 for y in y]\n    return g(x)\n"
    module = changed(tmp_path, text, text.replace("2", "3"))
    with pytest.raises(SourceNotFoundError):
        source_of(module.f)


def test_change_of_what_is_around(tmp_path):
    # The same text, but `a` is a global now.
    module = changed(
        tmp_path,
        "def g(a):\n  def f(x):\n    return x * a\n  return f\n",
        "if True:\n  def f(x):\n    return x * a\n  f\n",
    )
    with pytest.raises(SourceNotFoundError):
        source_of(module.g(1))


def test_change_of_the_class_name(tmp_path):
    text = "class A:\n    def f(self): return self.__x\n"
    module = changed(tmp_path, text, text.replace("class A", "class B"))
    with pytest.raises(SourceNotFoundError):
        source_of(module.A.f)


def test_change_elsewhere_is_no_change(tmp_path):
    text = "def f(x):\n    return x * 2\n\ndef g(x): return 1\n"
    after = text.replace("return 1", "return 2").replace("x * 2", "(x  *  2)  # twice")
    module = changed(tmp_path, text, after)
    source = source_of(module.f)
    assert body(source) == "return x * 2"
    assert carets(source, find(source, gast.BinOp)) == "x  *  2"
    with pytest.raises(SourceNotFoundError):
        source_of(module.g)


def test_changed_and_loaded_again(tmp_path):
    path = tmp_path / "again.py"
    path.write_text("def f(x): return x * 2\n")
    old = execute(path, "again").f
    assert body(source_of(old)) == "return x * 2"
    path.write_text("def f(x): return x * 3  # new\n")
    new = execute(path, "again").f
    assert body(source_of(new)) == "return x * 3"
    with pytest.raises(SourceNotFoundError):
        source_of(old)


def test_file_that_is_gone(tmp_path, load):
    module = load("def f(x): return x\n", name="gone")
    (tmp_path / "gone.py").unlink()
    with pytest.raises(SourceNotFoundError, match=r"gone\.f has no .*: its file .* cannot be read"):
        source_of(module.f)


def test_code_replaced_by_hand(load):
    module = load("def f(x): return x\n\ndef g(x): return x + 1\n")
    module.f.__code__ = module.g.__code__
    assert body(source_of(module.f)) == "return x + 1"
    module.f.__code__ = module.g.__code__.replace(co_consts=(None, 5))
    with pytest.raises(SourceNotFoundError):
        source_of(module.f)


def test_exec_and_eval_have_no_source():
    names = {"__name__": "made"}
    exec("def f(x): return x", names)
    with pytest.raises(SourceNotFoundError, match=r"made\.f has no .*exec or eval") as caught:
        source_of(names["f"])
    assert "a file or a notebook cell" in str(caught.value)
    with pytest.raises(SourceNotFoundError):
        source_of(eval("lambda x: x"))


def test_exec_under_the_name_of_a_real_file(load):
    module = load("def f(x):\n    return x\n")
    exec(compile("def f(x): return x + 1", module.__file__, "exec"), module.__dict__)
    with pytest.raises(SourceNotFoundError):
        source_of(module.f)


@pytest.mark.parametrize("thing", [math.sin, len, "f", functools.partial(max, 1), [].append, int])
def test_not_a_python_function(thing):
    with pytest.raises(SourceNotFoundError, match="is not a function written in Python"):
        source_of(thing)


@pytest.mark.parametrize("depth", [150, 5000])
def test_deep_expressions_are_read_or_refused(load, depth):
    try:
        f = load("def f(x):\n    return x" + " + x" * depth + "\n").f
    except RecursionError:
        return  # Python itself refuses it
    try:
        assert len(source_of(f).tree.body) == 1
    except SourceNotFoundError as error:
        assert depth > 1000 and "nested too deeply" in str(error)


# Notebooks, doctests, generated code.


def cell(text, name, flags=0):
    """What IPython does with a cell."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {}
    for node in ast.parse(text).body:
        code = compile(ast.Module([node], []), name, "exec", flags, dont_inherit=True)
        exec(code, names)
    return names


@pytest.mark.parametrize("name", ["<ipython-input-7-abc>", "/nowhere/ipykernel_1/123.py"])
def test_notebook_cell(name):
    names = cell("k = 2\n\ndef f(x):\n    return x * k\ng, h = lambda x: x, lambda x: k\n", name)
    source = source_of(names["f"])
    assert (source.file, source.tree.lineno) == (name, 3)
    assert body(source) == "return x * k"
    assert body(source_of(names["h"])) == "return k"
    assert source.place(source.tree.body[0]).where() == f"{name}:4"


def test_notebook_cell_with_an_import():
    # Python 3.12 compiles math.sin(x) in another way where it sees the import, as it does not in
    # a notebook, whose cells run statement by statement.
    names = cell(
        "import math\ndef f(x): return math.sin(x)\n"
        "g, h = lambda x: math.sin(x), lambda x: math.cos(x)\n",
        "<ipython-input-8-abc>",
    )
    assert body(source_of(names["f"])) == "return math.sin(x)"
    assert body(source_of(names["g"])) == "return math.sin(x)"
    assert body(source_of(names["h"])) == "return math.cos(x)"


def test_notebook_cell_with_await_at_its_top():
    text = "await sleep(0)\ndef f(x): return x\n"
    linecache.cache["<cell-await>"] = (len(text), None, text.splitlines(True), "<cell-await>")
    code = compile(text, "<cell-await>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names = {"sleep": asyncio.sleep}
    asyncio.run(eval(code, names))
    assert body(source_of(names["f"])) == "return x"


def test_future_flags_of_an_earlier_cell():
    import __future__

    names = cell("def f(x: Unknown): return x\n", "<cell-f>", __future__.annotations.compiler_flag)
    assert body(source_of(names["f"])) == "return x"


def test_future_import_in_the_file(load):
    module = load(
        """
        from __future__ import annotations
        def f(x: Unknown) -> Unknown:
            y: Unknown = x
            return y
        """
    )
    assert body(source_of(module.f)) == "y: Unknown = x\n    return y"


def test_doctest_example():
    text = ">>> def f(x):\n...     return x * 2\n>>> keep(f)\n"
    seen = []

    def keep(f):
        seen.append(body(source_of(f)))

    test = doctest.DocTestParser().get_doctest(text, {"keep": keep}, "example", None, None)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert seen == ["return x * 2"]


def test_loader_that_has_the_text(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "lib.zip", "w") as archive:
        archive.writestr("zipped_module.py", "def f(x):\n    return x * 2\n")
    sys.path.insert(0, str(tmp_path / "lib.zip"))
    try:
        import zipped_module
    finally:
        sys.path.pop(0)
    assert body(source_of(zipped_module.f)) == "return x * 2"


# Tools that change code, or watch it.


def with_assert(x):
    y = x * 2
    assert y > x, "rewritten by pytest"
    return y


def with_assert_inside(x):
    def inner(z):
        assert isinstance(z, float) and 0 <= z < 5
        return z

    return inner(x), lambda v: v


def test_functions_that_pytest_rewrote():
    if "@py_assert" not in str(with_assert.__code__.co_varnames):
        pytest.skip("this pytest does not rewrite asserts")
    assert isinstance(source_of(with_assert).tree.body[1], gast.Assert)
    assert len(source_of(with_assert_inside).tree.body) == 2
    assert body(source_of(with_assert_inside(1.0)[1])) == "return v"
    one, two = lambda x: math.sin(x), lambda x: math.cos(x)
    assert body(source_of(two)) == "return math.cos(x)"


def test_change_in_a_function_that_pytest_rewrote():
    code = with_assert.__code__
    consts = tuple(3 if c == 2 and type(c) is int else c for c in code.co_consts)
    other = types.FunctionType(code.replace(co_consts=consts), globals())
    with pytest.raises(SourceNotFoundError):
        source_of(other)


def test_traced_function(load):
    f = load("def f(x):\n    y = x\n    return y\n").f
    sys_trace = sys.gettrace()
    sys.settrace(lambda *args: None)
    try:
        f(1)
        assert body(source_of(f)).endswith("return y")
    finally:
        sys.settrace(sys_trace)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in 3.12")
def test_monitored_function(load):
    f = load("def f(x):\n    y = x\n    return y\n").f
    monitoring = sys.monitoring
    monitoring.use_tool_id(4, "test")
    try:
        monitoring.set_local_events(4, f.__code__, monitoring.events.LINE)
        f(1)
        assert body(source_of(f)).endswith("return y")
    finally:
        monitoring.set_local_events(4, f.__code__, 0)
        monitoring.free_tool_id(4)


def test_function_that_the_interpreter_specialised(load):
    f = load("def f(x):\n    for k in range(3):\n        x = x * 2.0 + k\n    return x\n").f
    for _ in range(5000):
        f(1.0)
    assert len(source_of(f).tree.body) == 2


@pytest.mark.parametrize("option", ["-O", "-OO", "-Xno_debug_ranges", "-Werror"])
@pytest.mark.sweep(2)
def test_options_of_the_interpreter(tmp_path, option):
    (tmp_path / "program.py").write_text(
        textwrap.dedent(
            """
            from tangent_lite.source import source_of

            def f(x):
                '''Doc.'''
                assert x > 0
                if __debug__:
                    x = x * 1
                return x
            gs = [lambda x: x + 1, lambda x: x + 2]
            print(len(source_of(f).tree.body), source_of(gs[1]).text(source_of(gs[1]).tree))
            """
        )
    )
    root = source_module.__file__.rsplit("tangent_lite", 1)[0]
    done = subprocess.run(
        [sys.executable, option, "program.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "4 lambda x: x + 2\n", done.stderr


def test_no_second_warning_for_the_users_text(tmp_path, recwarn):
    path = tmp_path / "warns.py"
    path.write_text("def f(x): return x is 1, '\\d'\n")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = execute(path, "warns").f
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source_of(f)


# Places and text.


def test_place_of_a_node(load):
    source = source_of(load("def f(x):\n    return sin(x) * cos(x)\n").f)
    place = source.place(find(source, gast.Call, 1))
    assert (place.file, place.line, place.text) == (source.file, 2, "    return sin(x) * cos(x)")
    assert (place.column, place.end_column) == (20, 26)
    assert carets(source, find(source, gast.Call, 0)) == "sin(x)"


def test_columns_count_characters(load):
    module = load(
        """
        def f(α, s="é"):
            y = "ünï", "测试", α * 2; z = "ö"
            return α
        """
    )
    source = source_of(module.f)
    assert source.text(find(source, gast.BinOp)) == "α * 2"
    place = source.place(find(source, gast.BinOp))
    assert place.text[place.column : place.end_column] == "α * 2"
    assert source.text(source.tree.body[1]) == 'z = "ö"'
    assert source.text(source.tree.args.args[1]) == "s"
    assert source.text(source.tree.args.defaults[0]) == '"é"'


def test_other_encoding(load):
    text = "# -*- coding: latin-1 -*-\ndef f(x):\n    y = 'é', x + 1\n    return y\n"
    module = load(text, encoding="latin-1")
    source = source_of(module.f)
    assert source.text(find(source, gast.BinOp)) == "x + 1"


def test_tabs(load):
    source = source_of(load("def f(x):\n\ty =\tx + 1\n\treturn y\n").f)
    assert source.tree.body[0].col_offset == 1
    assert carets(source, find(source, gast.BinOp)) == "x + 1"
    assert source.text(find(source, gast.BinOp)) == "x + 1"


def test_place_of_several_lines_ends_with_the_first(load):
    source = source_of(load("def f(x):\n    return (x +   \n            1)\n").f)
    assert carets(source, find(source, gast.BinOp)) == "x +"
    assert carets(source, source.tree) == "def f(x):"


def test_place_leaves_comments_and_blocks_out(load):
    source = source_of(load("def f(x):  # f\n    if x > (lambda: 1)(): x = 2  # if\n").f)
    assert carets(source, source.tree) == "def f(x):"
    assert carets(source, source.tree.body[0]) == "if x > (lambda: 1)():"
    source = source_of(load("def f(x):\n    for g in lambda: {1: 2}, x: pass\n").f)
    assert source.text(source.tree.body[0]) == "for g in lambda: {1: 2}, x:"


def test_text_of_a_block_that_a_pass_has_rewritten(load):
    source = source_of(load("def f(x):\n    y = x\n    if x:\n        y = 2\n    return y\n").f)
    branch = source.tree.body[1]
    branch.body = [source.tree.body[0], gast.Pass()]
    assert source.text(branch) == "if x:"


def test_place_of_nodes_without_position(load):
    source = source_of(load("def f(x):\n    return x + 1\n").f)
    assert carets(source, source.tree.args) == "x"
    assert source.place(gast.Add()).line == 1
    made = gast.Call(gast.Name("g", gast.Load(), None, None), [source.tree.body[0].value], [])
    assert carets(source, made) == "x + 1"
    assert source.text(made) == source.text(gast.Add()) == ""


def test_f_string(load):
    source = source_of(load("def f(x):\n    y = f'{x} and {x + 1:{x}}'\n    return y\n").f)
    for node in gast.walk(source.tree):
        assert source.place(node).show()
    assert source.place(find(source, gast.BinOp)).line == 2
    assert "x + 1" in source.text(find(source, gast.BinOp))


TEXTS = '''
def f(x, n,
      m=1):
    y = (x +  1  # one
         + 2)
    z = call(  # the "#" inside
        "a # no comment",
        x, [
            1,
            2,
        ],
    )
    w = x \\
        + 1
    s = """two
        lines"""
    for i in range(  # head
        n
    ):  # after
        # before
        y = y + i
    else:
        pass
    if y > 1: y = 1
    elif y > 2:
        y = 2
    while (
        y > 3
    ):
        break
    with a as b, \\
            c as d:
        pass
    try:
        pass
    except (ValueError,
            TypeError) as e:
        pass
    match y:
        case 1:
            pass
    @deco(
        1)
    def g(x): return x
    class A(
        B): k = 1
    if x:
        @deco
        def h(): pass
    k = {"a": 1,

         "b": 2}
    return (
        y
    )
'''


def test_text_of_statements(load):
    source = source_of(load(TEXTS).f)
    text = source.text
    assert text(source.tree) == "def f(x, n, m=1):"
    body = source.tree.body
    expected = [
        "y = (x +  1 + 2)",
        'z = call("a # no comment", x, [1, 2,],)',
        "w = x + 1",
        's = """two lines"""',
        "for i in range(n):",
        "if y > 1:",
        "while (y > 3):",
        "with a as b, c as d:",
        "try:",
        "match y:",
        "def g(x):",
        "class A(B):",
        "if x:",
        'k = {"a": 1, "b": 2}',
        "return (y)",
    ]
    assert [text(statement) for statement in body] == expected
    assert text(body[0].value) == "x +  1 + 2"
    assert text(body[4].body[0]) == "y = y + i"
    assert text(body[5].orelse[0]) == "elif y > 2:"
    assert text(body[8].handlers[0]) == "except (ValueError, TypeError) as e:"


def test_positions_lie_in_the_text(load):
    source = source_of(load(TEXTS).f)
    for node in gast.walk(source.tree):
        if isinstance(node, gast.Name):
            assert source.text(node).startswith(node.id) or isinstance(node.ctx, gast.Store)
        if isinstance(node, gast.Constant) and isinstance(node.value, int):
            assert source.text(node) == str(node.value)


def test_tree_is_the_same_on_every_python(load):
    """This digest was made once, of all nodes and positions; each Python must make it again."""
    source = source_of(load(TEXTS).f)
    text = ""
    for node in gast.walk(source.tree):
        values = [v for _, v in gast.iter_fields(node) if isinstance(v, (str, int, type(None)))]
        line, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        columns = getattr(node, "col_offset", None), getattr(node, "end_col_offset", None)
        text += f"{type(node).__name__} {values} {line} {end} {columns}\n"
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == "8c4689c26a84"


def test_syntax_that_gast_does_not_know(load, monkeypatch):
    f = load("def f(x):\n    é = 1; return [x, *x]\n").f
    monkeypatch.delattr(gast, "Starred")
    from tangent_lite.errors import UnsupportedSyntaxError

    with pytest.raises(UnsupportedSyntaxError, match="Starred") as caught:
        source_of(f)
    place = caught.value.place
    assert (place.line, place.text[place.column :]) == (2, "*x]")


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
