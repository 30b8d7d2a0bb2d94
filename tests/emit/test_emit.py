"""What is printed reads back as the same tree: statements, comments, the standard library."""

import ast
import copy
import sys
import sysconfig
from pathlib import Path

import gast
import pytest

from tangent_lite.emit import emit
from tests.roundtrip import assert_round_trip, code, comment, dump

since_311 = pytest.mark.skipif(sys.version_info < (3, 11), reason="syntax of Python 3.11")
since_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
since_313 = pytest.mark.skipif(sys.version_info < (3, 13), reason="syntax of Python 3.13")


# Statements, each as it must come out -------------------------------------------------------------
STATEMENTS = {
    "simple": """
        x = 1
        x = y = z
        x, y = y, x
        x, *y = z
        (x,) = y
        x = (y,)
        x = ()
        (x, y), z = a
        [x, y] = z
        x += 1
        x @= y
        x //= y
        x **= 2
        x: int
        x: int = 1
        x.y: int = 1
        (x): int = 1
        x[i] = u[i] + k * u[i - 1] * u[i]
        x, y = tape.pop()
        del x
        del x[0], y
        del (x, y)
        assert x
        assert x, "message"
        pass
        raise
        raise ValueError("no")
        raise ValueError("no") from error
        import math
        import numpy as np, os.path
        from math import sin
        from math import sin as s, cos
        from . import a
        from ..b import c
        from d import *
        f(x)
        "text"
        ...
        """,
    "function": '''
        def f(x, y=1, *args, z, w=2, **kwargs):
            """What it does."""
            global a, b
            return x, y
        ''',
    "parameters": """
        def f(a, /, b: int, *, c: float = 1.0) -> float:
            return a


        def g(*, a):
            return (a,)


        def h(*args: int, **kwargs: str):
            return


        def i(a, b=1, /):
            yield
            x = yield a, b
            x += yield
            yield from a
            return (yield)
        """,
    "loops": """
        for i, v in enumerate(x):
            continue
        for (i,) in x:
            break
        else:
            pass
        for i in (1, 2):
            pass
        for x[0] in y:
            pass
        while not done:
            pass
        else:
            pass
        while chunk := read():
            pass
        """,
    "branches": """
        if a:
            x = 1
        elif b:
            x = 2
        elif (y := c) > 1:
            x = 3
        else:
            x = 4
        if n := f():
            if a:
                pass
        else:
            x = 1
            if b:
                pass
        """,
    "with": """
        with a:
            pass
        with a as b, c as (d, e):
            pass
        with (a, b) as c:
            pass
        with ((a, b)):
            pass
        with open(a) as b.c:
            pass
        """,
    "try": """
        try:
            pass
        except ValueError:
            pass
        except (KeyError, OSError) as error:
            raise
        except:
            pass
        else:
            pass
        finally:
            pass
        """,
    "async": """
        async def f():
            async with a as b, c:
                pass
            async for i in x:
                await y
            return [await i async for i in x]
        """,
    "class": '''
        class A:
            """What it is."""

            x = 1
            y: int

            def f(self):
                nonlocal a
                return super().f()

            @property
            @wraps(f)
            def g(self):
                pass


        @dataclass(frozen=True)
        class B(A, metaclass=M, **kw):
            pass
        ''',
    "match": """
        match x:
            case 1 | -1 | 1 + 2j | "a" | None | True:
                pass
            case [a, *_] if a > 1:
                pass
            case [1, [b, *rest]] | {"k": b, **rest}:
                pass
            case Point(0, y=Line(z)) as p:
                pass
            case (1 | 2) as q:
                pass
            case [(1 | 2) as q, A() | B()]:
                pass
            case {} | [] | m.N:
                pass
            case {1: _, **k}:
                pass
            case (a as b) | c:
                pass
            case _:
                pass
        match (x, y):
            case (n):
                pass
        match -x:
            case [x]:
                pass
        """,
}
REWRITTEN_STATEMENTS = {
    "match": [("case (1 | 2) as q:", "case 1 | 2 as q:"), ("[(1 | 2) as q,", "[1 | 2 as q,"),
              ("case (n):", "case n:")],
    "class": [('is."""\n\n', 'is."""\n')],
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name):
    source = code(STATEMENTS[name])
    if name == "match":  # bound twice, never compiled
        assert dump(emit(gast.parse(source))) == dump(source)
    text = source
    for old, new in REWRITTEN_STATEMENTS.get(name, []):
        text = text.replace(old, new)
    lines = assert_round_trip(source).split("\n")
    # At the top of a module, imports are followed by an empty line; functions by two.
    assert [line for line in lines if line] == [line for line in text.split("\n") if line]


