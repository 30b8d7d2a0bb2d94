"""One variant of a derivative: the compiled code for one combination of kinds of arguments.

A variant rests on what the free names of the differentiated functions meant when it was built.
`watched` lists what to look at before each call; where a name means something of another kind, the
variant no longer holds and another one is built.
"""
from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable
from typing import Any

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import containers_of
from tangent_lite.calling import duck_arrays
from tangent_lite.calling.collector import resting
from tangent_lite.calling.parameter_kinds import with_shape
from tangent_lite.calling.request import Path, Request
from tangent_lite.calling.resolve import Watched
from tangent_lite.calling.sharing import Sharing, check_copies
from tangent_lite.compile import LineMap, compile_units, display, line_map
from tangent_lite.directions.acting import differs
from tangent_lite.entry import Entry, entry
from tangent_lite.entry.pushing import push_entry
from tangent_lite.errors import TangentError, final
from tangent_lite.inference import DucksOutside
from tangent_lite.kinds import Kind
from tangent_lite.kinds import duck as kinds_duck
from tangent_lite.modules import signature_of
from tangent_lite.nodes import names_in
from tangent_lite.passes.listed import written_out
from tangent_lite.polish.filled_lists import fill_lists
from tangent_lite.polish.fills import fill_zeros
from tangent_lite.polish.gathered import gather_products
from tangent_lite.polish.handed_back import take_results
from tangent_lite.polish.items_of_adjoints import share_items
from tangent_lite.polish.items_of_classes import name_items
from tangent_lite.polish.iterations import iterate
from tangent_lite.polish.numbering import number
from tangent_lite.polish.numbers_in_lists import write_out_lists
from tangent_lite.polish.reversals import reverse_lists
from tangent_lite.polish.slices_of_adjoints import share_slices
from tangent_lite.polish.spent import leave_spent
from tangent_lite.polish.tape_order import order_tapes
from tangent_lite.polish.watching import watch
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.outside_sizes import SizesOutside
from tangent_lite.shapes.sized_kinds import state
from tangent_lite.transform import derive
from tangent_lite.variant.inputs import check_inputs, has_floats
from tangent_lite.variant.moved import NotMoved, paired
from tangent_lite.variant.running import Running
from tangent_lite.written.spaces import in_space
from tangent_lite.written.standalone import standalone
from tangent_lite.written.whole import by_directions, in_a_tuple, whole

# What does not depend on where the function stands.
_SAME = ("kinds", "assumed", "general", "is_called", "has_ducks", "paths", "form", "renamed",
         "seeds", "is_pushed")
_COMPILED = {"functions", "main", "call", "backward", "order_of_main"}      # made by `_compile`


