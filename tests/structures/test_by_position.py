"""Loops over what has items, and the loops over positions they stand for."""
from tangent_lite.passes.desugar import desugar
from tests.passes.pairs import checks_of, pairs


class loop_over_sequence:
    ARGS = [([1.5, 2.5],), ([],)]

    def before(xs):
        total = 0.0
        for x in xs:
            total = total + x
        return total

    def after(xs):
        total = 0.0
        for k in range(len(xs)):
            x = xs[k]
            total = total + x
        return total


class loop_over_expression:
    ARGS = [([1.5, 2.5], 3.0)]

    def before(xs, y):
        total = 0.0
        for x in xs + [y]:
            total = total + x
        return total

    def after(xs, y):
        total = 0.0
        items = xs + [y]
        for k in range(len(items)):
            x = items[k]
            total = total + x
        return total


class loop_rebinds_what_it_runs_over:
    ARGS = [([1.5, 2.5],)]

    def before(xs):
        total = 0.0
        for x in xs:
            xs = [9.0]
            total = total + x
        return total, xs

    def after(xs):
        total = 0.0
        items = xs
        for k in range(len(items)):
            x = items[k]
            xs = [9.0]
            total = total + x
        return total, xs


class loop_rebinds_its_counter:
    ARGS = [(3,)]

    def before(n):
        total = 0
        for i in range(n):
            i = i * 10
            total = total + i
        return total, i

    def after(n):
        total = 0
        for i_1 in range(n):
            i = i_1
            i = i * 10
            total = total + i
        return total, i


class loop_over_enumerate:
    ARGS = [([1.5, 2.5],), ([],)]

    def before(xs):
        total = 0.0
        for k, x in enumerate(xs):
            total = total + k * x
        return total

    def after(xs):
        total = 0.0
        for k in range(len(xs)):
            x = xs[k]
            total = total + k * x
        return total


class loop_over_enumerate_from:
    ARGS = [([1.5, 2.5],)]

    def before(xs):
        total = 0.0
        for k, x in enumerate(xs, 1):
            total = total + k * x
        return total

    def after(xs):
        total = 0.0
        for k_1 in range(len(xs)):
            k = k_1 + 1
            x = xs[k_1]
            total = total + k * x
        return total


class loop_over_zip:
    ARGS = [([1.5, 2.5], [3.0, 4.0, 5.0]), ([], [1.0])]

    def before(xs, ys):
        total = 0.0
        for x, y in zip(xs, ys):
            total = total + x * y
        return total

    def after(xs, ys):
        total = 0.0
        for k in range(min(len(xs), len(ys))):
            x = xs[k]
            y = ys[k]
            total = total + x * y
        return total


class loop_over_reversed:
    ARGS = [([1.5, 2.5],), ([],)]

    def before(xs):
        total = 0.0
        for x in reversed(xs):
            total = 2.0 * total + x
        return total

    def after(xs):
        total = 0.0
        for k in range(len(xs) - 1, -1, -1):
            x = xs[k]
            total = 2.0 * total + x
        return total


class loop_over_reversed_range:
    ARGS = [(5,), (0,)]

    def before(n):
        total = 0
        for i in reversed(range(n)):
            total = 2 * total + i
        return total

    def after(n):
        total = 0
        for i in range(n - 1, -1, -1):
            total = 2 * total + i
        return total


class loop_over_enumerate_of_zip:
    ARGS = [([1.5, 2.5], [3.0, 4.0, 5.0])]

    def before(xs, ys):
        total = 0.0
        for k, (x, y) in enumerate(zip(xs, ys)):
            total = total + k * x * y
        return total

    def after(xs, ys):
        total = 0.0
        for k in range(min(len(xs), len(ys))):
            x = xs[k]
            y = ys[k]
            total = total + k * x * y
        return total


class loop_over_pairs:
    ARGS = [([(1.5, 2.5), (3.0, 4.0)],)]

    def before(pairs):
        total = 0.0
        for a, b in pairs:
            total = total + a * b
        return total

    def after(pairs):
        total = 0.0
        for k in range(len(pairs)):
            a, b = pairs[k]
            total = total + a * b
        return total


class names_kept_after_the_loop:
    ARGS = [([1.5, 2.5],)]

    def before(xs):
        for k, x in enumerate(xs):
            pass
        return k, x

    def after(xs):
        for k in range(len(xs)):
            x = xs[k]
            pass
        return k, x


class options_of_loops:
    ARGS = [([1.5, 2.5], [3.5, 0.5]), ([], []), ([1.5], [])]

    def before(xs, ys):
        s = 0.0
        for k, x in enumerate(xs, start=1):
            s = s + k * x
        for x, y in zip(xs, ys, strict=True):
            s = s + x * y
        return s

    def after(xs, ys):
        s = 0.0
        for k_1 in range(len(xs)):
            k = k_1 + 1
            x = xs[k_1]
            s = s + k * x
        if len(xs) != len(ys):
            raise ValueError("zip() has arguments of different lengths")
        for k_2 in range(min(len(xs), len(ys))):
            x = xs[k_2]
            y = ys[k_2]
            s = s + x * y
        return s


test_becomes, test_means_the_same, test_twice_is_once = checks_of(desugar, pairs(globals()))
