"""Lists and arrays in dicts and objects that are given are copied where they change."""
import copy

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds, syntax
from tangent_lite.emit import emit
from tangent_lite.names import Names
from tangent_lite.passes.own_parts import own_parts, parts_to_own
from tests.heap.forced import by_names


class Thing:
    def __init__(self, **parts):
        self.__dict__.update(parts)

    def log(self, v):
        self.kept.append(v)
        return v

    def step(self, dt):
        self.p += dt * self.m


def logged(run, t):
    for k in range(3):
        run.log(t * run.m * k)
    return run.kept[-1] * run.kept[0] + t


def an_element(run, t):
    run.u[0] = t * run.m
    return run.u[0] * run.u[1]


def in_place(run, t):
    run.u *= t
    run.kept.append(np.sum(run.u))
    return sum(run.kept)


def an_item_of_a_list(run, t):
    run.kept[0] = t * run.m
    return run.kept[0] * run.kept[1]


def in_a_dict(run, t):
    run["kept"].append(t * run["m"])
    return run["kept"][-1] * run["kept"][0]


def objects_in_a_list(run, t):
    for body in run.bodies:
        body.step(t)
        run.log(body.p)
    return run.bodies[0].p * run.bodies[1].m + run.kept[-1]


def replaced_and_changed(run, t):
    old, u = run.kept, run.u
    run.kept = []
    old.append(t * run.m)
    run.log(2.0 * t)
    u[1] = t
    run.u = u * 2.0
    run.u[0] = 7.0 * t
    return old[-1] * t + run.kept[0] + u[0] + run.u[0] * run.u[1]


def arrays_in_a_list(run, t):
    for it in range(2):
        total = run.u * 1.0
        for w in run.ws:
            total = np.tanh(total @ w)
        for k in range(len(run.ws)):
            run.ws[k] -= t * run.m * total
    return np.sum(run.ws[0] @ run.ws[1])


RUN = {"m": 2.0, "kept": [1.0, 3.0], "u": np.array([0.5, 1.5])}
BODIES = {"m": 1.0, "kept": [], "bodies": [Thing(m=1.5, p=0.5), Thing(m=2.5, p=0.7)]}
CASES = [(logged, Thing(**RUN)), (an_element, Thing(**RUN)), (in_place, Thing(**RUN)),
         (an_item_of_a_list, Thing(**RUN)), (in_a_dict, RUN), (objects_in_a_list, Thing(**BODIES)),
         (replaced_and_changed, Thing(**RUN)),
         (arrays_in_a_list, Thing(**RUN, ws=[np.eye(2), np.full((2, 2), 0.3)]))]


@pytest.mark.parametrize("f, run", CASES, ids=[f.__name__ for f, _ in CASES])
def test_changed_parts(f, run):
    d = tl.value_and_grad(f, wrt=("run", "t"))
    assert "(tape" not in d.source_for(copy.deepcopy(run), 3.0)
    before = copy.deepcopy(run)
    value, (brun, bt) = d(run, 3.0)
    assert value == f(copy.deepcopy(before), 3.0)
    assert str(vars_of(run)) == str(vars_of(before))        # the derivative is pure

    def at(step):
        moved = copy.deepcopy(before)
        if isinstance(moved, dict):
            moved["m"] += step
        else:
            moved.m += step
        return f(moved, 3.0 + 0.7 * step)
    wanted = (at(1e-6) - at(-1e-6)) / 2e-6
    assert np.isclose(vars_of(brun)["m"] + 0.7 * bt, wanted, rtol=1e-7)


def vars_of(thing):
    found = thing if isinstance(thing, dict) else vars(thing)
    return {key: [vars(one) if isinstance(one, Thing) else one for one in part]
            if isinstance(part, list) else part for key, part in found.items()}


def at_two_places(run, t):
    run.kept.append(t * run.m)
    return run.again[-1] * t


def test_a_list_at_two_places():
    def made():
        kept = [1.0]
        return Thing(m=2.0, kept=kept, again=kept)

    assert tl.value_and_grad(at_two_places, wrt="t")(made(), 3.0) == (18.0, 12.0)


