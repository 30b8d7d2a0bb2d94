"""Arguments whose adjoints no rule says: constants may stand there, what varies may not."""
import copy

import numpy as np
import pytest
from scipy import special

import tangent_lite as tl
from tangent_lite.heap.unknown import Unknown
from tests.heap.forced import by_identity

X = np.array([0.7, 1.6, 2.2, 0.4])
SHAPES = np.array([2.5, 3.0])


def looked_up(at, spots, heights):
    """np.interp, of which only the derivative by the place is known."""
    return np.interp(at, spots, heights)


def slope(at, spots, heights):
    k = np.clip(np.searchsorted(spots, at) - 1, 0, len(spots) - 2)
    return (heights[k + 1] - heights[k]) / (spots[k + 1] - spots[k])


@tl.adjoint(looked_up, constant=("spots", "heights"))
def looked_up_adjoint(y, at, spots, heights):
    d[at] = d[y] * slope(at, spots, heights)  # noqa: F821


@tl.tangent(looked_up, constant=("spots", "heights"))
def looked_up_tangent(y, at, spots, heights):
    d[y] = d[at] * slope(at, spots, heights)  # noqa: F821


class Box:
    def __init__(self, a):
        self.a, self.kept = a, []


def literal(x):
    return special.gammainc(2.5, x[0]) * x[1]


def computed(x):
    a = 2.0 * 1.25 + len(x) / 8
    return special.gammainc(a, x[0]) * a


def of_the_module(x):
    return np.sum(special.gammainc(SHAPES, x[:2])) + special.gammainc(SHAPES[0], x[2])


def in_an_object(x):
    box = Box(2.5)
    for v in x:
        box.kept.append(special.gammainc(box.a, v))
        box.a = box.a + 0.5
    return sum(box.kept) * box.kept[1]


def in_containers(x):
    held = {"a": [2.5, 3.5], "b": (1.5, x[0])}
    held["a"].append(0.5)
    return sum(special.gammainc(a, x[1]) for a in held["a"]) * held["b"][1] \
        + special.gammainc(held["b"][0], x[2])


def in_lists(x):
    return np.interp(x[0], [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]) * x[1]


def half_of_a_list(x):
    return np.interp(x[0], [0.0, 1.0, 2.0], [1.0, x[1], x[2]])


def in_arrays(x):
    spots = np.zeros(3)
    spots[1:] = [1.0, 2.0]
    return np.interp(x[0], np.array([0.0, 1.0, 2.0]), np.array([x[3], x[1], x[2]])) + spots[1]


def in_views_that_are_read(x):
    table = np.array([[0.0, 1.0], [1.0, 3.0], [2.5, 2.0]])
    spots, heights = table.T
    at = min(max(x[0], spots[0]), spots[-1])
    return np.interp(at, spots, heights) * x[1] + spots.tolist()[1] + spots.item(2) + spots[[1]][0]


def in_arrays_that_are_filled(x):
    spots, others = np.zeros(4), np.empty(4)
    for k in range(4):
        spots[k] = 0.75 * k
    others[:2], others[2:] = [0.0, 1.0], spots[2:]
    np.add.at(others, [3, 3], 0.25)
    np.put(others, [1], 1.1)
    found = np.interp(x[0], spots, np.array([1.0, x[1], x[2], 2.0]))
    return found * x[3] + np.interp(x[1], others, spots)


def in_arrays_that_are_computed(x):
    spots = 2.0 * np.arange(4.0) / 3.0 - SHAPES[0] / 5.0
    spots += np.array([0.1, 0.2, 0.3, 0.4])
    spots *= 1.5
    np.add(spots, 0.25, out=spots)
    np.copyto(spots, 4.0, where=spots > 3.0)
    same = copy.deepcopy(spots)
    same.sort()
    return np.interp(x[0], same, np.array([1.0, 3.0, x[1], 2.5])) * x[2]


def in_branches(x):
    total, a = 0.0, 1.5
    while a < 4.0:
        if a > 2.0:
            total += special.gammainc(a, x[0])
        else:
            total += a * x[1]
        a = a * 1.5
    return total * x[2]


@pytest.mark.parametrize("f", [literal, computed, of_the_module, in_an_object, in_containers,
                               in_lists, half_of_a_list, in_arrays, in_views_that_are_read,
                               in_arrays_that_are_filled, in_arrays_that_are_computed, in_branches])
def test_constants(f):
    wanted = [(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
    with by_identity():
        for _ in range(2):
            np.testing.assert_allclose(tl.grad(f)(X), wanted, rtol=1e-6, atol=1e-8)
        _, pullback = tl.vjp(f, X)
        for _ in range(2):
            np.testing.assert_allclose(pullback(1.0)[0], wanted, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(tl.jvp(f, (X,), (X,))[1], wanted @ X, rtol=1e-6)
    np.testing.assert_allclose(tl.grad(f)(X), wanted, rtol=1e-6, atol=1e-8)


def varies(x):
    return special.gammainc(x[0], x[1])


def varies_twice(x):
    return special.gammainc(2.5, x[0]) + special.gammainc(3.0 * x[1], x[2])


def varies_in_an_object(x):
    box = Box(2.5)
    box.a = box.a + 0.0 * x[0]
    box.kept.append(special.gammainc(box.a, x[1]))
    return box.kept[0]


def varies_in_a_list(x):
    return looked_up(x[0], [0.0, x[1], 2.0], [1.0, 3.0, 2.0])


def varies_in_an_array(x):
    spots = np.array([0.0, 1.0, 3.0])
    spots[1] = x[1]
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_in_an_array_that_is_filled(x):
    spots = np.zeros(3)
    for k in range(3):
        spots[k] = k * x[1]
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_in_an_array_that_is_computed(x):
    spots = np.arange(3.0) * x[1]
    spots += 0.5
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0])) + spots[1]


