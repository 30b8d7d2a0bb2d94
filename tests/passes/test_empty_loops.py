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


def none_or_a_list(x, more=None):
    y = x * x
    for v in (more or []):
        y = y + v.weight * x
    return y


def test_a_list_that_is_made_empty():
    d = tl.grad(none_or_a_list)
    assert d(3.0) == 6.0
    assert "for" not in d.source_for(3.0).split("Backward")[1]
    assert d(3.0, [Model([], weight=2.0)]) == 8.0


def captured_before(x):
    xs = [x]
    put = lambda v: xs.append(v)  # noqa: E731 - what it captures is the point
    for v in xs:
        x = x * v
    xs = []
    put(x)
    s = 0.0
    for v in xs:
        s += v * x
    return s


def test_what_a_function_captures_is_what_the_name_means_later():
    assert tl.value_and_grad(captured_before)(1.5) == (1.5 ** 4, 4.0 * 1.5 ** 3)


def one_of_two(x, model=None):
    xs = [] if model is None else model.hooks

    def put(v):
        xs.append(v)

    def leave(v):
        return None

    chosen = put if x > 1.0 else leave
    chosen(x)
    s = x * x
    for v in xs:
        s += v * x
    return s


@pytest.mark.parametrize("rest", [(), (Model([]),)])
def test_one_of_two_functions_puts_something_into_it(rest):
    assert tl.value_and_grad(one_of_two)(1.5, *rest) == (4.5, 6.0)
    assert tl.value_and_grad(one_of_two)(0.5, *rest) == (0.25, 1.0)