def test_an_array_at_two_places():
    def made():
        u = np.ones(3)
        return Thing(m=2.0, u=u, kept=u[:2])

    def f(run, t):
        run.u[0] = t * run.m
        return run.kept[0] * t

    assert tl.value_and_grad(f, wrt="t")(made(), 3.0) == (18.0, 12.0)
    with pytest.raises(tl.AliasError, match="the same memory"):
        tl.grad(f, wrt="run")(made(), 3.0)


def trained(ws, rate):
    for k in range(len(ws)):
        ws[k] -= rate * ws[k - 1]
    return np.sum(ws[0] @ ws[1])


def trained_copies(ws, rate):
    ws = [w * 1.0 for w in ws]              # under the name that it has there
    for k in range(len(ws)):
        ws[k] -= rate * ws[k - 1]
    return np.sum(ws[0] @ ws[1])


def back_through(ws, rate):
    ws = [w * 1.0 for w in ws]
    slope = np.ones((2, 2))
    for k in range(len(ws) - 1, -1, -1):
        slope = slope @ ws[k].T
        ws[k] -= rate * slope
    return np.sum(ws[0] @ ws[1])


@pytest.mark.parametrize("f", [trained, trained_copies, back_through])
def test_a_list_of_arrays(f):
    ws = [np.eye(2), np.full((2, 2), 0.3)]
    d = tl.value_and_grad(f, wrt=("ws", "rate"))
    assert "(tape" not in d.source_for(ws, 0.1)
    value, (bws, brate) = d(ws, 0.1)
    assert np.array_equal(ws[0], np.eye(2))
    assert value == f([w.copy() for w in ws], 0.1)
    tl.check_grads(lambda a, b, r: f([a * 1.0, b * 1.0], r), (*ws, 0.1), order=1)
    wanted = tl.grad(lambda a, b, r: f([a * 1.0, b * 1.0], r), wrt=(0, 1, 2))(*ws, 0.1)
    assert all(map(np.allclose, (*bws, brate), wanted))


def test_one_array_at_two_places_of_a_list():
    w = np.eye(2)
    assert tl.value_and_grad(trained, wrt="rate")([w, w], 0.5) == (0.125, -1.0)


def seen_by_a_view(ws, rate):
    ws = [w * 1.0 for w in ws]
    turned = ws[0].T
    ws[0] -= rate * ws[1]
    return np.sum(turned @ ws[1])


def test_a_view_sees_the_change():
    ws = [np.eye(2), np.full((2, 2), 0.3)]
    assert tl.value_and_grad(seen_by_a_view, wrt="rate")(ws, 0.5)[0] == seen_by_a_view(ws, 0.5)
    assert np.isclose(tl.grad(seen_by_a_view, wrt="rate")(ws, 0.5), -0.72)


class Log(list):
    def total(self):
        return sum(self)


class Doubling(list):
    def append(self, item):
        super().append(2.0 * item)


def asks_for_the_class(run, t):
    run.kept.append(t)
    return 2.0 * t if isinstance(run.kept, Log) else t


def by_its_own_method(run, t):
    run.kept.append(t)
    return sum(run.kept) * t


@pytest.mark.parametrize("f, kept", [(asks_for_the_class, Log), (by_its_own_method, Doubling)])
def test_lists_of_other_classes_are_not_copied_as_lists(f, kept):
    d = tl.grad(f, wrt="t")
    assert d(Thing(kept=[1.0]), 3.0) == (1.0 if f is asks_for_the_class else 7.0)
    with pytest.raises(tl.TangentError, match="is a list of a kind of its own"):
        d(Thing(kept=kept([1.0])), 3.0)


class Row(list):
    pass


class Table(dict):
    pass


def longer(v, x):
    v.append(x)
    return sum(v) * (2.0 if isinstance(v, Row) else 3.0)


def another_item(v, x):
    v["k"] = x
    return v["k"] * (2.0 if type(v) is Table else 3.0)


@pytest.mark.parametrize("f, plain, derived", [
    (longer, [1.0, 2.0], Row), (another_item, {"k": 1.0}, Table)])
def test_what_changes_is_not_copied_as_another_class(f, plain, derived):
    """A copy of a derived list is a plain one, which a function may ask for."""
    d = tl.grad(f, wrt="x")
    assert d(plain, 2.0) == 3.0
    with pytest.raises(tl.UnsupportedSyntaxError, match="of its own"):
        d(derived(plain), 2.0)
    assert d(plain, 2.0) == 3.0