@since_311
@pytest.mark.parametrize("source", [
    "try:\n    pass\nexcept* ValueError as e:\n    pass\nexcept* (A, B):\n    pass\n",
    "def f(*args: *Ts):\n    return x[*a, 1:]\n",
])
def test_since_311(source):
    assert assert_round_trip(source) == source


@since_312
@pytest.mark.parametrize("source", [
    "def f[T: int, *Ts, **P](x: T) -> T:\n    return x\n",
    "class A[T](B[T]):\n    pass\n",
    "type X[T] = list[T]\n",
])
def test_since_312(source):
    assert assert_round_trip(source) == source


@since_313
def test_since_313():
    source = "def f[T: int = bool, *Ts = *tuple[int], **P = [int]]():\n    pass\n"
    assert dump(emit(gast.parse(source))) == dump(source)


# The look of a module -----------------------------------------------------------------------------
def test_spacing():
    source = code('''
        """What it is."""

        import math
        from numpy import sin

        ONE = 1
        TWO = 2


        def f(x):
            y = x
            def g():
                return y
            return g


        @decorator
        def h():
            pass


        THREE = 3
        ''')
    assert assert_round_trip(source) == source


def test_import_then_function():
    assert emit(gast.parse("import math\ndef f(): pass")) == (
        "import math\n\n\ndef f():\n    pass\n")


def test_list_and_statement():
    body = gast.parse("def f():\n  x = 1\n  return x").body[0].body
    assert emit(body) == "x = 1\nreturn x\n"
    assert emit(body[0]) == "x = 1\n"
    assert emit([]) == ""


def test_expression_tree():
    assert emit(ast.parse("a+b", mode="eval")) == "a + b"
    assert emit(gast.parse("a+b").body[0].value) == "a + b"


@pytest.mark.parametrize("text", [
    "Plain.", "Two\n    lines.\n    ", 'Quoted "x"', '"x" and """y"""', '""""', "Back\\slash",
    "It's", "Tab\there", "", "\\", '\\"', "Ends \\", "\n", "\r\x00é", "  spaces  ",
])
def test_docstring(text):
    tree = gast.Module([gast.parse("def f():\n    pass").body[0]], [])
    tree.body[0].body.insert(0, gast.Expr(gast.Constant(text, None)))
    printed = emit(tree)
    assert '    """' in printed
    assert ast.parse(printed).body[0].body[0].value.value == text


# Comments -----------------------------------------------------------------------------------------
def test_comments():
    function = gast.parse("def f(x):\n    'Doc.'\n    y = x\n    return y").body[0]
    function.body[1:1] = [comment("# Forward pass")]
    function.body[3:3] = [comment("#"), comment("# Backward pass"), comment("# y = x")]
    text = emit(function)
    assert text == code('''
        def f(x):
            """Doc."""
            # Forward pass
            y = x

            # Backward pass
            # y = x
            return y
        ''')
    assert dump(text) == dump("def f(x):\n    'Doc.'\n    y = x\n    return y")


def test_comment_belongs_to_the_function_below():
    functions = gast.parse("def f(): pass\ndef g(): pass").body
    text = emit(gast.Module([functions[0], comment("# about g"), functions[1]], []))
    assert text == "def f():\n    pass\n\n\n# about g\ndef g():\n    pass\n"


