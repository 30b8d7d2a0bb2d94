"""Programs with variables, attributes and entries that are None on some ways, numbers on others."""
import math
from types import SimpleNamespace

import numpy as np


class PID:
    previous = None
    total = 0.0

    def __init__(self, gain):
        self.gain = gain

    def step(self, error):
        if self.previous is not None:
            self.total += 0.5 * (error + self.previous)
        self.previous = error
        return self.gain * self.total + error


class Filter:
    def __init__(self, rate):
        self.rate, self.state = rate, None

    def __call__(self, value):
        if self.state is None:
            self.state = value
        else:
            self.state = self.rate * value + (1.0 - self.rate) * self.state
        return self.state

    def reset(self):
        self.state = None


class Smooth(Filter):
    def __call__(self, value):
        return super().__call__(value) * (1.0 if self.state is None else 0.9)


class Level:
    def __init__(self):
        self._value = None

    @property
    def value(self):
        return 0.0 if self._value is None else self._value

    @value.setter
    def value(self, new):
        self._value = new if self._value is None else 0.5 * (new + self._value)


class Pair:
    def __init__(self, x, y=None):
        self.x, self.y = x, y


class Sim:
    dt = 0.1

    def __init__(self, x):
        self.x, self.peak, self.log = x, None, []

    def step(self):
        self.slope = -self.x * self.x
        self.x += self.dt * self.slope
        self.log.append(self.x)
        if self.peak is None or self.x > self.peak:
            self.peak = self.x
        if self.x < 0.5:
            self.dt = self.dt * 0.5


def best_so_far(x, n):
    best = None
    for i in range(n):
        found = math.sin(x * i) + i * 0.1
        if best is None or found > best:
            best = found
    return best if best is not None else x * x


def smoothed(x, n):
    state = None
    for i in range(n):
        state = x * i if state is None else x * i + (1 - x) * state
    return x if state is None else state * state


def pid(x, n):
    first, second, y = PID(x), PID(2.0 * x), x
    for i in range(n):
        y = y + 0.1 * first.step(y) - 0.2 * second.step(y * y)
        if i == 1:
            first, second = second, first
    return y * (first.total + 1.0)


def one_pid_under_two_names(x, n):
    first = PID(x)
    second = first if n > 2 else PID(3.0)
    y = x
    for _ in range(n):
        y = y + 0.1 * first.step(y) - 0.2 * second.step(y * y)
    return y


def filters(x, n):
    one, total = Filter(x), 0.0
    two = Smooth(x * x)
    for i in range(n):
        total += one(x * i) * two(total)
        if i == 2:
            one.reset()
    return total + x


def a_property(x, n):
    level = Level()
    for i in range(n):
        level.value = x * i + level.value
    return level.value * x + x


def filter_of_arrays(x, n):
    one, total = Filter(0.3), x
    for i in range(n):
        total = total + np.sum(one(np.array([x, x * i])) ** 2)
        if i == 1:
            one.reset()
    return total


def none_array_none(x, n):
    held, total = None, x
    for i in range(n):
        if held is None:
            held = np.array([x, x * x, 1.0])
        elif i % 3 == 2:
            total += held.sum()
            held = None
        else:
            held[i % 3] = held[i % 3] * x + i
    return total if held is None else total + np.sum(held * held)


def entry_of_a_dict(x, n):
    state = {"last": None, "total": 0.0}
    for i in range(n):
        value = math.sin(x * (i + 1))
        if state["last"] is not None:
            state["total"] += value * state["last"]
        state["last"] = value
    return state["total"] + (state["last"] or x)


def got_from_a_dict(x, n):
    known = {}
    for i in range(n):
        before = known.get(i % 2)
        known[i % 2] = x if before is None else before * x + 1.0
    return x + sum(known.values())


def memo(x, n):
    known = [None] * (n + 2)

    def term(k):
        if known[k] is not None:
            return known[k]
        known[k] = x * k if k < 2 else math.sin(term(k - 1)) + term(k - 2) * x
        return known[k]
    return term(n) + x


def equal_to_none(x, n):
    last, total = None, 0.0
    for i in range(n):
        if last == None:                            # noqa: E711
            last = x * i
        elif last != None and i % 3 == 0:           # noqa: E711
            last = None
            total += x
        else:
            total += last
    return total + (x if last is None else last)


def kept_while_it_changes(x, n):
    last, total = None, 0.0
    for i in range(n):
        first = last is None
        again = not first
        last = x * (i + 1)
        if first:
            total += last
        if again and last > 0.1:
            total += last * last
        if i == 2:
            last = None
    return total + x


def swapped_behind_a_test(x, n):
    a, b, total = None, x, 0.0
    for _ in range(n):
        empty = a is None
        a, b = b, a
        total += a * x if empty else b * x
    return total + x


def and_or_not(x, n):
    a, b, total = None, None, 0.0
    for i in range(n):
        if a is None or b is None:
            if a is None:
                a = x * i
            else:
                b = a * x
        elif not (a is None or a < 0.0):
            total += a * b
            a = None
        if not (a is None and b is None):
            total += x
    return total + (0 if a is None else a) + (b or 0.0)


