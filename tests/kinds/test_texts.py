"""How texts that are made as the program runs begin and end."""
import pytest

import tangent_lite as tl
from tangent_lite import kinds
from tangent_lite.inference import Typer
from tangent_lite.kinds import DictKind, Text, join, literal
from tangent_lite.kinds.maps import item_at
from tangent_lite.syntax import parse_expression
from tests.heap.forced import by_names


@pytest.mark.parametrize("text,start,end", [
    ('f"W{i}"', "W", ""), ('f"l{i}_W"', "l", "_W"), ('f"{name}_b"', "", "_b"), ('f"W"', "W", "W"),
    ('"W" + name', "W", ""), ('name + "_b"', "", "_b"), ('"a" + f"b{i}c" + "d"', "ab", "cd"),
    ('"W%d" % i', "W", ""), ('"W%d_%d" % (i, i)', "W", ""), ('"W{}".format(i)', "W", ""),
    ('"a}}b{}".format(i)', "a", ""), ('"a%%b%d" % i', "a", ""),
    ('f"{i}"', "", ""), ("name + name", "", ""), ('name % i', "", ""), ('"ab" * i', "", "")])
def test_texts(text, start, end):
    found = Typer({"i": kinds.INT, "name": kinds.TEXT}, {}.get).kind(parse_expression(text))
    assert isinstance(found, Text) and (found.start, found.end) == (start, end)
    assert found.value is kinds.NO_VALUE


def test_what_two_have_in_common():
    assert join(literal("W10"), literal("W20")) == Text()
    found = join(literal("W10_b"), literal("W20_b"))
    assert (found.start, found.end) == ("W", "0_b")
    found = join(found, literal("x"))
    assert (found.start, found.end) == ("", "")


def test_a_text_may_be_no_shorter_than_its_ends():
    text = Text(kinds.NO_VALUE, "ab", "bc")
    assert text.may_be("abbc") and text.may_be("ab_bc") and not text.may_be("abc")
    assert not text.may_be(3)


def test_items_by_texts():
    matrix, vector = kinds.Array(2, "float"), kinds.Array(1, "float")
    known = DictKind(("W0", "W1", "b0", "n"), (matrix, matrix, vector, kinds.INT))
    assert item_at(known, Text(kinds.NO_VALUE, "W")) == matrix
    assert item_at(known, Text(kinds.NO_VALUE, "b")) == vector
    assert item_at(known, Text(kinds.NO_VALUE, "", "0")) == kinds.Array(None, "float")
    assert item_at(known, literal("n")) == kinds.INT
    # What cannot be there is not read: the program stops first.
    assert item_at(known, Text(kinds.NO_VALUE, "z")) == item_at(known, kinds.TEXT)


@pytest.mark.parametrize("text,kind", [
    ('name.strip()', kinds.TEXT), ('name.replace("a", "")', kinds.TEXT),
    ('name.find("a")', kinds.INT),
    ('name.startswith("a")', kinds.BOOL), ('", ".join(["a", name])', kinds.TEXT),
    ('name.strip().lower().split("+")', kinds.ListKind(kinds.TEXT)),
    ('name.partition("=")', kinds.TupleKind((kinds.TEXT,) * 3))])
def test_methods(text, kind):
    assert Typer({"name": kinds.TEXT}, {}.get).kind(parse_expression(text)) == kind


def test_a_text_that_is_taken_apart_goes_by_names():
    def f(x, text):
        total = 0.0
        for term in text.replace(" ", "").split("+"):
            number, *rest = term.split("*")
            total += float(number) * (x if rest and rest[0].lower() == "x" else 1.0)
        return total ** 2

    with by_names():
        assert tl.value_and_grad(f)(1.5, "0.5*X + 2") == (7.5625, 2.75)
