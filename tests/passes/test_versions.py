"""Each name stands for one web of definitions."""
from tangent_lite.passes.versions import versions
from tests.passes.pairs import checks_of, is_left_alone, nothing_to_do, pairs


class straight_line:
    ARGS = [(1.5,)]

    def before(x):
        x = x * x
        x = x + 1.0
        return x

    def after(x):
        x_1 = x * x
        x_2 = x_1 + 1.0
        return x_2


class branches_meet:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        y = x * x
        if x > 0.0:
            y = y * 2.0
        return y

    def after(x):
        y = x * x
        if x > 0.0:
            y = y * 2.0
        return y


class branches_that_do_not_meet:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            y = x * 2.0
            z = y * y
        else:
            y = x * 3.0
            z = y + 1.0
        return z

    def after(x):
        if x > 0.0:
            y = x * 2.0
            z = y * y
        else:
            y_1 = x * 3.0
            z = y_1 + 1.0
        return z


class a_loop_carries_one_variable:
    ARGS = [(1.5, 3), (1.5, 0)]

    def before(x, n):
        x = x * x
        for i in range(n):
            x = x * 0.5
        return x

    def after(x, n):
        x_1 = x * x
        for i in range(n):
            x_1 = x_1 * 0.5
        return x_1


class assigned_before_read_in_a_loop:
    ARGS = [(1.5, 3)]

    def before(x, n):
        t = x * 0.5
        x = x + t
        for i in range(n):
            t = x * x
            x = t * 0.5
        return x

    def after(x, n):
        t = x * 0.5
        x_1 = x + t
        for i in range(n):
            t_1 = x_1 * x_1
            x_1 = t_1 * 0.5
        return x_1


class not_read_after_the_loop:
    ARGS = [(1.5, 3)]

    def before(x, n):
        y = x
        for i in range(n):
            y = y * x
        s = y
        y = 2.0
        return s * y

    def after(x, n):
        y = x
        for i in range(n):
            y = y * x
        s = y
        y_1 = 2.0
        return s * y_1


class two_loops_with_one_counter:
    ARGS = [(1.5, 3)]

    def before(x, n):
        for i in range(n):
            x = x * 0.5
        for i in range(n):
            x = x + i
        return x

    def after(x, n):
        for i in range(n):
            x = x * 0.5
        for i_1 in range(n):
            x = x + i_1
        return x


class last_value_of_an_iteration:
    ARGS = [(1.5, 3)]

    def before(x, n):
        last = 0.0
        for i in range(n):
            x = x * last + 1.0
            last = x
        return x

    def after(x, n):
        last = 0.0
        for i in range(n):
            x = x * last + 1.0
            last = x
        return x


class break_joins:
    ARGS = [(1.5, 3), (15.0, 3), (1.5, 0)]

    def before(x, n):
        y = 0.0
        for i in range(n):
            y = x * i
            if y > 9.0:
                y = -y
                break
            y = y + 1.0
            x = x + y
        return y

    def after(x, n):
        y = 0.0
        for i in range(n):
            y_1 = x * i
            if y_1 > 9.0:
                y = -y_1
                break
            y = y_1 + 1.0
            x = x + y
        return y


class while_true_is_left_by_break:
    ARGS = [(1.5,), (15.0,)]

    def before(x):
        while True:
            y = x * x
            if y > 50.0:
                break
            x = y + 1.0
        return y

    def after(x):
        while True:
            y = x * x
            if y > 50.0:
                break
            x = y + 1.0
        return y


class augmented_stays_one:
    ARGS = [(1.5,)]

    def before(x):
        y = x * x
        y += x
        return y

    def after(x):
        y = x * x
        y += x
        return y


class bound_on_one_way:
    ARGS = [(1.5,)]

    def before(x):
        if x > 0.0:
            y = x
        return y

    def after(x):
        if x > 0.0:
            y = x
        return y


class names_step_aside:
    ARGS = [(1.5, 2.5)]

    def before(x, x_1):
        x = x * x_1
        x = x + x_1
        return x

    def after(x, x_1):
        x_2 = x * x_1
        x_3 = x_2 + x_1
        return x_3


class tuple_targets:
    ARGS = [((1.5, 2.5),)]

    def before(p):
        a, b = p
        c = a * b
        a, b = p
        return c * a - b

    def after(p):
        a, b = p
        c = a * b
        a_1, b_1 = p
        return c * a_1 - b_1


PAIRS = pairs({"nothing_to_do": nothing_to_do} | globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(versions, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(versions, PAIRS["names_step_aside"].before)
