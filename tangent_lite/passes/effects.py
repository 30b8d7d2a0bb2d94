"""Write calls that write into arrays as the assignments to parts that they are.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x, y):
...     z = np.multiply(x, x, out=y)
...     y.fill(2.0)
...     np.add.at(y, [0, 0], x)
...     return z
... ''').body[0]
>>> typer = Typer({}, {"np": np}.get)
>>> facts = infer(tree, {"x": Array(1, "float"), "y": Array(1, "float")}, typer)
>>> effects(tree, tree, facts, typer, Names(), lambda thing, name: syntax.load(name))
True
>>> print(emit(tree), end="")
def f(x, y):
    t = np.multiply(x, x)
    y[...] = t
    z = y
    y[...] = 2.0
    y[[0, 0]] += x
    return z

The value is that of the call, to the bit, as the pass `into` writes `y[...] = np.multiply(x, x)`
back as `np.multiply(x, x, out=y)`, and an increment marked by `np.add.at` as that. A call that
cannot be written so exactly stays, and is refused where something active is involved.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses import writers
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.purity import can_be_hashed
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.names import Names
from tangent_lite.runtime import groups

# Draws of as many numbers as `out` has places, and how many arguments stand in front of `size`.
_FILLING = {np.random.Generator.random: 0, np.random.Generator.standard_normal: 0,
            np.random.Generator.standard_exponential: 0, np.random.Generator.standard_gamma: 1}

External = Callable[[Any, str], gast.expr]


def effects(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
            names: Names, external: External) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    plain = list(syntax.statements(tree.body))
    made: dict[int, list[gast.stmt]] = {}
    for number, node in enumerate(syntax.statements(numbered.body)):
        if not isinstance(node, (gast.Assign, gast.Expr)) or not isinstance(node.value, gast.Call):
            continue
        function, receiver = facts.callees.get(id(node.value), (NO_OBJECT, None))
        if function is NO_OBJECT:
            continue
        typer.names = facts.before[id(node)]
        writer = _Writer(plain[number].value, node.value, function, receiver, typer, names,
                         external)
        value = writer.write()
        if value is None:
            continue
        if isinstance(node, gast.Assign):
            writer.out.append(gast.Assign(plain[number].targets, value, None))
        made[id(plain[number])] = [syntax.placed(one, plain[number]) for one in writer.out]
    if made:
        for block in syntax.all_blocks(tree):
            block[:] = [one for n in block for one in made.get(id(n), [n])]
    return bool(made)


class _Writer:
    """Writes one call out; `out` receives the statements.

    call: as it stands in the tree; known: the same call with the names that the facts know.
    """

    def __init__(self, call: gast.Call, known: gast.Call, function: Any,
                 receiver: gast.expr | None, typer: Typer, names: Names,
                 external: External) -> None:
        self.call, self.function, self.typer, self.names = call, function, typer, names
        self.receiver = receiver
        self.external = external
        self.out: list[gast.stmt] = []
        owner = [] if receiver is None else [(call.func.value, receiver)]
        self.given = owner + list(zip(call.args, known.args))
        self.keywords = {one.arg: (one.value, two.value)
                         for one, two in zip(call.keywords, known.keywords)}
        self.kinds = {id(mine): typer.kind(theirs)
                      for mine, theirs in [*self.given, *self.keywords.values()]}
        self.plain = not any(isinstance(a, gast.Starred) for a in call.args) \
            and None not in self.keywords

    def write(self) -> gast.expr | None:
        """The value of the call, once it is written out; None if it stays."""
        if not self.plain:
            return None
        handler = HANDLERS.get(self.function) if can_be_hashed(self.function) else None
        if handler is not None:
            return handler(self)
        if writers.is_ufunc_method(self.function, "at"):
            return self.at()
        if writers.is_ufunc_method(self.function):
            return None
        return self.into()

    # Words ------------------------------------------------------------------------------------
    def np(self, name: str, *args: gast.expr) -> gast.expr:
        return syntax.call(syntax.attribute(self.external(np, "np"), name), *args)

    def kind(self, node: gast.expr | None) -> kinds.Kind:
        return kinds.NOTHING if node is None else self.kinds.get(id(node), kinds.UNKNOWN)

    def named(self, value: gast.expr, wish: str = "t") -> gast.expr:
        """A value under a name, if it has none."""
        if isinstance(value, gast.Name) or (syntax.is_atom(value)
                                            and isinstance(value, gast.Constant)):
            return syntax.copy(value)
        name = self.names.fresh(wish)
        self.out.append(syntax.assign(name, value))
        return syntax.load(name)

    def arguments(self, *names: str) -> dict[str, gast.expr] | None:
        """The arguments by name; None if there are others."""
        found = {name: mine for name, (mine, _) in zip(names, self.given)}
        found.update({name: mine for name, (mine, _) in self.keywords.items()})
        return found if len(self.given) <= len(names) and set(found) <= set(names) else None

    def is_array(self, node: gast.expr | None, ndim: int | None = None,
                 dtype: str | None = None) -> bool:
        """Whether a node is an array for certain, of that rank and class if they are given."""
        kind = self.kind(node)
        return isinstance(kind, Array) and (ndim is None or kind.ndim == ndim) \
            and (dtype is None or kind.dtype == dtype)

    def is_number(self, node: gast.expr | None) -> bool:
        return isinstance(self.kind(node), kinds.Number)

    def may_be_written(self, node: gast.expr | None) -> bool:
        """Whether a node is a name that may mean an array."""
        return isinstance(node, gast.Name) and (
            self.kind(node) == kinds.UNKNOWN or isinstance(self.kind(node), (Array, kinds.Numeric)))

    def as_array(self, node: gast.expr) -> gast.expr:
        """A list of values as an array."""
        kind = self.kind(node)
        if isinstance(kind, (kinds.ListKind, kinds.TupleKind)):
            return self.named(self.np("array", syntax.copy(node)))
        return syntax.copy(node)

    def store(self, target: gast.expr, index: gast.expr | None, value: gast.expr,
              **marks: Any) -> None:
        """`target[index] = value`."""
        node = syntax.assign(
            syntax.subscript(syntax.copy(target), index or gast.Constant(Ellipsis, None),
                             gast.Store()), self.named(value))
        node.__dict__.update(marks)
        self.out.append(node)

    def part(self, owner: gast.expr, index: gast.expr) -> gast.expr:
        return self.named(syntax.subscript(syntax.copy(owner), syntax.copy(index)), "part")

    # out= -------------------------------------------------------------------------------------
    def into(self) -> gast.expr | None:
        """`np.f(x, out=y)`: y[...] = np.f(x), and the value is y."""
        if "out" in self.keywords:
            if not writers.is_numerical(self.function) or self.function in writers.WITHOUT_OUT:
                return None
        elif not writers.outs(self.call, self.function, self.receiver):
            return None
        place = self.function.nin if isinstance(self.function, np.ufunc) else \
            writers.out_place(self.function)
        if writers.is_image(self.function):
            return None                         # which computes in the type of what it writes into
        bare = syntax.copy(self.call)
        bare.keywords = [k for k in bare.keywords if k.arg != "out"]
        spot = None if place is None else place - len(self.given) + len(bare.args)
        target: gast.expr | None = self.keywords["out"][0] if "out" in self.keywords else None
        if spot is not None and len(bare.args) > spot:
            target = self.call.args[spot]
            if len(bare.args) > spot + 1:
                return None                     # what follows would move to another place
            bare.args = bare.args[:spot]
        elif "out" not in self.keywords:
            return None
        if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 1:
            kind = self.kind(target)
            self.kinds[id(target.elts[0])] = kind.items[0] \
                if isinstance(kind, kinds.TupleKind) else kinds.UNKNOWN
            target = target.elts[0]
        if isinstance(target, gast.Constant) and target.value is None:
            return self.named(bare)
        if not self.may_be_written(target) or getattr(self.function, "nout", 1) != 1:
            return None
        is_draw = writers.is_in(self.function, _FILLING)
        if is_draw:
            if "size" in self.keywords or len(bare.args) > _FILLING[self.function]:
                return None                     # it must be that of the array: NumPy checks it
            bare.keywords.append(gast.keyword("size", self.named(
                syntax.attribute(syntax.copy(target), "shape"), "n")))
        casting: list[gast.keyword] = []
        if isinstance(self.function, np.ufunc):
            casting = [k for k in bare.keywords if k.arg == "casting"]
            bare.keywords = [k for k in bare.keywords if not _is_usual(k)]
            if any(k.arg == "where" for k in bare.keywords):
                return self.into_where(bare, target)
        name = self.names.fresh("t")
        one = syntax.assign(name, bare)
        one.goes_into = self.np("empty_like").func
        self.out.append(one)
        elementwise = isinstance(self.function, np.ufunc) and self.function.signature is None
        self.store(target, None, syntax.load(name), fits=not elementwise, result_of=not elementwise,
                   casting=casting, apart=not (
                       is_draw or isinstance(self.function, np.ufunc)
                       or self.function in writers.CAREFUL))
        return syntax.copy(target)

    def into_where(self, bare: gast.Call, target: gast.expr) -> gast.expr | None:
        """`np.f(x, out=y, where=mask)`: y[mask] = np.f(x[mask])."""
        mask = next(k.value for k in bare.keywords if k.arg == "where")
        mine = self.keywords["where"][0]
        if not self.is_array(mine, dtype="bool") or not self.is_array(target) \
                or self.function.signature is not None:
            return None
        if not all(self.is_array(a) or self.is_number(a) for a, _ in self.given):
            return None
        bare.keywords = [k for k in bare.keywords if k.arg != "where"]
        shape = syntax.attribute(syntax.copy(target), "shape")
        kind = self.kind(target)

        def spread(node: gast.expr, like: kinds.Kind) -> gast.expr:
            if kinds.same_shape(like, kind):
                return syntax.copy(node)
            return self.named(self.np("broadcast_to", syntax.copy(node), self.named(shape, "n")))

        mask = spread(mask, self.kind(mine))
        parts: dict[str, gast.expr] = {}
        for number, (given, _) in list(enumerate(self.given))[:len(bare.args)]:
            if self.is_array(given) and isinstance(given, gast.Name):
                if given.id not in parts:
                    whole = spread(given, self.kind(given))
                    parts[given.id] = self.part(whole, mask)
                bare.args[number] = syntax.copy(parts[given.id])
        self.store(target, mask, bare)
        return syntax.copy(target)

    # Functions that write ---------------------------------------------------------------------
    def copyto(self) -> gast.expr | None:
        found = self.arguments("dst", "src", "casting", "where")
        if found is None or not {"dst", "src"} <= set(found) \
                or not self.may_be_written(found["dst"]):
            return None
        value = self.as_array(found["src"])
        masked = "where" in found and not _is_true(found["where"])
        if masked:
            value = self.np("where", syntax.copy(found["where"]), value, syntax.copy(found["dst"]))
        self.store(found["dst"], None, value, apart=masked, is_masked=masked)
        return gast.Constant(None, None)

    def fill(self) -> gast.expr | None:
        found = self.arguments("a", "value")
        if found is None or len(found) != 2 or not self.may_be_written(found["a"]) or not (
                self.is_number(found["value"]) or self.is_array(found["value"], 0)):
            return None
        self.store(found["a"], None, found["value"])
        return gast.Constant(None, None)

    def repeated(self, node: gast.expr, count: gast.expr) -> gast.expr | None:
        """Values that are taken in order, and again from the first, until there are enough."""
        if self.is_number(node):
            return syntax.copy(node)
        kind = self.kind(node)
        if not isinstance(kind, (Array, kinds.ListKind, kinds.TupleKind)):
            return None
        return self.named(self.np("resize", self.as_array(node), self.named(count, "n")))

    def put(self) -> gast.expr | None:
        found = self.arguments("a", "ind", "v", "mode")
        if found is None or set(found) != {"a", "ind", "v"} or not self.is_array(found["a"], 1) \
                or not isinstance(found["a"], gast.Name):
            return None
        index = syntax.copy(found["ind"])
        lists = [p for p in (found["ind"], found["v"]) if isinstance(p, gast.List)]
        if self.is_number(found["v"]) or (len(lists) == 2 and len(
                lists[0].elts) == len(lists[1].elts)):
            self.store(found["a"], index, self.as_array(found["v"]))
            return gast.Constant(None, None)
        spots = self.named(self.np("ravel", index))
        value = self.repeated(found["v"], syntax.attribute(syntax.copy(spots), "size"))
        if value is None:
            return None
        self.store(found["a"], spots, value)
        return gast.Constant(None, None)

    def place(self) -> gast.expr | None:
        found = self.arguments("arr", "mask", "vals")
        if found is None or len(found) != 3 or not self.masks(found["arr"], found["mask"]):
            return None
        if self.is_array(found["arr"], dtype="int") and not self.is_array(
                found["vals"], dtype="int") and self.is_array(found["vals"]):
            return None                         # NumPy casts arrays safely here, lists in any way
        value = self.repeated(found["vals"], self.np("count_nonzero", syntax.copy(found["mask"])))
        if value is None:
            return None
        self.store(found["arr"], syntax.copy(found["mask"]), value, in_turn=True)
        return gast.Constant(None, None)

    def putmask(self) -> gast.expr | None:
        found = self.arguments("a", "mask", "values")
        if found is None or len(found) != 3 or not self.masks(found["a"], found["mask"]):
            return None
        value, mask = found["values"], syntax.copy(found["mask"])
        if self.is_number(value):
            self.store(found["a"], mask, value)
            return gast.Constant(None, None)
        if kinds.same_shape(self.kind(value), self.kind(found["a"])):
            whole: gast.expr | None = value
        else:
            whole = self.repeated(value, syntax.attribute(syntax.copy(found["a"]), "shape"))
        if whole is None:
            return None
        self.store(found["a"], mask, self.part(whole, mask))
        return gast.Constant(None, None)

    def masks(self, array: gast.expr, mask: gast.expr) -> bool:
        """Whether a mask picks elements of an array as an index does."""
        rank = getattr(self.kind(array), "ndim", None)
        return isinstance(array, gast.Name) and isinstance(mask, gast.Name) \
            and self.is_array(array) and rank is not None and self.is_array(mask, rank, "bool")

    def fill_diagonal(self) -> gast.expr | None:
        found = self.arguments("a", "val", "wrap")
        if found is None or not {"a", "val"} <= set(found) or not isinstance(
                found["a"], gast.Name) or not self.is_array(found["a"]) or (
                "wrap" in found and not _is_false(found["wrap"])):
            return None
        rank = getattr(self.kind(found["a"]), "ndim", None)
        if rank is None or rank < 2:
            return None
        count = self.named(syntax.call(self.external(min, "min"), syntax.attribute(
            syntax.copy(found["a"]), "shape")), "n")
        value = self.repeated(found["val"], count)
        if value is None:
            return None
        spots = self.named(self.np("arange", count), "k")
        self.store(found["a"], syntax.tuple_of([syntax.copy(spots) for _ in range(rank)]), value,
                   in_turn=True)
        return gast.Constant(None, None)

    def sort(self) -> gast.expr | None:
        """`y.sort(axis)`: y[...] = np.sort(y, axis)."""
        return self.reordered("sort", ("a", "axis", "kind"))

    def partition(self) -> gast.expr | None:
        return self.reordered("partition", ("a", "kth", "axis", "kind"))

    def reordered(self, name: str, parameters: tuple[str, ...]) -> gast.expr | None:
        found = self.arguments(*parameters)
        if found is None or not self.may_be_written(found["a"]):
            return None
        owner = found["a"]
        made = syntax.copy(self.call)
        made.func = syntax.attribute(self.external(np, "np"), name)
        if len(self.given) != len(self.call.args):
            made.args.insert(0, syntax.copy(owner))
        self.store(owner, None, made, fits=True)
        return gast.Constant(None, None)

    def at(self) -> gast.expr | None:
        """`np.add.at(y, index, v)`: y[index] += v, with repeated positions added up; of np.maximum
        and its like y[index] = np.maximum(y[index], v), with all that positions are given."""
        found = self.arguments("a", "indices", "b")
        if found is None or len(found) != 3 or not isinstance(found["a"], gast.Name) \
                or not self.is_array(found["a"]):
            return None
        value = self.as_array(found["b"])
        self.kinds.setdefault(id(value), self.kind(found["b"]))
        operator = {np.add: "+", np.subtract: "-"}.get(self.function.__self__)
        if operator is None:
            return self.combined_at(found["a"], found["indices"], value)
        node = syntax.augment(syntax.subscript(syntax.copy(found["a"]), syntax.copy(
            found["indices"]), gast.Store()), operator, self.named(value))
        node.repeats = syntax.attribute(self.external(np, "np"), self.function.__self__.__name__,
                                        "at")
        self.out.append(node)
        return gast.Constant(None, None)

    def combined_at(self, array: gast.expr, index: gast.expr, value: gast.expr) -> gast.expr | None:
        """`np.maximum.at(y, index, v)`: y[index] = maximum_at(y[index], v, same_places(y, index)),
        or y[index] = np.maximum(y[index], v) where no position can repeat."""
        ufunc = self.function.__self__
        combined = groups.AT.get(ufunc)
        if combined is None or not self.keeps_all(array, ufunc, value):
            return None
        known = self.given[1][1] if len(self.given) > 1 else self.keywords["indices"][1]
        if self.typer.index_class(known) in ("basic", "mask"):
            self.store(array, syntax.copy(index), self.np(
                ufunc.__name__, self.part(array, index), value))
            return gast.Constant(None, None)
        places = self.named(syntax.call(self.external(groups.same_places, "same_places"),
                                        syntax.copy(array), syntax.copy(index)), "places")
        part = self.part(array, index)
        self.store(array, syntax.copy(index), syntax.call(
            self.external(combined, combined.__name__), part, value, places))
        return gast.Constant(None, None)

    def keeps_all(self, array: gast.expr, ufunc: Any, value: gast.expr) -> bool:
        """Whether nothing is cut where results of a function are written into an array, and it
        compares no complex numbers."""
        if self.is_array(array, dtype="complex"):
            return ufunc in (np.multiply, np.divide)
        return self.is_array(array, dtype="float") and kinds.dtype_of(self.kind(value)) in (
            "float", "int", "bool")



HANDLERS: dict[Any, Callable[[_Writer], gast.expr | None]] = {
    np.copyto: _Writer.copyto, np.ndarray.fill: _Writer.fill,
    np.put: _Writer.put, np.ndarray.put: _Writer.put, np.place: _Writer.place,
    np.putmask: _Writer.putmask, np.fill_diagonal: _Writer.fill_diagonal,
    np.ndarray.sort: _Writer.sort, np.ndarray.partition: _Writer.partition,
}


def _is_usual(keyword: gast.keyword) -> bool:
    """What says nothing where a result is written into an array: any cast is made there."""
    return _is_true(keyword.value) if keyword.arg == "where" else keyword.arg == "casting"


def _is_true(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is True


def _is_false(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is False
