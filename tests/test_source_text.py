"""Places of nodes in the text of the user, and the texts of statements."""
import hashlib

import gast
import pytest

from tangent_lite.source import source_of
from tests.source_modules import carets, find, loader


@pytest.fixture
def load(tmp_path):
    return loader(tmp_path)


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