class Variant(Running):
    """Compiled code for arguments of certain kinds.

    values: the arguments of the call, None if only their kinds are known; general: the kinds may
    say too little, and the code is there to be looked at; assumed: what the kinds rest on that is
    known of shapes; is_called: by differentiated code; outside: that of what differentiates it,
    which then asks for what is assumed.
    """

    by_identity = False         # whether adjoints are found as the program runs: see `heap`
    has_ducks = False           # whether duck arrays take part
    as_numpy = False            # whether numbers are divided by zero as NumPy's are
    # Whether arguments have shapes of which all holds that is assumed; None: nothing is.
    fits_all: Callable[..., bool] | None = None

    @resting()
    def __init__(self, request: Request, parameter_kinds: dict[str, Kind],
                 values: tuple[Any, ...] | None, general: bool = True,
                 assumed: Assumptions | None = None, is_called: bool = False,
                 outside: SizesOutside | None = None) -> None:
        self.request, self.kinds, self.assumed = request, parameter_kinds, assumed
        self.outside = outside if outside is not None or assumed is None \
            else SizesOutside(assumed, parameter_kinds)
        self.general = values is None and general
        self.is_called = is_called
        self.has_ducks = any(map(kinds_duck.holds_duck, parameter_kinds.values()))
        self.paths = self._paths()
        # With has_aux the seed is made from the value, between the two halves.
        self.form = "pair" if request.form == "vjp" or request.has_aux else request.form
        if values is not None:
            check_inputs(self.request, list(self.kinds), self.paths, values)
        self.function = self._function_to_read(request)
        # A function that was emitted has other names for tangents and cotangents, and one more
        # parameter: the seed, which stays one.
        every = list(signature_of(self.function).parameters.values())
        self.renamed = dict(zip(parameter_kinds, (p.name for p in every)))
        self.seeds = {p.name: p.default for p in every[len(parameter_kinds):]}
        self.pushed: Callable[..., Any] | None = None
        self.batches: dict[Any, Any] = {}           # for many directions at once: see `batched`
        try:
            derivative = self._backward_derivative()
        except TangentError as error:
            if not getattr(error, "second_order", False) or not self._can_push():
                raise
            # A derivative that reverse mode cannot read again: forward mode can.
            derivative = self._derive("jvp")
            if differs(derivative):             # and it takes several runs
                raise
            self.form = request.form
        self.derivative = derivative
        self.ask_again()
        # Whoever reads the source of a derivative for any arguments seldom calls it.
        self.is_pushed = derivative.is_jvp and not request.is_forward
        if not self.general or self.is_pushed:
            self._compile()
        self._prepare_call(values)

    def _function_to_read(self, request: Request) -> Any:
        """The function of a request that is differentiated; in Python an emitted one may be for
        the shapes that are assumed."""
        is_open = self.assumed is not None and self.assumed.are_open and request.compiled is None
        return request.function_for(self.kinds, self.outside if is_open else None)

    def _backward_derivative(self) -> Any:
        """The derivative in the form that was asked for, or in two halves."""
        if self.general or self.form in ("pair", "jvp", "tangent"):
            return self._derive(self.form)
        # What is unknown is guessed for two halves alone: then these are written anew.
        at_once = kinds.UNKNOWN not in self.kinds.values()
        derivative = self._derive(self.form, form_for=functools.partial(
            self._form_for, self.form) if at_once else None)
        self._check_result(derivative.result)
        if at_once or self._is_plain(derivative.result):
            return derivative
        self.form = "pair"
        return self._derive("pair")

    def _form_for(self, asked: str, result: Kind) -> str:
        """The form for a result. Where only the value tells whether it is one number, it is looked
        at between two halves; one that is refused has the form that was asked for."""
        self.form = asked if self._is_plain(result) or self._is_refused(result) else "pair"
        return self.form

    def _compile(self) -> None:
        """Make the functions that run."""
        request, derivative = self.request, self.derivative
        located = functools.partial(duck_arrays.located, derivative=derivative) \
            if self.has_ducks and not self.is_called else lambda function: function
        is_python = request.compiled is None
        made = compile_units(
            derivative, writes_out=is_python,
            # Of numbers alone nothing would be gained.
            frees=is_python and not all(
                isinstance(kind, kinds.Number) for kind in self.kinds.values()),
            as_numpy=self.as_numpy)
        main: Any = located(made[derivative.main.name])
        if self.is_pushed:
            names = [n for n in syntax.parameter_names(derivative.main.source.tree.args)
                     if n not in self.seeds]
            self.pushed = main = by_directions(
                main, names, {p[0]: isinstance(self.kinds[p[0]], kinds.Number)
                              for p in self.paths}, request.form, self.seeds, request.holomorphic)
        self._name_functions(made, main, located)

    def _name_functions(self, made: dict[str, Any], main: Any,
                        located: Callable[[Any], Any] = lambda function: function) -> None:
        request, derivative = self.request, self.derivative
        known: dict[str, Any] = {"functions": made}
        known["main"] = known["call"] = main
        if derivative.backward is not None:
            known["backward"] = located(made[derivative.backward.name])
        elif request.keyword_only:
            known["call"] = _by_keyword(main, [self.renamed[n] for n in request.keyword_only])
        if request.is_forward:
            known["order_of_main"] = self._order_of_main()
        vars(self).update(known)        # at once: another thread may be looking

    @functools.cached_property
    def dividing_as_numpy(self) -> Variant:
        """The same, in which numbers are divided by zero as NumPy's are; ZeroDivisionError where
        that cannot be."""
        made = copy.copy(self)
        for name in _COMPILED:
            vars(made).pop(name, None)
        made.as_numpy, made.batches = True, {}
        made._compile()
        return made

    @property
    def can_move(self) -> bool:
        """Whether the code may serve other functions of the same text: see `moved_to`."""
        return type(self) is Variant and not (self.is_pushed or self.has_ducks or self.general) \
            and isinstance(self.function, types.FunctionType)

    def moved_to(self, request: Request, values: tuple[Any, ...] | None) -> Variant | None:
        """The same for another function of the same code, if its names mean here what they meant
        (see `moved`); None if they do not, or that is not known."""
        function = self._function_to_read(request)
        if not isinstance(function, types.FunctionType):
            return None
        way = paired([(self.function, function), (self.request.function, request.function)])
        if way is None:
            return None
        if way.is_none:                     # the code of methods of one class
            made = copy.copy(self)
            made.request, made.is_new = request, True
            made._entry = made._entry_varies = None
            vars(made).pop("dividing_as_numpy", None)
            return made if made.serves(values) else None
        made = object.__new__(Variant)
        vars(made).update({name: vars(self)[name] for name in _SAME})
        made.request, made.function = request, function
        made.derivative = way.derivative(self.derivative)
        made.outside = way.outside(self.outside)
        made.pushed, made.batches = None, {}
        made.ask_again()
        try:
            functions = {name: way.function(f, made.derivative.resolvers)
                         for name, f in self.functions.items()}
            made._name_functions(functions, functions[made.derivative.main.name])
            made._prepare_call(values, way.watched(self.watched))
        except NotMoved:
            return None
        made.is_new = True
        return made if made.serves(values) else None

    def serves(self, values: tuple[Any, ...] | None) -> bool:
        """Whether names mean what they meant, and the code is for such arguments; None: for any."""
        return self.holds() and (self.fits_all is None if values is None else self.fits(values))

    def __getattr__(self, name: str) -> Any:
        known = vars(self)
        if name in _COMPILED and "is_pushed" in known and "main" not in known:
            self._compile()
        if name in _COMPILED and name in known:
            return known[name]
        raise AttributeError(name)

    def _can_push(self) -> bool:
        """Whether the gradient may be had by forward mode: of numbers and arrays of floats."""
        return self.request.form in ("grad", "value_and_grad") and not self.request.has_aux \
            and not self.request.keyword_only and all(
                len(path) == 1 and (
                    self.kinds[path[0]] == kinds.FLOAT
                    or (isinstance(self.kinds[path[0]], kinds.Array)
                        and kinds.dtype_of(self.kinds[path[0]]) == "float"))
                for path in self.paths)

    def _prepare_call(self, values: tuple[Any, ...] | None, watched: Watched | None = None) -> None:
        request, parameter_kinds, derivative = self.request, self.kinds, self.derivative
        self.watched = watched or Watched(derivative.resolvers, dict.fromkeys(
            cls for kind in parameter_kinds.values() for cls in kinds.classes_in(kind)))
        self.holds = self.watched.holds
        order = list(parameter_kinds)
        self.spots = [order.index(path[0]) for path in self.paths]
        back = {ours: name for name, ours in self.renamed.items()}
        changed = [back[n] for n in derivative.changed]
        given = dict(zip(order, values or ()))
        for name in given.keys() & {*changed, *(back[n] for n in derivative.in_place)}:
            check_copies(request.name, name, given[name])
        others = {n: sum(containers_of(k) for m, k in parameter_kinds.items() if m != n)
                  for n in changed}
        self.sharing = Sharing(request.name, order, [back[n] for n in derivative.written],
                               changed, derivative.outside, derivative.resolvers,
                               _called(derivative),
                               [n for n in changed
                                if containers_of(parameter_kinds[n]) < 2 and not others[n]],
                               getattr(self.function, "sharing", None),
                               {back[n]: keys for n, keys in derivative.in_place.items()})
        if request.is_forward:
            self.asked = request.paths()
            self.spots_asked = [order.index(path[0]) for path in self.asked]
        inner = None if request.derived is None else request.derived.request
        # The one parameter whose gradient is differentiated, as is most often the case.
        self.spot_of_gradient = order.index(inner.paths()[0][0]) \
            if inner is not None and inner.form == "grad" and not inner.has_aux \
            and not isinstance(inner.wrt, tuple) and len(inner.paths()[0]) == 1 else None
        self.single = not isinstance(request.wrt, tuple)
        # The position of the one parameter that is asked for, as is most often the case.
        self.only = self.spots[0] if self.single and request.form != "vjp" \
            and len(self.paths[0]) == 1 else None
        self._text: str | None = None
        self._entry: Any = None
        self._entry_varies: bool | None = None
        self._push: Callable[..., Any] | None = None
        self._push_varies: bool | None = None

    def ask_again(self) -> None:
        """Ask of arguments from here on all that is assumed of shapes by now."""
        if self.outside is not None and not self.is_called:
            self.fits_all = self.outside.test(self.kinds)

    def fits(self, values: tuple[Any, ...]) -> bool:
        """Whether the code serves arguments of these shapes, their kinds given."""
        return self.fits_all is None or self.fits_all(*values[:len(self.kinds)])

    def entry_for(self, values: tuple[Any, ...]) -> Entry | None:
        """The way in for arguments like these (see `entry`)."""
        varies = self.watched.varies
        if self._entry_varies is not varies:
            self._entry, self._entry_varies = entry(self, values), varies
        return self._entry

    def push_entry_for(self, values: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The way along directions at arguments like these (see `entry/pushing`)."""
        varies = self.watched.varies
        if self._push_varies is not varies:
            self._push, self._push_varies = push_entry(self, values), varies
        return self._push

    def _derive(self, form: str, shown: bool = False,
                form_for: Callable[[Kind], str] | None = None) -> Any:
        """form_for: what tells the form by the kind of the result, and keeps it in `form`."""
        extra = {name: kinds.kind_of(value) for name, value in self.seeds.items()}
        guessed = self.general or (form != "grad" and kinds.UNKNOWN in self.kinds.values())
        # What others call keeps no defaults but those of seeds.
        keep = set(self.seeds) if self.is_called or not self.request.is_forward else None
        named = {self.renamed[n]: kind for n, kind in self.kinds.items()}
        paths = [(self.renamed[path[0]], *path[1:]) for path in self.paths]
        try:
            made = derive(self.function, {**named, **extra}, paths, form, guessed, keep,
                          self.has_ducks, self.outside, self.request.has_aux, form_for,
                          self.request.compiled is None)
            form = form if form_for is None else self.form
        except DucksOutside:
            self.has_ducks = True
            self.kinds = {n: kinds_duck.next_to_ducks(k) for n, k in self.kinds.items()}
            return self._derive(form, shown, form_for)
        except TangentError as error:
            raise (final(error) if self.has_ducks else error) from None
        if self.has_ducks:
            duck_arrays.by_protocol(made, self.kinds.values())
        if self.request.debug and not self.is_called:
            watch(made)
        if self.assumed is not None:
            state(made, self.assumed.noted)
        # What serves all shapes is read as it is written before it is polished.
        is_whole = not self.is_called or self.outside is not None
        if shown or (is_whole and self.request.compiled is None):
            name_items(made)
            reverse_lists(made)
            take_results(made)
            if form in ("grad", "value_and_grad"):
                fill_zeros(made)
                leave_spent(made)
                share_items(made)
                share_slices(made)
                fill_lists(made)
                fill_zeros(made, in_lists=True)
            if self.request.compiled is None:
                if not made.is_jvp and not self.has_ducks:
                    gather_products(made)
                write_out_lists(made)
                iterate(made)
        elif not self.is_called and form in ("grad", "value_and_grad"):
            take_results(made)
            leave_spent(made)
            share_items(made)
            share_slices(made)
        for unit in made.units:
            written_out(unit.tree)
            order_tapes(unit.tree.body)
        if not self.request.debug:          # what is watched is told by its name
            number(made)
        return made

    @functools.cached_property
    def emitted(self) -> Callable[..., Any]:
        """One function that takes the arguments of the primal, and is Python to be read again."""
        made = self._bare()
        if self.request.form not in ("jvp", "tangent"):    # these give what the primal gives
            made = in_space(made, self.request.form, [
                (self.renamed[path[0]], self.kinds[path[0]] if len(path) == 1 else kinds.UNKNOWN)
                for path in self.paths], self.single and self.request.form != "vjp",
                self.request.has_aux, set(self.renamed.values()))
        if self.sharing.is_needed:
            made.sharing = self.sharing                         # type: ignore[attr-defined]
        return made

    def _bare(self) -> Callable[..., Any]:
        """The same with gradients of objects as dicts."""
        if self.form != "pair":
            if self.is_tuple_of_one:
                names = [self.renamed[n] for n in self.kinds]
                return in_a_tuple(self.main, self.request.form, names,
                                  len(self.request.keyword_only))
            return self.main
        return whole(self.main, self.backward, self.request.form, self.request.has_aux,
                     len(self.paths), self.is_tuple_of_one, self.seeds,
                     self.derivative.seeds_value, self.request.holomorphic)

    # What is asked for ------------------------------------------------------------------------
    def _paths(self) -> list[Path]:
        if self.request.wrt is not None:
            found = self.request.paths()
            if self.request.is_forward:             # the tangent of an object is an object
                return [(name,) for name in dict.fromkeys(path[0] for path in found)]
            return found
        names = list(self.kinds)[len(self.request.bound):]
        return [(name,) for name in names if has_floats(self.kinds[name])]     # no empty list

    def _is_plain(self, result: Kind) -> bool:
        return isinstance(result, kinds.Number) and result.type == "float" \
            and not self.request.has_aux and not self.request.holomorphic

    def _is_refused(self, result: Kind) -> bool:
        if self.request.has_aux and isinstance(result, kinds.TupleKind) and len(result.items) == 2:
            result = result.items[0]
        return isinstance(result, kinds.Number) and result.type == "complex" \
            and not self.request.holomorphic

    def _check_result(self, result: Kind) -> None:
        if self._is_refused(result):
            raise self._complex_output()

    # Text -------------------------------------------------------------------------------------
    @property
    def text(self) -> str:
        """The source to read: of grad and value_and_grad as one function."""
        if self._text is None:
            self._text = display(self._shown())
            if self.pushed is not None:
                self._text += f"\n\n{self.pushed.text}".replace(      # type: ignore[attr-defined]
                    " push(", f" {self.derivative.main.name}(")
        return self._text

    @property
    def lines(self) -> LineMap:
        """For the lines of the text, the file and line of the user that each comes from."""
        return line_map(self._shown())

    def standalone(self) -> str:
        """The source of a module that needs NumPy only."""
        if self.pushed is not None:
            raise TangentError("a gradient that is taken by forward mode cannot be written to a "
                               "file yet", None, "write the inner derivative to a file")
        if self.request.debug:
            raise TangentError("a derivative with debug= cannot be written to a file", None,
                               "leave debug out")
        if self.request.has_aux:
            raise TangentError("a derivative with has_aux=True cannot be written to a file yet",
                               None, "differentiate a function that returns the number alone")
        # What is saved is called with arguments that nobody has looked at.
        return standalone(self.for_any_shape()._shown())

    def for_any_shape(self) -> Variant:
        """The variant for arguments of these kinds and any shape."""
        if self.fits_all is None:
            return self
        alone = {name: with_shape(kind) for name, kind in self.kinds.items()}
        return Variant(self.request, alone, None, False)

    def _shown(self) -> Any:
        if self.request.form in (self.form, "vjp") or self.request.has_aux:
            # What is compiled pops; what is read is the same with and without compiling.
            return self.derivative if self.request.compiled is None else \
                self._derive(self.form, shown=True)
        return self._derive(self.request.form, shown=True)


# Small pieces ---------------------------------------------------------------------------------
def _called(derivative: Any) -> list[Any]:
    """The sources of what is called as such: emitted functions, and those that the text names."""
    found = [u.source for u in derivative.units]
    others = [r.source for r in derivative.resolvers if r.source not in found]
    names = {n.id for u in derivative.units for n in names_in(u.tree)} if others else set()
    return found + [source for source in others if source.function.__name__ in names]


def _by_keyword(function: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    """The function with its keyword-only parameters by position, behind the others."""
    count = len(names)

    def call(*values: Any) -> Any:
        return function(*values[:-count], **dict(zip(names, values[-count:])))

    return call
