"""`return` inside of loops, and what stands in its place."""
import threading

from tangent_lite.passes.exits import exits
from tests.passes.pairs import checks_of, pairs


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
PAIRS = pairs(globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(exits, PAIRS)
