"""`np.vectorize`: a loop over the elements of arrays.

    f = np.vectorize(g)         =>      first = g(np.ravel(x)[0], np.ravel(a)[0])
    y = f(x, a)                         parts = [g(t, a) for t in np.ravel(x).tolist()]
                                        y = np.reshape(np.array(parts, np.result_type(first)),
                                                       np.shape(x))

The function gets Python's numbers. What it gives for the first ones, as NumPy's, says of which type
the result is, unless `otypes` does: for that, NumPy calls it once more.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion.copies import Copies
from tangent_lite.runtime.vectorized import arrays_of, elements_of
from tangent_lite.syntax import load

_EMPTY = "cannot call `vectorize` on size 0 inputs unless `otypes` is set"
_NUMBERS = ("int", "float", "complex")


class Elementwise(Copies):
    """What takes the place of `np.vectorize`, and of calls of what it makes."""

    def of_elements(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """Such a call, step by step: what makes the function; what calls it; what is made of its
        results."""
        if isinstance(function, np.vectorize):
            return self.call_of_vectorized(value, plain, function)
        if function is np.vectorize:
            return self.vectorized(plain)
        if function is elements_of:
            return self.loop_over_elements(value, plain)
        return self.made_of_results(value, plain) if function is arrays_of else None

    def vectorized(self, plain: gast.Call) -> Written | None:
        """`np.vectorize(g)` as a function that is defined inside."""
        given = dict(zip(("pyfunc", "otypes", "doc"), plain.args))
        given.update({str(k.arg): k.value for k in plain.keywords})
        otypes = given.get("otypes")
        if "pyfunc" not in given or not given.keys() <= {"pyfunc", "otypes", "doc"} \
                or len(plain.args) > 3 or not (otypes is None or self.is_float(otypes)):
            return None
        first: list[gast.stmt] = []
        rest, more = self.context.names.fresh("args"), self.context.names.fresh("options")
        called = gast.Call(self.inject(elements_of, "elements_of"), [
            self.kept(first, given["pyfunc"], "function"),
            gast.Constant(None if otypes is None else "d", None), gast.Constant(frozenset(), None),
            gast.Starred(load(rest), gast.Load())], [gast.keyword(None, load(more))])
        return first, self.function_of_all("vectorized", called, rest, more, plain)

    def is_float(self, otypes: gast.expr) -> bool:
        """Whether these are the types of one result of floats: [float], "d"."""
        if isinstance(otypes, gast.Constant):
            return otypes.value == "d"
        one = otypes.elts[0] if isinstance(otypes, (gast.List, gast.Tuple)) \
            and len(otypes.elts) == 1 else None
        return getattr(one, "value", None) in ("d", "float", "float64") \
            if isinstance(one, gast.Constant) else self.typer.object_of(one) in (float, np.float64)

    def call_of_vectorized(self, value: gast.Call, plain: gast.Call,
                           function: np.vectorize) -> Written | None:
        """A call of what `np.vectorize` made outside."""
        otypes = None if function.otypes is None else "".join(
            np.dtype(one).char for one in function.otypes)
        if function.signature is not None or not self.matters(value) \
                or otypes not in (None, "d") or (function.cache and otypes is None):
            return None
        table = vars(function)
        name = self.context.names.fresh(
            getattr(function.pyfunc, "__name__", "function").strip("<>"))
        self.context.inliner.resolver.imports(name, function.pyfunc, [
            (table, key, table[key]) for key in ("pyfunc", "otypes", "signature", "cache",
                                                 "excluded")])
        return [], self.calling(self.inject(elements_of, "elements_of"), plain, [
            load(name), gast.Constant(otypes, None), gast.Constant(
                frozenset(function.excluded), None), *plain.args])

    def loop_over_elements(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`elements_of(g, None, (), x, a)`, once it is known which arguments are arrays."""
        count = len(plain.args) - 3
        found = [self.typer.kind(one) for one in (*value.args[3:],
                                                  *(k.value for k in value.keywords))]
        excluded = plain.args[2].value
        spread_over = [k for k, name in enumerate((*range(count), *(k.arg for k in plain.keywords)))
                       if name not in excluded]
        if not all(_is_of_numbers(found[k]) for k in spread_over):
            return None
        first: list[gast.stmt] = []
        given = [one if isinstance(one, gast.Constant) or (
                     isinstance(one, gast.Name) and one.id not in self.shared)
                 else self.named(first, "x", one)
                 for one in (*plain.args[3:], *(k.value for k in plain.keywords))]

        def call(parts: dict[int, gast.expr]) -> gast.Call:
            arguments = [parts.get(k, syntax.copy(one)) for k, one in enumerate(given)]
            return self.calling(syntax.copy(plain.args[0]), plain, arguments[:count], [
                gast.keyword(k.arg, one) for k, one in zip(plain.keywords, arguments[count:])])

        arrays = self.of_one_shape(first, given, {
            k: found[k] for k in spread_over if not isinstance(found[k], kinds.Number)})
        like: gast.expr = next(iter(arrays.values()), syntax.constant(0.0))
        ranks = {_rank(found[k]) for k in arrays}
        lines = arrays if 1 in ranks and ranks <= {0, 1} else {
            k: self.of_numpy("ravel", one) for k, one in arrays.items()}
        kind = self.inject(float, "float")
        if plain.args[1].value is None:
            if arrays:
                first.append(_unless_empty(self.of_numpy("size", like)))
            kind = self.named(first, "first", call({k: syntax.subscript(
                lines.get(k) or self.of_numpy("ravel", given[k]), syntax.constant(0))
                for k in spread_over}))
        results = self.named(first, "parts", self.for_each(call, lines) if lines else
                             gast.List([call({})], gast.Load()))
        made = self.named(first, "elements", syntax.call(
            self.inject(arrays_of, "arrays_of"), results, kind, like))
        return self.normal(first, plain), made

    def of_one_shape(self, first: list[gast.stmt], given: list[gast.expr],
                     found: dict[int, kinds.Kind]) -> dict[int, gast.expr]:
        """The arguments that are arrays, or lists that NumPy makes arrays of, by their places;
        where there are several, spread over each other."""
        arrays = {k: self.named(first, "x", self.of_numpy("array", given[k]))
                  if isinstance(kind, kinds.ListKind) else given[k] for k, kind in found.items()}
        if len(arrays) < 2:
            return arrays
        names = [self.context.names.fresh("x") for _ in arrays]
        first.append(gast.Assign([syntax.tuple_of(map(syntax.store, names), gast.Store())],
                                 self.of_numpy("broadcast_arrays", *arrays.values()), None))
        return dict(zip(arrays, map(load, names)))

    def for_each(self, call: Any, lines: dict[int, gast.expr]) -> gast.expr:
        """The list of what is called for all elements; call: with what is given in the places of
        the arrays."""
        items = [self.context.names.fresh("t") for _ in lines]
        lists = [syntax.call(syntax.attribute(syntax.copy(one), "tolist"))
                 for one in lines.values()]
        target, over = (syntax.store(items[0]), lists[0]) if len(items) == 1 else (
            syntax.tuple_of(map(syntax.store, items), gast.Store()),
            syntax.call(self.inject(zip, "zip"), *lists))
        return gast.ListComp(call(dict(zip(lines, map(load, items)))),
                             [gast.comprehension(target, over, [], 0)])

    def made_of_results(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`arrays_of(parts, first, x)`, once it is known what the parts are: numbers, of which
        NumPy makes an array without more axes, or tuples of so many of them."""
        kind, dtype = map(self.typer.kind, value.args[:2])
        item = kind.item if isinstance(kind, kinds.ListKind) else None
        results, first, like = plain.args
        out: list[gast.stmt] = []
        if isinstance(item, kinds.Number) and item.type in _NUMBERS:
            if not isinstance(dtype, kinds.Known):
                first = self.of_numpy("result_type", first)
            made = self.named(out, "elements", self.of_numpy(
                "reshape", self.of_numpy("array", results, first), self.of_numpy("shape", like)))
            return self.normal(out, plain), made
        if not isinstance(item, kinds.TupleKind) or len(item.items) == 1 \
                or isinstance(dtype, kinds.Known):
            return None
        arrays: list[gast.expr] = []
        for k in range(len(item.items)):
            part = self.context.names.fresh("part")
            each = gast.ListComp(syntax.subscript(load(part), syntax.constant(k)), [
                gast.comprehension(syntax.store(part), load(results.id), [], 0)])
            arrays.append(self.named(out, "elements", syntax.call(
                self.inject(arrays_of, "arrays_of"), each,
                syntax.subscript(load(first.id), syntax.constant(k)), syntax.copy(like))))
        return self.normal(out, plain), syntax.tuple_of(arrays)

    def of_numpy(self, name: str, *arguments: gast.expr) -> gast.Call:
        """A call of one of NumPy's functions; what it is given may stand elsewhere as well."""
        return syntax.call(syntax.attribute(self.inject(np, "np"), name),
                           *map(syntax.copy, arguments))


def _is_of_numbers(kind: kinds.Kind) -> bool:
    """Whether an argument is a number, or what NumPy makes an array of numbers of."""
    if isinstance(kind, kinds.ListKind):        # of which it hands over the items, ints as ints
        return _is_of_numbers(kind.item) and not getattr(kind.item, "is_mixed", False)
    return isinstance(kind, kinds.Number) or (
        isinstance(kind, kinds.Array) and kind.dtype in _NUMBERS)


def _rank(kind: kinds.Kind) -> int | None:
    """How many axes an array has, or that which NumPy makes of a list of numbers."""
    if isinstance(kind, kinds.ListKind):
        return 1 if isinstance(kind.item, kinds.Number) else None
    return kind.ndim if isinstance(kind, kinds.Array) else None


def _unless_empty(size: gast.expr) -> gast.If:
    """What raises where NumPy does, since there is nothing to tell the type of the result by."""
    error = syntax.call(load("ValueError"), gast.Constant(_EMPTY, None))
    return gast.If(gast.Compare(size, [gast.Eq()], [syntax.constant(0)]),
                   [gast.Raise(error, None)], [])
