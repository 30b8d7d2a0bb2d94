"""Expressions come out with the parentheses and the quotes of a careful person."""

import ast
import sys

import gast
import pytest

from tangent_lite.emit import emit, emit_expression
from tests.roundtrip import assert_round_trip, dump

# Expressions, each as it must come out ------------------------------------------------------------
EXPRESSIONS = r'''
x
x + y
-x
-(a + b)
-(a * b)
-a * b
(-x) ** 2
-x ** 2
2.0 ** -x
x ** 2
x ** y ** z
(x ** y) ** z
x ** -y ** z
(x + y) ** (n - 1)
x ** f(y)
-(-x)
+x
-(+x)
~x
~(a | b)
a - (b - c)
a - b - c
a + b - c + d
a + (b + c)
a * (b * c)
a / (b * c)
a / b * c
a * (b / c)
a * b + c * d
(a + b) * (c + d)
a @ (b @ c)
a @ b @ c
a // b % c
a << b | c & d ^ e
(a | b) & c
a * -b
a - -b
a - -2.0
x * math.sin(y) + math.exp(-x * x)
0.5 * (x + a / x)
bs - bs * a / (x * x)
not a
not a == b
(not a) == b
not (a and b)
not not a
-(not a)
a and b or c
a and (b or c)
(a and b) and c
a or b or c
a < b <= c
(a < b) < c
a < (b < c)
a == b != c
x is not None
x not in y
not x in y
a + b > c * d
a if c else b
(a if c else b) + 1
a if b else c if d else e
(a if b else c) if d else e
a if (b if c else d) else e
f(a if c else b)
lambda: 0
lambda x: x + 1
lambda x, *args, y=1, **kw: (x, y)
lambda x, /, y, *, z: x
(lambda x: x)(1)
lambda: (yield)
(lambda: 0) if a else lambda: 1
[lambda: 0, 1]
f(x)
f(x, y)(z)
f(a, axis=1)
f(*args, **kwargs)
f(a, *b, c=d, **e)
f(*a, *b)
f(*(a or b))
f(i for i in x)
f((i for i in x), 1)
f((i for i in x), key=1)
f((a, b))
f(y := g(x), y)
f((yield))
f(not a)
f(lambda: 0)
f()()()
x.shape
x.a.b.c
x.T @ y
(a + b).sum()
(-x).sum()
(await x).y
await x
await x ** 2
-await x
(1).real
(1.0).hex()
(1j).imag
1 .real if False else x
"a".join(b)
"a" "b"
None.x
f(x).y[z](w)
x[0]
x[-1]
x[i]
x[i + 1]
x[i, j]
x[i + 1:n - 1]
x[i + 1:]
x[:n]
x[:]
x[::2]
x[1:, ::2]
x[1:, ::2, ..., None]
x[:, None]
x[...]
x[()]
x[1,]
x[1:2,]
x[(1, 2), 3]
x[a, (b, c)]
x[(*a, b)]
x[(*a,)]
x[a if b else c]
x[lambda: 0]
x[(y := 1)]
x["key"]
x[f(y)[z]]
()
(a,)
(a, b)
((a, b), c)
(*a, b)
[]
[a]
[a, b]
[*a, b]
[(a, b), c]
{}
{a}
{a, b}
{*a, b}
{"a": 1}
{"a": 1, **b}
{"dense": (bW, bb), "gain": bgain}
{**(a or b)}
{a: b if c else d}
{a: lambda: 0}
[i for i in x]
[i for i in x if i if j]
[i for i, j in x]
[i for (i,) in x]
[i for i in x for j in i]
[(i, j) for i in x]
[i for i in (a if b else c)]
[i for i in x if (a if b else c)]
[i for i in x if (lambda: i)]
[y for x in z if (y := f(x))]
[i async for i in x]
{i for i in x}
{i: j for i, j in x}
(i for i in x)
(i for i in x).send
(x := 1)
(x := 1) + 1
a and (x := 1)
(yield)
(yield x)
(yield from x)
1
0
-1
1.0
0.5
1e-12
1e-8
1e16
1e300
1.5e-7
100000.0
123456789.123
-1.5
1e309
-1e309
1e309 - 1e309
2j
1.5j
-2j
1 + 2j
1e-8j
True
None
...
""
"a"
"it's"
'say "a"'
'it\'s "a"'
"a\nb"
"a\tb\\c"
"é"
"\x00\x7f\ud800"
b""
b"a"
b"it's"
b'say "a"'
b"\x00\xff\n"
f""
f"a"
f"{x}"
f"a {x} b"
f"{x!r}"
f"{x:.3f}"
f"{x!s:>{width}.{digits}}"
f"{{}} {x}"
f"{x + y}"
f"{x if y else z}"
f"{(lambda: 0)()}"
f"{(lambda: 0)}"
f"{x['a']}"
f"{x[0]:{y['a']}}"
f"it's {x['a']}"
f'say "a" {x}'
f"""{x['a']} {y["it's"]}"""
f"{f'{x}'}"
f"a\n{x}"
f"{(x, y)}"
f"{ {1: 2}[1]}"
f"{ {a for a in b}}"
f"{(x := 1)}"
f"{-x}"
f"{x!r:^{w}}"
f"{x:%Y-%m-%d}"
'''.strip().split("\n")
REWRITTEN = {'"a" "b"': '"ab"', "1 .real if False else x": "(1).real if False else x",
             'f"""{x[\'a\']} {y["it\'s"]}"""': 'f"""{x["a"]} {y["it\'s"]}"""'}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression(text):
    # In a function, so that await, yield and async for are allowed.
    body = gast.parse(f"async def f():\n    return ({text})").body[0].body
    assert emit_expression(body[0].value) == REWRITTEN.get(text, text)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
