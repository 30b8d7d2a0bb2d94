"""Kinds of values, and what is known where two ways meet."""
import dataclasses
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

from tangent_lite import kinds
from tangent_lite.kinds import (
    BOOL,
    COMPLEX,
    EMPTY,
    FLOAT,
    INT,
    NO_VALUE,
    NOTHING,
    RANGE,
    SLICE,
    TEXT,
    UNKNOWN,
    Array,
    Choice,
    DictKind,
    Known,
    ListKind,
    MapKind,
    Number,
    Numeric,
    Other,
    RecordKind,
    TupleKind,
    join,
    join_all,
    kind_of,
    literal,
    value_of,
)
from tangent_lite.kinds.duck import replaced


class Pair(NamedTuple):
    a: float
    b: int


@dataclasses.dataclass
class Params:
    w: object
    b: object


class Layer:
    def __init__(self, W):
        self.W = W


@pytest.mark.parametrize("value, kind", [
    (True, BOOL), (3, INT), (2.0, FLOAT), (1j, COMPLEX), ("a", TEXT), (b"a", TEXT), (None, NOTHING),
    (range(3), RANGE), (slice(1), SLICE),
    (np.float64(2.0), FLOAT), (np.float32(2.0), FLOAT), (np.int8(2), INT), (np.bool_(True), BOOL),
    (np.complex64(1j), COMPLEX),
    (np.ones(3), Array(1, "float")), (np.ones((2, 3), np.float32), Array(2, "float")),
    (np.array(2.0), Array(0, "float")), (np.arange(3), Array(1, "int")),
    (np.ones(3, bool), Array(1, "bool")), (np.ones(3, complex), Array(1, "complex")),
    (np.array([None]), Array(1, "object")), (np.array(["a"]), Array(1, "other")),
    ((1, 2.0), TupleKind((INT, FLOAT))), (Pair(1.0, 2), TupleKind((FLOAT, INT), Pair)),
    ((), TupleKind(())), ([1.0, 2.0], ListKind(FLOAT)), ([1, 2.0], ListKind(FLOAT)),
    ([], ListKind(EMPTY)), ([1.0, "a"], ListKind(UNKNOWN)),
    ({"w": 1.0, "n": 2}, DictKind(("w", "n"), (FLOAT, INT))),
    (Params(1.0, np.ones(2)), RecordKind(Params, ("w", "b"), (FLOAT, Array(1, "float")))),
    (Layer(2.0), RecordKind(Layer, ("W",), (FLOAT,))),
    (np, Known(np)), (math.exp, Known(math.exp)), (Params, Known(Params)),
    (object, Known(object)), ({1.0}, Other(set)),
], ids=lambda v: repr(v)[:30])
def test_kind_of(value, kind):
    assert kind_of(value) == kind


def test_kind_of_a_ufunc():
    assert kind_of(np.sin) == Known(np.sin)


SOME = [BOOL, INT, FLOAT, COMPLEX, TEXT, NOTHING, RANGE, UNKNOWN, Array(1, "float"),
        Array(2, "float"), Array(None, "float"), Array(1, "int"), Array(1, None), Numeric("float"),
        Numeric(None), TupleKind((INT, FLOAT)), TupleKind((FLOAT, FLOAT)), TupleKind((FLOAT,)),
        TupleKind((FLOAT, INT), Pair), ListKind(FLOAT), ListKind(TEXT), ListKind(EMPTY),
        DictKind(("w",), (FLOAT,)), DictKind(("w",), (INT,)), DictKind(("b",), (INT,)),
        Known(np.sin), Known(np.cos), Other(set)]


@pytest.mark.parametrize("a", SOME, ids=str)
def test_join(a):
    assert join(a, a) == a
    assert join(UNKNOWN, a) == UNKNOWN
    for b in SOME:
        both = join(a, b)
        assert both == join(b, a), b
        assert join(both, a) == both == join(both, b), b


@pytest.mark.parametrize("a", SOME, ids=str)
def test_join_in_any_order(a):
    for b, c in itertools.product(SOME, repeat=2):
        assert join(join(a, b), c) == join(a, join(b, c)), (b, c)


