"""heapq by identity: items move, and take their adjoints along."""
import heapq

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.7, -0.3, 1.4])


class Task:
    def __init__(self, time):
        self.time = time

    def __lt__(self, other):
        return self.time < other.time


def pushed_and_popped(x):
    heap, total = [], 0.0
    for k in range(6):
        heapq.heappush(heap, x[k % 3] * (k - 2.5) ** 2)
    while heap:
        total = total * 0.7 + heapq.heappop(heap) * (len(heap) + 1)
    return total


def every_way(x):
    heap = [x[0], x[1] * 2.0, x[2] ** 2]
    heapq.heapify(heap)
    total = heap[0] * 2.0 + heap[1]
    total += heapq.heapreplace(heap, x[0] * x[1])
    total += 3.0 * heapq.heappushpop(heap, x[1])
    total += 5.0 * heapq.heappushpop(heap, -100.0 * x[2])
    heap[0] = heap[0] * x[2]
    return total + sum(v * (k + 1) for k, v in enumerate(heap))


def tuples(x):
    heap, total = [], 0.0
    for k in range(3):
        heapq.heappush(heap, (x[k] * 1.5, k, x[k]))
    while heap:
        v, k, w = heapq.heappop(heap)
        total += v * w * (k + 1)
        if v > 1.0:
            heapq.heappush(heap, (v * 0.3, k, w * v))
    return total


def at_random(x):
    rng, heap, total = np.random.default_rng(5), [x[0], x[1], x[2]], 0.0
    heapq.heapify(heap)
    for k in range(60):
        way, value = int(rng.integers(5)), x[k % 3] * float(rng.normal())
        if way == 0 or not heap:
            heapq.heappush(heap, value)
        elif way == 1:
            total += heapq.heappop(heap) * (k + 1)
        elif way == 2:
            total += heapq.heapreplace(heap, value)
        elif way == 3:
            total += heapq.heappushpop(heap, value) * k
        else:
            heap[len(heap) // 2] = heap[len(heap) // 2] * 1.1
            heapq.heapify(heap)
    return total + sum(v * (k + 1) for k, v in enumerate(heap))


def equal_ones(x):
    heap = [x[0], x[0], x[0] * 1.0, x[1] + (x[0] - x[1])]
    heapq.heapify(heap)
    return sum((k + 1) * heapq.heappop(heap) for k in range(4)) + x[2] * len(heap)


def objects(x):
    heap, total = [], 0.0
    for k in range(3):
        heapq.heappush(heap, Task(x[k] * (k + 1)))
    while heap:
        total = total * 0.5 + heapq.heappop(heap).time
    return total


def none_left(x):
    heap = [x[0] * x[1]]
    total = heapq.heappop(heap)
    try:
        heapq.heappop(heap)
    except IndexError:
        total = total * x[2]
    return total


@pytest.mark.parametrize("function", [pushed_and_popped, every_way, tuples, at_random, objects,
                                      none_left])
def test_derivatives(function):
    with by_identity():
        assert tl.value_and_grad(function)(X)[0] == function(X)
        tl.check_grads(function, (X,), order=2)


def test_ties():
    with by_identity():
        found = tl.grad(equal_ones)(X)
    assert found.sum() == pytest.approx(10.0) and tl.value_and_grad(equal_ones)(X)[0] \
        == equal_ones(X)
