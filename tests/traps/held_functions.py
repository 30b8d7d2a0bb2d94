"""Functions that are defined inside and kept in lists, dicts and other functions; containers that
hold themselves; objects with slots in lists."""
from dataclasses import dataclass

from tests.traps.case import case


def appended_by_name(xs):
    fs = [lambda v: v]
    for x in xs:
        f, _ = (lambda v: v * x), None
        fs.append(f)
    return fs[-1](1.0) * fs[1](1.0)


case(appended_by_name, [1.0, 2.0, 3.0])


def defined_and_appended(xs):
    fs = [lambda v: v]
    for x in xs:
        def f(v):
            return v * x
        fs.append(f)
    return fs[-1](1.0) * fs[1](1.0)


case(defined_and_appended, [1.0, 2.0, 3.0])


def in_a_dict_with_defaults(xs):
    fs = {}
    for i, x in enumerate(xs):
        def f(v, x=x):
            return v * x
        fs[i] = f
    total = 1.0
    for i in sorted(fs, reverse=True):
        total = fs[i](total) + i
    return total


case(in_a_dict_with_defaults, [1.0, 2.0, 3.0])


def each_calls_the_one_before(x, n):
    f, _ = (lambda v: v), None
    for _ in range(n):
        f = (lambda g: (lambda v: g(v) * x + 1))(f)
    return f(2.0)


case(each_calls_the_one_before, 1.5, 3)
case(each_calls_the_one_before, 1.5, 0)


def handed_out_with_one_variable(xs):
    fs = [lambda v: v * v for _ in range(2)]
    total = 0.0
    for f in (lambda v: v * x for x in xs):
        total += f(2.0)
        fs.append(f)
    return total + fs[-1](1.0) * fs[2](1.0)


case(handed_out_with_one_variable, [1.0, 2.0, 3.0])


class Reader:
    """A calculator, whose methods call each other and move on in the text."""

    def __init__(self, text, values):
        self.text, self.place, self.values = text, 0, values

    def ahead(self):
        return self.text[self.place] if self.place < len(self.text) else ""

    def total(self):
        value = self.product()
        while self.ahead() in ("+", "-"):
            sign = self.ahead()
            self.place += 1
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self):
        value = self.item()
        while self.ahead() in ("*", "/"):
            sign = self.ahead()
            self.place += 1
            other = self.item()
            value = value * other if sign == "*" else value / other
        return value

    def item(self):
        found = self.ahead()
        self.place += 1
        if found == "(":
            value = self.total()
            self.place += 1
            return value
        return float(found) if found.isdigit() else self.values[found]


def methods_that_call_each_other(x, y):
    return Reader("x*(y+2)-y/(x+1)*3", {"x": x, "y": y}).total()


case(methods_that_call_each_other, 1.5, 0.7)


# Containers that hold themselves ----------------------------------------------------------------
def dict_in_itself(x):
    d = {"v": x * x}
    d["a"] = d
    d["v"] = d["v"] * x
    return d["a"]["v"] * 2.0


case(dict_in_itself, 2.0)


def dict_in_itself_before_all_else(x):
    d = {}
    d["a"] = d
    d["v"] = x
    return d["a"]["a"]["v"] * 2.0


case(dict_in_itself_before_all_else, 2.0)


def put_there_by_setdefault(x):
    d = dict(v=x)
    d.setdefault("d", d)
    d["v"] = d["v"] ** 2
    return d["d"]["v"]


case(put_there_by_setdefault, 2.0)


def list_in_itself(x):
    parts = [x]
    parts.append(parts)
    parts[0] = x * 3.0
    return parts[1][1][0] * x


case(list_in_itself, 2.0)


def dict_in_itself_in_a_loop(x, n):
    d = {"v": x}
    for _ in range(n):
        d["a"] = d
        d["v"] = d["a"]["v"] * x
    return d["v"]


case(dict_in_itself_in_a_loop, 2.0, 3)
case(dict_in_itself_in_a_loop, 2.0, 0)


# Objects without a __dict__ in lists ------------------------------------------------------------
@dataclass(slots=True)
class Weighted:
    value: float
    weight: float = 2.0


def slotted_made_inside(x):
    items = {"a": Weighted(x), "bb": Weighted(x * x, 3.0)}
    for key, item in items.items():
        item.value = item.value * len(key) * x
    return sum(item.value * item.weight for item in items.values())


case(slotted_made_inside, 1.5)
