"""What functools.reduce and iterators do, as Python that is read.

Nothing here is called: a call of such a function with what may vary is written out as the body. An
annotation is the literal that has to be passed.
"""
import functools
import itertools
import operator

import numpy as np

from tangent_lite.registry import CONSTANT, nondifferentiable, written_as
from tangent_lite.result_kinds.of_python import (
    WHOLE,
    groups_of,
    list_of_int,
    list_of_places,
    members,
    product_of_constants,
    range_of,
    without_end,
)
from tangent_lite.runtime.order import (
    combinations_again_of,
    combinations_of,
    count_from,
    cycle_of,
    members_of,
    permutations_of,
    places_in,
    places_of_members,
    product_of,
)

nondifferentiable(places_in, kind=list_of_places)
nondifferentiable(permutations_of, combinations_of, combinations_again_of, kind=groups_of)
nondifferentiable(members_of, kind=members)
nondifferentiable(places_of_members, kind=list_of_int)
nondifferentiable(product_of, kind=product_of_constants)
nondifferentiable(cycle_of, kind=without_end)
nondifferentiable(count_from, kind=range_of)


@written_as(functools.reduce)
def reduce(function, items):
    total = items[0]
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total


@written_as(functools.reduce)
def reduce_from(function, items, start):
    total = start
    for item in items:
        total = function(total, item)
    return total


@written_as(reversed)
def reversed_(sequence):
    return sequence[::-1]


@written_as((set, list))
def set_gone_through(items):
    pool = [item for item in items]
    out = []
    for k in places_of_members(pool):
        out.append(pool[k])
    return out


@written_as((sum, list))
def sum_of_lists(items, start):
    out = []
    for item in start:
        out.append(item)
    for part in items:
        for item in part:
            out.append(item)
    return out


@written_as((sum, object))
def sum_of_objects(items, start):
    total = start
    for item in items:
        total = total + item
    return total


@written_as((sum, object))
def sum_of_objects_from_zero(items):
    total = 0 + items[0]
    for k in range(1, len(items)):
        total = total + items[k]
    return total


@written_as(list)
def list_(items):
    out = []
    for item in items:
        out.append(item)
    return out


@written_as((zip, list))
def columns_of(rows):
    count = 0
    for k in range(len(rows)):
        if k == 0 or len(rows[k]) < count:
            count = len(rows[k])
    columns = []
    for j in range(count):
        column = []
        for row in rows:
            column.append(row[j])
        columns.append(column)
    return columns


# itertools ------------------------------------------------------------------------------------
@written_as(itertools.accumulate)
def accumulate(items):
    out = []
    if len(items) > 0:
        total = items[0]
        out.append(total)
        for k in range(1, len(items)):
            total = total + items[k]
            out.append(total)
    return out


@written_as(itertools.accumulate)
def accumulate_by(items, func):
    out = []
    if len(items) > 0:
        total = items[0]
        out.append(total)
        for k in range(1, len(items)):
            total = func(total, items[k])
            out.append(total)
    return out


@written_as(itertools.accumulate)
def accumulate_from(items, *, initial):
    total = initial
    out = [total]
    for item in items:
        total = total + item
        out.append(total)
    return out


@written_as(itertools.accumulate)
def accumulate_by_from(items, func, *, initial):
    total = initial
    out = [total]
    for item in items:
        total = func(total, item)
        out.append(total)
    return out


@written_as(itertools.chain)
def chain(*sources):
    out = []
    for source in sources:
        for item in source:
            out.append(item)
    return out


@written_as(itertools.chain.from_iterable)
def chain_of_all(sources):
    out = []
    for source in sources:
        for item in source:
            out.append(item)
    return out


@written_as(itertools.pairwise)
def pairwise(items):
    out = []
    for k in range(len(items) - 1):
        pair = (items[k], items[k + 1])
        out.append(pair)
    return out


@written_as(itertools.islice)
def islice(items, stop):
    out = []
    for k in range(min(stop, len(items))):
        out.append(items[k])
    return out


@written_as(itertools.islice)
def islice_to_the_end(items, start, stop: None, step=1):
    out = []
    for k in range(start, len(items), step):
        out.append(items[k])
    return out


@written_as(itertools.islice)
def islice_between(items, start, stop, step=1):
    out = []
    for k in range(start, min(stop, len(items)), step):
        out.append(items[k])
    return out


@written_as(itertools.starmap)
def starmap(function, items):
    out = []
    for item in items:
        out.append(function(*item))
    return out


@written_as(itertools.repeat)
def repeat(item, times):
    out = []
    for _ in range(times):
        out.append(item)
    return out


