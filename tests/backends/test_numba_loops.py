"""Loops over elements against the statements that they stand for, on drawn statements.

The text that `numba_loops` writes is run here as Python, with functions of Python for what it
calls: so thousands of programs are compared where Numba would compile a few. What Numba makes of
such text is compared in the other files of this folder.
"""
import random
import textwrap

import gast
import numpy as np
import pytest

numba = pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite import runtime  # noqa: E402
from tangent_lite.backends.numba_groups import grouped  # noqa: E402
from tangent_lite.backends.numba_loop_writing import WORDS  # noqa: E402
from tangent_lite.backends.numba_loops import Writer  # noqa: E402
from tangent_lite.backends.numba_memory import apart  # noqa: E402
from tangent_lite.backends.numba_number_names import NOTHING_KNOWN  # noqa: E402
from tangent_lite.backends.numba_numpy import np_sum, np_where, np_zeros_like  # noqa: E402
from tangent_lite.backends.numba_products import np_dot  # noqa: E402
from tangent_lite.backends.numba_thin import thin_names  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402
from tangent_lite.names import Names  # noqa: E402
from tests.backends.comparing import same  # noqa: E402


def unreduce(*args):
    """As in compiled code: an array of its own, and no view."""
    return np.copy(runtime.unreduce(*args))


def unbroadcast(dy, x):
    """As in compiled code: an array that may be written."""
    found = runtime.unbroadcast(dy, x)
    return found.copy() if isinstance(found, np.ndarray) and not found.flags.writeable else found


def add_at(x, index, values):
    """As in compiled code: an index out of bounds is an error (a gather has looked before)."""
    np.add.at(x, index, values)


SPACE = {"np": np, "np_sum": np_sum, "np_where": np_where, "np_zeros_like": np_zeros_like,
         "np_dot": np_dot, "unbroadcast": unbroadcast, "unreduce": unreduce,
         "broadcast": runtime.broadcast,
         "zeros_like": runtime.zeros_like, "add_at": add_at, "apart": apart,
         "where_larger": runtime.where_larger}
MEANING = {**SPACE, "unreduce": runtime.unreduce, "unbroadcast": runtime.unbroadcast,
           "add_at": runtime.add_at}


def extent(x):
    """The first and the last byte of an array, as of compiled code."""
    return np.lib.array_utils.byte_bounds(x) if x.size and hasattr(np.lib, "array_utils") \
        else np.byte_bounds(x) if x.size else (0, 0)


def put(x, value, *index):
    assert all(0 <= i < n for i, n in zip(index, x.shape)) and len(index) == x.ndim
    x[index] = value


def item(x, *index):
    assert all(0 <= i < n for i, n in zip(index, x.shape)) and len(index) == x.ndim
    return x[index]


def empty(shape):
    return np.full(shape, np.nan)


def hollow(shape):
    """What may be asked for its shape, and for nothing else."""
    return np.broadcast_to(np.nan, shape)


ON_STACK = []


def empty_in(memory, shape):
    """What is gone when the function returns."""
    ON_STACK.append(empty(shape))
    return ON_STACK[-1]


def empties(shape, each):
    """Parts of one piece of memory."""
    block = empty((len(each) * shape[0],))
    return [block[k * shape[0]:(k + 1) * shape[0]] for k in range(len(each))]


PYTHON = {"hollow": hollow, "empty_in": empty_in, "room": lambda: None, "empties": empties,
          "item": item, "put": put, "extent": extent, "empty": empty, "in_order": lambda x: x,
          "in_whole_steps": WORDS["in_whole_steps"],
          "exponential": np.exp, "hyperbolic_tangent": np.tanh,
          "meet": lambda x, y: x[0] < y[1] and y[0] < x[1],
          **{name: WORDS[name] for name in (
              "shifted", "stepped", "place", "first_of", "length_from", "length_to_end", "zeros",
              "divide", "power", "square", "real")}}


def means(node):
    if isinstance(node, gast.Name):
        return MEANING.get(node.id)
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
            and node.value.id == "np":
        return getattr(np, node.attr, None)
    return None


