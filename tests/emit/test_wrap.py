"""Long lines are broken as a careful person breaks them, and long bodies printed all the same."""

import ast
import sys

import gast
import pytest

from tangent_lite.emit import emit
from tests.roundtrip import assert_round_trip, code

# Wrapping: each of these as it must come out ------------------------------------------------------
WRAPPED = [
    """
    blogits = (
        blogits
        + is_top * (btop / np.sum(is_top, axis=1, keepdims=True))
        + another_term * np.exp(z)
        - one_more_term
    )
    """,
    """
    first_result, second_result, third_result = some_function_bwd(
        saved_values, blong_name, another_argument, 1
    )
    """,
    """
    return (
        bparameter_one, bparameter_two, bparameter_three, bparameter_four, bparameter_five, bsix,
        bseven
    )
    """,
    """
    return (
        np.sum(bparameter_one),
        bparameter_two,
        bparameter_three,
        bparameter_four,
        bparameter_five,
        bsix,
    )
    """,
    """
    bparams = {
        "dense_layer_one": (bW1, bb1),
        "dense_layer_two": (bW2, bb2),
        "gain": bgain,
        "offset": unbroadcast(boffset, offset),
    }
    """,
    """
    if (
        alpha_is_long > beta_is_long and gamma_is_long < delta_is_long
        or not (epsilon_is_long and zeta_is_long)
    ):
        pass
    """,
    """
    x[index_one + 1:index_two - 1, ::2, some_other_index] = (
        np.where(mask_is_long, value_if_true, value_if_false) * 2
    )
    """,
    """
    raise ValueError(
        "this is a very long message that does not fit at all on the line and has to be cut "
        "somewhere_near_its_end"
    )
    """,
    """
    raise ValueError(
        f"this is a very long message that does {not_fit_at_all!r} on the line and "
        f"{has_to_be_wrapped_there:.3f} times"
    )
    """,
    """
    message = (
        b"this is a very long message that does not fit at all on the line and has to be cut "
        b"somewhere near its end"
    )
    """,
    """
    table = [
        1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, -12.0, 13.0, 14.0, 15.0, None,
        some_name, 18.0
    ]
    """,
    """
    z = [
        np.exp(value_number_one)
        for value_number_one in some_iterable_of_values
        if value_number_one > threshold_x
    ]
    """,
    """
    y = (
        first_value_is_long_and_more
        if condition_holds_for_value
        else second_value_is_long_and_much_longer
    )
    """,
    """
    q = (
        np.asarray(some_array_name)
        .reshape(first_dimension, second_dimension)
        .sum(axis=0)
        .transpose(1, 0, 2, 3)
    )
    """,
    """
    x = -np.sum(
        some_long_array_name * another_long_array_name,
        axis=some_axis_expression,
        keepdims=keep_the_dimensions,
    )
    """,
    """
    f = lambda x: some_function(
        np.sum(some_long_array_name * another_long_array_name, axis=1), other_function(aaaaa)
    )
    """,
    """
    a_very_long_variable_name_for_testing_purposes.attribute_of_it.another_attribute = (
        the_value_of_some_other_thing
    )
    """,
    """
    assert np.allclose(first_array_of_values, second_array_of_values), (
        "arrays differ: " + str(first_array_of_values)
    )
    """,
    """
    with (
        open(some_very_long_file_name_one) as first_file,
        open(some_very_long_file_name_two) as second_file,
    ):
        pass
    """,
    """
    from numpy.some.long.module import (
        aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccc
    )
    """,
    r"""
    global aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, \
        cccccccccccccccccccccccc, ddddddddddddd
    """,
    """
    def some_function_grad(
        parameter_one, parameter_two, parameter_three, parameter_four=1.0, *, bsome_function=1.0
    ):
        pass
    """,
    """
    def some_function_grad(
        parameter_one: SomeType,
        parameter_two: SomeType,
        parameter_three: SomeType,
        *parameters: SomeType,
    ) -> tuple[SomeType]:
        pass
    """,
    """
    x = some_array_of_long_name[
        some_index_of_long_name + 1:another_index_of_long_name - 1, yet_another_index_name
    ]
    """,
    """
    x = function(
        (*some_index_of_long_name, some_other_index_of_long_name, yet_another_index_of_long_name)
    )
    """,
    """
    bx = bx + unbroadcast(
        by
        * np.cos(some_long_array_name * another_long_array_name)
        * np.sin(some_long_array_name + yet_another_long_name),
        x,
    )
    """,
    """
    bx = (
        bx
        + unbroadcast(
            by
            * np.cos(some_long_array_name * another_long_array_name)
            * np.sin(some_long_array_name + yet_another_long_name)
        )
        + 1.0
    )
    """,
    """
    new_logits = (
        one_of_the_long_names_of_logits + another_of_the_long_names_of_logits(argument, second)
    )
    """,
]


@pytest.mark.parametrize("text", WRAPPED)
def test_wrapped(text):
    assert assert_round_trip(code(text)) == code(text)


def test_subscript_is_not_opened_for_a_trifle():
    source = "x = " + "a" * 40 + "[0] + " + "b" * 40 + "[1] + f(2)[i, j]"
    text = emit(gast.parse(source))
    assert "[0]" in text and "[1]" in text and "f(2)[i, j]" in text


def test_one_tuple_in_a_subscript_stays_one():
    for index in ("(*{0}, {0})", "{0}, {0}", "{0},", "{0}", "({0}, {0})", "*{0}, {0}:1"):
        if index.startswith("*") and sys.version_info < (3, 11):
            continue
        assert_round_trip(f"x[{index.format('long_name' * 8)}] = 1")


@pytest.mark.parametrize("text", [
    "word " * 50, "x" * 300, "x\ny" * 90, "{}" * 150, "\\ " * 60, "é\x00" * 60, "'\" " * 50])
@pytest.mark.parametrize("around", ["x = {}", "f({})", "f({}, 1)", "{}.format(x)", "x = {} % y"])
def test_long_string(text, around):
    for value in (repr(text), "f" + repr(text.replace("{", "{{").replace("}", "}}") + "{x}")[:-4]
                  + "{x}" + repr(text)[-1], repr(text.encode())):
        try:
            ast.parse(value)
        except SyntaxError:
            continue
        printed = assert_round_trip(around.replace("{}", value))
        assert all(len(line) < 100 for line in printed.split("\n"))


# Size ---------------------------------------------------------------------------------------------
def names(count):
    return [gast.Name(f"x{index}", gast.Load(), None, None) for index in range(count)]


def test_long_chains():
    total = method = choice = names(1)[0]
    for name in names(2000):
        total = gast.BinOp(total, gast.Add(), name)
        method = gast.Call(gast.Attribute(method, "f", gast.Load()), [name], [])
        choice = gast.IfExp(name, name, choice)
    for tree in (total, method, choice):
        text = emit([gast.Assign([names(1)[0]], tree, None)])
        assert all(len(line) < 100 for line in text.split("\n"))


def test_long_elif():
    chain = []
    for name in names(2000):
        chain = [gast.If(name, [gast.Pass()], chain)]
    assert emit(chain).count("elif") == 1999


def test_many_statements():
    source = "def f(x):\n" + "    x = x * x + 1\n" * 3000 + "    return x\n"
    assert emit(gast.parse(source)) == source


def test_deep_calls():
    for source in ("f(" * 190 + "x" + ")" * 190, "y - (" * 190 + "x" + ")" * 190):
        tree = ast.parse(source)
        assert ast.dump(ast.parse(emit(tree))) == ast.dump(tree)
