"""Every short form, and what it stands for."""
import pytest

from tangent_lite.passes.desugar import desugar
from tests.passes.pairs import compiled, outcome, pairs, text_of, tree_of


class nothing_to_do:
    ARGS = [(1.5,)]

    def before(x):
        y = x * x
        return y

    def after(x):
        y = x * x
        return y


class docstring_and_annotations:
    ARGS = [(1.5,)]

    def before(x):
        """What it does."""
        y: float
        z: float = 2.0 * x
        return z

    def after(x):
        z = 2.0 * x
        return z


class same_value_for_several:
    ARGS = [(1.5,)]

    def before(x):
        a = b = x * x
        c = d = 0.0
        return a, b, c, d

    def after(x):
        t = x * x
        a = t
        b = t
        c = 0.0
        d = 0.0
        return a, b, c, d


class tuples:
    ARGS = [(1.5, (2.0, 3.0))]

    def before(x, pair):
        a, b = x, 2.0 * x
        c, d = pair
        return a, b, c, d

    def after(x, pair):
        a = x
        b = 2.0 * x
        c, d = pair
        return a, b, c, d


class swap:
    ARGS = [(1.5, 2.5)]

    def before(x, y):
        x, y = y, x
        return x, y

    def after(x, y):
        x_1 = y
        y = x
        x = x_1
        return x, y


class rotation:
    ARGS = [(1.5, 2.5, 3.5)]

    def before(x, y, z):
        x, y, z = y, z, x + y
        return x, y, z

    def after(x, y, z):
        x_1 = y
        y_1 = z
        z = x + y
        x = x_1
        y = y_1
        return x, y, z


class the_same_name_twice:
    ARGS = [(1.5, 2.5)]

    def before(x, y):
        x, x = y, 2.0 * x
        return x

    def after(x, y):
        t = y
        t_1 = 2.0 * x
        x = t
        x = t_1
        return x


class swap_of_elements:
    ARGS = [([1.5, 2.5, 3.5], 0, 2)]

    def before(xs, i, j):
        xs[i], xs[j] = xs[j], xs[i]
        return xs

    def after(xs, i, j):
        t = xs[j]
        t_1 = xs[i]
        xs[i] = t
        xs[j] = t_1
        return xs


class index_bound_beside_element:
    ARGS = [([1.5, 2.5, 3.5], 0)]

    def before(xs, i):
        i, xs[i] = 2, 9.0
        return xs

    def after(xs, i):
        i = 2
        xs[i] = 9.0
        return xs


class nested_targets:
    ARGS = [((1.5, (2.5, 3.5)),)]

    def before(parts):
        a, (b, c) = parts
        return a, b, c

    def after(parts):
        a = parts[0]
        b, c = parts[1]
        return a, b, c


class starred_target:
    ARGS = [([1.5, 2.5, 3.5, 4.5],), ([1.0, 2.0],)]

    def before(xs):
        first, *middle, last = xs
        return first, middle, last

    def after(xs):
        first = xs[0]
        middle = list(xs[1:-1])
        last = xs[-1]
        return first, middle, last


class element_targets:
    ARGS = [([1.5, 2.5, 3.5], (4.0, 5.0))]

    def before(xs, pair):
        xs[0], xs[2] = pair
        return xs

    def after(xs, pair):
        part = pair[0]                          # pair may be xs
        part_1 = pair[1]
        xs[0] = part
        xs[2] = part_1
        return xs


class augmented:
    ARGS = [(1.5, [1.5, 2.5])]

    def before(x, xs):
        x *= 2.0
        xs[0] += x
        xs[1] *= x
        return x, xs

    def after(x, xs):
        x *= 2.0
        xs[0] += x
        xs[1] = xs[1] * x
        return x, xs


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


PAIRS = pairs(globals())


@pytest.mark.parametrize("name", PAIRS)
def test_becomes(name):
    assert text_of(desugar(tree_of(PAIRS[name].before))) == text_of(tree_of(PAIRS[name].after))


@pytest.mark.parametrize("name", PAIRS)
def test_means_the_same(name):
    pair = PAIRS[name]
    made = compiled(desugar(tree_of(pair.before)), globals())
    for args in pair.ARGS:
        assert outcome(made, args) == outcome(pair.before, args)


@pytest.mark.parametrize("name", PAIRS)
def test_twice_is_once(name):
    once = desugar(tree_of(PAIRS[name].before))
    assert text_of(desugar(once)) == text_of(once)


def test_the_given_tree_is_left_alone():
    tree = tree_of(PAIRS["rotation"].before)
    before = text_of(tree)
    desugar(tree)
    assert text_of(tree) == before
