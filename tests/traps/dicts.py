"""Traps of dicts: aliased, updated, grown, nested, iterated over in order."""
import collections

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def aliased(x, y):
    d = {"a": x}
    e = d
    e["b"] = y * d["a"]
    d["a"] = e["b"] * x
    return d["b"] * e["a"] * len(d)


case(aliased, 0.7, 1.3)


def updated(x, y):
    d = {"a": x, "b": y}
    d.update({"b": x * y, "c": x})
    e = {"a": 3.0}
    e.update(d)
    d["a"] = 9.0
    e.update(c=y, z=x)
    return e["a"] * e["b"] + e["c"] * e["z"] + d["a"]


case(updated, 0.7, 1.3)


def updated_by_itself(x):
    d = {"a": x, "b": x * x}
    d.update(d)
    d.update(a=d["b"], b=d["a"])
    return d["a"] * 2.0 + d["b"] * 3.0


case(updated_by_itself, 0.7)


def set_default(x, y):
    d = {"a": x}
    a = d.setdefault("a", y)
    b = d.setdefault("b", y)
    d["b"] *= a
    c = d.setdefault("b", x)
    return a * b * c


case(set_default, 0.7, 1.3)


def grouped(u, x):
    groups = {}
    for k, v in enumerate(u):
        groups.setdefault(k % 2, []).append(v * x)
    return sum(a * b for a, b in zip(groups[0], groups[1])) * groups[1][-1]


case(grouped, u4, 0.7)


def popped(x, y):
    d = {"a": x, "b": y}
    a = d.pop("a")
    c = d.pop("c", a * y)
    d["a"] = a * d["b"]
    return d["a"] * c * d.pop("b")


case(popped, 0.7, 1.3)


def got(x, y):
    d = {"a": x, "none": None}
    return d.get("a") * d.get("b", y) * (1.0 if d.get("c") is None else 2.0)


case(got, 0.7, 1.3)


def augmented_values(x, y):
    d = {"a": x, "b": y}
    for key in d:
        d[key] *= x
        d[key] += d["a"]
    return d["a"] * d["b"]


case(augmented_values, 0.7, 1.3)


def array_value_augmented(u, x):
    d = {"u": u.copy()}
    v = d["u"]
    d["u"] *= x
    d["u"][1:] += x
    d["u"] = d["u"] + v
    return np.sum(v * d["u"])


case(array_value_augmented, u4, 0.7)


def order_of_keys(x, y):
    d = {"a": x}
    d["c"] = y
    d["b"] = x * y
    del d["a"]
    d["a"] = 2.0 * x
    return sum(v * (k + 1) for k, v in enumerate(d.values()))


case(order_of_keys, 0.7, 1.3)


def rebuilt_in_loop(x, n):
    d = {"p": x, "q": 0.5}
    for k in range(n):
        d = {"p": d["p"] - 0.1 * d["q"], "q": d["q"] + 0.1 * d["p"] * x}
    return d["p"] * d["q"]


case(rebuilt_in_loop, 0.7, 3)
case(rebuilt_in_loop, 0.7, 0)


def nested(x, y):
    net = {"one": {"w": x, "b": [y, 1.0]}, "two": {"w": y}}
    net["one"]["b"][1] = net["two"]["w"] * x
    layer = net["one"]
    layer["w"] *= y
    net["two"] = layer
    net["two"]["new"] = x
    return net["one"]["w"] * net["one"]["b"][1] * net["one"]["new"]


case(nested, 0.7, 1.3)


def argument_is_not_changed(p, x):
    p["w"] = p["w"] * x
    p["new"] = p["w"] * p["b"]
    p.pop("b")
    return p["new"] * p["w"] * len(p)


case(argument_is_not_changed, {"w": 0.3, "b": 0.2}, 0.7)


def argument_holds_arrays(p):
    p["w"] *= p["b"]
    p["w"][0] = p["w"][1] * p["b"]
    q = dict(p)
    q["b"] = 1.0
    q["w"] += p["b"]
    return np.sum(p["w"] * p["w"]) * p["b"] * q["b"]


case(argument_holds_arrays, {"w": u4, "b": 0.2})


def merged(x, y):
    d = {"a": x, "b": y}
    e = {**d, "b": x * y, "c": 1.0}
    f = d | {"a": y}
    d |= {"z": x}
    return e["a"] * e["b"] + f["a"] * f["b"] + d["z"] * len(f)


case(merged, 0.7, 1.3)


def tuple_keys(x, n):
    table = {(0, 0): x}
    for i in range(n):
        for j in range(i + 1):
            table[i + 1, j] = table[i, min(j, i)] * x + j
            table[(i + 1, i + 1)] = table[i, i] + x
    return table[n, 0] * table[n, n]


case(tuple_keys, 0.7, 3)


def counts(u, x):
    sums = collections.defaultdict(float)
    for k, v in enumerate(u):
        sums[k % 3] += v * x
    total = collections.OrderedDict(a=x)
    total["b"] = sums[0]
    return sums[0] * sums[1] + total["b"] * total["a"]


