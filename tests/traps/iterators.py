"""Traps of iterators that are used up in parts, and of what the standard library does in C."""
import heapq
import itertools
import operator
from dataclasses import asdict, astuple, dataclass, field, fields

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])
u8 = np.concatenate([u4, 1.1 * u4])


def zip_leaves_the_rest(x):
    items = list(x)
    items.append(items[0])
    rest = iter(items)
    total = 0.0
    for k, v in zip(range(2), rest):
        total += k * v
    for v in rest:
        total = total * 0.5 + v * v
    return total


case(zip_leaves_the_rest, u4)


def loop_is_left(x):
    items = [x[0], x[1], x[2], x[3]]
    items.append(items[0])
    rest, total = iter(items), 0.0
    for v in rest:
        total += v * v
        if v < 0:
            break
    for v in rest:
        total = total * 0.5 + v * v
    return total


case(loop_is_left, u4)


def slice_leaves_the_rest(x, n, m, step):
    rest = iter(list(x))
    total = sum(itertools.islice(rest, n, m, step))
    return total * next(rest, 5.0) + sum(rest)


for bounds in ((0, 6, 4), (0, 0, 1), (2, 2, 1), (1, 7, 2), (3, None, 2), (0, 5, 2), (0, 99, 3)):
    case(slice_leaves_the_rest, u8, *bounds)


def generator_in_parts(x):
    squares, total = (v * x[0] for v in x), 0.0
    for v in squares:
        total += v
        if total > 0.1:
            break
    return total * list(squares)[-1] + len(list(squares))


case(generator_in_parts, u4)


def pairs_of_one_iterator(x):
    rest = iter(x)
    best = max(enumerate(x), key=lambda p: p[1] if p[0] < 3 else 0.0)
    return best[1] * best[0] + sum(p * q * k for k, (p, q) in enumerate(zip(rest, rest)))


case(pairs_of_one_iterator, u8)


def growing(x):
    return itertools.accumulate(x, lambda a, b: a * b + a)


def items_are_passed_over(x):
    total = sum(itertools.islice(growing(x), 1, None, 2))
    total += sum(filter(lambda v: v > 0, growing(x)))
    total += sum(itertools.compress(itertools.accumulate(x), [0, 1, 0, 1]))
    rest = growing(x)
    total *= sum(a * b for a, b in zip(rest, [1.0, 2.0])) * next(rest)
    return total + sum(itertools.dropwhile(lambda v: v < 0, rest))


case(items_are_passed_over, u8)


def ends_with_an_item(x):
    products = itertools.accumulate(x, operator.mul)
    total = 0.0
    for v in itertools.takewhile(lambda v: v > -0.5, products):
        total += v
    return total * next(products)


case(ends_with_an_item, u4)


def round_and_round(x):
    turns, total = itertools.cycle(x), 1.0
    for _, v in zip(range(10), turns):
        total += v * total * 0.1
    return total + next(turns)


case(round_and_round, u4)


def groups(x):
    total = 0.0
    for is_high, group in itertools.groupby(x, key=lambda v: v > 0):
        for v in group:
            total = total * 0.5 + v * v * (1 + is_high)
            if total > 1:
                break
    kept = [(k, list(g)) for k, g in itertools.groupby(sorted(x), key=lambda v: v > 0)]
    for _, group in kept:
        total *= sum(group)
    late = list(itertools.groupby(growing(x), key=lambda v: v > 0))
    return total + sum(sum(g) for _, g in late) + len(late) * x[1]


case(groups, u8)


def heap(x):
    queue = []
    for k, v in enumerate(x):
        heapq.heappush(queue, (v * v, k))
    total = 0.0
    for _ in range(3):
        v, k = heapq.heappop(queue)
        total += v * (k + 1)
    items = list(x)
    heapq.heapify(items)
    a = heapq.heapreplace(items, x[0] * x[1])
    b = heapq.heappushpop(items, x[2] * 0.1)
    total += a * b + sum(v * k for k, v in enumerate(items))
    return total + sum(heapq.nsmallest(2, x)) * heapq.nlargest(1, x, key=lambda v: -v)[0]


case(heap, u8)


def shortest_path(w):
    near = {0: [(1, 0), (2, 1)], 1: [(2, 2), (3, 3)], 2: [(3, 4)], 3: []}
    lengths, queue, done = {0: 0.0}, [(0.0, 0)], set()
    while queue:
        length, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        for other, edge in near[node]:
            new = length + w[edge]
            if other not in lengths or new < lengths[other]:
                lengths[other] = new
                heapq.heappush(queue, (new, other))
    return lengths[3] ** 2


case(shortest_path, np.array([1.0, 4.0, 2.0, 6.0, 3.0]))


@dataclass
class Inner:
    a: float
    w: np.ndarray


@dataclass
class Outer:
    inner: Inner
    parts: list
    k: int = 3
    made: float = field(init=False)

    def __post_init__(self):
        self.double, self.made = 2 * self.inner.a, 2.0


def outer():
    return (Outer(Inner(1.2, u4.copy()), [0.5, {"b": (0.7, 3)}]),)


def fields_of_dataclasses(p):
    d = asdict(p)
    d["inner"]["w"][0] = 5.0
    inner, parts, *_ = astuple(p)
    total = d["inner"]["a"] * d["inner"]["w"].sum() + d["parts"][1]["b"][0] * inner[1][0]
    return total + sum(getattr(p.inner, f.name).sum() if f.name == "w" else p.inner.a
                       for f in fields(p.inner)) * parts[0] + p.double * p.made


case(fields_of_dataclasses, wrt=(0,), make=outer)


def what_init_does_is_not_done_again(p):
    return p.inner.a * p.inner.a * p.double


case(what_init_does_is_not_done_again, wrt=(0,), make=outer)


def attributes_as_a_dict(p):
    attributes, same = vars(p), p
    attributes["a"] = attributes["a"] * 3
    same.a += attributes["w"][0]
    p.b = 2.0 * p.a
    attributes.update(c=attributes["b"] * p.a)
    total = p.a * attributes["b"] + sum(np.sum(v) for v in same.__dict__.values())
    return total + p.c * attributes.pop("c")


case(attributes_as_a_dict, Inner(1.2, u4))
