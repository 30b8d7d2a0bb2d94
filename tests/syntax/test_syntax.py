"""Builders and readers of trees."""
import ast

import gast
import pytest

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.syntax import parse_expression

TEXT = '''
def f(x, /, y: int = 1, *rest, z, w=2, **options):
    """Text."""
    # kept
    while x < y and not z:
        for i, (a, *b) in enumerate(rest):
            x[i], y.a = a, b[1:, ::2]
            if x:
                break
            elif y:
                continue
        else:
            x += -1.5e-3
    try:
        g = lambda k, *m: k + m[0] + x
    except ValueError as error:
        raise TypeError("no") from error
    finally:
        y = [u * v for u in x if u for v in u]
    with open(x) as file:
        y = f"{x:{y}} {z!r}"
    return {**options, "a": x}, {y}, (t := 2)
'''


def statement(text):
    return gast.parse(text).body[0]


def text(node):
    return emit(node).strip()


@pytest.mark.parametrize("made, wanted", [
    (syntax.load("x"), "x"), (syntax.constant(2.5), "2.5"), (syntax.constant(-2), "-2"),
    (syntax.constant(None), "None"), (syntax.constant("a"), '"a"'),
    (syntax.attribute(syntax.load("np"), "linalg", "inv"), "np.linalg.inv"),
    (syntax.call(syntax.load("f"), syntax.load("x"), axis=syntax.constant(0)), "f(x, axis=0)"),
    (syntax.method(syntax.load("x"), "copy"), "x.copy()"),
    (syntax.subscript(syntax.load("x"), syntax.constant(0)), "x[0]"),
    (syntax.binary(syntax.load("x"), "-", syntax.load("y")), "x - y"),
    (syntax.minus(syntax.load("x")), "-x"),
    (syntax.tuple_of([syntax.load("x")]), "(x,)"),
    (syntax.assign("x", syntax.constant(1)), "x = 1"),
    (syntax.augment("x", "+", syntax.constant(1)), "x += 1"),
    (syntax.returns(syntax.load("x")), "return x"),
    (syntax.comment("why"), "# why"),
    (syntax.negated(parse_expression("x > 0")), "not x > 0"),
    (syntax.negated(parse_expression("not x > 0")), "x > 0"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_builders(made, wanted):
    assert text(made) == wanted


@pytest.mark.parametrize("name", ["+", "-", "*", "/", "//", "%", "**", "@"])
def test_operators(name):
    made = syntax.binary(syntax.load("x"), name, syntax.load("y"))
    assert syntax.same(made, parse_expression(f"x {name} y"))


@pytest.mark.parametrize("code, read, bound", [
    ("x = y", "y", "x"), ("x[i] = y", "i x y", ""), ("x.a = y", "x y", ""), ("x += y", "y", "x"),
    ("a, (b, *c) = d", "d", "a b c"), ("for i in x: y = i", "i x", "i"),
    ("x = [k for k in y if k > z]", "y z", "x"), ("x = lambda k, m=n: k + m + y", "n y", "x"),
    ("x = f(y, *z, **w)", "f w y z", "x"), ("x = f'{y} {z:{w}}'", "w y z", "x"),
    ("x = y[a:b, c]", "a b c y", "x"),
])
def test_names(code, read, bound):
    node = statement(code)
    assert " ".join(sorted(syntax.read_names(node))) == read
    target = getattr(node, "target", None) or node.targets[0]
    assert " ".join(syntax.bound_names(target)) == bound


@pytest.mark.parametrize("code, read", [
    ("[k for k in range(k)]", "k range"), ("f(k, [k for k in y])", "f k y"),
    ("(lambda k: k)(k)", "k"), ("(lambda k=k: k)()", "k")])
def test_names_read_inside_and_outside(code, read):
    assert " ".join(sorted(syntax.read_names(parse_expression(code)))) == read


@pytest.mark.parametrize("code, root", [
    ("x", "x"), ("x[0].a[i]", "x"), ("f(x)[0]", None), ("(x + y).a", None), ("x.y.z", "x")])
def test_root(code, root):
    assert syntax.root_name(parse_expression(code)) == root


@pytest.mark.parametrize("code, atom", [
    ("x", True), ("1", True), ("-1", True), ("'a'", True), ("None", True), ("-x", False),
    ("x[0]", False), ("x.a", False), ("f()", False), ("not 1", False), ("(1, 2)", False)])
def test_atoms(code, atom):
    assert syntax.is_atom(parse_expression(code)) is atom


def test_parameters():
    assert syntax.parameter_names(statement(TEXT.strip()).args) \
        == ["x", "y", "rest", "z", "w", "options"]


def test_all_names_are_found():
    names = syntax.all_names(statement(TEXT.strip()))
    assert {"f", "x", "rest", "options", "i", "a", "b", "k", "m", "u", "v", "file", "t", "open",
            "error", "ValueError"} <= names


def test_walk_finds_what_ast_finds():
    tree = statement(TEXT.strip())
    left_out = (gast.expr_context, gast.operator, gast.unaryop, gast.boolop)
    ours = {id(node) for node in syntax.walk(tree)}
    theirs = {id(node) for node in ast.walk(tree) if not isinstance(node, (*left_out, gast.cmpop))}
    assert theirs <= ours


def test_statements_in_order():
    block = gast.parse("a = 1\nif x:\n    b = 2\n    while y:\n        c = 3\n"
                       "else:\n    d = 4\ne = 5\n")
    found = [n.targets[0].id for n in syntax.statements(block.body) if isinstance(n, gast.Assign)]
    assert found == list("abcde")


def test_blocks():
    tree = statement("try:\n    a\nexcept E:\n    b\nelse:\n    c\nfinally:\n    d\n")
    assert sorted(text(block[0]) for block in syntax.blocks_of(tree)) == list("abcd")


def test_a_copy_is_equal_and_apart():
    tree = statement(TEXT.strip())
    other = syntax.copy(tree)
    assert syntax.same(tree, other)
    assert gast.dump(tree, include_attributes=True) == gast.dump(other, include_attributes=True)
    shared = {id(n) for n in syntax.walk(tree)} & {id(n) for n in syntax.walk(other)}
    assert not shared
    for node in syntax.walk(other):
        if isinstance(node, gast.Name):
            node.id = "changed"
    assert "changed" not in syntax.all_names(tree)


def test_a_copy_keeps_what_was_noted_on_nodes():
    tree = statement("x = y")
    tree.noted = 3
    assert syntax.copy(tree).noted == 3 and syntax.copy(tree).lineno == 1


def test_deep_expressions_are_copied_and_compared():
    tree = parse_expression("+".join(["x"] * 200))
    for _ in range(50):
        tree = gast.BinOp(syntax.copy(tree), gast.Add(), syntax.load("y")) \
            if sum(1 for _ in syntax.walk(tree)) < 40_000 else tree
    assert syntax.same(tree, syntax.copy(tree))


@pytest.mark.parametrize("a, b, same", [
    ("x + y", "x+y", True), ("x + y", "x - y", False), ("x[0]", "x[1]", False), ("1", "1.0", False),
    ("1", "True", False), ("0.0", "-0.0", False), ("f(x)", "f(x, y)", False), ("'a'", "'a'", True),
    ("f(a=1)", "f(b=1)", False), ("x.a", "x.b", False), ("x < y", "x <= y", False)])
def test_same(a, b, same):
    assert syntax.same(parse_expression(a), parse_expression(b)) is same


def test_what_is_bound_is_the_same_name_as_what_is_read():
    assert syntax.same(syntax.load("x"), syntax.store("x"))


def test_substitute():
    tree = statement("x[i] = x + f(x)")
    made = syntax.substitute(tree, {"i": parse_expression("k + 1"), "x": parse_expression("a * b")})
    assert text(made) == "(a * b)[k + 1] = a * b + f(a * b)"
    assert text(tree) == "x[i] = x + f(x)"
    parts = [n for n in syntax.walk(made) if isinstance(n, gast.Name) and n.id == "a"]
    assert len({id(part) for part in parts}) == 3


def test_substitute_leaves_what_is_bound():
    made = syntax.substitute(statement("x = x + 1"), {"x": parse_expression("y")})
    assert text(made) == "x = y + 1"


def test_rename():
    tree = statement("x[i], y = x, y.x")
    syntax.Rename({"x": "a", "y": "b"}).visit(tree)
    assert text(tree) == "a[i], b = a, b.x"