def in_a_while(x, n):
    found, k = None, 0
    while found is None and k < 6:
        x, k = x * 1.5, k + 1
        if x > n:
            found = x - n
    return x if found is None else found * found


def walrus(x, n):
    def over(value):
        return value * value if value > 1.0 else None

    total = 0.0
    for i in range(n):
        if (found := over(x * i)) is not None:
            total += found
        else:
            total += x
    return total + x


def left_early(x, n):
    last = None
    for _ in range(n):
        if last is None:
            last = x
            continue
        if last > 3.0:
            return last
        last = last * x + 1.0
    return x if last is None else last * 2.0


def held_by_a_closure(x, n):
    last, total = None, 0.0

    def step(value):
        nonlocal last, total
        if last is not None:
            total += last * value
        last = value if value < 4.0 else None
    for i in range(n):
        step(x * i)
    return total + x


def ints_and_floats(x, n):
    held = None
    for i in range(n):
        if held is None:
            held = i + 1
        elif i == 1:
            held = held * x
        else:
            held = held + i
    return x if held is None else held * x


def power(x, n):
    exponent = None
    for _ in range(n):
        if exponent is not None:
            x = x ** exponent
        exponent = 2
    return x


def in_a_tuple(x, n):
    pair = (None, x)
    for i in range(n):
        a, b = pair
        pair = (b, x * i) if a is None else (None, a * b)
    return pair[1] if pair[0] is None else pair[0] * pair[1]


def linked(x, n):
    head = None
    for i in range(n):
        head = SimpleNamespace(value=x * i, next=head)
    total = x
    while head is not None:
        total = total * 0.5 + head.value
        head = head.next
    return total


def changed_by_a_helper(x, n):
    pair, total = Pair(x), 0.0
    for i in range(n):
        if pair.y is None:
            give(pair, x * i)
            total += pair.y
        else:
            y = pair.y
            give(pair, None)
            total += y if pair.y is None else 100.0 * x
    return total + x


def give(pair, y):
    pair.y = y


def under_another_name(x, n):
    pair = Pair(x)
    other, total = pair, 0.0
    for i in range(n):
        if pair.y is None:
            other.y = x * i
            total += pair.y
        else:
            other.y = None
            total += x if pair.y is None else 100.0 * x
    return total + x


def objects_in_objects(x, n):
    outer = Pair(Pair(x), x)
    for i in range(n):
        if outer.x.y is None:
            outer.x.y = outer.y
        outer.x.x = outer.x.x * outer.x.y
        outer.x = Pair(outer.x.x) if i % 2 else outer.x
        outer.y = outer.y + 1.0
    return outer.x.x * outer.y


def simulations(x, n):
    one, two = Sim(x), Sim(2.0 * x)
    for i in range(n):
        one.step()
        two.step()
        one.x, two.x = two.x, one.x
        if i % 2:
            one.peak = None
    return one.x * two.x + (one.peak or 0.5) + sum(two.log) * two.dt


def stack(x, n):
    held = []
    for i in range(n):
        held.append(None if i % 2 else x * i)
        held.append(i)
    total = x
    while held:
        k, value = held.pop(), held.pop()
        if value is None:
            total = total * 0.9 + k
        else:
            total += value * k
    return total


def undone(x, n):
    history, value = [], x
    for i in range(n):
        history.append(value)
        value = value * x + i
        if i % 3 == 2:
            value = history.pop()
            value = history.pop() * value
    return value + (history[-1] if history else x)


def bisected(x, n):
    low = high = None
    t = 1.0
    for _ in range(n):
        if t * t < x:
            low = t
        else:
            high = t
        if low is None:
            t = t * 0.5
        elif high is None:
            t = t * 2.0 + x
        else:
            t = 0.5 * (low + high)
    return t * x


def last_three(x, n):
    a = b = c = None
    for i in range(n):
        a, b, c = math.cos(x * i), a, b
    if a is not None and b is not None and c is not None:
        return a - 2.0 * b + c
    return a - b if a is not None and b is not None else x


def by_recursion(x, n):
    last = None
    for i in range(n):
        last = x * i
    return summed(last, x, 1) + summed(np.array([x, 2.0 * x]) if n > 2 else last, x, 2)


def summed(value, x, n):
    if n <= 0:
        return np.sum(value) if value is not None else x
    return summed(value, x, n - 1) * x


def from_recursion(x, n):
    found = grown(x, n)
    return x if found is None else np.sum(found * x)


def grown(x, n):
    if n == 0:
        return None
    found = grown(x, n - 1)
    return x if found is None else found * np.array([1.0, x])


def added_and_summed(x, n):
    value, last = x, None
    while n > 0:
        n -= 1
        last = value * x
        value = value + last
    return x if last is None else np.sum(last + value)


PROGRAMS = [thing for name, thing in list(globals().items())
            if getattr(thing, "__code__", None) and thing.__code__.co_varnames[:2] == ("x", "n")
            and name != "grown"]