def both(statements, values, results):
    """Functions of the values: the statements as they are, and as loops; and the loops' texts."""
    text = f"def f({', '.join(values)}):\n{textwrap.indent(statements, '    ')}\n" \
           f"    return {', '.join(results)},\n"
    plain = dict(SPACE)
    exec(text, plain)
    tree = gast.parse(text).body[0]
    taken = set(SPACE) | set(values)

    fresh = Names(taken).fresh

    groups = grouped(tree, means, fresh, NOTHING_KNOWN)
    space = dict(SPACE)
    texts = []

    def behind(group):
        def made(kinds, *options):
            writer = Writer(group, kinds, means, {*SPACE, "otherwise"}, *options)
            texts.append(writer.text())
            inner = dict(SPACE)
            inner.update({writer.words[n]: thing for n, thing in PYTHON.items()
                          if n in writer.words})
            exec(texts[-1], inner)
            return inner

        def called(function, args):
            found = function(*args)
            for array in ON_STACK:
                array[...] = np.nan
            ON_STACK.clear()
            return found

        def run(*args):
            kinds = {name: kind_of(value) for name, value in zip(group.parameters, args)}
            whole = made(kinds)[group.name]
            before = [np.copy(a) for a in args]
            found = called(whole, args)
            if not group.writes:                # as it is written for compiled callers
                for old, new in zip(before, args):
                    assert np.array_equal(old, new, equal_nan=True)
                space = made(kinds, False, False, "otherwise")
                space["otherwise"] = whole
                again = called(space[group.name], args)
                many = isinstance(found, tuple)
                for one, other in zip(found if many else [found], again if many else [again]):
                    assert one is other is None or np.shape(one) == np.shape(other) \
                        and np.array_equal(one, other, equal_nan=True)
            return found
        return run

    for group in groups:
        space[group.name] = behind(group)
    exec(emit(tree), space)
    return plain["f"], space["f"], texts


def kind_of(value):
    if isinstance(value, np.generic):
        value = value.item()
    return numba.typeof(value)