@pytest.mark.parametrize("text", [
    r'''f"{'\n'.join(x)}"''',
    r'''f"{f'{f"{x}"}'}"''',
    r'''f"{'#'}"''',
])
def test_expression_since_312(text):
    assert dump(emit(gast.parse(text))) == dump(text)


def test_f_string_that_python_cannot_hold():
    inner = ast.Call(ast.Constant("\n"), [], [])
    tree = ast.JoinedStr([ast.FormattedValue(inner, -1, None)])
    if sys.version_info < (3, 12):
        with pytest.raises(ValueError, match="f-string"):
            emit_expression(tree)
    else:
        assert emit_expression(tree) == r'''f"{'\n'()}"'''


@pytest.mark.parametrize("text", [
    "a + b + c", "a.b(c)[d].e", "a and b and c", "a if b else c", "a ** b", "a < b < c"])
@pytest.mark.parametrize("outer", [
    "{} + 1", "1 + {}", "{} ** 2", "2 ** {}", "-{}", "not {}", "{}.x", "{}[0]", "f({})", "{} and a",
    "{} < 1", "[{}]", "{} if {} else {}", "lambda: {}", "f(*{})", "x[{}:]", "({}, 1)", "{}(0)",
    "await {}", "a @ {}", "{} @ a", "{{{}: {}}}", "{{**{}}}", "(x := {})",
    "[{} for i in {} if {}]"])
def test_parentheses_in_every_place(text, outer):
    source = outer.replace("{}", f"({text})").replace("{{", "{").replace("}}", "}")
    source = f"async def f():\n    return {source}\n"
    assert_round_trip(source)


# Constants that only passes make ------------------------------------------------------------------
@pytest.mark.parametrize("value, text", [
    (-2.0, "-2.0"), (float("inf"), "1e309"), (float("-inf"), "-1e309"),
    (float("nan"), 'float("nan")'), (complex("nan+1j"), 'complex(float("nan"), 1.0)'),
    (1 + 2j, "(1+2j)"), (-2j, "-2j"), ((1, "a"), '(1, "a")'), ((1,), "(1,)"),
    (10 ** 40, str(10 ** 40)),
])
def test_constant(value, text):
    assert emit(gast.Constant(value, None)) == text


def test_huge_int():
    assert int(emit(gast.Constant(10 ** 5000, None)), 16) == 10 ** 5000


def test_negative_constant_binds_like_a_sign():
    power = gast.BinOp(gast.Constant(-2.0, None), gast.Pow(), gast.Constant(-1, None))
    assert emit(power) == "(-2.0) ** -1"
    assert emit(gast.UnaryOp(gast.USub(), gast.Constant(-2.0, None))) == "-(-2.0)"


def test_constant_without_source_text():
    with pytest.raises(TypeError, match="object"):
        emit(gast.Constant(object(), None))


def test_number_as_the_user_wrote_it():
    mask = gast.Constant(255, "num:0xFF")
    tree = gast.BinOp(gast.Constant(0.001, "num:1e-3"), gast.Add(), mask)
    assert emit(tree) == "1e-3 + 0xFF"
    assert emit(gast.Attribute(mask, "real", gast.Load())) == "(0xFF).real"
