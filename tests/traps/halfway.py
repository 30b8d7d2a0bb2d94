"""Traps of bodies that fail halfway: what they did until then has been done."""
import contextlib
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def loop_runs_out(x):
    total = 0.0
    try:
        for k in range(10):
            total += x[k] * x[k]
    except IndexError:
        total *= 2
    return total


case(loop_runs_out, u4)
case(loop_runs_out, np.zeros(0))


def read_in_handler(x):
    d = {"a": x[0]}
    total = x[1] * 1.0
    try:
        total = total * x[2]
        total += d["b"]
        total = 5.0
    except KeyError as error:
        total = total * total + d["a"] * len(error.args)
    return total


case(read_in_handler, u4)


def array_written(x):
    y = x.copy()
    try:
        y[0] = 2 * x[1]
        y[9] = 3.0
        y[1] = 7.0
    except IndexError:
        y[1] = x[0] * y[0]
    return np.sum(y * y)


case(array_written, u4)


def wrong_shape_written(x):
    y = x * 2.0
    view = y[1:]
    try:
        y[0] *= x[3]
        view[:2] = x
    except ValueError:
        view *= x[:3]
    try:
        y += x[:2]
    except ValueError:
        y -= x
    return np.sum(y * view[0])


case(wrong_shape_written, u4)


def list_filled(x):
    items = []
    try:
        for v in x:
            items.append(math.log(v))
    except ValueError:
        items.append(x[1])
    return sum(items) * items[0]


case(list_filled, u4)
case(list_filled, np.abs(u4))


def stack_runs_empty(x):
    stack, total = list(x), 1.0
    try:
        while True:
            total = total * 0.5 + stack.pop() * stack.pop()
            stack.append(total) if len(stack) == 2 else None
    except IndexError:
        pass
    return total


case(stack_runs_empty, u4)


def keys_that_are_missing(x):
    d = {"a": x[0], "b": x[1]}
    total = 0.0
    for k, key in enumerate("abcab"):
        try:
            total += d.pop(key) * x[k % 4]
            d[key + key] = total
        except KeyError:
            d[key] = total + x[2]
    return total + sum(d.values())


case(keys_that_are_missing, u4)


def in_a_loop_with_breaks(x):
    items = []
    for v in x:
        try:
            items.append(v)
            y = math.sqrt(v)
            if y > 0.85:
                break
            items.append(y * v)
        except ValueError:
            items.append(2.0 * v)
            continue
        items.append(v * v)
    return sum(items) * items[0]


case(in_a_loop_with_breaks, u4)
case(in_a_loop_with_breaks, -u4)


def returns_inside(x):
    total = 0.0
    for v in x:
        try:
            total += v * v
            if total > 2.0:
                return total * v
            total += math.log(v)
        except ValueError:
            total *= 3.0
            if v < -1.5:
                return total
        finally:
            total += 0.1 * v
    return total


case(returns_inside, u4)
case(returns_inside, 2 * u4)
case(returns_inside, -2 * u4)


def nested(x):
    total, log = 1.0, []
    try:
        for k, v in enumerate(x):
            try:
                total *= v
                log.append(total * math.log(v))
                total += v
            except ValueError:
                log.append(total)
                total -= x[k + 2]
            else:
                log.append(v)
            finally:
                total += 0.25 * v
            log.append(x[k + 1])
    except IndexError:
        total *= log[0]
    return total + sum(log)


case(nested, u4)
case(nested, np.abs(u4))
case(nested, -u4)


def raised_anew(x):
    total = x[0] * 1.0
    try:
        try:
            total *= x[1]
            raise KeyError("a")
        except KeyError:
            total += x[2] * total
            raise ValueError from None
        finally:
            total *= x[3]
    except ValueError:
        total = total * total
    return total


case(raised_anew, u4)


def helper_fails(x):
    def root(v):
        w = v * v * v
        return math.sqrt(w) + w

    total = 0.0
    for v in x:
        try:
            total += v
            total += root(v) * total
        except ValueError:
            total *= v
    return total


case(helper_fails, u4)


def comprehension_fails(x):
    total = x[0]
    try:
        total = total * 2
        logs = [math.log(v) * total for v in x]
        total = sum(logs)
    except ValueError:
        total = total * x[1]
    try:
        total += max(math.sqrt(v) for v in x) * total
    except ValueError:
        total -= x[3] * total
    return total


case(comprehension_fails, u4)
case(comprehension_fails, np.abs(u4))