# Programs ----------------------------------------------------------------------------------------
class Draw:
    """Statements about vectors x, y, ..., matrices A, B, ..., numbers s, t and rows."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.vectors, self.matrices = ["x", "y", "z"], ["A", "B"]
        self.numbers = ["s", "t"]
        self.count = 0
        self.kept = set()
        self.thin = []                  # matrices with an axis of one item

    def new(self, wish):
        self.count += 1
        # Sometimes a name that there is.
        pool = {"v": self.vectors, "m": self.matrices, "n": self.numbers}[wish]
        pool = [name for name in pool if name not in self.kept]
        if self.random.random() < 0.25:
            return self.random.choice(pool)
        return f"{wish}{self.count}"

    def unread(self):
        """A name that stays what it is: all that is bound to it is looked at in the end."""
        self.count += 1
        self.kept.add(f"part{self.count}")
        return f"part{self.count}"

    def slice(self):
        return self.random.choice(["1:", ":-1", "1:-1", "2:", ":-2", ":", "::2", "::-1", "1::2",
                                   "k:", ":k", "-3:"])

    def number(self, depth=0):
        r = self.random.random()
        if r < 0.5 or depth > 1:
            return self.random.choice([*self.numbers, "2.0", "-0.5", "3"])
        if r < 0.6:
            return f"{self.random.choice(self.vectors)}[k]"
        if r < 0.65:
            return f"{self.random.choice(self.vectors)}.size"
        if r < 0.7:
            return f"{self.random.choice(self.matrices)}.shape[{self.random.randrange(2)}]"
        return f"({self.number(depth + 1)} {self.random.choice('+-*')} {self.number(depth + 1)})"

    def vector(self, depth=0):
        r = self.random.random()
        name = self.random.choice(self.vectors)
        if r < 0.35 or depth > 2:
            return name
        if r < 0.45:
            return f"{name}[{self.slice()}]"
        if r < 0.5:
            return f"{self.random.choice(self.matrices)}[k]"
        if r < 0.54:
            return f"{self.random.choice(self.matrices)}[:, k]"
        if r < 0.58:
            return f"{name}[rows]"
        if r < 0.64:
            return f"np.{self.random.choice(['sin', 'tanh', 'square'])}({self.vector(depth + 1)})"
        if r < 0.68:
            return f"unbroadcast({self.new_vector(depth + 1)}, {name})"
        if r < 0.70:
            return f"unreduce({self.number()} * 1.0, {name})"
        if r < 0.71:
            other = self.random.choice(self.vectors)
            return f"unreduce({self.number()} * 1.0, broadcast({name}, {other}))"
        if r < 0.72:
            other = self.random.choice(self.vectors)
            return f"unbroadcast({self.new_vector(depth + 1)}, broadcast({name}, {other}))"
        if r < 0.74:
            return f"(-{self.vector(depth + 1)})"
        if r < 0.77:
            return f"np.maximum({self.vector(depth + 1)}, {self.number()})"
        if r < 0.80:
            return f"np_where({self.vector(depth + 1)} > {self.number()}, " \
                   f"{self.vector(depth + 1)}, {self.number()})"
        other = self.number() if self.random.random() < 0.3 else self.vector(depth + 1)
        return f"({self.vector(depth + 1)} {self.random.choice('+-**')} {other})"

    def new_vector(self, depth):
        """An array that has no other name: in place, emitted code changes only such."""
        return f"(-{self.vector(depth)})"

    def matrix(self, depth=0):
        r = self.random.random()
        name = self.random.choice(self.matrices)
        if r < 0.35 or depth > 2:
            return name
        if r < 0.42:
            return f"{name}[{self.slice()}]"
        if r < 0.47:
            return f"{name}[:, {self.slice()}]"
        if r < 0.53:
            return f"{name}[rows]"
        if r < 0.57:
            return f"({self.vector(2)}[:, None] * {self.vector(2)})"
        if r < 0.6:
            return f"{self.random.choice(self.vectors)}" \
                   + self.random.choice(["[:, None]", "[None, :]"])
        if r < 0.62:
            return f"np_sum({self.matrix(depth + 1)}, axis={self.random.choice([0, 1, -1])}, " \
                   "keepdims=True)"
        if r < 0.66:
            return f"unreduce({self.vector(2)}, {name}, {self.random.choice(['0', '1', '-1'])})"
        if r < 0.68:
            other = self.random.choice([*self.vectors, *self.matrices])
            return f"unreduce({self.number()} * 1.0, broadcast({name}, {other}))"
        if r < 0.69:
            other = self.random.choice([*self.vectors, *self.matrices])
            return f"unbroadcast(-{self.matrix(depth + 1)}, broadcast({other}, {name}))"
        if r < 0.74:
            return f"unbroadcast(-{self.matrix(depth + 1)}, {name})"
        if r < 0.78:
            return f"np.tanh({self.matrix(depth + 1)})"
        if r < 0.84:
            return f"({self.matrix(depth + 1)} {self.random.choice('+-*')} {self.vector(2)})"
        return f"({self.matrix(depth + 1)} {self.random.choice('+-*')} {self.matrix(depth + 1)})"

    def statement(self):
        r = self.random.random()
        if r < 0.04:
            column, name = self.random.choice(["[:, None]", "[None, :]"]), self.unread()
            text = f"{name} = {self.random.choice(self.vectors)}{column}"
            self.matrices += [name] * 3
            return text
        if r < 0.07:
            text = f"unbroadcast(-{self.matrix(1)}, {self.random.choice(self.matrices)})"
            name = self.new("m")
            self.matrices += [name] * 2
            return f"{name} = {text}"
        if r < 0.09:                    # no statement of a loop: what follows is another group
            return f"note{self.count} = 'text'"
        if r < 0.13:
            if self.thin and self.random.random() < 0.5:
                text = f"unbroadcast(-{self.matrix(1)}, {self.random.choice(self.thin)})"
            else:
                text = f"np_sum({self.matrix(1)}, axis={self.random.choice([0, 1, -1])}, " \
                       "keepdims=True)"
            self.count += 1
            name = f"thin{self.count}" if self.random.random() < 0.8 else self.new("m")
            self.thin.append(name)
            self.matrices += [name] * 3
            return f"{name} = {text}"
        if r < 0.25:
            text, name = self.vector(), self.new("v")
            if text.endswith("]"):      # not looked at if nobody reads it, and not out of bounds
                name = self.unread()
            self.vectors += [name] * 2
            return f"{name} = {text}"
        if r < 0.4:
            text, name = self.matrix(), self.new("m")
            if text.endswith("]"):
                name = self.unread()
            self.matrices += [name] * 2
            return f"{name} = {text}"
        if r < 0.48:
            one, two = self.vector(), self.vector()
            text = self.random.choice([f"np_sum({one})", f"{one} @ {two}",
                                       f"{self.number()} + np_sum({self.matrix()})",
                                       f"np_sum({one} * {two}) * {self.number()}"])
            name = self.new("n")
            self.numbers.append(name)
            return f"{name} = {text}"
        if r < 0.53:
            text, name = self.number(), self.new("n")
            self.numbers.append(name)
            return f"{name} = {text}"
        if r < 0.60:
            text, name = f"np_sum({self.matrix()}, axis={self.random.choice([0, 1, -1])})", \
                self.new("v")
            self.vectors.append(name)
            return f"{name} = {text}"
        if r < 0.64:
            like = self.random.choice(self.vectors)
            if self.random.random() < 0.2:
                like = f"broadcast({like}, {self.random.choice(self.vectors)})"
            text, name = f"unbroadcast({self.matrix()}, {like})", self.new("v")
            self.vectors.append(name)
            return f"{name} = {text}"
        if r < 0.72:
            name = self.random.choice(self.vectors)
            return f"{name}[{self.slice()}] {self.operator()} {self.vector()}"
        if r < 0.76:
            name = self.random.choice(self.vectors)
            return f"{name}[{self.slice()}] = {self.vector()}"
        if r < 0.80:
            name = self.random.choice(self.matrices)
            index = self.random.choice(["k", ":, k", self.slice(), f":, {self.slice()}"])
            return f"{name}[{index}] {self.operator()} {self.vector()}"
        if r < 0.84:
            return f"{self.random.choice(self.vectors)} {self.operator()} {self.vector()}"
        if r < 0.87:
            return f"{self.random.choice(self.matrices)} {self.operator()} {self.matrix()}"
        if r < 0.89:
            return f"{self.random.choice(self.numbers)} += np_sum({self.vector()})"
        if r < 0.92:
            name = self.random.choice(self.vectors)
            made = self.new("v")
            self.vectors += [made] * 3
            return f"{made} = {self.random.choice(['np_zeros_like', 'zeros_like'])}({name})"
        if r < 0.96:
            return f"add_at({self.random.choice(self.vectors)}, rows, {self.vector()})"
        if r < 0.98:
            return f"add_at({self.random.choice(self.matrices)}, rows, {self.matrix()})"
        return f"{self.random.choice(self.vectors)}[k] {self.operator()} {self.number()}"

    def operator(self):
        return self.random.choice(["+=", "+=", "-=", "*="])


def values_for(seed, size):
    """Arguments, now and then with arrays that share memory or have other shapes."""
    rng = np.random.default_rng(seed)
    draw = random.Random(seed)
    n = size
    found = {"x": rng.normal(size=n), "y": rng.normal(size=n), "z": rng.normal(size=n),
             "A": rng.normal(size=(n, n)), "B": rng.normal(size=(n, n)), "s": 0.7, "t": -1.3,
             "k": draw.randrange(-n, n) if n else 0, "rows": rng.integers(-n, n, n) if n else
             np.zeros(0, np.int64)}
    chance = draw.random()
    if chance < 0.1:
        found["y"] = found["x"]
    elif chance < 0.2:
        memory = rng.normal(size=n + 1)
        found["x"], found["y"] = memory[1:], memory[:-1]
    elif chance < 0.3 and n:
        found["x"] = found["A"][0]
    elif chance < 0.35:
        found["z"] = rng.normal(size=1)
    elif chance < 0.4:
        found["B"] = rng.normal(size=(n, 1))
    elif chance < 0.45:
        found["x"] = rng.normal(size=2 * n)[::2]
    elif chance < 0.5:
        found["B"] = rng.normal(size=(1, n))
    return found


def copied(values):
    """The same with memory of its own, shared as before."""
    import copy
    bases = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            base = value if value.base is None else value.base
            bases.setdefault(id(base), base.copy())
    out = {}
    for name, value in values.items():
        if not isinstance(value, np.ndarray):
            out[name] = copy.copy(value)
            continue
        base = value if value.base is None else value.base
        new = bases[id(base)]
        offset = value.ctypes.data - base.ctypes.data
        out[name] = np.ndarray(value.shape, value.dtype, new, offset, value.strides)
    return out


def outcome(function, values):
    values = copied(values)
    with np.errstate(all="ignore"):
        try:
            found = function(**values)
        except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
            return type(error).__name__, None
    arrays = [v for v in values.values() if isinstance(v, np.ndarray)]
    return "value", (*found, *arrays)


def agree(seed, counts=None):
    draw = Draw(seed)
    statements = "\n".join(draw.statement() for _ in range(draw.random.randrange(3, 14)))
    names = [n for n in dict.fromkeys([*draw.vectors, *draw.matrices, *draw.numbers])]
    results = draw.random.sample(names, min(len(names), draw.random.randrange(1, 5)))
    values = values_for(seed, draw.random.choice([0, 1, 3, 3, 4, 5]))
    try:
        plain, loops, texts = both(statements, values, results)
    except SyntaxError:
        return
    expected, found = outcome(plain, values), outcome(loops, values)
    if expected[0] != "value" == found[0]:
        # What nobody reads is not computed, and does not fail.
        found = outcome(both(statements, values, names)[1], values)
    said = f"seed {seed}\n{statements}\nreturn {results}\n" + "\n".join(texts)
    assert (expected[0] == "value") == (found[0] == "value"), f"{expected} {found}\n{said}"
    if counts is not None:
        counts.append((expected[0] == "value", "for " in "".join(texts)))
    for a, b in zip(expected[1] or (), found[1] or ()):
        assert np.shape(a) == np.shape(b), said
        np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-9, equal_nan=True, err_msg=said)


@pytest.mark.parametrize("first", range(0, 2000, 200))
@pytest.mark.sweep(6)
def test_drawn_statements(first):
    counts = []
    for seed in range(first, first + 200):
        agree(seed, counts)
    assert sum(ran and looped for ran, looped in counts) > 40


def test_a_parameter_that_becomes_a_column():
    """Only from there on it has one column."""
    values = {"A": np.arange(6.0).reshape(2, 3), "B": np.ones((2, 3))}
    plain, looped, texts = both(
        "B = B * A\nA = np_sum(A * B, axis=1, keepdims=True)\nB = B * A", values, ["A", "B"])
    for found, expected in zip(looped(**values), plain(**values)):
        np.testing.assert_array_equal(found, expected)
    assert texts


def test_thin_names_are_thin_wherever_they_are_bound_and_by_numpy():
    def reduced(x, axis, keepdims):         # a function that means another thing by keepdims
        return x

    tree = gast.parse(
        "def f(x):\n    for s in x:\n        s = np_sum(s, axis=1, keepdims=True)\n"
        "    x = np_sum(x, axis=1, keepdims=True)\n    y = np_sum(x, axis=1, keepdims=True)\n"
        "    z = reduced(x, axis=1, keepdims=True)\n").body[0]
    assert thin_names(tree, lambda node: {**MEANING, "reduced": reduced}.get(node.id)) == {"y": 1}


def softmax(x, w):
    z = x @ w
    p = np.exp(z - np.max(z, axis=1, keepdims=True))
    p = p / np.sum(p, axis=1, keepdims=True)
    return np.sum(np.log(p) * x)


@pytest.mark.slow
def test_axes_of_one_item_are_stretched():
    """What keepdims leaves is known to be stretched, so the first form is the only one."""
    d = tl.grad(softmax, wrt=("x", "w"), backend="numba")
    rng = np.random.default_rng(0)
    for rows, columns in ((4, 3), (1, 3), (4, 1), (1, 1), (0, 3)):
        args = rng.normal(size=(rows, columns)), rng.normal(size=(columns, columns))
        for found, expected in zip(d(*args), tl.grad(softmax, wrt=("x", "w"))(*args)):
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    assert d._latest.compiled.how == "loops"


# Rows of tables that loops multiply with each other ---------------------------------------------
def factors(U, V, users, items, ratings):
    total = 0.0
    for t in range(len(ratings)):
        error = ratings[t] - np.dot(U[users[t]], V[items[t]])
        total += error * error
    return total


def weighted(U, V, users, items, ratings):
    total = 0.0
    for t in range(len(ratings)):
        total += np.dot(U[users[t]] * items[t], V[items[t]]) ** 2 * ratings[users[t]]
    return total


@pytest.mark.parametrize("function", [factors, weighted])
def test_rows_that_vectors_of_ints_name(function):
    rng = np.random.default_rng(8)
    users, items = np.array([0, 1, 3, -1, 0]), np.array([4, 2, -2, 0, 1])
    for width in (0, 1, 3, 20):
        args = rng.normal(size=(4, width)), rng.normal(size=(5, width)), users, items, \
            rng.normal(size=5)
        for given in (args, (args[0][::-1], args[1][:, ::-1], users[::-1], items, args[4]),
                      (args[0], args[1], users.astype(np.int32), items, args[4])):
            wrt = (0, 1, 4)
            try:
                found = tl.grad(function, wrt=wrt, backend="numba")(*given)
            except tl.TangentError as error:        # as ever, of other dtypes
                assert "int32" in str(error)
                continue
            assert same(tl.grad(function, wrt=wrt)(*given), found)
    with pytest.raises(IndexError):
        tl.grad(function, backend="numba")(args[0], args[1], users + 4, items, args[4])


def test_rows_of_one_table():
    """The two rows may be one, and what is added to is read."""
    def f(U, users, n):
        V = U * 0.5
        total = 0.0
        for t in range(n):
            total += np.dot(V[users[t]], V[users[t - 1]]) * V[0, 1]
            V[users[t]] += 0.1 * V[users[t - 1]]
        return total + np.sum(V)

    args = np.random.default_rng(9).normal(size=(3, 4)), np.array([0, 2, 2, 1]), 4
    assert same(tl.grad(f)(*args), tl.grad(f, backend="numba")(*args))


# Extremes ----------------------------------------------------------------------------------------
def pooled(x):
    out = np.empty((x.shape[0] // 2, x.shape[1] // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.max(x[2 * i:2 * i + 2, 2 * j:2 * j + 2])
    return np.sum(out ** 2)


def of_rows(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.max(x[i]) * np.min(x[i] + x[0])
    return total


def of_both(x):
    return np.max(x) * np.sum(np.max(x, axis=0)) + np.min(np.abs(x)) ** 2


def of_anything(x):
    return np.max(x) * np.max(2.0 * x)


@pytest.mark.parametrize("function, args", [
    (pooled, np.arange(16.0).reshape(4, 4) % 5), (pooled, np.zeros((2, 5))),
    (of_rows, np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0]])), (of_rows, np.ones((2, 1))),
    (of_both, np.eye(3)), (of_anything, 1.5), (of_anything, np.ones((2, 1, 2, 1, 2))),
    (of_anything, np.array([1.0, np.nan]))])
def test_slopes_of_extremes(function, args):
    with np.errstate(invalid="ignore"):
        expected = tl.grad(function)(args)
    assert same(expected, tl.grad(function, backend="numba")(args))


if __name__ == "__main__":
    import sys
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        try:
            agree(number)
        except Exception as error:
            print("seed", number); print(str(error)[:3500])
            print(type(error))
            break
    else:
        print("all agree")
