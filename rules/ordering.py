"""What sorted, max and min do, and methods that order lists, as Python that is read."""
from tangent_lite.registry import nondifferentiable, written_as
from tangent_lite.result_kinds import scalar_int
from tangent_lite.result_kinds.of_python import list_of_int
from tangent_lite.runtime.order import in_order, place_of_largest, place_of_smallest

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


def choosing(extreme, place_of_extreme):
    """What max or min does where a key or a default is given, or with tuples."""
    @written_as((extreme, list))
    def of_list_of_tuples(items):
        return items[place_of_extreme(items)]

    @written_as((extreme, tuple))
    def of_tuples(items):
        pool = [item for item in items]
        return pool[place_of_extreme(pool)]

    @written_as((extreme, tuple))
    def of_several_tuples(*items):
        pool = [item for item in items]
        return pool[place_of_extreme(pool)]

    @written_as(extreme)
    def by_key(items, *, key):
        pool, marks = [], []
        for item in items:
            pool.append(item)
            marks.append(key(item))
        return pool[place_of_extreme(marks)]

    @written_as(extreme)
    def of_several_by_key(*items, key):
        pool = [item for item in items]
        marks = []
        for item in pool:
            marks.append(key(item))
        return pool[place_of_extreme(marks)]

    @written_as(extreme)
    def or_default(items, *, default):
        found = default
        if len(items) > 0:
            found = extreme(items)
        return found

    @written_as(extreme)
    def by_key_or_default(items, *, key, default):
        pool, marks = [], []
        for item in items:
            pool.append(item)
            marks.append(key(item))
        found = default
        if len(pool) > 0:
            found = pool[place_of_extreme(marks)]
        return found


choosing(max, place_of_largest)
choosing(min, place_of_smallest)