class Doubling:
    """Doubles y when it is left."""

    def __init__(self, y, hides=False):
        self.y, self.hides = y, hides

    def __enter__(self):
        self.y += 1.0
        return self.y

    def __exit__(self, *error):
        self.y *= 2.0
        return self.hides


def managers_are_left(x):
    y = x * 1.0
    doubling = Doubling(y)
    total = 0.0
    try:
        with doubling as z, np.errstate(all="ignore"):
            total += z[0] * z[1]
            total += math.sqrt(x[1])
            total = 7.0
    except ValueError:
        total += y[2] * y[3]
    with doubling as z:
        total += z[1]
    return total * np.sum(y)


case(managers_are_left, u4)
case(managers_are_left, np.abs(u4))


def suppressed(x):
    total = 1.0
    for k in range(6):
        with contextlib.suppress(IndexError, ZeroDivisionError):
            total += x[k] * total
            1 / (k - 2)
            total *= x[k]
    return total


case(suppressed, u4)


def halves_of_pairs(x):
    a = b = x[0]
    try:
        a = x[1] * a
        (a, b), c = (b, a), x[7]
    except IndexError:
        a = a * b
    return a * b + b


case(halves_of_pairs, u4)


class Account:
    def __init__(self, balance):
        self.balance, self.log = balance, []

    def pay(self, amount):
        if amount > self.balance:
            raise ValueError(f"{amount} is too much")
        self.balance = self.balance - amount
        self.log.append(amount)


def attributes_change(x):
    account = Account(x[3] * 2)
    total = 0.0
    try:
        account.pay(x[0])
        account.rate = account.balance * x[1]
        account.pay(x[2] * 9)
        account.pay(x[1])
    except ValueError:
        account.pay(account.rate * account.balance)
        total += account.balance
    return total + sum(account.log) * account.balance


case(attributes_change, u4)


def solver_falls_back(x):
    A, b = np.outer(x, x) * 0, x * 2
    steps = []
    try:
        b = b * x
        steps.append(b)
        y = np.linalg.solve(A, b)
        steps.append(y)
    except np.linalg.LinAlgError:
        b = b + x
        y = b * 3
    return np.sum(y * b) + np.sum(steps[0]) * len(steps)


case(solver_falls_back, u4)


def without_a_handler(x):
    y = x * 1.0
    total = 0.0
    for k in (0, 5, 1):
        try:
            try:
                y[k] *= x[1]
                total += y[k]
            finally:
                y *= 1.5
        except IndexError:
            y[2] += total
    return total * np.sum(y)


case(without_a_handler, u4)


def defined_inside(x):
    scale = x[0]
    try:
        scale = scale * x[1]

        def scaled(v, by=scale):
            return v * by * scale
        total = scaled(x[2])
        scale = scaled(x[9])
        total = 0.0
    except IndexError:
        scale = scale + x[3]
    return total * scaled(x[3])


case(defined_inside, u4)


def floats_that_divide(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += x[0]
            total += float(x[1]) / (k - 1)
            total += x[2] * k
        except ZeroDivisionError:
            total *= x[3]
    return total


case(floats_that_divide, u4, 4)
case(floats_that_divide, u4, 0)


def nothing_but_failing(x, n):
    total = x[0] * 1.0
    for k in range(n):
        try:
            1 / (k - 1)
            total *= x[1]
        except ZeroDivisionError:
            total *= x[2]
        try:
            total.no_such_attribute
        except AttributeError:
            total += x[3]
        try:
            not_a_name
        except NameError:
            total += x[3] * total
    return total


case(nothing_but_failing, u4, 3)


def fails_in_a_test(x, n):
    total = x[0]
    try:
        if 1 / n > 2:
            total = x[1]
    except ZeroDivisionError:
        total = x[2]
    return total * total


case(fails_in_a_test, u4, 0)
case(fails_in_a_test, u4, 1)


def kept_in_an_error(x):
    total = 1.0
    try:
        if x[0] > 0:
            raise ValueError(x[0] * x[1], "text")
    except ValueError as error:
        total = error.args[0] * x[2]
    return total


case(kept_in_an_error, u4)


class Failed(Exception):
    def __init__(self, left):
        super().__init__("failed")
        self.left = left


def kept_in_an_error_of_ours(x):
    def search(v):
        if v < 0:
            raise Failed(v * v)
        return v

    total = 0.0
    for v in x:
        try:
            total += search(v)
        except Failed as error:
            total += error.left * x[0]
    return total


case(kept_in_an_error_of_ours, u4)
