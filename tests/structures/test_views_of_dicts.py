"""Views of dicts show what the dict holds when they are read."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.structures.made_inside import made_inside
from tests.heap.forced import by_names


def named(x):
    d = {"a": x, "b": x * x}
    shown = d.values()
    d["c"] = x ** 3
    return sum(shown)


def keys_that_are_added(x):
    d = {"a": x, "b": x * x}
    keys = d.keys()
    d["c"] = x
    return sum([d[k] for k in keys])


def keys_that_go(x):
    d = {"a": x, "b": x * x}
    keys = d.keys()
    del d["a"]
    return len(keys) * d["b"]


def later_items(x):
    d, s = {"a": x, "b": x * x}, 0.0
    for _, v in d.items():
        s += v * v
        d["b"] = s * v
    return s + d["b"]


def beside_others(x):
    d, s = {"a": x, "b": x * x}, 0.0
    for (_, v), w in zip(d.items(), [1.0, x]):
        s += v * v * w
        d["b"] = s * v
    return s


def in_a_function(x):
    d = {"a": x, "b": x * x}

    def step(v):
        d["b"] = v * 3.0
        return v
    return sum([step(v) for v in d.values()])


def in_a_loop(x):
    d = {"a": x}
    shown = d.values()
    for _ in range(2):
        d["a"] = d["a"] * x
        x = x + sum(shown)
    return x


def its_own_item(x):
    d = {"a": x, "b": x * x}
    for k, v in d.items():
        d[k] = v * x
    for k in d.keys():
        d[k] = d[k] * d["a"]
    return sum(d.values())


def made_again(x):
    d = {"a": x, "b": x * x}
    for _ in range(3):
        s = sum(d.values())
        d["a"] = s * d["b"]
    return sum([v * v for v in d.values()])


@pytest.mark.parametrize("function", [
    named, keys_that_are_added, keys_that_go, later_items, beside_others, in_a_function, in_a_loop])
def test_changes_that_are_seen(function):
    assert tl.value_and_grad(function)(1.3)[0] == function(1.3)
    tl.check_grads(function, (1.3,), order=1)
    with by_names(), pytest.raises(tl.TangentError, match="while a view of it is read"):
        tl.grad(function)(1.3)


@pytest.mark.parametrize("function", [its_own_item, made_again])
@pytest.mark.sweep(2)
def test_changes_that_are_not_seen(function):
    tl.check_grads(function, (1.3,), order=2)
    with by_names():
        tl.check_grads(function, (1.3,), order=1)


class Holder:
    pass


def held_by_an_object(x):
    p = Holder()
    p.d = {"a": x}
    shown = p.d.values()
    p.d["b"] = x * x
    return sum([v * v for v in shown])


def changed_in_a_loop_over_it(x):
    p, s = Holder(), 0.0
    p.d = {"a": x, "b": x * x}
    for _, v in p.d.items():
        p.d["b"] = 3.0 * x
        s += v * v
    return s


def held_and_changed_by_name(x):
    d = {"a": x}
    p = Holder()
    p.d = d
    shown = p.d.items()
    d["a"] = x * x
    return sum([v * v for _, v in shown])


def held_by_a_list(x):
    rows = [{"a": x}]
    shown = rows[0].values()
    rows[0]["b"] = x * x
    return sum([v * v for v in shown])


def held_by_a_tuple(x):
    d = {"a": x}
    both = d, 1
    shown = both[0].values()
    d["a"] = x * x
    return sum([v * v for v in shown])


def held_by_a_dict(x):
    outer = {"in": {"a": x}}
    shown = outer["in"].keys()
    outer["in"]["b"] = x
    return len(shown) * outer["in"]["a"]


def appended_to_a_list(x):
    rows, d = [], {"a": x}
    rows.append(d)
    shown = d.values()
    last = rows[0]
    last["b"] = x * x
    return sum([v * v for v in shown])


def view_that_an_object_holds(x):
    d = {"a": x}
    p = Holder()
    p.shown = d.values()
    d["a"] = x * x
    return sum([v * v for v in p.shown])


@pytest.mark.parametrize("f", [
    held_by_an_object, changed_in_a_loop_over_it, held_and_changed_by_name, held_by_a_list,
    held_by_a_tuple, held_by_a_dict, appended_to_a_list, view_that_an_object_holds])
def test_a_dict_that_another_container_holds(f):
    value, slope = tl.value_and_grad(f)(0.7)
    assert value == pytest.approx(f(0.7))
    assert slope == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)


def other_parts(x):
    p, s = Holder(), 0.0
    p.d, p.total = {"a": x, "b": x * x}, 0.0
    for k, v in p.d.items():
        p.total = p.total + v * x
        s += v
        p.d[k] = v * s
    return p.total + p.d["b"]


def test_other_parts_of_what_holds_a_dict_may_change():
    with by_names():
        slope = tl.grad(other_parts)(0.7)
    assert slope == pytest.approx((other_parts(0.7 + 1e-6) - other_parts(0.7 - 1e-6)) / 2e-6)


# Taken by number ------------------------------------------------------------------------------
def _moves(board, player):
    for (row, column), piece in sorted(board.items()):
        if piece == player and (row + 1, column) not in board:
            yield (row, column), (row + 1, column)


def _worth(board, w):
    return sum(w[row] * len(list(_moves(board, piece))) for (row, _), piece in board.items())


def searched(w):
    board = {}
    for i in range(2):
        board[(i * 2) % 3, 0] = "xo"[i % 2]
    total = 0.0
    for start, end in _moves(board, "x"):
        after = {k: v for k, v in board.items() if k != start}
        after[end] = "x"
        total += _worth(after, w) ** 2
    return total


def test_sorted_views_in_generators():
    w = np.array([0.3, 0.4, 0.5, 0.6])
    value, bw = tl.value_and_grad(searched)(w)
    assert value == searched(w)
    np.testing.assert_allclose(bw, [(searched(w + 1e-6 * e) - searched(w - 1e-6 * e)) / 2e-6
                                    for e in np.eye(4)], rtol=1e-6, atol=1e-8)


# Dicts that are made inside are none of those that were there before.
def doubled(table):
    return {k: 2.0 * v for k, v in table.items()}


def rows_made_anew(p):
    made = {s: {k: v * v for k, v in row.items()} for s, row in p["rows"].items()}
    return made["a"]["x"] * made["b"]["x"]


def rows_made_by_a_function(p):
    made = {s: doubled(row) for s, row in p["rows"].items()}
    return made["a"]["x"] * made["b"]["x"]


def rows_filled_in_a_loop(p):
    total, made = 0.0, {}
    for s, row in p["rows"].items():
        out = {}
        for k, v in row.items():
            out[k] = v * total
            total += v
        made[s] = out
    return made["b"]["x"] * total


def put_into_what_was_there(p):
    rows = p["rows"]
    made = {"x": 3.0 * rows["a"]["x"]}
    rows["b"] = made
    total = 0.0
    for _, row in rows.items():
        for k, v in row.items():
            made["x"] = v * v
            total += v * made["x"]
    return total


def put_into_a_list_that_was_there(p):
    rows = p["rows"]
    made = {"x": rows["a"]["x"], "y": 0.5}
    rows["list"] = [made]
    total = 0.0
    for row in rows["list"]:
        for _, v in row.items():
            made["y"] = v * v
            total += v * made["y"]
    return total


ROWS = {"rows": {"a": {"x": 1.3, "y": 0.4}, "b": {"x": 0.7, "y": 1.1}}}


@pytest.mark.parametrize("function", [
    rows_made_anew, rows_made_by_a_function, rows_filled_in_a_loop])
@pytest.mark.parametrize("p", [ROWS, {"rows": {"b": {"x": 0.7}, "a": {"x": 1.3, "y": 0.4}}}])
def test_dicts_made_inside_are_others(function, p):
    with by_names():
        tl.check_grads(function, (p,), order=1)


@pytest.mark.parametrize("function", [put_into_what_was_there, put_into_a_list_that_was_there])
def test_dicts_put_into_what_was_there(function):
    def of_numbers(x, y):
        return function({"rows": {"a": {"x": x, "y": y}, "b": {"x": 0.7, "y": 1.1}}})

    found = tl.grad(function)(ROWS)["rows"]["a"]
    for name, step in (("x", (1e-6, 0.0)), ("y", (0.0, 1e-6))):
        ahead, behind = (of_numbers(1.3 + sign * step[0], 0.4 + sign * step[1]) for sign in (1, -1))
        assert abs(found[name] - (ahead - behind) / 2e-6) < 1e-7


@pytest.mark.parametrize("text, owner, inside", [
    ("t = p['t']; out = {}; out['a'] = 1.0", "t", {"out"}),
    ("t = p['t']; out = {}; u = out", "t", {"out", "u"}),
    ("out = {}; t = out", "t", set()),
    ("t = p['t']; out = {}; t['a'] = out", "t", set()),
    ("t = p['t']; out = {}; out['a']['b'] = 1.0", "t", set()),
    ("t = p['t']; out = {}; t.append(out)", "t", set()),
    ("t = p['t']; t += [out]; out = {}", "t", set()),
    ("t = p['t']; out = {}; keep(out)", "t", set()),
    ("t = p['t']; out = {}; keep(t)", "t", {"out"}),
    ("t = p['t']; out = {}; q.held = out", "t", set()),
    ("t = p['t']; out = {}; t, q[0] = out, t", "t", set()),
    ("t = p['t']; out = t", "t", set()),
    ("for k, t in p.items(): out = {}", "t", {"out"}),
    ("pair = ('a', p); k, t = pair; out = {}", "t", {"out"}),
    ("pair = ('a', out); k, t = pair; out = {}", "t", set()),
    ("t = made(p); out = {}", "t", set()),
    ("t = p['t']; out = {}; t.update(a=out)", "t", set()),
    ("t = p['t']; out = {}; q.store(out)", "t", set()),
    ("t = p['t']; out = {}; t.store(out)", "t", set()),
    ("t = p['t']; out = {}; n = len(out) + out.get('a')", "t", {"out"}),
    ("t = p['t']; out = {}; f = lambda: 0", "t", {"out"}),
])
def test_what_is_made_inside(text, owner, inside):
    assert made_inside(gast.parse(text).body, owner, lambda call: True) == inside
