"""Lambdas, also several on one line: each is found by what it is compiled to."""
import sys

import pytest

from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import source_of
from tests.source_modules import body, carets, loader, unparse


@pytest.fixture
def load(tmp_path):
    return loader(tmp_path)


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
