"""Exits of functions and of blocks outside of loops, and what stands in their place."""
import threading

from tangent_lite.passes.exits import exits
from tests.passes.pairs import checks_of, is_left_alone, nothing_to_do, pairs


class no_return:
    ARGS = [(1.5,)]

    def before(x):
        x = x + 1.0

    def after(x):
        x = x + 1.0
        return None


class bare_return:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            return
        return x

    def after(x):
        if x > 0.0:
            result = None
        else:
            result = x
        return result


class return_on_one_way_only:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            return x

    def after(x):
        if x > 0.0:
            result = x
        else:
            result = None
        return result


class early_return:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            return x
        y = 2.0 * x
        return y

    def after(x):
        if x > 0.0:
            result = x
        else:
            y = 2.0 * x
            result = y
        return result


class return_in_both_branches:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            return x
        else:
            return -x

    def after(x):
        if x > 0.0:
            result = x
        else:
            result = -x
        return result


class return_in_elif:
    ARGS = [(1.5,), (0.5,), (-1.5,)]

    def before(x):
        if x > 1.0:
            y = x
        elif x > 0.0:
            return 3.0
        else:
            y = -x
        return y * y

    def after(x):
        skipped = False
        if x > 1.0:
            y = x
        elif x > 0.0:
            skipped = True
            result = 3.0
        else:
            y = -x
        if not skipped:
            result = y * y
        return result


class return_in_nested_if:
    ARGS = [(1.5, 1.0), (1.5, -1.0), (-1.5, 1.0)]

    def before(x, y):
        if x > 0.0:
            if y > 0.0:
                return x * y
            x = x + 1.0
        x = x * y
        return x

    def after(x, y):
        skipped = False
        if x > 0.0:
            if y > 0.0:
                skipped = True
                result = x * y
            else:
                x = x + 1.0
        if not skipped:
            x = x * y
            result = x
        return result


class both_branches_may_return:
    ARGS = [(x, y) for x in (1.5, -1.5) for y in (1.0, -1.0)]

    def before(x, y):
        if x > 0.0:
            if y > 0.0:
                return x
        else:
            if y < 0.0:
                return y
            x = -x
        return x * y

    def after(x, y):
        skipped = False
        if x > 0.0:
            if y > 0.0:
                skipped = True
                result = x
        elif y < 0.0:
            skipped = True
            result = y
        else:
            x = -x
        if not skipped:
            result = x * y
        return result


class what_follows_a_return_is_dropped:
    ARGS = [(1.5,)]

    def before(x):
        return x
        x = 2.0

    def after(x):
        result = x
        return result


class return_last_in_with:
    ARGS = [(1.5,)]

    def before(x):
        with LOCK:
            y = 2.0 * x
            return y

    def after(x):
        with LOCK:
            y = 2.0 * x
            result = y
        return result


class exits_in_try:
    ARGS = [(4.0,), (-1.0,), (0.0,)]

    def before(x):
        try:
            if x > 1.0:
                return 1.0
            y = 1.0 / x
        except ZeroDivisionError:
            return 2.0
        else:
            y = y + 1.0
        finally:
            SEEN.append(x)
        return y

    def after(x):
        returned = False
        try:
            if x > 1.0:
                result = 1.0
                returned = True
            else:
                y = 1.0 / x
        except ZeroDivisionError:
            result = 2.0
            returned = True
        else:
            if not returned:
                y = y + 1.0
        finally:
            SEEN.append(x)
        if not returned:
            result = y
        return result


class what_is_bound_behind_a_return_is_a_variable:
    ARGS = [(1.5,), (-1.5,)]

    def before(x):
        if x > 0.0:
            return x * LOCK         # noqa: F823
            LOCK = 2.0              # noqa: F841
        return x

    def after(x):
        if False:
            LOCK = None
        if x > 0.0:
            result = x * LOCK
        else:
            result = x
        return result


class raise_ends_a_way:
    ARGS = [(1.5,)]

    def before(x):
        if x < 0.0:
            raise ValueError("negative")
        return x ** 0.5

    def after(x):
        if x < 0.0:
            raise ValueError("negative")
        return x ** 0.5


LOCK = threading.Lock()
SEEN = []
PAIRS = pairs({"nothing_to_do": nothing_to_do} | globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(exits, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(exits, PAIRS["return_in_elif"].before)
