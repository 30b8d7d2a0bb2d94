"""What is kept so that the control flow can be repeated."""
from tangent_lite.passes.frame import frame
from tests.passes.pairs import checks_of, is_left_alone, nothing_to_do, pairs


class condition_on_what_never_changes:
    ARGS = [(1.5, 2.5)]

    def before(x, y):
        if y > 0.0:
            x = x * y
        return x

    def after(x, y):
        if y > 0.0:
            x = x * y
        return x


class condition_on_what_changes:
    ARGS = [(1.5, 2.5)]

    def before(x, y):
        if x > 0.0:
            x = x * y
        return x

    def after(x, y):
        cond = x > 0.0
        if cond:
            x = x * y
        return x


class condition_on_the_counter:
    ARGS = [(1.5, 4)]

    def before(x, n):
        for i in range(n):
            if i % 2 == 0:
                x = x * 1.5
        return x

    def after(x, n):
        for i in range(n):
            if i % 2 == 0:
                x = x * 1.5
        return x


class while_counts:
    ARGS = [(1.5,), (15.0,)]

    def before(x):
        while x < 10.0:
            x = x * 1.5
        return x

    def after(x):
        n_steps = 0
        while x < 10.0:
            n_steps += 1
            x = x * 1.5
        return x


class for_that_may_stop_early_counts:
    ARGS = [(1.5, 4), (1.5, 0), (9.0, 4)]

    def before(x, n):
        for i in range(n):
            x = x * 1.5
            if x > 10.0:
                break
        return x

    def after(x, n):
        n_steps = 0
        for i in range(n):
            n_steps += 1
            x = x * 1.5
            cond = x > 10.0
            if cond:
                break
        return x


class break_of_the_inner_loop_only:
    ARGS = [(1.5, 4)]

    def before(x, n):
        for i in range(n):
            for j in range(n):
                x = x * 1.1
                if x > 3.0:
                    break
        return x

    def after(x, n):
        for i in range(n):
            n_steps = 0
            for j in range(n):
                n_steps += 1
                x = x * 1.1
                cond = x > 3.0
                if cond:
                    break
        return x


class bound_changed_by_the_loop:
    ARGS = [(1.5, 4)]

    def before(x, n):
        for i in range(n):
            n = n - 1
            x = x * 1.5
        return x * n

    def after(x, n):
        stop = n
        for i in range(stop):
            n = n - 1
            x = x * 1.5
        return x * n


class bounds_of_all_three_kinds:
    ARGS = [(1.5, 1, 9, 2)]

    def before(x, a, b, c):
        for i in range(a, b, c):
            a = a + 1
            b = b - 1
            c = c + 1
            x = x * i
        return x

    def after(x, a, b, c):
        start = a
        stop = b
        step = c
        for i in range(start, stop, step):
            a = a + 1
            b = b - 1
            c = c + 1
            x = x * i
        return x


class inner_bound_from_the_counter:
    ARGS = [(1.5, 4)]

    def before(x, n):
        for i in range(n):
            for j in range(i + 1):
                x = x * 1.1
        return x

    def after(x, n):
        for i in range(n):
            for j in range(i + 1):
                x = x * 1.1
        return x


class names_step_aside:
    ARGS = [(1.5, 2.0)]

    def before(cond, n_steps):
        while cond < 10.0:
            if cond > n_steps:
                cond = cond * 2.0
            cond = cond + 1.0
        return cond

    def after(cond, n_steps):
        n_steps_1 = 0
        while cond < 10.0:
            n_steps_1 += 1
            cond_1 = cond > n_steps
            if cond_1:
                cond = cond * 2.0
            cond = cond + 1.0
        return cond


PAIRS = pairs({"nothing_to_do": nothing_to_do} | globals())
test_becomes, test_means_the_same, _ = checks_of(frame, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(frame, PAIRS["names_step_aside"].before)