class Keeping:
    """A layer that keeps what it met."""

    def __init__(self, w, inside=None):
        self.w, self.x = w, inside

    def forward(self, x):
        self.x = x
        return np.tanh(x @ self.w)


class Stack:
    def __init__(self, layers):
        self.layers = layers


def through(stack, x):
    for layer in stack.layers:
        x = layer.forward(x)
    return np.sum(x * stack.layers[0].x)


def through_in_place(stack, x):
    for layer in stack.layers:
        layer.x[0] = layer.x[1] * 2.0
        x = np.tanh(x @ layer.w) * layer.x
    return np.sum(x)


def through_sums(stack, x):
    for layer in stack.layers:
        layer.x += 1.0
        x = np.tanh(x @ layer.w) * layer.x
    return np.sum(x)


def copied(stack):
    return Stack([Keeping(layer.w.copy(), layer.x.copy()) for layer in stack.layers])


def test_what_a_layer_keeps_is_an_argument_too():
    rng = np.random.default_rng(5)
    x, w, v = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    d = tl.value_and_grad(through, wrt="x")
    stack = Stack([Keeping(w, x), Keeping(v, x)])
    with by_names():
        value, bx = d(stack, x)
    assert stack.layers[0].x is x
    assert value == through(copied(stack), x)
    for spot in np.ndindex(2, 2):
        step = np.zeros((2, 2))
        step[spot] = 1e-6
        slope = (through(copied(stack), x + step) - through(copied(stack), x - step)) / 2e-6
        assert bx[spot] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("f", [through_in_place, through_sums])
def test_what_changes_in_place_is_no_argument_too(f):
    x, w = np.array([[0.3, -0.2], [0.5, 0.1]]), np.eye(2) * 0.7
    d = tl.value_and_grad(f, wrt="x")
    stack = Stack([Keeping(w, x.copy()), Keeping(w.T.copy(), x.copy())])
    with by_names():
        assert d(stack, x)[0] == f(copied(stack), x)
    with pytest.raises(tl.AliasError, match="an array of stack, of which another one is the same"):
        d(Stack([Keeping(w, x), Keeping(w.T.copy(), x)]), x)
    with pytest.raises(tl.AliasError, match="shares memory with x"):
        d(Stack([Keeping(w, x), Keeping(w.T.copy(), x.copy())]), x)


class Layer:
    pass


class Other:
    pass


def net_of(**parts):
    """The kind of an object that holds these."""
    return kinds.RecordKind(Thing, tuple(parts), tuple(parts.values()))


LAYERS = kinds.ListKind(kinds.OneOf((kinds.RecordKind(Layer, ("mean",), (kinds.Array(1, "float"),)),
                                     kinds.RecordKind(Other, ("w",), (kinds.FLOAT,)))))
BOUND_ANEW = """
def f(net, x):
    items = net.layers
    for k in range(len(items)):
        layer = items[k]
        layer.mean = layer.mean * x
    items.append(x)
    net.count = x
"""


def ways_to_copy(text, kind):
    tree = gast.parse(text).body[0]
    return parts_to_own(tree, {"net": kind, "x": kinds.FLOAT}, {})


@pytest.mark.parametrize("parts, ways", [
    ({"layers": LAYERS}, 1),                                    # mean is a part of nothing copied
    ({"layers": LAYERS, "count": kinds.FLOAT}, 1),              # which is bound, and not copied
    ({"layers": LAYERS, "count": kinds.Array(1, "float")}, 2),
    ({"layers": LAYERS, "mean": kinds.Array(1, "float")}, 2),   # the name of another's part as well
    ({"layers": kinds.ListKind(LAYERS.item.options[0])}, 2),      # of alike objects, each is copied
    ({"layers": kinds.ListKind(LAYERS.item.options[1])}, 1)])
def test_ways_to_copy_that_copy_the_same_are_one(parts, ways):
    found = ways_to_copy(BOUND_ANEW, net_of(**parts))
    assert len(found) == ways
    made = []
    for keys in found:
        tree = gast.parse(BOUND_ANEW).body[0]
        own_parts(tree, keys, {"net": net_of(**parts), "x": kinds.FLOAT},
                  Names(syntax.all_names(tree)), lambda thing, wish: syntax.load(wish))
        made.append(emit(tree))
    assert len(set(made)) == ways
