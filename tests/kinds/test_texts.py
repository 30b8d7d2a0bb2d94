"""How texts that are made as the program runs begin and end."""
import pytest

from tangent_lite import kinds
from tangent_lite.inference import Typer
from tangent_lite.kinds import DictKind, Text, item_at, join, literal
from tangent_lite.syntax import parse_expression


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
