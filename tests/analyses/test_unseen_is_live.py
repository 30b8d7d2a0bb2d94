"""What is called unseen is what it is at the call: methods and helpers may be others by then."""

import sys
import types

import pytest

import tangent_lite as tl

helpers = types.ModuleType("helpers")


def doubled(log):
    log[0] = log[0] * 2.0


class Shown:
    def __init__(self, x):
        self.log = [x]

    def __str__(self):
        helpers.noted(self.log)
        return "shown"


def of_what_is_shown(x):
    shown = Shown(x)
    text = "%s" % shown
    return shown.log[0] * x * len(text)


def quiet(log):
    return None


noted = quiet


class Heard:
    def __init__(self, x):
        self.log = [x]

    def __str__(self):
        noted(self.log)
        return "heard"


def of_what_is_heard(x):
    heard = Heard(x)
    text = "%s" % heard
    return heard.log[0] * x * len(text)


def tells(self):
    doubled(self.log)
    return "loud!"


@pytest.mark.parametrize("f, owner, name, other", [
    (of_what_is_shown, helpers, "noted", doubled), (of_what_is_shown, Shown, "__str__", tells),
    (of_what_is_heard, sys.modules[__name__], "noted", doubled),
    (of_what_is_heard, Heard, "__str__", tells)])
def test_what_is_called_unseen_is_live(f, owner, name, other, monkeypatch):
    monkeypatch.setattr(helpers, "noted", quiet, raising=False)
    derivative = tl.grad(f)
    for _ in range(2):
        assert derivative(0.7) == pytest.approx(7.0)
        with monkeypatch.context() as changed:
            changed.setattr(owner, name, other)
            with pytest.raises(tl.UnsupportedSyntaxError, match="__str__ changes something"):
                derivative(0.7)


class Plain:
    def __init__(self, x):
        self.log = [x]


def as_text(x):
    plain = Plain(x)
    text = "%s" % plain
    return plain.log[0] * x * len(text[:1])


def as_a_key(x):
    plain = Plain(x)
    table = {plain: 5.0}
    return plain.log[0] * x * len(table)


def as_a_condition(x):
    plain = Plain(x)
    return plain.log[0] * x if plain else x


def hashed(self):
    doubled(self.log)
    return 3


def doubts(self):
    doubled(self.log)
    return self.log[0] > 0.0


@pytest.mark.parametrize("f, name, other", [
    (as_text, "__str__", tells), (as_text, "__repr__", tells), (as_a_key, "__hash__", hashed)])
def test_methods_that_a_class_gets_later_are_live(f, name, other, monkeypatch):
    derivative = tl.grad(f)
    for _ in range(2):
        assert derivative(0.7) == pytest.approx(1.4)
        with monkeypatch.context() as changed:
            changed.setattr(Plain, name, other, raising=False)
            with pytest.raises(tl.UnsupportedSyntaxError, match="changes something"):
                derivative(0.7)


def test_what_a_condition_asks_is_live(monkeypatch):
    derivative = tl.grad(as_a_condition)
    assert derivative(0.7) == pytest.approx(1.4)
    monkeypatch.setattr(Plain, "__bool__", doubts, raising=False)
    assert derivative(0.7) == pytest.approx(2.8)          # of 2 x * x
