"""What sorted, max and min do, and methods that order lists, as Python that is read."""
import builtins

from tangent_lite.python_kinds import list_of_int
from tangent_lite.registry import nondifferentiable, written_as
from tangent_lite.result_kinds import scalar_int
from tangent_lite.runtime_order import in_order, place_of_largest, place_of_smallest

nondifferentiable(in_order, kind=list_of_int)
nondifferentiable(place_of_largest, place_of_smallest, kind=scalar_int)


@written_as(sorted)
def sorted_plainly(items, *, reverse=False):
    pool = [item for item in items]
    out = []
    for k in in_order(pool, reverse):
        out.append(pool[k])
    return out


@written_as(sorted)
def sorted_by(items, *, key, reverse=False):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    out = []
    for k in in_order(marks, reverse):
        out.append(pool[k])
    return out


@written_as(list.sort)
def sort(items, *, reverse=False):
    pool = [item for item in items]
    places = in_order(pool, reverse)
    for k in range(len(items)):
        items[k] = pool[places[k]]


@written_as(list.sort)
def sort_by(items, *, key, reverse=False):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    places = in_order(marks, reverse)
    for k in range(len(items)):
        items[k] = pool[places[k]]


@written_as(list.reverse)
def reverse(items):
    pool = [item for item in items]
    for k in range(len(items)):
        items[k] = pool[len(items) - 1 - k]


@written_as(max)
def max_by(items, *, key):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    return pool[place_of_largest(marks)]


@written_as(max)
def max_of_several_by(*items, key):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    return pool[place_of_largest(marks)]


@written_as(max)
def max_or_default(items, *, default):
    found = default
    if len(items) > 0:
        found = builtins.max(items)
    return found


@written_as(max)
def max_by_or_default(items, *, key, default):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    found = default
    if len(pool) > 0:
        found = pool[place_of_largest(marks)]
    return found


@written_as(min)
def min_by(items, *, key):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    return pool[place_of_smallest(marks)]


@written_as(min)
def min_of_several_by(*items, key):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    return pool[place_of_smallest(marks)]


@written_as(min)
def min_or_default(items, *, default):
    found = default
    if len(items) > 0:
        found = builtins.min(items)
    return found


@written_as(min)
def min_by_or_default(items, *, key, default):
    pool = [item for item in items]
    marks = []
    for item in pool:
        marks.append(key(item))
    found = default
    if len(pool) > 0:
        found = pool[place_of_smallest(marks)]
    return found
