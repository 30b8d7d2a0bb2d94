"""What the caller holds is copied before it is written to."""
import numpy as np

from tangent_lite.passes.own import own
from tests.passes.pairs import checks_of, compiled, is_left_alone, pairs, text_of, tree_of

TABLE = np.array([1.0, 2.0])
OTHER = np.array([3.0, 4.0])


class nothing_to_do:
    ARGS = [(np.arange(3.0),)]

    def before(x):
        y = x.copy()
        y[0] = 2.0
        return y

    def after(x):
        y = x.copy()
        y[0] = 2.0
        return y


class global_array:
    ARGS = [(1.5,)]

    def before(x):
        TABLE[0] = x
        return TABLE[0] * x + TABLE[1]

    def after(x):
        TABLE_1 = TABLE.copy()
        TABLE_1[0] = x
        return TABLE_1[0] * x + TABLE_1[1]


class two_globals:
    ARGS = [(1.5,)]

    def before(x):
        OTHER[1] += x
        TABLE[0] = OTHER[1]
        return TABLE[0] * OTHER[0]

    def after(x):
        TABLE_1 = TABLE.copy()
        OTHER_1 = OTHER.copy()
        OTHER_1[1] += x
        TABLE_1[0] = OTHER_1[1]
        return TABLE_1[0] * OTHER_1[0]


class global_that_is_only_read:
    ARGS = [(1.5,)]

    def before(x):
        return TABLE[0] * x

    def after(x):
        return TABLE[0] * x


class names_step_aside:
    ARGS = [(1.5,)]

    def before(TABLE_1):
        TABLE[0] = TABLE_1
        return TABLE[0] * TABLE_1

    def after(TABLE_1):
        TABLE_2 = TABLE.copy()
        TABLE_2[0] = TABLE_1
        return TABLE_2[0] * TABLE_1


class writes_its_parameters:
    def before(x, y, z):
        x[0] = y[1]
        y[0] = z
        return x

    def after_(x, y, z):
        x = x.copy()
        y = y.copy()
        x[0] = y[1]
        y[0] = z
        return x


PAIRS = {name: pair for name, pair in pairs(globals()).items() if hasattr(pair, "ARGS")}


def step(tree):
    return own(tree, [])


test_becomes, test_means_the_same, _ = checks_of(step, PAIRS)


def test_the_given_tree_is_left_alone():
    assert is_left_alone(step, PAIRS["names_step_aside"].before)


def test_parameters_are_copied_first():
    tree = own(tree_of(writes_its_parameters.before), ["x", "y"])
    assert text_of(tree) == text_of(tree_of(writes_its_parameters.after_))


def test_the_arrays_outside_are_not_written():
    before = TABLE.copy()
    made = compiled(step(tree_of(global_array.before)), globals())
    assert made(5.0) == 5.0 * 5.0 + before[1]
    assert TABLE.tolist() == before.tolist()

