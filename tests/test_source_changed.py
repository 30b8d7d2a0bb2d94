"""The text that is found is the code that runs; where it is not, the function is refused."""
import functools
import math
import sys

import gast
import pytest

from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import source_of
from tests.source_modules import body, carets, execute, find, loader, numbers


@pytest.fixture
def load(tmp_path):
    return loader(tmp_path)


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


MOVED = {
    "text came in front": ("def f(x):\n    return x * 2\n", "\n\ny = 3\n{}"),
    "text went": ("def f(x):\n    return x * 2\n", "{}"),
    "another one of its name stands where it stood":
        ("def f(x):\n    return x * 2\n", "def f(x):\n    return x + 2\n\n{}"),
    "a lambda among others": ("g, f = lambda x: x + 2, lambda x: x * 2\n", "\n\n{}"),
    "in a class": ("class A:\n    def f(self): return self.__x * 2\nf = A.f\n", "\n\n{}"),
}


@pytest.mark.parametrize("case", MOVED)
def test_what_only_moved_is_still_the_code_that_runs(tmp_path, case):
    text, after = MOVED[case]
    before = f"# one\n# two\n{text}" if case == "text went" else text
    module = changed(tmp_path, before, after.format(text))
    source = source_of(module.f)
    assert body(source).endswith("* 2")
    # It is shown where it stands now.
    place = source.place(source.tree.body[0])
    assert place.text == after.format(text).split("\n")[place.line - 1]
    assert "* 2" in place.text


def test_reloaded_function_by_function(tmp_path):
    """As IPython's autoreload does it: the function alone is compiled, and put into the old one."""
    module = changed(tmp_path, "def f(x):\n    return x * 2\n",
                     "import math\n\ndef f(x):\n    return x * 3\n\ndef new(x):\n    return -x\n")
    space = {}
    exec(compile("def f(x):\n    return x * 3", module.__file__, "exec"), space)
    module.f.__code__ = space["f"].__code__
    assert body(source_of(module.f)) == "return x * 3"
    exec("def new(x):\n    return -x", {**vars(module)}, vars(module))
    sys.modules[module.__name__] = module
    try:
        assert body(source_of(module.new)) == "return -x"
    finally:
        del sys.modules[module.__name__]


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