case(counts, u4, 0.7)


def memo(x, n):
    known = {}

    def fib(k):
        if k < 2:
            return x
        if k not in known:
            known[k] = fib(k - 1) * 0.5 + fib(k - 2)
        return known[k]
    return fib(n)


case(memo, 0.7, 6)


def inverted(x, y):
    d = {"a": x, "b": y}
    pairs = {v: k for k, v in {"p": 1, "q": 2}.items()}
    return d["a" if pairs[1] == "p" else "b"] * d["b"]


case(inverted, 0.7, 1.3)


def copied(x):
    d = {"a": x, "xs": [x]}
    e = d.copy()
    e["a"] = 5.0
    e["xs"].append(x * x)
    return d["a"] * sum(d["xs"]) * e["a"]


case(copied, 0.7)


def formatted_keys(x, n):
    d = {f"w{k}": x * (k + 1) for k in range(n)}
    d["w" + str(n)] = x
    return d["w0"] * d[f"w{n - 1}"] * d[f"w{n}"]


case(formatted_keys, 0.7, 3)


def items_unpacked(x, y):
    d = {"a": (x, y), "b": (y, x * y)}
    total = 1.0
    for key, (p, q) in d.items():
        total = total * p + q * (key == "b")
    return total


case(items_unpacked, 0.7, 1.3)


def keys_and_values(x, y):
    d = {"a": x, "b": y}
    names, values = list(d.keys()), list(d.values())
    d["a"] = 9.0
    return values[names.index("a")] * max(d.values()) * values[1]


case(keys_and_values, 0.7, 1.3)


def shared_array_in_two_dicts(u, x):
    v = u * x
    d, e = {"v": v}, {"v": v}
    d["v"][0] = x
    e["v"] = e["v"] * 2.0
    e["v"][1] = x * x
    return np.sum(d["v"]) * np.sum(e["v"]) + v[0]


case(shared_array_in_two_dicts, u4, 0.7)


def keys_from_a_loop(d, x):
    for name in ("u", "v"):
        d[name] = d["a"] * x
        x = x * x
    return d["u"] * d["v"] + d["b"]


case(keys_from_a_loop, {"a": 0.7, "b": 1.3}, 0.6)


def key_of_a_parameter(d, key):
    d[key] = d["a"] * 3.0
    return d["a"] * d[key]


case(key_of_a_parameter, {"a": 0.7}, "b", label="new")
case(key_of_a_parameter, {"a": 0.7}, "a", label="old")


def copies_part_by_part(d, x):
    one, other = d.copy(), dict(d, c=x)
    for name in ("a", "c"):
        one[name] = other["c"] * d["a"]
    return one["a"] * one["c"] + other["a"] * d["b"]


case(copies_part_by_part, {"a": 0.7, "b": 1.3}, 0.6)

SETTINGS = {"gain": 2.0}


def key_added_outside(x):
    SETTINGS["extra"] = x * SETTINGS["gain"]
    return SETTINGS["extra"] * x


case(key_added_outside, 0.7)


def _set_extra(x):
    SETTINGS["extra"] = x * x


def _with_extra(x):
    return SETTINGS["extra"] * x


def key_added_by_a_helper(x):
    before = SETTINGS["gain"] * x
    _set_extra(x)
    return _with_extra(x) + before * SETTINGS["extra"]


case(key_added_by_a_helper, 0.7)


def ordered_items_popped(x):
    d = collections.OrderedDict(a=x[0], b=x[1])
    d["c"] = x[2]
    key, first = d.popitem(last=False)
    d.move_to_end("b")
    last = d.popitem()[1]
    missing = d.pop("z", default=x[3])
    return first * 2 + last * 3 + missing * d.setdefault("y", default=x[1]) + sum(d.values())


case(ordered_items_popped, u4)


# a | b holds what both hold -----------------------------------------------------------------------
def union_of_computed_keys(x, n):
    a = {i: i * x for i in range(n)}
    d = a | {0: x}
    return d[0] * d[2] + d[1]


case(union_of_computed_keys, 2.0, 3)


def union_that_grows(x, n):
    a = {i: i * x for i in range(n)}
    d = {0: x} | a | {1: x * x}
    d[5] = d[1] * d[2]
    return d[5] + d[0] * a[1]


case(union_that_grows, 2.0, 3)


def distance_of_words(costs, one, other):
    d = {(i, 0): i * costs["del"] for i in range(len(one) + 1)} \
        | {(0, j): j * costs["ins"] for j in range(len(other) + 1)}
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            d[i, j] = min(d[i - 1, j] + costs["del"], d[i, j - 1] + costs["ins"],
                          d[i - 1, j - 1] + (0 if a == b else costs["sub"]))
    return d[len(one), len(other)] ** 2


case(distance_of_words, {"del": 1.0, "ins": 1.1, "sub": 1.4}, "kitten", "sitting", wrt=(0,))