@written_as(itertools.takewhile)
def takewhile(predicate, items):
    out = []
    for item in items:
        if not predicate(item):
            break
        out.append(item)
    return out


@written_as(itertools.dropwhile)
def dropwhile(predicate, items):
    out = []
    started = False
    for item in items:
        if not started and not predicate(item):
            started = True
        if started:
            out.append(item)
    return out


@written_as(itertools.filterfalse)
def filterfalse(predicate, items):
    out = []
    for item in items:
        if not predicate(item):
            out.append(item)
    return out


@written_as(itertools.compress)
def compress(data, selectors):
    out = []
    for item, wanted in zip(data, selectors):
        if wanted:
            out.append(item)
    return out


@written_as(itertools.zip_longest)
def zip_longest(xs, ys, *, fillvalue=None):
    out = []
    for k in range(max(len(xs), len(ys))):
        if k < len(xs):
            x = xs[k]
        else:
            x = fillvalue
        if k < len(ys):
            y = ys[k]
        else:
            y = fillvalue
        pair = (x, y)
        out.append(pair)
    return out


@written_as(itertools.product)
def product_of_two(xs, ys):
    out = []
    for x in xs:
        for y in ys:
            pair = (x, y)
            out.append(pair)
    return out


@written_as(itertools.product)
def product_of_three(xs, ys, zs):
    out = []
    for x in xs:
        for y in ys:
            for z in zs:
                triple = (x, y, z)
                out.append(triple)
    return out


@written_as(itertools.product)
def product_with_itself(xs, *, repeat: 2):
    out = []
    for x in xs:
        for y in xs:
            pair = (x, y)
            out.append(pair)
    return out


@written_as(itertools.product)
def product_with_itself_twice(xs, *, repeat: 3):
    out = []
    for x in xs:
        for y in xs:
            for z in xs:
                triple = (x, y, z)
                out.append(triple)
    return out


@written_as(itertools.combinations)
def combinations_of_two(items, r: 2):
    out = []
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            pair = (items[i], items[j])
            out.append(pair)
    return out


@written_as(itertools.combinations)
def combinations_of_three(items, r: 3):
    out = []
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            for k in range(j + 1, len(items)):
                triple = (items[i], items[j], items[k])
                out.append(triple)
    return out


@written_as(itertools.combinations_with_replacement)
def combinations_of_two_again(items, r: 2):
    out = []
    for i in range(len(items)):
        for j in range(i, len(items)):
            pair = (items[i], items[j])
            out.append(pair)
    return out


@written_as(itertools.permutations)
def permutations_of_two(items, r: 2):
    out = []
    for i in range(len(items)):
        for j in range(len(items)):
            if i != j:
                pair = (items[i], items[j])
                out.append(pair)
    return out


# Of constants, and of places of what may vary: tuples of any length -----------------------------
@written_as(itertools.permutations)
def permutations_of_constants(items: CONSTANT, r=None):
    return permutations_of(items, r)


@written_as(itertools.permutations)
def permutations_of_any(items, r):
    out = []
    for places in permutations_of(range(len(items)), r):
        group = tuple(items[k] for k in places)
        out.append(group)
    return out


@written_as(itertools.combinations)
def combinations_of_constants(items: CONSTANT, r):
    return combinations_of(items, r)


@written_as(itertools.combinations)
def combinations_of_any(items, r):
    out = []
    for places in combinations_of(range(len(items)), r):
        group = tuple(items[k] for k in places)
        out.append(group)
    return out


@written_as(itertools.combinations_with_replacement)
def combinations_again_of_constants(items: CONSTANT, r):
    return combinations_again_of(items, r)


@written_as(itertools.product)
def product_of_constant(*pools: CONSTANT, repeat=1):
    return product_of(pools, repeat)


@written_as(itertools.cycle)
def cycle_of_constants(iterable: CONSTANT):
    return cycle_of(iterable)


@written_as(itertools.count)
def count_of_ints(start: WHOLE = 0, step: WHOLE = 1):
    return count_from(start, step)


# operator -------------------------------------------------------------------------------------
@written_as(operator.getitem)
def getitem(owner, index):
    return owner[index]


@written_as(np.ndindex)
def ndindex(shape):
    return places_in(shape)


@written_as(np.ndindex)
def ndindex_of_sizes(*sizes):
    return places_in(sizes)


@written_as(np.ndenumerate)
def ndenumerate(arr):
    out = []
    for place in places_in(arr.shape):
        pair = (place, arr[place])
        out.append(pair)
    return out
