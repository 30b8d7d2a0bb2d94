"""Names are live: what a derivative rests on is looked at before each call."""

import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling.resolve import Resolver, Watched, is_stable
from tangent_lite.inference import NO_OBJECT
from tangent_lite.source import source_of

SCALE = 2.0
SETTINGS = {"gain": 2.0}


def square(x):
    return x * x


def scaled(x):
    return SCALE * square(x)


def cube(x):
    return x * x * x


def counts(x):
    return len(x) * x[0]


def gained(x):
    return SETTINGS["gain"] * x


def resolver(function, *names):
    made = Resolver(source_of(function))
    for name in names:
        made.free(name)
    return made


def test_now():
    k = 3.0

    def f(x):
        return k * x + SCALE + abs(x) + absent  # noqa: F821

    made = resolver(f)
    assert made.now("k") == 3.0 and made.now("SCALE") == 2.0 and made.now("abs") is abs
    assert made.now("absent") is NO_OBJECT
    del k
    assert made.now("k") is NO_OBJECT


def test_a_variable_is_not_what_its_name_means_outside():
    def f(SCALE):
        twice = SCALE.copy()
        return [SETTINGS for SETTINGS in twice][0] * SETTINGS["gain"]

    made = resolver(f, "SCALE", "twice", "SETTINGS")
    assert made.free("SCALE") is NO_OBJECT and made.seen == {"SETTINGS": SETTINGS}


def test_data_of_the_same_kind_holds(monkeypatch):
    watched = Watched([resolver(scaled, "SCALE", "square")])
    assert watched.holds()
    monkeypatch.setitem(globals(), "SCALE", 7.0)
    assert watched.holds() and watched.holds()
    monkeypatch.setitem(globals(), "SCALE", np.ones(3))
    assert not watched.holds()


def test_functions_count_by_identity(monkeypatch):
    watched = Watched([resolver(scaled, "SCALE", "square")])
    monkeypatch.setitem(globals(), "square", lambda x: x * x)
    assert not watched.holds()
    monkeypatch.undo()
    assert watched.holds()


def test_a_builtin_that_becomes_hidden():
    watched = Watched([resolver(counts, "len")])
    assert watched.holds()
    globals()["len"] = lambda x: 0
    try:
        assert not watched.holds()
    finally:
        del globals()["len"]
    assert watched.holds()


def test_what_changes_inside_is_seen(monkeypatch):
    watched = Watched([resolver(gained, "SETTINGS")])
    monkeypatch.setitem(SETTINGS, "gain", 5.0)
    assert watched.holds()
    monkeypatch.setitem(SETTINGS, "gain", np.ones(2))
    assert not watched.holds()


def test_derivatives_follow_what_changes_inside(monkeypatch):
    d = tl.grad(gained)
    assert d(3.0) == 2.0
    monkeypatch.setitem(SETTINGS, "gain", 5.0)
    assert d(3.0) == 5.0
    monkeypatch.setitem(SETTINGS, "gain", np.array([1.5]))
    assert d(3.0) == 1.5
    monkeypatch.undo()
    assert d(3.0) == 2.0


def test_derivatives_follow_globals_and_helpers(monkeypatch):
    d, v = tl.grad(scaled), tl.value_and_grad(scaled)
    assert d(3.0) == 12.0 and v(3.0) == (18.0, 12.0)
    monkeypatch.setitem(globals(), "SCALE", 1.0)
    assert d(3.0) == 6.0 and v(3.0) == (9.0, 6.0)
    monkeypatch.setitem(globals(), "square", cube)
    assert d(3.0) == 27.0 and v(3.0) == (27.0, 27.0)
    monkeypatch.undo()
    assert d(3.0) == 12.0 and v(3.0) == (18.0, 12.0)


def test_derivatives_follow_cells():
    k = 2.0

    def f(x):
        return k * x * x

    d = tl.grad(f)
    assert d(3.0) == 12.0
    k = 10.0
    assert d(3.0) == 60.0
    k = np.array(1.0)
    assert d(3.0) == 6.0


def test_derivatives_follow_attributes_of_modules(tmp_path, monkeypatch):
    (tmp_path / "live_helpers.py").write_text("def power(x):\n    return x * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import live_helpers

    def f(x):
        return live_helpers.power(x) * 2.0

    d = tl.grad(f)
    assert d(3.0) == 12.0
    monkeypatch.setattr(live_helpers, "power", cube)
    assert d(3.0) == 54.0
    monkeypatch.undo()


def test_attributes_of_libraries_are_taken_to_stay():
    assert is_stable(np) and is_stable(np.linalg) and is_stable(math)
    assert not is_stable(pytest) and not is_stable(np.sin)


def test_nothing_is_watched_for_names_of_ours():
    def f(x, y):
        return x * y

    d = tl.grad(f)
    d(2.0, 3.0)
    assert d._latest.watched.checks == []


def test_variables_are_not_looked_up_outside():
    def f(x, layers):
        square = x * x
        for cube, shift in layers:
            square = square * cube + shift
        return square

    d = tl.grad(f)
    d(2.0, [(1.0, 2.0)])
    looked_up = {check[1] for check in d._latest.watched.checks}
    assert not looked_up & {"square", "cube", "shift"}     # this module has functions so called
