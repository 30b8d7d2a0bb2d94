"""Special methods that change something, and expressions in which Python or C code calls them.

The functions are made of a method, of what it changes, and of an expression: whatever calls the
method there, the derivative of what was changed is that of differences, or it is refused.
"""
import contextlib
import io

import numpy as np

import tangent_lite as tl
from tests.heap.referee import world

# method: (parameters, what it does behind the change, expressions that reach it)
TABLE = {
    "__index__": ("self", "return 1", """
        items[o] ; items[:o] ; items[o:] ; items[::o] ; range(5)[o] ; range(o) ; [1.0] * o ;
        o * [1.0] ; (1.0, 2.0) * o ; 'ab'[o] ; np.zeros(o) ; operator.index(o) ;
        np.arange(5.0)[o] ; np.arange(5.0)[:o] ; np.arange(6.0).reshape(2, 3)[0, o] ;
        items.pop(o) ; items.insert(o, 2.0) ; (1.0, 2.0)[o] ; bin(o) ; chr(o) ; int(o) ;
        slice(0, 2).indices(o) ; round(1.5, o) ; items.index(4.0, o) ;
        np.take(np.arange(5.0), o) ; list(itertools.islice(items, o)) ;
        list(itertools.repeat(1.0, o)) ; '%d' % o ; bytes(o) ; float(o) ; math.sqrt(o) ;
        items.__getitem__(o) ; collections.deque(items)[o] ; math.comb(5, o) ;
        items.__setitem__(o, 3.0) ; operator.getitem(items, o) ;
        operator.itemgetter(o)(items) ; complex(o) ; collections.deque(items).rotate(o) ;
        list(itertools.combinations(items, o)) ; list(enumerate(items, o)) ; 'a'.center(o) ;
        np.split(np.ones(4), [o]) ; sorted([3.0, 2.0], reverse=o)"""),
    "__bool__": ("self", "return True", """
        all([o]) ; any([o]) ; operator.truth(o) ; operator.not_(o) ; bool(o) ; not o ;
        (1.0 if o else 2.0) ; (o and 2.0) ; (o or 2.0) ; [v for v in items if o] ;
        list(filter(None, [o])) ; sum(1 for v in [o] if v) ; list(map(bool, [o])) ;
        list(itertools.compress([1.0], [o])) ; np.any([o]) ; np.all([o]) ; np.bool_(o) ;
        np.logical_not(o) ; list(itertools.filterfalse(None, [o])) ;
        list(itertools.takewhile(lambda v: v, [o])) ;
        list(itertools.dropwhile(lambda v: v, [o])) ; any({'a': o}.values()) ;
        next((v for v in [o] if v), None) ; list(filter(operator.truth, [o])) ;
        np.count_nonzero([o])"""),
    "__len__": ("self", "return 2", """
        len(o) ; bool(o) ; operator.truth(o) ; all([o]) ; any([o]) ; not o ;
        (1.0 if o else 2.0) ; operator.length_hint(o) ; list(map(len, [o])) ;
        sorted([o], key=len) ; range(len(o)) ; list(filter(None, [o])) ; operator.not_(o) ;
        o.__len__()"""),
    "__length_hint__": ("self", "return 2", """
        operator.length_hint(o) ; operator.length_hint(o, 3)"""),
    "__hash__": ("self", "return 5", """
        hash(o) ; {o: 1.0} ; d.get(o) ; o in d ; set([o]) ; {o} ; frozenset([o]) ;
        d.setdefault(o, 1.0) ; d.update({o: 1.0}) ; dict.fromkeys([o]) ;
        collections.Counter([o]) ; hash((o, 1)) ; {(o, 1): 2.0} ; {v: 1.0 for v in [o]} ;
        {v for v in [o]} ; d.pop(o, None) ; s.add(o) ; s.discard(o) ; o in s ; s.union([o]) ;
        list(map(hash, [o])) ; functools.lru_cache(lambda v: 1.0)(o) ;
        collections.defaultdict(float)[o] ; o in {1: 2.0} ; d.__setitem__(o, 2.0) ; s ; {o} ;
        set() == {o} ; (o, 1) in d ; dict(zip([o], [1.0])) ; o.__hash__() ;
        collections.OrderedDict([(o, 1.0)]) ; cached(o) ; sorted([o], key=hash) ; {1: 2.0} ;
        {o: 2.0} ; s.isdisjoint([o]) ; collections.ChainMap({o: 1.0})"""),
    "__eq__": ("self, other", "return True", """
        o == o2 ; o != o2 ; o in [o2] ; [o2].index(o) ; [o2].count(o) ; [o2].remove(o) ;
        [o] == [o2] ; {'a': o} == {'a': o2} ; (o2,).index(o) ; (o2,).count(o) ; o in (o2,) ;
        operator.eq(o, o2) ; [[o]] == [[o2]] ; operator.contains([o2], o) ;
        operator.countOf([o2], o) ; operator.indexOf([o2], o) ;
        collections.deque([o2]).index(o) ; o in {'a': o2}.values() ;
        ('a', o) in {'a': o2}.items() ; collections.deque([o]) == collections.deque([o2]) ;
        o == 1.0 ; 1.0 == o ; o in [1.0] ; 1.0 in [o] ; [1.0].count(o) ; [o].index(1.0) ;
        [o].count(1.0) ; [o].remove(1.0) ; o in iter([o2]) ; o in (v for v in [o2]) ;
        [o] in [[o2]] ; [(o, 1)].index((o2, 1)) ; [o] < [o2] ; (o, 1.0) < (o2, 2.0) ;
        sorted([(o, 1.0), (o2, 0.5)]) ; functools.reduce(operator.eq, [o, o2]) ;
        list(map(operator.eq, [o], [o2])) ; list(itertools.groupby([o, o2])) ;
        bisect.bisect([(o, 1.0)], (o2, 2.0)) ; collections.deque([o2]).remove(o)"""),
    "__lt__": ("self, other", "return False", """
        o < o2 ; o2 > o ; sorted([o, o2]) ; max([o, o2]) ; max(o, o2) ; [o, o2].sort() ;
        bisect.bisect([o], o2) ; heapq.heappush([o], o2) ; heapq.nsmallest(1, [o, o2]) ;
        min(o, o2) ; operator.lt(o, o2) ; sorted([(o, 1), (o2, 2)]) ;
        sorted([o, o2], reverse=True) ; [o] < [o2] ; (o,) < (o2,) ;
        sorted([1, 2], key=lambda v: o) ; bisect.bisect_left([o], o2) ;
        heapq.heappop([o, o2]) ; min([(o,), (o2,)]) ; list(map(operator.lt, [o], [o2])) ;
        o.__lt__(o2) ; sorted([[o], [o2]])"""),
    "__gt__": ("self, other", "return False", """
        o > o2 ; o2 < o ; max([o, o2]) ; sorted([o, o2]) ; operator.gt(o, o2) ; max(o, o2) ;
        [o] > [o2] ; max([1, 2], key=lambda v: o)"""),
    "__str__": ("self", "return 'c'", """
        str(o) ; '%s' % o ; '%s' % (o,) ; '{}'.format(o) ; f'{o}' ; f'{o!s}' ; print(o) ;
        format(o) ; ','.join(map(str, [o])) ; '%(a)s' % {'a': o} ; '{a}'.format(a=o) ;
        str.format('{}', o) ; '{a}'.format_map({'a': o}) ; str.join(',', [str(o)]) ;
        list(map(str, [o])) ; print(*[o]) ; operator.mod('%s', o) ; sorted([o], key=str)"""),
    "__repr__": ("self", "return 'c'", """
        repr(o) ; str(o) ; '%r' % o ; '%s' % o ; '{}'.format(o) ; '{!r}'.format(o) ; f'{o}' ;
        f'{o!r}' ; f'{o=}' ; print(o) ; str([o]) ; repr([o]) ; f'{[o]}' ; ascii(o) ;
        str((o,)) ; repr(collections.deque([o])) ; format(o) ; '%a' % o ;
        sorted([o], key=repr)"""),
    "__format__": ("self, how", "return 'c'", """
        format(o) ; format(o, '>5') ; f'{o}' ; f'{o:>5}' ; '{}'.format(o) ; '{:>5}'.format(o) ;
        '{0:x}'.format(o) ; '{a:x}'.format(a=o) ; list(map(format, [o])) ;
        '{a}'.format_map({'a': o})"""),
    "__int__": ("self", "return 1", """
        int(o) ; list(map(int, [o])) ; range(int(o)) ; '%d' % o ; operator.index(int(o)) ;
        np.int64(o) ; np.array(o, dtype=int) ; items[int(o)] ; np.zeros(2, int).fill(o)"""),
    "__trunc__": ("self", "return 1", """
        math.trunc(o)"""),
    "__float__": ("self", "return 1.5", """
        float(o) ; math.sqrt(o) ; math.floor(o) ; list(map(float, [o])) ; '%f' % o ;
        np.float64(o) ; np.asarray([o], dtype=float) ; math.isnan(o) ; math.isclose(o, 1.0) ;
        math.fsum([o]) ; np.array([1.0, 2.0]).fill(o) ; complex(o) ; a0.__setitem__(0, o) ;
        math.pow(o, 2) ; math.dist([o], [1.0]) ; math.ceil(o) ; np.array([o], float)"""),
    "__complex__": ("self", "return 1.5 + 0j", """
        complex(o) ; cmath.sqrt(o) ; np.complex128(o) ; cmath.isnan(o)"""),
    "__floor__": ("self", "return 1", """
        math.floor(o) ; list(map(math.floor, [o]))"""),
    "__ceil__": ("self", "return 1", """
        math.ceil(o)"""),
    "__round__": ("self, n=0", "return 1", """
        round(o) ; round(o, 1) ; list(map(round, [o]))"""),
    "__abs__": ("self", "return 1.0", """
        abs(o) ; operator.abs(o) ; np.abs(o) ; max([o], key=abs)"""),
    "__divmod__": ("self, other", "return (1, 2)", """
        divmod(o, 2)"""),
    "__rdivmod__": ("self, other", "return (1, 2)", """
        divmod(2, o)"""),
    "__pow__": ("self, other, m=None", "return 2.0", """
        pow(o, 2) ; o ** 2 ; operator.pow(o, 2) ; pow(o, 2, 3)"""),
    "__rpow__": ("self, other", "return 2.0", """
        pow(2, o) ; 2 ** o"""),
    "__add__": ("self, other", "return 1.0", """
        o + 1 ; sum([o, 1.0], o) ; sum([1.0], o) ; operator.add(o, 1) ;
        functools.reduce(operator.add, [o, 1.0]) ; list(itertools.accumulate([o, 1.0])) ;
        operator.iadd(o, 1)"""),
    "__radd__": ("self, other", "return 1.0", """
        1 + o ; sum([o]) ; sum([o], 0.0) ; operator.add(1, o) ; math.fsum([1 + o]) ;
        np.float64(1.0) + o ; sum(v for v in [o])"""),
    "__mul__": ("self, other", "return 1.0", """
        o * 1 ; operator.mul(o, 1) ; np.prod([2.0]) and o * 2"""),
    "__rmul__": ("self, other", "return 1.0", """
        2.0 * o ; math.prod([o]) ; np.float64(2.0) * o"""),
    "__mod__": ("self, other", "return 1.0", """
        o % 2 ; operator.mod(o, 2)"""),
    "__rmod__": ("self, other", "return 1.0", """
        2 % o"""),
    "__neg__": ("self", "return 1.0", """
        -o ; operator.neg(o) ; list(map(operator.neg, [o])) ; np.negative(o)"""),
    "__invert__": ("self", "return 1", """
        ~o ; operator.invert(o) ; operator.inv(o)"""),
    "__and__": ("self, other", "return 1", """
        o & 1 ; operator.and_(o, 1)"""),
    "__matmul__": ("self, other", "return 1.0", """
        o @ 1 ; operator.matmul(o, 1)"""),
    "__iadd__": ("self, other", "return self", """
        operator.iadd(o, 1)"""),
    "__lshift__": ("self, other", "return 1", """
        o << 1 ; operator.lshift(o, 1)"""),
    "__contains__": ("self, v", "return True", """
        1.0 in o ; 1.0 not in o ; operator.contains(o, 1.0) ; o.__contains__(1.0) ;
        any(v in o for v in items) ; list(filter(o.__contains__, items)) ;
        [v for v in items if v in o]"""),
    "__iter__": ("self", "return iter([1.0, 2.0])", """
        list(o) ; tuple(o) ; sum(o) ; max(o) ; sorted(o) ; [*o] ; (*o, 1.0) ; dict(zip(o, o)) ;
        list(zip(o, items)) ; any(o) ; all(o) ; 1.0 in o ; math.fsum(o) ; math.prod(o) ;
        ','.join(map(str, o)) ; collections.deque(o) ; items.extend(o) ;
        list(itertools.chain(o, o)) ; collections.Counter(o) ; next(iter(o)) ;
        np.fromiter(o, float) ; items.__setitem__(slice(0, 1), o) ;
        functools.reduce(operator.add, o) ; [v for v in o] ; list(itertools.product(o, o)) ;
        heapq.nlargest(1, o) ; operator.countOf(o, 1.0) ; operator.indexOf(o, 1.0) ;
        items.__iadd__(o) ; s.update(o) ; list(itertools.accumulate(o)) ; enumerate(o) ;
        collections.deque(items).extend(o) ; np.add(*o) ;
        list(itertools.starmap(math.pow, [o])) ; s.union(o) ; s.intersection(o) ;
        s.isdisjoint(o)"""),
    "__getitem__": ("self, k", "return [1.0, 2.0][k]", """
        o[0] ; operator.getitem(o, 0) ; operator.itemgetter(0)(o) ;
        list(map(operator.itemgetter(0), [o]))"""),
    "__setitem__": ("self, k, v", "pass", """
        operator.setitem(o, 0, 1.0) ; o.__setitem__(0, 1.0)"""),
    "__delitem__": ("self, k", "pass", """
        operator.delitem(o, 0)"""),
    "__reversed__": ("self", "return iter([1.0])", """
        list(reversed(o)) ; reversed(o)"""),
    "__call__": ("self, *v", "return 1.0", """
        o(1.0) ; callable(o) and o(1.0) ; (o(1.0) if callable(o) else 0.0) ;
        list(map(o, items)) ; sorted(items, key=o) ; max(items, key=o) ;
        functools.reduce(o, items) ; functools.partial(o, 1.0)() ; list(filter(o, items)) ;
        [o(v) for v in items] ; next(iter(o, 1.0), None) ; collections.defaultdict(o)['a'] ;
        list(itertools.accumulate(items, o)) ; list(itertools.starmap(o, [(1.0,)])) ;
        list(itertools.takewhile(o, items)) ; bisect.bisect(items, 1.0, key=o) ;
        heapq.nlargest(1, items, key=o) ; items.sort(key=o)"""),
    "__getattr__": ("self, name", "return 1.0", """
        o.missing ; getattr(o, 'missing') ; hasattr(o, 'missing') ;
        getattr(o, 'missing', 2.0) ; operator.attrgetter('missing')(o)"""),
    "__array__": ("self, dtype=None, copy=None", "return np.array([1.0, 2.0])", """
        np.asarray(o) ; np.array(o) ; np.sum(o) ; np.ones(2) + o ; np.stack([o, o]) ;
        np.concatenate([o, np.ones(2)]) ; np.shape(o) ; a0.__setitem__(slice(None), o) ;
        np.asarray([o])"""),
    "__sizeof__": ("self", "return 1", """
        sys.getsizeof(o)"""),
    "__dir__": ("self", "return []", """
        dir(o)"""),
    "__copy__": ("self", "return 1.0", """
        copy.copy(o)"""),
    "__deepcopy__": ("self, memo", "return 1.0", """
        copy.deepcopy(o) ; copy.deepcopy([o])"""),
    "__reduce_ex__": ("self, k", "return (list, ())", """
        copy.copy(o) ; copy.deepcopy(o)"""),
    "__getstate__": ("self", "return {}", """
        copy.copy(o)"""),
    "__fspath__": ("self", "return 'a'", """
        os.fspath(o)"""),
    "__bytes__": ("self", "return b'a'", """
        bytes(o)"""),
}
# What changes, and where that is read.
CHANGES = {
    "number": ("self.x = self.x * self.x", "o.x"),
    "item": ("self.xs[0] = self.xs[0] * self.xs[0]", "o.xs[0]"),
    "array": ("self.a[0] = self.a[0] * self.a[0]", "o.a[0]"),
    "other": ("self.other.x = self.other.x * self.other.x", "o.other.x"),
    "call": ("self.hit()", "o.other.x"),
    "global": ("STORE[0] = self.x * self.x", "STORE[0]"),
}
_TEXT = '''
import bisect, cmath, collections, copy, functools, heapq, itertools, operator, os, sys

STORE = [1.0]

class Box:
    def __init__(self, x):
        self.x = x

class C:
    def __init__(self, x):
        self.x, self.xs, self.a, self.other = x, [x, 1.0], np.array([x, 1.0]), Box(x)

    def hit(self):
        self.other.x = self.other.x * self.other.x

    def {method}({parameters}):
        {change}
        {rest}
{more}
cached = functools.lru_cache(lambda v: 1.0)

def f(x):{before}
    o, o2 = C(x), C(x)
    items, d, s, a0 = [3.0, 4.0, 5.0], {{1: 2.0}}, {{1}}, np.ones(2)
    q = {expression}
    return {read} * 3.0
'''
CASES = [(method, expression.strip()) for method, (_, _, text) in TABLE.items()
         for expression in text.split(" ;")]


def program(method, change, expression):
    """The text of a function."""
    parameters, rest, _ = TABLE[method]
    what, read = CHANGES[change]
    more = "    __hash__ = object.__hash__\n" if method == "__eq__" else ""
    return _TEXT.format(method=method, parameters=parameters, rest=rest, change=what, read=read,
                        more=more, expression=expression,
                        before="\n    STORE[0] = x" if change == "global" else "")


def differences(text):
    """The value of f at 1.3, and its derivative by differences; each run has its own world."""
    def value(x):
        with contextlib.redirect_stdout(io.StringIO()):
            return world(text)["f"](x)
    return value(1.3), (value(1.3 + 1e-6) - value(1.3 - 1e-6)) / 2e-6


def refused(text, context):
    """Why the derivative is refused; None if it is not, and then it is that of differences, and
    what lives outside is as it was."""
    value, slope = differences(text)
    names = world(text)
    try:
        with contextlib.redirect_stdout(io.StringIO()), context:
            found, gradient = tl.value_and_grad(names["f"])(1.3)
    except tl.TangentError as error:
        return error.reason
    assert found == value
    np.testing.assert_allclose(gradient, slope, rtol=1e-6)
    assert names.get("STORE", [1.0]) == [1.0]
    return None
