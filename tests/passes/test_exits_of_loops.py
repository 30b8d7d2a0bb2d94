"""`break`, `continue` and the `else` of loops, and what stands in their place."""
from tangent_lite.passes.exits import exits
from tests.passes.pairs import checks_of, pairs


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


PAIRS = pairs(globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(exits, PAIRS)