@pytest.mark.parametrize("a, b, both", [
    (INT, FLOAT, FLOAT), (BOOL, INT, INT), (FLOAT, COMPLEX, COMPLEX),
    (FLOAT, Array(1, "float"), Numeric("float")), (INT, Array(1, "float"), Numeric("float")),
    (Array(1, "int"), Array(2, "float"), Array(None, "float")), (FLOAT, TEXT, UNKNOWN),
    (FLOAT, NOTHING, UNKNOWN), (ListKind(EMPTY), ListKind(INT), ListKind(INT)),
    (TupleKind((INT, TEXT)), TupleKind((FLOAT, TEXT)), TupleKind((FLOAT, TEXT))),
    (TupleKind((INT,)), TupleKind((INT, INT)), UNKNOWN),
    (DictKind(("w",), (FLOAT,)), DictKind(("b",), (FLOAT,)), MapKind(FLOAT, TEXT)),
    (DictKind((), ()), DictKind(("b",), (FLOAT,)), MapKind(FLOAT, TEXT)),
    (MapKind(FLOAT, TEXT), DictKind((1,), (INT,)), MapKind(FLOAT)),
    (MapKind(FLOAT, INT), DictKind((1, True), (INT,)), MapKind(FLOAT, INT)),
    (Known(np.sin), Known(np.cos), Choice((Known(np.sin), Known(np.cos)))),
    (Known(np.sin), Other(set), UNKNOWN),
])
def test_where_two_ways_meet(a, b, both):
    assert join(a, b) == join(b, a) == both


@pytest.mark.parametrize("a, b, value", [
    (1, 1, 1), (1, 2, NO_VALUE), (1, 1.0, NO_VALUE), (True, 1, NO_VALUE), (2.5, 2.5, 2.5),
    (math.nan, math.nan, NO_VALUE),
    pytest.param(0.0, -0.0, NO_VALUE, marks=pytest.mark.xfail(
        reason="join keeps 0.0 for 0.0 or -0.0", strict=False)),
])
def test_values_that_agree_are_kept(a, b, value):
    found = join(literal(a), literal(b)).value
    assert found is value or (found == value and type(found) is type(value))


@pytest.mark.parametrize("a, b", [
    (FLOAT, FLOAT), (literal(2.5), literal(2.5)), (Array(2, "float", 1), Array(2, "float", 1)),
    (Number("int", is_mixed=True), BOOL), (Array(None, "float"), Array(None, "float")),
    (TupleKind((FLOAT, TEXT)), TupleKind((FLOAT, TEXT))),
    (TupleKind((FLOAT,), Pair), TupleKind((FLOAT,), Pair)), (ListKind(FLOAT), ListKind(EMPTY)),
    (ListKind(FLOAT, is_view=True), ListKind(FLOAT)),
    (DictKind(("w",), (FLOAT,), frozenset("xy")), DictKind(("w",), (FLOAT,), frozenset("x"))),
    (RecordKind(Pair, ("a",), (TupleKind((FLOAT,)),)), RecordKind(Pair, ("a",), (
        TupleKind((FLOAT,)),))),
], ids=repr)
def test_where_the_other_one_says_no_more_a_kind_stays_the_same_thing(a, b):
    assert join(a, dataclasses.replace(b)) is a


@pytest.mark.parametrize("a, b, field, both", [
    (FLOAT, INT, "is_mixed", True), (INT, FLOAT, "type", "float"),
    (literal(1.0), FLOAT, "value", NO_VALUE),
    (Array(1, "float"), Array(1, "int"), "is_mixed", True),
    (Array(1, "float", 1), Array(1, "float", 2), "shape", None),
    (Array(1, "float"), Array(2, "float"), "ndim", None),
    (ListKind(FLOAT), ListKind(FLOAT, is_view=True), "is_view", True),
    (ListKind(FLOAT, (FLOAT,)), ListKind(FLOAT, (FLOAT,)), "given", None),
    (DictKind(("w",), (FLOAT,)), DictKind(("w",), (FLOAT,), frozenset("x")), "sites",
     frozenset("x")),
    (DictKind(("w",), (FLOAT,), frozenset("y")), DictKind(("w",), (FLOAT,), frozenset("x")),
     "sites", frozenset("xy")),
    (DictKind(("w",), (FLOAT,)), DictKind(("w",), (FLOAT,), makes=True), "makes", True),
])
def test_what_is_of_no_account_for_equality_is_joined_as_well(a, b, field, both):
    assert getattr(join(a, b), field) == both
    nested = [TupleKind((a,)), TupleKind((b,))]
    assert getattr(join(*nested).items[0], field) == both


