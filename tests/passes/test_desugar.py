"""Every short form of a statement, and what it stands for; expressions: tests/structures."""
from tangent_lite.passes.desugar import desugar
from tests.passes.pairs import checks_of, is_left_alone, nothing_to_do, pairs


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


PAIRS = pairs({"nothing_to_do": nothing_to_do} | globals())
test_becomes, test_means_the_same, test_twice_is_once = checks_of(desugar, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(desugar, rotation.before)
