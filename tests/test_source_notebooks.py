"""Sources of notebooks, doctests and generated code, and code that tools change or watch."""
import ast
import asyncio
import doctest
import linecache
import math
import subprocess
import sys
import textwrap
import types

import gast
import pytest

import tangent_lite as tl
from tangent_lite import source as source_module
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import source_of
from tests.source_modules import body, execute, loader


@pytest.fixture
def load(tmp_path):
    return loader(tmp_path)


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


@pytest.mark.parametrize("name", ["<ipython-input-7-abc>", "/nowhere/ipykernel_1/123.py"])
def test_cells_go_by_the_numbers_that_the_notebook_shows(name, monkeypatch):
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(
        format_code_name=lambda file: ("Cell", "In[7]") if file == name else None))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    names = cell("def f(x):\n    yield x\ndef g(x):\n    return x * x\n", name)
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"^Cell In\[7\]:2: a generator"):
        tl.grad(names["f"])(1.0)
    assert "Gradient of g (Cell In[7]:3) with" in tl.grad(names["g"]).source_for(1.0)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: None))
    assert source_of(names["g"]).place(source_of(names["g"]).tree).where() == f"{name}:3"


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


class Shell:
    """What is asked of IPython: the cells that were run, with their magics as calls."""

    def __init__(self, *cells):
        self.history_manager = types.SimpleNamespace(input_hist_parsed=["", *cells])

    def transform_cell(self, text):
        return text

    def put_in_place(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "IPython",
                            types.SimpleNamespace(get_ipython=lambda: self))


def magic(kind, *texts):
    return f"get_ipython().run_{kind}_magic({', '.join(map(repr, texts))})\n"


TIMED = "import math\ndef f(x):\n    return math.sin(x) * 2\n"
MAGICS = {
    "%%time": (TIMED, "<timed exec>", [magic("cell", "time", "", TIMED)]),
    "%%prun": (TIMED, "<string>", [magic("cell", "prun", "-q", TIMED)]),
    "%%capture and %%time": (TIMED, "<timed exec>", [
        magic("cell", "capture", "out", magic("cell", "time", "", TIMED))]),
    "%time": ("f = lambda x: x * 2", "<timed exec>", [
        magic("line", "time", "f = lambda x: x * 2")]),
    "the same text twice": ("f = lambda x: x * 2", "<timed exec>", [
        magic("line", "time", "f = lambda x: x * 2"),
        "f = 1\n" + magic("line", "time", "f = None")]),
}


@pytest.mark.parametrize("name", MAGICS)
def test_what_stands_behind_a_magic(monkeypatch, name):
    text, filename, cells = MAGICS[name]
    Shell(*cells).put_in_place(monkeypatch)
    names = {}
    exec(compile(text, filename, "exec"), names)
    assert body(source_of(names["f"])).endswith("* 2")


@pytest.mark.parametrize("kind, texts, setup, text", [
    ("line", ["-n1 -r1 keep(lambda x: x * 2)"], "pass", "keep(lambda x: x * 2)"),
    ("cell", ["-n 1 k = 2", "f = lambda x: x * k\nkeep(f)"], "k = 2",
     "f = lambda x: x * k\nkeep(f)"),
])
def test_what_is_timed(monkeypatch, kind, texts, setup, text):
    """%timeit puts a text into a function, where names are local."""
    Shell(magic(kind, "timeit", *texts)).put_in_place(monkeypatch)
    kept = []
    tree = ast.parse(f"def inner(_it, _timer):\n    {setup}\n    for _i in _it:\n        pass")
    tree.body[0].body[-1].body = ast.parse(text).body
    names = {"keep": kept.append}
    exec(compile(tree, "<magic-timeit>", "exec"), names)
    names["inner"]([1], None)
    assert body(source_of(kept[0])) in ("return x * 2", "return x * k")


def test_another_text_than_the_one_that_ran_behind_a_magic(monkeypatch):
    Shell(magic("line", "time", "f = lambda x: x * 3")).put_in_place(monkeypatch)
    names = {}
    exec(compile("f = lambda x: x * 2", "<timed exec>", "exec"), names)
    with pytest.raises(SourceNotFoundError, match="no source text"):
        source_of(names["f"])


def test_text_given_to_python():
    text = "import tangent_lite as tl\ndef f(x): return x * x\nprint(tl.grad(f)(3.0))"
    run = subprocess.run([sys.executable, "-c", text, "-c", "x"], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("6.0\n", "")


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
