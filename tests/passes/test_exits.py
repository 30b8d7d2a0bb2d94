"""Every form of exit, and what stands in its place."""
import threading

import pytest

from tangent_lite.passes.exits import exits
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of


class nothing_to_do:
    ARGS = [(1.5,)]

    def before(x):
        y = x * x
        return y

    def after(x):
        y = x * x
        return y


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


class continue_in_if:
    ARGS = [([1.0, -2.0, 3.0],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                continue
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                pass
            else:
                total = total + x
        return total


class continue_in_else:
    ARGS = [([1.0, -2.0, 3.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x > 0.0:
                total = total + x
            else:
                continue
            total = total * 2.0
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            if x > 0.0:
                total = total + x
                total = total * 2.0
            else:
                pass
        return total


class continue_last:
    ARGS = [([1.0, -2.0, 3.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            total = total + x
            continue
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            total = total + x
        return total


class break_in_if:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                break
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                break
            else:
                total = total + x
        return total


class break_and_continue:
    ARGS = [([1.0, -2.0, 3.0, 9.5, 1.0],), ([1.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                continue
            if x > 9.0:
                break
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                pass
            elif x > 9.0:
                break
            else:
                total = total + x
        return total


class break_in_nested_if:
    ARGS = [([1.0, 12.0, -2.0, 3.0],), ([1.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x > 0.0:
                if x > 9.0:
                    break
                total = total + 1.0
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            stopped = False
            if x > 0.0:
                if x > 9.0:
                    stopped = True
                else:
                    total = total + 1.0
            if stopped:
                break
            else:
                total = total + x
        return total


class break_or_continue_in_nested_if:
    ARGS = [([1.0, 12.0, -2.0, 3.0],), ([1.0, 6.0, 2.0],), ([-1.0, 3.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x > 0.0:
                if x > 9.0:
                    break
                if x > 5.0:
                    continue
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            stopped = False
            skipped = False
            if x > 0.0:
                if x > 9.0:
                    stopped = True
                elif x > 5.0:
                    skipped = True
            if stopped:
                break
            elif not skipped:
                total = total + x
        return total


class return_in_nested_if_of_loop:
    ARGS = [([1.0, 12.0, -2.0, 3.0],), ([1.0],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x > 0.0:
                if x > 9.0:
                    return 2.0 * total
                total = total + 1.0
            total = total + x
        return total

    def after(xs):
        total = 0.0
        returned = False
        for x in xs:
            if x > 0.0:
                if x > 9.0:
                    result = 2.0 * total
                    returned = True
                else:
                    total = total + 1.0
            if returned:
                break
            else:
                total = total + x
        if not returned:
            result = total
        return result


class return_in_else_of_loop_in_branch:
    ARGS = [(1.5, 2), (-1.5, 2), (1.5, 0)]

    def before(x, n):
        if x > 0.0:
            while n > 1:
                n = n - 1
            else:
                return 2.0 * x
        return x

    def after(x, n):
        skipped = False
        if x > 0.0:
            while n > 1:
                n = n - 1
            skipped = True
            result = 2.0 * x
        if not skipped:
            result = x
        return result


class exits_in_with:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0, 12.0, 3.0],), ([1.0, 9.5],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            with LOCK:
                if x < 0.0:
                    continue
                if x > 10.0:
                    return total
                if x > 9.0:
                    break
            total = total + x
        return 2.0 * total

    def after(xs):
        total = 0.0
        returned_1 = False
        for x in xs:
            returned = False
            stopped = False
            skipped = False
            with LOCK:
                if x < 0.0:
                    skipped = True
                elif x > 10.0:
                    result = total
                    returned = True
                elif x > 9.0:
                    stopped = True
            if returned:
                returned_1 = True
                break
            elif stopped:
                break
            elif not skipped:
                total = total + x
        if not returned_1:
            result = 2.0 * total
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


class break_of_inner_loop:
    ARGS = [(4, 2), (0, 2), (3, 9)]

    def before(n, m):
        total = 0
        for i in range(n):
            for j in range(n):
                if j > m:
                    break
                total = total + i * j
            total = total + 1
        return total

    def after(n, m):
        total = 0
        for i in range(n):
            for j in range(n):
                if j > m:
                    break
                else:
                    total = total + i * j
            total = total + 1
        return total


class while_true:
    ARGS = [(1.5,), (99.0,)]

    def before(x):
        while True:
            x = x * 2.0
            if x > 50.0:
                break
        return x

    def after(x):
        while True:
            x = x * 2.0
            if x > 50.0:
                break
        return x


class while_true_with_return:
    ARGS = [(1.5,), (99.0,)]

    def before(x):
        while True:
            x = x * 2.0
            if x > 50.0:
                return x

    def after(x):
        returned = False
        while True:
            x = x * 2.0
            if x > 50.0:
                result = x
                returned = True
                break
        return result


class return_in_loop:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                return x
            total = total + x
        return total

    def after(xs):
        total = 0.0
        returned = False
        for x in xs:
            if x < 0.0:
                result = x
                returned = True
                break
            else:
                total = total + x
        if not returned:
            result = total
        return result


class return_last_in_loop:
    ARGS = [([1.0, -2.0, 3.0],), ([],)]

    def before(xs):
        for x in xs:
            return x
        return 0.0

    def after(xs):
        returned = False
        for x in xs:
            result = x
            returned = True
            break
        if not returned:
            result = 0.0
        return result


class return_in_loop_with_nothing_behind:
    ARGS = [([1.0, -2.0, 3.0],), ([],)]

    def before(xs):
        for x in xs:
            if x < 0.0:
                return x

    def after(xs):
        returned = False
        for x in xs:
            if x < 0.0:
                result = x
                returned = True
                break
        if not returned:
            result = None
        return result


class return_in_inner_loop:
    ARGS = [(4, 2), (4, 6), (0, 1)]

    def before(n, m):
        total = 0
        for i in range(n):
            for j in range(n):
                if i * j > m:
                    return i
                total = total + j
            total = total + 1
        return total

    def after(n, m):
        total = 0
        returned = False
        for i in range(n):
            for j in range(n):
                if i * j > m:
                    result = i
                    returned = True
                    break
                else:
                    total = total + j
            if returned:
                break
            else:
                total = total + 1
        if not returned:
            result = total
        return result


class return_in_two_loops:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0, 5.0],), ([1.0],)]

    def before(xs):
        for x in xs:
            if x < 0.0:
                return x
        for x in xs:
            if x > 4.0:
                return 2.0 * x
        return 0.0

    def after(xs):
        returned = False
        for x in xs:
            if x < 0.0:
                result = x
                returned = True
                break
        if not returned:
            returned_1 = False
            for x in xs:
                if x > 4.0:
                    result = 2.0 * x
                    returned_1 = True
                    break
            if not returned_1:
                result = 0.0
        return result


class return_break_and_continue:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0, 5.0],), ([1.0, 9.5, -1.0],), ([0.0, 2.0],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x == 0.0:
                continue
            if x < 0.0:
                return total
            if x > 9.0:
                break
            total = total + x
        return 2.0 * total

    def after(xs):
        total = 0.0
        returned = False
        for x in xs:
            if x == 0.0:
                pass
            elif x < 0.0:
                result = total
                returned = True
                break
            elif x > 9.0:
                break
            else:
                total = total + x
        if not returned:
            result = 2.0 * total
        return result


class for_else:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            if x < 0.0:
                break
            total = total + x
        else:
            total = total * 2.0
        return total

    def after(xs):
        total = 0.0
        broken = False
        for x in xs:
            if x < 0.0:
                broken = True
                break
            else:
                total = total + x
        if not broken:
            total = total * 2.0
        return total


class for_else_without_break:
    ARGS = [([1.0, 3.0],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            total = total + x
        else:
            total = total * 2.0
        return total

    def after(xs):
        total = 0.0
        for x in xs:
            total = total + x
        total = total * 2.0
        return total


class while_else:
    ARGS = [(1.5, 5), (70.0, 5), (1.0, 0)]

    def before(x, n):
        while n > 0:
            n = n - 1
            if x > 50.0:
                break
            x = x * 2.0
        else:
            x = -x
        return x

    def after(x, n):
        broken = False
        while n > 0:
            n = n - 1
            if x > 50.0:
                broken = True
                break
            else:
                x = x * 2.0
        if not broken:
            x = -x
        return x


class for_else_with_return:
    ARGS = [([1.0, -2.0, 3.0],), ([1.0],), ([1.0, 10.0],)]

    def before(xs):
        for x in xs:
            if x < 0.0:
                return x
            if x > 9.0:
                break
        else:
            return 7.0
        return 8.0

    def after(xs):
        broken = False
        returned = False
        for x in xs:
            if x < 0.0:
                result = x
                returned = True
                break
            elif x > 9.0:
                broken = True
                break
        if not returned:
            if not broken:
                result = 7.0
            else:
                result = 8.0
        return result


class break_in_else_of_inner_loop:
    ARGS = [(4, 2), (4, 20), (0, 1)]

    def before(n, m):
        total = 0
        for i in range(n):
            for j in range(n):
                if i * j > m:
                    break
                total = total + j
            else:
                continue
            break
        return total

    def after(n, m):
        total = 0
        for i in range(n):
            broken = False
            for j in range(n):
                if i * j > m:
                    broken = True
                    break
                else:
                    total = total + j
            if not broken:
                pass
            else:
                break
        return total


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


class user_has_these_names:
    ARGS = [([1.0, -2.0],), ([1.0],)]

    def before(result):
        returned = 0.0
        for x in result:
            if x < 0.0:
                return x
            returned = returned + x
        return returned

    def after(result):
        returned = 0.0
        returned_1 = False
        for x in result:
            if x < 0.0:
                result_1 = x
                returned_1 = True
                break
            else:
                returned = returned + x
        if not returned_1:
            result_1 = returned
        return result_1


LOCK = threading.Lock()
SEEN = []
PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_becomes(name):
    assert text_of(exits(tree_of(PAIRS[name].before))) == text_of(tree_of(PAIRS[name].after))


@pytest.mark.parametrize("name", PAIRS)
def test_means_the_same(name):
    pair = PAIRS[name]
    made = compiled(exits(tree_of(pair.before)), globals())
    for args in pair.ARGS:
        assert outcome(made, args) == outcome(pair.before, args)


@pytest.mark.parametrize("name", PAIRS)
def test_twice_is_once(name):
    once = exits(tree_of(PAIRS[name].before))
    assert text_of(exits(once)) == text_of(once)


def test_the_given_tree_is_left_alone():
    tree = tree_of(PAIRS["return_in_elif"].before)
    before = text_of(tree)
    exits(tree)
    assert text_of(tree) == before
