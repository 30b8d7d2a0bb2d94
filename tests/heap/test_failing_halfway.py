"""Functions that change something and then fail, in a `try` that goes on: held to differences."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tests.heap.referee import agrees_with_differences


class Account:
    def __init__(self, balance=1.0):
        self.balance, self.log = balance, []

    def draw(self, amount, fee=0.1):
        self.balance -= amount * amount
        self.log.append(self.balance * fee)
        if self.balance < 0.0:
            raise ValueError("overdrawn")
        self.balance *= 1.1
        return self.balance

    def draw_twice(self, amount):
        self.balance += 0.1 * amount
        self.draw(amount)
        return self.draw(amount, fee=self.balance)

    @staticmethod
    def checked(log, v):
        log.append(v * v)
        return math.sqrt(1.0 - v)


class Step:
    def __init__(self, store):
        self.store = store

    def __call__(self, v):
        self.store["sum"] = self.store.get("sum", 0.0) + v * v
        if v > 0.5:
            raise KeyError("too far")
        return v * self.store["sum"]


def method(xs):
    account = Account()
    for x in xs:
        try:
            account.draw(x)
        except ValueError:
            account.balance += 0.5 * x
    return account.balance ** 2 + sum(account.log) * xs[0]


def value_of_method(xs):
    account, total = Account(xs[1]), 0.0
    for x in xs:
        try:
            got = account.draw_twice(x)
            total = total + got
        except ValueError as error:
            total = total + x * account.balance * len(str(error))
        else:
            total = total * 1.5
        finally:
            total += account.balance ** 2
    return total + sum(account.log)


def static_method(xs):
    log, total = [], 0.0
    for x in xs:
        try:
            total += Account.checked(log, 2.0 * x)
        except ValueError:
            total -= log[-1]
    return total * sum(log)


def called_object(xs):
    store, total = {}, 0.0
    step = Step(store)
    for x in xs:
        try:
            total += step(x)
        except KeyError:
            total += store["sum"] * x
    return total * store["sum"]


def closure(xs):
    seen, count = xs[0] * 1.0, 0

    def push(v, scale):
        nonlocal seen, count
        for k in range(3):
            seen = seen + scale * v * k
            count += 1
            if seen > 1.0:
                return 1.0 / (count - count)
        return seen
    total = 0.0
    for x in xs:
        try:
            total += push(x, scale=x)
        except ZeroDivisionError:
            seen = seen * 0.5
    return total + seen * count


def array(xs):
    def fill(a, v):
        a[0] = v
        a *= v
        a[7] = v
    work = np.ones(3)
    for x in xs:
        try:
            fill(work, x)
        except IndexError:
            work += x
    return float(work @ work)


def raised_again(xs):
    account = Account()

    def careful(x):
        try:
            account.draw(x)
        except ValueError:
            account.balance = account.balance * x
            raise
    for x in xs:
        try:
            careful(x)
        except ValueError:
            account.balance += 1.0
    return account.balance


def recursive(xs):
    trail = []

    def down(v, depth):
        trail.append(v * v)
        if depth == 3:
            raise RuntimeError
        down(v * 1.5, depth + 1)
    for x in xs:
        try:
            down(x, 0)
        except RuntimeError:
            trail.append(trail[-1] * x)
    return sum(v * (k + 1) for k, v in enumerate(trail))


class Sensor:
    def __init__(self, v):
        self.v = v

    @property
    def reading(self):
        self.v = self.v * self.v
        if self.v < 0.5:
            raise KeyError("too low")
        return self.v

    @property
    def broken(self):
        self.v = self.v * 2.0
        raise KeyError("broken")


def failing_property(xs):
    total = 0.0
    for x in xs:
        sensor = Sensor(x)
        try:
            total += sensor.reading
        except KeyError:
            total += sensor.v * x
        try:
            y = sensor.broken
        except KeyError:
            y = x
        total += y * sensor.v
    return total


def behind_what_always_fails(xs):
    def broken(sensor):
        sensor.v *= 5.0
        y = sensor.broken
        return y * 2.0
    sensor = Sensor(xs[0])
    try:
        broken(sensor)
    except KeyError:
        pass
    return sensor.v * xs[1]


PROGRAMS = [failing_property, behind_what_always_fails, method, value_of_method, static_method,
            called_object, closure, array, raised_again, recursive]
XS = [0.3, 0.9, 0.2, 0.7]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.sweep(2)
def test_against_differences(f):
    agrees_with_differences(f, XS)


def test_an_error_that_nobody_handles_is_the_users():
    def f(x):
        account = Account(x)
        try:
            account.draw(2.0)
        except KeyError:
            pass
        return account.balance
    with pytest.raises(ValueError, match="overdrawn"):
        tl.grad(f)(0.5)


def test_what_a_function_of_the_library_did_until_one_failed():
    def f(xs):
        account = Account(2.0)
        try:
            list(map(account.draw, xs))
        except ValueError:
            pass
        return account.balance
    with pytest.raises(UnsupportedSyntaxError, match="fails after it has changed something"):
        tl.grad(f)([0.3, 2.0])
