"""Error texts: what users see, to the letter."""

import os
import pickle

import pytest

from tangent_lite import errors
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    NonFiniteError,
    OutputError,
    Place,
    SourceNotFoundError,
    TangentError,
    UnsupportedSyntaxError,
    WrtError,
)

ALL = [
    AliasError,
    InputError,
    MissingRuleError,
    NonFiniteError,
    OutputError,
    SourceNotFoundError,
    TangentError,
    UnsupportedSyntaxError,
    WrtError,
]
PLACE = Place("model.py", 12, "    yield total * x", 4, 19)


def test_whole_block():
    error = UnsupportedSyntaxError(
        "a generator cannot be differentiated",
        PLACE,
        "collect the values in a list and return the list.",
    )
    assert str(error) == (
        "model.py:12: a generator cannot be differentiated\n"
        "    12 |     yield total * x\n"
        "       |     ^^^^^^^^^^^^^^^\n"
        "    Instead: collect the values in a list and return the list."
    )
    assert error.reason == "a generator cannot be differentiated"
    assert error.place is PLACE
    assert error.fix == "collect the values in a list and return the list."


def test_reason_alone():
    error = TangentError("no derivative")
    assert str(error) == "no derivative"
    assert (error.place, error.fix) == (None, None)


def test_place_without_fix():
    assert str(TangentError("no", PLACE)).splitlines()[1:] == PLACE.show().splitlines()


def test_fix_without_place():
    assert str(TangentError("no", fix="do this")) == "no\n    Instead: do this"


def test_fix_of_several_lines_is_aligned():
    text = str(TangentError("no", fix="first\nsecond"))
    assert text == "no\n    Instead: first\n             second"


@pytest.mark.parametrize("kind", ALL)
def test_pickles(kind):
    error = pickle.loads(pickle.dumps(kind("reason", PLACE, "fix")))
    assert type(error) is kind
    assert (error.reason, error.place, error.fix) == ("reason", PLACE, "fix")
    assert str(error) == str(kind("reason", PLACE, "fix"))


@pytest.mark.parametrize("kind", ALL)
def test_is_a_tangent_error_and_says_what_to_do(kind):
    assert issubclass(kind, TangentError)
    assert kind.__doc__
    if kind is not TangentError:
        for part in ("Cause: ", "Example::", "Fix: "):
            assert part in kind.__doc__


@pytest.mark.parametrize(
    "kind, builtin",
    [
        (MissingRuleError, NotImplementedError),
        (WrtError, ValueError),
        (InputError, TypeError),
        (OutputError, TypeError),
    ],
)
def test_is_the_builtin_error_too(kind, builtin):
    with pytest.raises(builtin, match="reason"):
        raise kind("reason")


def test_all_are_exported():
    assert set(errors.__all__) == {kind.__name__ for kind in ALL} | {"Place"}


def test_keeps_cause():
    with pytest.raises(TangentError) as caught:
        try:
            raise KeyError("sin")
        except KeyError as error:
            raise MissingRuleError("no rule") from error
    assert isinstance(caught.value.__cause__, KeyError)


def carets(place):
    """What the carets stand below, cut from the line as shown."""
    line, below = place.show().splitlines()
    start = below.index("^")
    assert below.count("^") == len(below) - start
    return line[start : len(below)]


def test_carets_stand_below_the_columns():
    assert carets(Place("m.py", 3, "y = a + b", 4, 9)) == "a + b"
    assert carets(Place("m.py", 12345, "y = a + b", 4, 9)) == "a + b"


@pytest.mark.parametrize(
    "column, end, expected",
    [(4, 4, 1), (4, 2, 1), (-3, 2, 2), (4, 400, 5), (9, 12, 1), (300, 400, 1)],
)
def test_at_least_one_caret_and_none_behind_the_line(column, end, expected):
    shown = Place("m.py", 3, "y = a + b", column, end).show()
    assert shown.count("^") == expected


def test_empty_line():
    assert Place("m.py", 3, "", 0, 0).show() == "    3 |\n      | ^"


def test_tabs():
    assert carets(Place("m.py", 3, "\ty = a\t+ b", 5, 6)) == "a"
    assert carets(Place("m.py", 3, "\ty =\ta", 5, 6)) == "a"
    assert "\t" not in Place("m.py", 3, "\ty = a", 5, 6).show()


def test_a_tab_inside_is_as_wide_as_it_shows():
    line, below = Place("m.py", 3, "y = a\t+ b", 4, 9).show().splitlines()
    assert line == "    3 | y = a   + b"
    assert below == "      |     ^^^^^^^"


def test_wide_and_combining_characters():
    # Both characters take two columns of a terminal.
    line, below = Place("m.py", 3, 'y = "\u6e2c\u8a66" + b', 11, 12).show().splitlines()
    assert below.index("^") == line.index("b") + 2
    # An accent written as a character of its own takes none.
    line, below = Place("m.py", 3, "e\u0301 = b", 5, 6).show().splitlines()
    assert below.index("^") == line.index("b") - 1


def test_control_characters_do_not_reach_the_terminal():
    assert "\x0c" not in Place("m.py", 3, "\x0cy = a", 5, 6).show()
    assert "\x1b" not in Place("m.py", 3, "y = '\x1b[31m'", 0, 1).show()


def test_file_below_the_working_directory_is_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "models" / "model.py"
    text = str(TangentError("no", Place(str(file), 12, "x", 0, 1)))
    assert text.startswith(os.path.join("models", "model.py") + ":12: no\n")


def test_other_files_are_shown_as_given(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    elsewhere = str(tmp_path / "here_too" / "model.py")
    assert Place(elsewhere, 12, "x", 0, 1).where() == f"{elsewhere}:12"
    dotted = str(tmp_path / "here" / "..model.py")  # below, whatever its name starts with
    assert Place(dotted, 12, "x", 0, 1).where() == "..model.py:12"
    assert Place("<ipython-input-3>", 2, "x", 0, 1).where() == "<ipython-input-3>:2"


def test_place_is_a_value():
    assert PLACE == Place("model.py", 12, "    yield total * x", 4, 19)
    assert len({PLACE, Place("model.py", 12, "    yield total * x", 4, 19)}) == 1
    with pytest.raises(AttributeError):
        PLACE.line = 3