def test_docstring_after_a_comment():
    function = gast.parse("def f():\n    'Doc.'").body[0]
    function.body.insert(0, comment("# first"))
    assert emit(function) == 'def f():\n    # first\n    """Doc."""\n'


@pytest.mark.parametrize("header", [
    "def f():", "if x:", "while x:", "for i in x:", "with x:", "class A:", "try:",
    "if x:\n    pass\nelse:", "if x:\n    pass\nelif y:", "match x:\n    case 1:",
])
def test_block_of_comments_alone(header):
    tail = "\nfinally:\n    pass" if header == "try:" else ""
    pad = "        " if "case" in header else "    "
    tree = gast.parse(f"{header}\n{pad}pass{tail}")
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if not isinstance(node, gast.Module) and isinstance(block, list) and len(block) == 1 \
                    and isinstance(block[0], gast.Pass):
                setattr(node, field, [comment("# only"), comment("#")])
    text = emit(tree)
    assert f"{pad}# only\n\n{pad}pass\n" in text
    ast.parse(text)


def test_empty_block():
    assert emit(gast.If(gast.Name("x", gast.Load(), None, None), [], [])) == "if x:\n    pass\n"


def test_else_that_starts_with_a_comment():
    tree = gast.parse("if a:\n    pass\nelse:\n    if b:\n        pass")
    tree.body[0].orelse.insert(0, comment("# then"))
    assert emit(tree) == (
        "if a:\n    pass\nelse:\n    # then\n    if b:\n        pass\n")


def test_long_comment_is_cut():
    text = emit([comment("# " + "word " * 40)])
    assert len(text) <= 100 and text.endswith(" ...\n") and not text.endswith("  ...\n")
    tree = gast.parse("if x:\n    pass")
    tree.body[0].body.insert(0, comment("# " + "w" * 200))
    assert all(len(line) < 100 for line in emit(tree).split("\n"))


def test_comment_of_several_lines():
    assert emit([comment("# one\ntwo")]) == "# one\n# two\n"


def test_string_that_only_looks_like_a_comment():
    assert emit(gast.parse("x = '# text'")) == 'x = "# text"\n'


# The input ----------------------------------------------------------------------------------------
def test_the_tree_is_only_read():
    tree = gast.parse(code(STATEMENTS["function"]) + code(STATEMENTS["branches"]))
    before = gast.dump(copy.deepcopy(tree))
    assert emit(tree) == emit(tree)
    assert gast.dump(tree) == before


def test_unknown_node():
    class Strange(ast.expr):
        _fields = ()

    with pytest.raises(NotImplementedError, match="Strange"):
        emit(Strange())


# The standard library -----------------------------------------------------------------------------
LIBRARY = Path(sysconfig.get_path("stdlib"))
SAMPLE = """
    abc argparse ast base64 bisect bdb calendar cmd codecs configparser contextlib copy csv
    dataclasses datetime difflib dis enum fractions functools gettext heapq inspect keyword
    linecache mimetypes numbers opcode operator pickle pprint random reprlib shlex statistics
    string textwrap this timeit tokenize types typing asyncio/tasks asyncio/base_events
    collections/__init__ json/decoder unittest/mock unittest/case importlib/_bootstrap
    """.split()


@pytest.mark.parametrize("name", SAMPLE)
@pytest.mark.sweep(8)
def test_standard_library(name):
    path = LIBRARY / f"{name}.py"
    if not path.exists():
        pytest.skip("not a part of this Python")
    source = path.read_text(encoding="utf-8")
    text = emit(gast.parse(source))
    assert dump(text) == dump(source)
    docstrings = {line for node in ast.walk(ast.parse(text))
                  if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                  for line in range(node.lineno, node.end_lineno + 1)}
    # Only docstrings and what has no space to cut at may be longer.
    for number, line in enumerate(text.split("\n"), 1):
        assert len(line) < 100 or number in docstrings or " " not in line.strip()
