"""Loops over lists that are given empty say nothing, as long as nothing is put into them."""
import pytest

import tangent_lite as tl


class Model:
    def __init__(self, hooks, **parts):
        self.rate, self.hooks, self.kept = 2.0, hooks, []
        self.__dict__.update(parts)

    def add(self, v):
        self.hooks.append(v)
        return v


def called(model, t):
    s = model.rate * t
    for hook in model.hooks:
        s = hook(s)
    return s


def of_objects(model, t):
    s = model.rate * t
    for k, (spring, weight) in enumerate(model.hooks):
        spring.step(t)
        s += spring.energy(t) * weight
    model.kept.append(s)
    return s + sum(one.energy(t) for one in model.hooks)


def of_dicts(model, t):
    for one in model.hooks:
        one["mode"] = "train"
    return model.rate * t


@pytest.mark.parametrize("f", [called, of_objects, of_dicts])
def test_nothing_is_in_it(f):
    d = tl.grad(f, wrt="t")
    assert d(Model([]), 3.0) == 2.0
    assert "tape." not in d.source_for(Model([]), 3.0)


def test_the_next_list_may_hold_something():
    d = tl.grad(called, wrt="t")
    assert d(Model([]), 3.0) == 2.0
    assert d(Model([lambda v: v * v]), 3.0) == 24.0
    assert d(Model([]), 3.0) == 2.0


def by_method(model, t):
    model.add(t)


def by_a_second_name(model, t):
    again = model.hooks
    again.append(t)


def of_a_second_name(model, t):
    again = model
    again.hooks += [t]


def in_a_list(model, t):
    box = [model.hooks]
    box[0].append(t)


def by_the_method_of_the_list(model, t):
    put = model.hooks.append
    put(t)


def in_a_slice(model, t):
    model.hooks[:] = [t]


def bound_anew(model, t):
    model.hooks = [t]


def inside(model, t):
    def put(v):
        model.hooks.append(v)
    put(t)


def held_twice(model, t):
    model.same.append(t)


def by_a_method_it_holds(model, t):
    model.put(t)


@pytest.mark.parametrize("change", [
    by_method, by_a_second_name, of_a_second_name, in_a_list, by_the_method_of_the_list, in_a_slice,
    bound_anew, inside, held_twice, by_a_method_it_holds], ids=lambda change: change.__name__)
def test_something_is_put_into_it(change):
    def f(model, t):
        change(model, t)
        s = model.rate * t
        for hook in model.hooks:
            s += hook * t
        return s

    hooks = []
    model = Model(hooks)
    if change is held_twice:
        model.same = hooks
    if change is by_a_method_it_holds:
        model.put = model.add
    assert tl.grad(f, wrt="t")(model, 3.0) == 8.0
    assert hooks == []


def test_a_list_of_another_argument():
    def f(model, t, hooks):
        hooks.append(t)
        s = model.rate * t
        for hook in model.hooks:
            s += hook * t
        return s

    hooks = []
    with pytest.raises(tl.AliasError, match="part of model, too"):
        tl.grad(f, wrt="t")(Model(hooks), 3.0, hooks)
    assert tl.grad(f, wrt="t")(Model([]), 3.0, []) == 2.0
