"""One operation a statement, in the order of evaluation."""
import math

import numpy as np

from tangent_lite.passes.anf import anf
from tests.passes.pairs import checks_of, is_left_alone, nothing_to_do, pairs


def noted(log, value):
    log.append(str(value))
    return value


class one_operation_a_statement:
    ARGS = [(1.5, 2.5)]

    def before(x, y):
        z = x * y + math.sin(x) / (y - 3.0)
        return z

    def after(x, y):
        xy = x * y
        sin_x = math.sin(x)
        t = y - 3.0
        t_1 = sin_x / t
        z = xy + t_1
        return z


class names_from_operations:
    ARGS = [(np.ones(3), np.eye(3), np.ones(3))]

    def before(x, W, b):
        return np.sum(np.tanh(x @ W + b) ** 2)

    def after(x, W, b):
        xW = x @ W
        t = xW + b
        tanh_t = np.tanh(t)
        t_1 = tanh_t ** 2
        f_1 = np.sum(t_1)
        return f_1


class result_has_the_name_of_the_function:
    ARGS = [(1.5,)]

    def before(x):
        return 2.0 * x

    def after(x):
        f_1 = 2.0 * x
        return f_1


class tuple_of_results:
    ARGS = [(1.5,)]

    def before(x):
        return 2.0 * x, x

    def after(x):
        t = 2.0 * x
        return t, x


class left_before_right:
    ARGS = [()]

    def before():
        log = []
        x = noted(log, 1) + noted(log, 2) * noted(log, 3)
        return x, log

    def after():
        log = []
        noted_1 = noted(log, 1)
        noted_2 = noted(log, 2)
        noted_3 = noted(log, 3)
        t = noted_2 * noted_3
        x = noted_1 + t
        return x, log


class arguments_in_order:
    ARGS = [()]

    def before():
        log = []
        x = max(noted(log, 1), noted(log, 2) - noted(log, 3), key=noted(log, abs))
        return x, log

    def after():
        log = []
        noted_1 = noted(log, 1)
        noted_2 = noted(log, 2)
        noted_3 = noted(log, 3)
        t = noted_2 - noted_3
        noted_4 = noted(log, abs)
        x = max(noted_1, t, key=noted_4)
        return x, log


class index_in_order:
    ARGS = [()]

    def before():
        log = []
        x = noted(log, [5, 6, 7])[noted(log, 1) + 1]
        return x, log

    def after():
        log = []
        noted_1 = noted(log, [5, 6, 7])
        noted_2 = noted(log, 1)
        t = noted_2 + 1
        x = noted_1[t]
        return x, log


class elements_are_kept_whole:
    ARGS = [(np.arange(6.0), 2)]

    def before(x, i):
        return x[i] * x[i - 1] + x[-1]

    def after(x, i):
        x_i = x[i]
        x_part = x[i - 1]
        t = x_i * x_part
        x_part_1 = x[-1]
        f_1 = t + x_part_1
        return f_1


class index_read_from_an_array:
    ARGS = [(np.arange(6.0), [3, 1], 1)]

    def before(x, where, i):
        return x[where[i]] * 2.0

    def after(x, where, i):
        where_i = where[i]
        x_where_i = x[where_i]
        f_1 = x_where_i * 2.0
        return f_1


class element_written:
    ARGS = [(np.arange(6.0), 2)]

    def before(x, i):
        x[i] = x[i] * x[i - 1]
        x[i + 1] += 2.0 * x[i]
        return x

    def after(x, i):
        x_i = x[i]
        x_part = x[i - 1]
        t = x_i * x_part
        x[i] = t
        x_i_1 = x[i]
        t_1 = 2.0 * x_i_1
        x[i + 1] += t_1
        return x


class slices:
    ARGS = [(np.arange(6.0),)]

    def before(x):
        x[1:-1] = x[2:] - 2.0 * x[1:-1] + x[:-2]
        return x

    def after(x):
        x_part = x[2:]
        x_part_1 = x[1:-1]
        t = 2.0 * x_part_1
        t_1 = x_part - t
        x_part_2 = x[:-2]
        t_2 = t_1 + x_part_2
        x[1:-1] = t_2
        return x


class methods:
    ARGS = [(np.arange(6.0),)]

    def before(x):
        return (2.0 * x).sum() * x.reshape(2, 3).T.shape[0]

    def after(x):
        t = 2.0 * x
        sum_t = t.sum()
        reshape = x.reshape(2, 3)
        reshape_T = reshape.T
        n = reshape_T.shape[0]
        f_1 = sum_t * n
        return f_1


class conditions_stay:
    ARGS = [(1.5, 2.5), (-1.5, 2.5)]

    def before(x, y):
        if x > 0.0 and y * x > 1.0:
            y = x
        return y

    def after(x, y):
        if x > 0.0 and y * x > 1.0:
            y = x
        return y


class condition_with_a_call:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if math.sin(x) > 0.0:
            x = 2.0 * x
        return x

    def after(x):
        sin_x = math.sin(x)
        if sin_x > 0.0:
            x = 2.0 * x
        return x


class while_condition_stays:
    ARGS = [(1.5,)]

    def before(x):
        while math.exp(x) < 100.0:
            x = x * 1.1 + 0.1
        return x

    def after(x):
        while math.exp(x) < 100.0:
            t = x * 1.1
            x = t + 0.1
        return x


class bounds_of_a_range:
    ARGS = [(4,)]

    def before(n):
        total = 0
        for i in range(1, n - 1):
            total = total + i
        for i in range(int(math.sqrt(n))):
            total = total + i
        return total

    def after(n):
        total = 0
        for i in range(1, n - 1):
            total = total + i
        sqrt_n = math.sqrt(n)
        int_sqrt_n = int(sqrt_n)
        for i in range(int_sqrt_n):
            total = total + i
        return total


class constants_stay:
    ARGS = [(1.5,)]

    def before(x):
        return math.pi * x + 1e-3

    def after(x):
        t = math.pi * x
        f_1 = t + 0.001
        return f_1


class names_step_aside:
    ARGS = [(1.5, 2.5)]

    def before(t, xt):
        return (t + 1.0) * (xt - 1.0)

    def after(t, xt):
        t_1 = t + 1.0
        t_2 = xt - 1.0
        f_1 = t_1 * t_2
        return f_1


class dictionaries:
    ARGS = [({"w": 2.0, "b": 1.0}, 3.0)]

    def before(p, x):
        return {"y": p["w"] * x + p["b"], "x": x}

    def after(p, x):
        w = p["w"]
        wx = w * x
        b = p["b"]
        t = wx + b
        return {"y": t, "x": x}


PAIRS = pairs({"nothing_to_do": nothing_to_do} | globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(anf, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(anf, PAIRS["names_step_aside"].before)