def varies_in_place(x):
    spots = np.arange(3.0)
    spots *= x[1]
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_by_out(x):
    spots = np.arange(3.0)
    np.multiply(spots, x[1], out=spots)
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_added_at_an_index(x):
    spots = np.arange(3.0)
    np.add.at(spots, [2, 2], x[1])
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_put(x):
    spots = np.arange(3.0)
    np.put(spots, [2], x[1] + 1.0)
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_copied_into(x):
    spots = np.arange(3.0)
    np.copyto(spots, 3.0 * x[1:], where=spots > 1.0)
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_copied_deep(x):
    spots = copy.deepcopy(np.arange(4.0) + x)
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0, 0.5]))


def varies_sorted(x):
    spots = x[1:] + 0.5
    spots.sort()
    return looked_up(x[0], spots, np.array([1.0, 3.0, 2.0]))


def varies_as_a_whole(x):
    return looked_up(0.8, np.sort(x), np.array([1.0, 3.0, 2.0, 2.5]))


def varies_as_a_view(x):
    return np.sum(special.gammainc(x[1:], 2.0))


def varies_in_a_dict(x):
    held = {}
    for k in range(2):
        held[k] = x[k] if k else 1.5
    return special.gammainc(held[0], 1.0) + special.gammainc(held[1], 2.0)


def varies_by_a_helper(x):
    def scaled(a):
        return -a / 3.0 + 5.0
    return special.gammainc(scaled(x[0]), x[1])


def varies_in_a_tuple(x):
    pair = (2.5, x[1] ** 2)
    a, b = pair
    return special.gammainc(a, x[0]) + special.gammainc(b, x[0])


def varies_through_numpy(x):
    a = np.exp(np.array([x[0], x[1]])).sum()
    return special.gammainc(a, x[0])


@pytest.mark.parametrize("f", [varies, varies_twice, varies_in_an_object, varies_in_a_list,
                               varies_in_an_array, varies_as_a_whole, varies_as_a_view,
                               varies_in_a_dict, varies_by_a_helper, varies_in_a_tuple,
                               varies_through_numpy, varies_in_an_array_that_is_filled,
                               varies_in_an_array_that_is_computed, varies_in_place,
                               varies_by_out, varies_added_at_an_index, varies_put,
                               varies_copied_into, varies_copied_deep, varies_sorted])
def test_what_varies_is_refused(f):
    with by_identity():
        for derivative in (lambda: tl.grad(f)(X), lambda: tl.vjp(f, X)[1](1.0),
                           lambda: tl.value_and_grad(f)(X), lambda: tl.jvp(f, (X,), (X,))):
            with pytest.raises(tl.MissingRuleError, match="no derivative with|no tangent"):
                derivative()


def test_what_is_asked_for_decides():
    def f(x, a, box, shapes, pair):
        box.kept.append(special.gammainc(a, x))
        return box.kept[-1] * special.gammainc(box.a, x) * special.gammainc(shapes[0], x) \
            * special.gammainc(pair[1], x)

    def given():
        return 0.8, 2.5, Box(3.0), np.array([2.0, 4.0]), (1.0, 2.0)

    wanted = (f(0.8 + 1e-6, *given()[1:]) - f(0.8 - 1e-6, *given()[1:])) / 2e-6
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(*given()), wanted, rtol=1e-6)
        for wrt in (1, (0, 1), "box", "box.a", 3, 4):
            with pytest.raises(tl.MissingRuleError, match="no derivative with respect to"):
                tl.grad(f, wrt=wrt)(*given())


def test_numbers_that_are_put_in_another_order_in_place_are_refused():
    def f(x):
        w = np.array([3.0, 1.0, 2.0])
        np.random.default_rng(0).permuted(w, out=w)
        return x[0] * w[0]

    with by_identity(), pytest.raises(tl.MissingRuleError, match="into an array"):
        tl.grad(f)(X)


def test_nothing_is_read_of_it():
    unknown = Unknown(tl.MissingRuleError("no derivative", None, ""))
    assert -(2.0 * unknown + np.float64(1.0)) / np.ones(3) is unknown and unknown.real is unknown
    for use in (bool, float, int, complex, np.asarray, np.sum, np.shape, lambda u: u == 1.0,
                lambda u: u < 1.0, lambda u: np.add.reduce(u), lambda u: u.shape,
                lambda u: np.add(1.0, u, out=np.zeros(1)), lambda u: np.zeros(2) + [u]):
        with pytest.raises(tl.MissingRuleError, match="no derivative"):
            use(unknown)
    kept = np.zeros(2)
    with pytest.raises(tl.MissingRuleError):
        kept[0] = unknown
    with pytest.raises(tl.MissingRuleError):
        kept += unknown
