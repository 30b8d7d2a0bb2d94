"""Expressions that choose, and the statements they stand for."""
from tangent_lite.passes.desugar import desugar
from tests.passes.pairs import checks_of, pairs


class conditional_expression:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        y = x if x > 0.0 else -x * 0.1
        return y

    def after(x):
        if x > 0.0:
            y = x
        else:
            y = -x * 0.1
        return y


class conditional_in_expression:
    ARGS = [(1.5, 2.0), (-1.5, 2.0)]

    def before(x, y):
        return y * (x if x > 0.0 else 1.0 / x) + y

    def after(x, y):
        if x > 0.0:
            t = x
        else:
            t = 1.0 / x
        return y * t + y


class nested_conditionals:
    ARGS = [(1.5,), (0.5,), (-1.5,)]

    def before(x):
        return 3.0 if x > 1.0 else 2.0 if x > 0.0 else x

    def after(x):
        if x > 1.0:
            t = 3.0
        elif x > 0.0:
            t = 2.0
        else:
            t = x
        return t


class only_the_branch_taken_is_evaluated:
    ARGS = [(0.0,), (2.0,)]

    def before(x):
        return 1.0 / x if x != 0.0 else 7.0

    def after(x):
        if x != 0.0:
            t = 1.0 / x
        else:
            t = 7.0
        return t


class walrus:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if (y := 2.0 * x) > 0.0:
            x = x + y
        return x * y

    def after(x):
        y = 2.0 * x
        if y > 0.0:
            x = x + y
        return x * y


class walrus_in_while:
    ARGS = [(1.5,), (99.0,)]

    def before(x):
        total = 0.0
        while (y := 2.0 * x) < 50.0:
            x = x + y
            total = total + y
        return total, x

    def after(x):
        total = 0.0
        while True:
            y = 2.0 * x
            if y < 50.0:
                x = x + y
                total = total + y
            else:
                break
        return total, x


class and_or:
    ARGS = [(x, y) for x in (0.0, 1.5) for y in (0.0, 2.5)]

    def before(x, y):
        a = x and y
        b = x or y
        return a, b

    def after(x, y):
        t = x
        if t:
            t = y
        a = t
        t_1 = x
        if not t_1:
            t_1 = y
        b = t_1
        return a, b


class short_circuit_in_condition:
    ARGS = [(0.0, 1.0), (2.0, 1.0), (2.0, -1.0)]

    def before(x, y):
        if x != 0.0 and y / x > 0.0:
            return 1.0
        return 2.0

    def after(x, y):
        if x != 0.0 and y / x > 0.0:
            return 1.0
        return 2.0


class chained_comparison:
    ARGS = [(0.5,), (1.5,), (-1.5,)]

    def before(x):
        if 0.0 < x * x < 1.0:
            return x
        return 2.0

    def after(x):
        if 0.0 < x * x < 1.0:
            return x
        return 2.0


test_becomes, test_means_the_same, test_twice_is_once = checks_of(desugar, pairs(globals()))