def shaped(number):
    return Array(1, "float", number)


def test_shapes_that_agree_are_kept():
    assert join(shaped(1), shaped(1)).shape == 1
    assert join(shaped(1), shaped(2)).shape is None
    assert join(shaped(1), Array(1, "float")).shape is None
    pair = join(TupleKind((shaped(1), shaped(2))), TupleKind((shaped(1), shaped(3))))
    assert [item.shape for item in pair.items] == [1, None]


@pytest.mark.parametrize("known, other", [(shaped(1), shaped(2)), (literal(1.0), literal(2.0))])
def test_records_know_what_both_know(known, other):
    both = join(RecordKind(Layer, ("W",), (known,)), RecordKind(Layer, ("W",), (other,)))
    assert getattr(both.items[0], "shape", None) is None
    assert getattr(both.items[0], "value", NO_VALUE) is NO_VALUE


def test_join_of_many():
    assert join_all([]) == EMPTY
    assert join_all([INT, FLOAT, BOOL]) == FLOAT
    assert join_all([INT, TEXT, INT]) == UNKNOWN


@pytest.mark.parametrize("value", [1, 2.5, True, 1j, "text", None])
def test_values_of_literals(value):
    assert value_of(literal(value)) == value


def test_values_of_tuples():
    assert value_of(TupleKind((literal(1), literal("a"), NOTHING))) == (1, "a", None)
    assert value_of(TupleKind((literal(1), INT))) is NO_VALUE


@pytest.mark.parametrize("value, varies", [
    (2.0, True), (2, False), (True, False), (1j, True), ("a", False), (None, False),
    (np.ones(3), True), (np.arange(3), False), ((1, 2.0), True), ((1, 2), False), ([], True),
    ([1], False), ({"w": 1.0}, True), ({"n": 1}, False), (Params(1, 2.0), True), (math.sin, False)],
    ids=repr)
def test_what_can_vary(value, varies):
    assert kinds.can_vary(kind_of(value)) == varies


def test_new_shapes_differ():
    assert kinds.new_shape() != kinds.new_shape()


def test_kinds_are_keys():
    assert len({kind_of(v) for v in (1.0, 2.0, np.ones(3), np.zeros(5), (1.0,), (2.0,))}) == 3


def test_what_is_unknown_in_another_way_is_another_key():
    from tangent_lite.shapes.layouts import key_of

    some = [UNKNOWN, kinds.MIXED, kinds.ANY, kinds.OBJECT, kinds.Maybe(FLOAT), kinds.Maybe(INT)]
    for made in (lambda kind: kind, ListKind, lambda kind: DictKind(("a",), (kind,))):
        keys = [key_of(len, {"x": made(kind)}) for kind in some]
        assert len(set(keys)) == len(some)
        assert len({kinds.how_unknown(made(kind)) for kind in some}) == len(some)


def test_containers_of_which_no_part_changes_stay_the_same_object():
    inner = kinds.TupleKind((kinds.FLOAT, kinds.Array(1, "float")))
    record = kinds.RecordKind(object, ("a", "b"), (inner, kinds.ListKind(inner)))
    for kind in (inner, record, kinds.OneOf((inner, record)), kinds.TupleKind(())):
        assert kinds.with_parts(kind, list(kinds.parts(kind))) is kind
        assert replaced(kind, lambda part: part) is kind
    made = replaced(record, lambda part: kinds.INT if part == kinds.FLOAT else part)
    assert made.items[0].items[0] == kinds.INT and made.items[1].item == made.items[0]
    assert record.items[0] is inner
