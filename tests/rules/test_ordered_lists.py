"""heapq and bisect by names: queues that are read as the Python that they stand for."""
import bisect
import heapq

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def merged_in_order(x, a):
    """As for a Huffman code: the two smallest become one."""
    heap = [v * a for v in x]
    heapq.heapify(heap)
    total, w = 0.0, 1.0
    while len(heap) > 1:
        one, other = heapq.heappop(heap), heapq.heappop(heap)
        total += w * one * other
        heapq.heappush(heap, one + 0.5 * other)
        w *= 0.9
    return total + a


def shortest_ways(x, a):
    """Dijkstra's algorithm over a ring with chords."""
    n = len(x)
    distance = [1e9] * n
    done = [False] * n
    queue = []
    if n:
        distance[0] = 0.0 * a
        heapq.heappush(queue, (distance[0], 0))
    while queue:
        d, node = heapq.heappop(queue)
        if done[node]:
            continue
        done[node] = True
        for other, weight in (((node + 1) % n, x[node] ** 2 * a), ((node + 2) % n, abs(x[node]))):
            if d + weight < distance[other]:
                distance[other] = d + weight
                heapq.heappush(queue, (distance[other], other))
    return sum(distance)


def kept_largest(x, a):
    heap = [v * a for v in x[:2]]
    heapq.heapify(heap)
    total = 0.0
    for v in x[2:]:
        total += heapq.heappushpop(heap, v * a)
        if heap:
            total += 2.0 * heapq.heapreplace(heap, v * v)
    return total + sum(heap)


def events(x, a):
    """A queue by times that do not vary."""
    queue = [(float(k * 7 % 5), k) for k in range(len(x))]
    heapq.heapify(queue)
    total, w = 0.0, a
    while queue:
        _, k = heapq.heappop(queue)
        total += x[k] * w
        w *= 0.9
    return total


def ends(x, a):
    return sum(heapq.nsmallest(2, x)) * a + sum(heapq.nlargest(3, x, key=lambda v: v * v))


def sorted_in(x, a):
    found = []
    for v in x:
        bisect.insort(found, v * a)
        if len(found) > 3:
            found.pop()
    for v in x:
        bisect.insort_left(found, v)
    return sum(k * v for k, v in enumerate(found))


def with_ties(x, a):
    """Of equal items the same one comes out as in CPython."""
    heap = []
    for v in (a, a * 1.0, x[0] if len(x) else a, a + 0.0, a):
        heapq.heappush(heap, v)
    return sum(heapq.heappop(heap) * (k + 1) for k in range(3))


FUNCTIONS = [merged_in_order, shortest_ways, kept_largest, events, ends, sorted_in]


@pytest.mark.parametrize("x", [np.array([0.9, -0.4, 1.7, 0.2, -1.1]), np.array([0.5]),
                               np.zeros(0)], ids=len)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f, x):
    a = 1.3
    with by_names():
        value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, a)
    assert value == f(x, a)
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        assert bx[k] == pytest.approx((f(x + step, a) - f(x - step, a)) / 2e-6, abs=1e-7)
    assert ba == pytest.approx((f(x, a + 1e-6) - f(x, a - 1e-6)) / 2e-6, abs=1e-7)
    if type(value) is not int:              # the sum of nothing
        _, slope = tl.jvp(f, (x, a), (np.ones(len(x)), 1.0))
        assert slope == pytest.approx(np.sum(bx) + ba)


def test_ties_fall_as_by_identity():
    x = np.array([1.3, 1.3])
    with by_names():
        found = tl.grad(with_ties, wrt=("x", "a"))(x, 1.3)
    with by_identity():
        other = tl.grad(with_ties, wrt=("x", "a"))(x, 1.3)
    np.testing.assert_array_equal(found[0], other[0])
    assert found[1] == other[1]


def test_an_empty_heap_raises():
    def f(x):
        heap = [x]
        return heapq.heappop(heap) + heapq.heappop(heap)

    with pytest.raises(IndexError):
        tl.grad(f)(1.0)
