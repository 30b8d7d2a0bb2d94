"""What heapq and bisect do to lists, as Python that is read: see `rules.iterating`.

The places of heapq are those of the functions of the library to the last one (Cormen, Leiserson,
Rivest and Stein, Introduction to Algorithms, chapter 6; with the way down to a leaf and up again
that Knuth gives, The Art of Computer Programming, volume 3, 5.2.3, exercise 18), so that of equal
items the same one comes out.
"""
import bisect
import heapq

from tangent_lite.registry import written_as
from tangent_lite.runtime.order import in_order


def rise(heap, first, place):
    """Let an item go up to where it belongs; above `first` nothing is looked at."""
    item = heap[place]
    while place > first:
        above = (place - 1) >> 1
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def sink(heap, place):
    """Let an item go down to a leaf, the smaller of two up each time, and from there up again."""
    end = len(heap)
    first = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    rise(heap, first, place)


@written_as(heapq.heappush)
def heappush(heap, item):
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


@written_as(heapq.heappop)
def heappop(heap):
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    sink(heap, 0)
    return first


@written_as(heapq.heapreplace)
def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    sink(heap, 0)
    return first


@written_as(heapq.heappushpop)
def heappushpop(heap, item):
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sink(heap, 0)
        return first
    return item


@written_as(heapq.heapify)
def heapify(heap):
    for place in range(len(heap) // 2 - 1, -1, -1):
        sink(heap, place)


@written_as(heapq.nsmallest)
def nsmallest(n, iterable):
    return sorted(iterable)[:max(n, 0)]


@written_as(heapq.nsmallest)
def nsmallest_by(n, iterable, key):
    pool, marks = [], []
    for item in iterable:
        pool.append(item)
        marks.append(key(item))
    return [pool[k] for k in in_order(marks, False)[:max(n, 0)]]


@written_as(heapq.nlargest)
def nlargest(n, iterable):
    return sorted(iterable, reverse=True)[:max(n, 0)]


@written_as(heapq.nlargest)
def nlargest_by(n, iterable, key):
    pool, marks = [], []
    for item in iterable:
        pool.append(item)
        marks.append(key(item))
    return [pool[k] for k in in_order(marks, True)[:max(n, 0)]]


@written_as(bisect.insort_right)
def insort_right(a, x):
    a.insert(bisect.bisect_right(a, x), x)


@written_as(bisect.insort_left)
def insort_left(a, x):
    a.insert(bisect.bisect_left(a, x), x)
