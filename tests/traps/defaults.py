"""Dicts with defaults from outside: to read a key that they have not puts it there."""
from collections import OrderedDict, defaultdict

from tests.traps.case import case

COUNTS = defaultdict(float, a=1.0)


def written_key(x, rates):
    y = rates["b"] + rates["a"]
    return y * x * x + len(rates) * x


def computed_keys(x, rates, n):
    total = 0.0
    for k in range(n):
        total = total + rates[k] * x
    return total + len(rates) * x


def in_a_dict(x, parts):
    return x * x * (parts["rates"]["b"] + len(parts["rates"]))


def all_there(x, rates):
    return rates["a"] * x * x


def one_of_two(x, first, second, n):
    rates = first
    if n > 2:
        rates = second
    return rates["z"] * x + len(rates) * x * x


def one_by_one(x, several):
    total = 0.0
    for rates in several:
        total = total + rates["z"] * x + len(rates) * x * x
    return total


def varies_itself(rates, x):
    return rates["b"] * x + rates["a"] ** 2 * x


def of_lists(x, groups):
    groups["b"].append(3.0)
    return x * x * len(groups["b"])


def by_get(x, rates):
    return rates.get("b", 2.0) * x * x + len(rates) * x


def last_comes_first(x, rates):
    rates.move_to_end("a")
    return list(rates.values())[0] * x * x


def of_the_module(x):
    found = x * x * (COUNTS["b"] + len(COUNTS))
    del COUNTS["b"]
    return found


case(written_key, 3.0, defaultdict(float, a=2.0), wrt=(0,))
case(computed_keys, 3.0, defaultdict(float, {0: 2.0}), 3, wrt=(0,))
case(in_a_dict, 3.0, {"rates": defaultdict(float, a=2.0)}, wrt=(0,))
case(all_there, 3.0, defaultdict(float, a=2.0), wrt=(0,))
case(one_of_two, 3.0, defaultdict(float, a=2.0), defaultdict(float, b=1.0, c=2.0), 3, wrt=(0,))
case(one_by_one, 3.0, [defaultdict(float, {k: 1.0}) for k in "abc"], wrt=(0,))
case(varies_itself, defaultdict(float, a=2.0, b=1.5), 3.0)
case(of_lists, 3.0, defaultdict(list, a=[2.0]), wrt=(0,))
case(by_get, 3.0, defaultdict(float, a=2.0), wrt=(0,))
case(last_comes_first, 3.0, OrderedDict(a=1.0, b=2.0), wrt=(0,))
case(of_the_module, 3.0)
