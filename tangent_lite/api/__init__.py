"""What users call: grad, value_and_grad, vjp, and the derivative as an object."""
from __future__ import annotations

import functools
import sys
import types
import weakref
from _thread import RLock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from tangent_lite.api.building import Building
from tangent_lite.api.dividing import Dividing
from tangent_lite.api.reading import Readable, annotations_of
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.keys import ELSEWHERE, elsewhere
from tangent_lite.calling.request import Request, no_foreign, no_options
from tangent_lite.calling.reuse import Alike, Same, rests_on_rules, store
from tangent_lite.modules import module_of
from tangent_lite.tracebacks import direct, plain

if TYPE_CHECKING:
    # The transformation itself is imported when the first derivative is made: whoever imports a
    # module that imports tangent_lite should not wait for it.
    from tangent_lite.variant import Variant
    from tangent_lite.written.pickling import Texts
    from tangent_lite.written.pullbacks import Pullback


# Making derivatives ---------------------------------------------------------------------------
@overload
def grad(fun: None = None, wrt: Any = 0, *, has_aux: bool = False, holomorphic: bool = False,
         backend: str = "python", debug: str | None = None,
         **options: Any) -> Callable[[Any], GradientFunction]: ...
@overload
def grad(fun: Callable[..., Any], wrt: Any = 0, *, has_aux: bool = False,
         holomorphic: bool = False, backend: str = "python", debug: str | None = None,
         **options: Any) -> GradientFunction: ...
@direct
def grad(fun: Any = None, wrt: Any = 0, *, has_aux: bool = False, holomorphic: bool = False,
         backend: str = "python", debug: str | None = None, **options: Any) -> Any:
    """The gradient of a function whose result is one number, as a function of the same arguments.

    >>> grad(lambda x, y: x ** 3 * y)(2.0, 5.0)
    60.0

    fun: a function, method or other callable; left out, grad is a decorator with arguments.
    wrt: what to differentiate with respect to: a position (negative too), a parameter's name, an
        attribute path ("self.W"), or a tuple of them. A tuple in gives a tuple out, even of one.
    has_aux: the function returns (value, something else); the derivative (gradient, something).
    holomorphic: allow a complex result; the gradient is the complex derivative.
    backend: "python", or "numba", which compiles the derivative to machine code and takes the
        options fastmath, parallel, boundscheck and cache (see docs/numba.md).
    debug: "nan" looks at each value and adjoint, and stops at the first that is nan or inf with a
        NonFiniteError that names the statement. Without it nothing is looked at.

    A gradient has the structure, shape and dtype of its argument (a float for a float, a dict for a
    dict); what the result does not depend on gets zeros. For complex arguments the convention of
    JAX and autograd holds (|z|^2 at 3+4j has gradient 6-8j). At ties and kinks see docs/kinks.md.

    Raises WrtError where wrt names nothing that there is, and at the first call InputError (an
    argument cannot vary), OutputError (the result is not one number), UnsupportedSyntaxError,
    MissingRuleError, SourceNotFoundError or AliasError: what cannot be differentiated is refused.
    All are TangentErrors, and say in which line and what to write instead.
    """
    return _make("grad", fun, wrt, has_aux, holomorphic, backend, debug, options)


@overload
def value_and_grad(fun: None = None, wrt: Any = 0, *, has_aux: bool = False,
                   holomorphic: bool = False, backend: str = "python", debug: str | None = None,
                   **options: Any) -> Callable[[Any], GradientFunction]: ...
@overload
def value_and_grad(fun: Callable[..., Any], wrt: Any = 0, *, has_aux: bool = False,
                   holomorphic: bool = False, backend: str = "python", debug: str | None = None,
                   **options: Any) -> GradientFunction: ...
@direct
def value_and_grad(fun: Any = None, wrt: Any = 0, *, has_aux: bool = False,
                   holomorphic: bool = False, backend: str = "python",
                   debug: str | None = None, **options: Any) -> Any:
    """Like grad, but the derivative returns (value, gradient); the value is the function's own.

    >>> value_and_grad(lambda x: x ** 3)(2.0)
    (8.0, 12.0)

    With has_aux: ((value, aux), gradient). Arguments and errors are those of grad.
    """
    return _make("value_and_grad", fun, wrt, has_aux, holomorphic, backend, debug, options)


def _make(form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool, backend: str,
          debug: str | None, options: dict[str, Any]) -> Any:
    from tangent_lite.backends import options_of
    compiled = options_of(backend, options)
    no_options(form, options)
    if fun is None:
        return lambda function: _made(function, form, wrt, has_aux, holomorphic, debug, compiled)
    return _made(fun, form, wrt, has_aux, holomorphic, debug, compiled)


@direct
def vjp(fun: Any, *primals: Any, wrt: Any = None, debug: str | None = None,
        **keywords: Any) -> tuple[Any, Callable]:
    """The value of a function, and its pullback: cotangents of the result to those of arguments.

    >>> y, pullback = vjp(lambda x, n: x ** n, 2.0, 3)
    >>> y, pullback(1.0)
    (8.0, (12.0, None))

    Returns (y, pullback). pullback(dy) gives a tuple with one cotangent per primal, None for what
    cannot have one (text, integers, None, callables), and none for parameters that go by name or
    have their defaults; with wrt a bare cotangent for one, a tuple for a tuple. It may be called
    any number of times. dy has the structure and shapes of y, and a cotangent those of its primal.
    debug and errors: see grad.
    """
    if keywords:
        no_foreign("vjp", fun, keywords)
    made = derivative("vjp", fun, wrt, True, debug)
    # Where all goes by name, these are the primals.
    count = len(primals) if wrt is None and primals else None
    value, pullback = made.pull_back(primals, keywords, later=True, primals=count)
    return value, pullback


# Known as long as anybody uses them, and what they were made of with them.
_read: weakref.WeakValueDictionary[tuple[Any, ...], GradientFunction] = \
    weakref.WeakValueDictionary()


def _derivative_of(form: str, fun: Any, wrt: Any = 0, has_aux: bool = False,
                   holomorphic: bool = False, backend: str = "python",
                   debug: str | None = None) -> GradientFunction:
    """The derivative that a call of an operator makes, where it stands in differentiated code."""
    del debug                           # it is looked at as the code around it is
    key = form, fun, wrt, has_aux, holomorphic
    found = _read.get(key)
    if found is None:
        found = _read[key] = GradientFunction(form, fun, wrt, has_aux, holomorphic)
        found._store["read"] = found    # for a while: it may be read again
    return found


# How a call of an operator is read where it stands in code that is differentiated itself.
for _form, _operator in (("grad", grad), ("value_and_grad", value_and_grad)):
    _operator.makes_derivative = "function"                         # type: ignore[attr-defined]
    _operator.of = functools.partial(_derivative_of, _form)         # type: ignore[attr-defined]


# The value comes with a linear map: see heap/linear_maps.py.
vjp.makes_map = "pullback"                                          # type: ignore[attr-defined]


def derivative(form: str, fun: Any, wrt: Any, holomorphic: bool = False,
               debug: str | None = None) -> GradientFunction:
    """A derivative for a call that is over at once: the one that was made before, if there is."""
    made = store(*_key_of(form, fun, wrt, False, holomorphic, debug, None))
    found: GradientFunction | None = made.get("derivative")
    if found is None or getattr(found.primal, "__code__", None) is not getattr(
            fun, "__code__", None):                         # which may have been replaced
        found = made["derivative"] = GradientFunction(form, fun, wrt, False, holomorphic, debug)
    return found


def _key_of(form: str, fun: Any, wrt: Any, *options: Any) -> tuple[Any, ...]:
    """What derivatives that are alike have in common."""
    same = fun.key if isinstance(fun, GradientFunction) else Same(fun)
    return (form, same, repr(wrt), *map(repr, options))


# The derivative as an object ------------------------------------------------------------------
class GradientFunction(Building, Readable, Dividing):
    """A derivative: call it, print `.source`, `.save(path)` it.

    It keeps no state between calls, may be called from threads, and pickles. For each combination
    of kinds of arguments its source is built once, and again where sizes compare differently with
    each other (see `sizes`); never for values.
    """

    # Python asks the class for `__call__`, and finds what gives that of the object: the method
    # below, or a function that was written for arguments like those of the last call (`entry`).
    __slots__ = ("__call__", "__dict__", "__weakref__")
    if TYPE_CHECKING:
        def __call__(self, *args: Any, **keywords: Any) -> Any: ...

    def __init__(self, form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool,
                 debug: str | None = None, compiled: dict[str, bool] | None = None) -> None:
        self.primal = fun
        self.request = request = Request(form, fun, wrt, has_aux, holomorphic, debug, compiled)
        self._count = -1 if form in ("jvp", "tangent", "vjp") else request.count
        self._bound = request.bound
        self.key = _key_of(form, fun, wrt, has_aux, holomorphic, debug, compiled)
        self._begin()
        # Those of other functions of the same code, which is made anew by a function around it.
        self.alike_key: tuple[Any, ...] = (form, fun.alike_key if isinstance(fun, GradientFunction)
                          else Alike(request), *self.key[2:])
        if request.is_made_anew:
            store(*self.alike_key)              # used now: it stays among those that are kept
        self.__name__ = f"{request.name}_{form}"
        self.__qualname__ = self.__name__
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__module__ = module_of(fun) or __name__
        self.__annotations__ = annotations_of(fun)
        self._object = weakref.ref(self)
        self._call_by(self._method())
        rests_on_rules(self)

    def _begin(self) -> None:
        # The way into the variant that was called last: what it cannot take, it gives back.
        self._enter: Callable[..., Any] = elsewhere
        self._push: Callable[..., Any] = elsewhere          # the same along directions
        self._general_variant: Variant | None = None
        self._latest: Variant | None = None
        self._store = made = store(*self.key)
        # By the keys of arguments; of one key several, for shapes of which different things hold.
        self._variants: dict[Any, list[Variant]] = made.setdefault("variants", {})
        self._emitted: dict[Any, Variant] = made.setdefault("emitted", {})    # to be read again
        self._for_shapes: dict[Any, list[Variant]] = made.setdefault("for shapes", {})
        self._lock = made.setdefault("lock", RLock())

    def begin_anew(self) -> None:
        """Forget what was written for it: rules have changed."""
        if self._variants or self._emitted or self._for_shapes or self._general_variant:
            self._begin()
            self._call_by(self._method())

    # Calling ----------------------------------------------------------------------------------
    def call_any(self, *args: Any, **keywords: Any) -> Any:
        """A call with any arguments."""
        try:
            if not keywords and len(args) == self._count:
                found = self._enter(*self._bound, *args)
                if found is not ELSEWHERE:
                    return found
            return self._called(args, keywords)
        except DIVIDED as error:
            found = self.divided(args, keywords)
            if found is ELSEWHERE:
                raise plain(error)                      # noqa: B904
            return found
        except Exception as error:
            raise plain(error)                          # noqa: B904

    def _called(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A call for which there is no way in yet."""
        if keywords or len(args) != self._count:
            if self.request.is_forward:                         # primals, then tangents
                count = len(args) - len(self.request.wrt)
                return self.push_forward(*self._split(args[:count], list(args[count:]), keywords))
            if self.request.form == "vjp":                      # primals, then the cotangent
                given, _, options = self._split(args[:-1], [], keywords)
                found = self.pull_back(given, options)[1](args[-1])
                return tuple(g for g in found if g is not None)
            args = self.request.bind(args, keywords)
            found = self._enter(*self._bound, *args)
            if found is not ELSEWHERE:
                return found
        values = self._bound + args if self._bound else args
        variant = self._build(values)
        if variant.is_new:                      # most of these are called once
            variant.is_new = False
        elif self.request.form in ("grad", "value_and_grad"):
            self._enter_by(variant, values)
        if variant.sharing.is_needed:
            variant = self._of_shared(variant, values)
        return variant.run(values)

    def _enter_by(self, variant: Variant, values: tuple[Any, ...]) -> None:
        """From here on, arguments like these take the way into a variant."""
        way = variant.entry_for(values)
        self._enter = elsewhere if way is None else way.enter
        method = self._method()
        if way is None or self.request.has_stars:
            self._call_by(method)
            return
        call = way.call_of(self.__name__, method, self._bound, self.request.visible)
        call.__signature__ = self.__signature__         # type: ignore[attr-defined]
        self._call_by(call)

    def _call_by(self, call: Callable[..., Any]) -> None:
        """From here on, calls of the object are calls of this."""
        called = self._object()
        if called is not None:
            called.__call__ = call                                  # type: ignore[method-assign]

    def _method(self) -> Callable[..., Any]:
        """`call_any`, of a twin with the same state: an object that holds a method of its own, and
        with that itself, would wait for the garbage collector."""
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__
        return twin.call_any

    def _split(self, args: tuple[Any, ...], more: list[Any], keywords: dict[str, Any]) -> Any:
        """Arguments by position, of which the last may be those that go by name only."""
        names = self.request.keyword_only
        extra = len(args) - len(self.request.visible) + len(names) if names else 0
        if extra <= 0:
            return args, more, keywords
        return args[:-extra], more, {**dict(zip(names, args[-extra:])), **keywords}

    def pull_back(self, args: tuple[Any, ...], keywords: dict[str, Any],
                  later: bool = False, primals: int | None = None) \
            -> tuple[Any, Callable[[Any], Any]]:
        """The value and the pullback (see vjp); later: what that reads outside may change before
        it is called; primals: how many arguments it gives cotangents of, None for all."""
        values = self._values(args, keywords)
        variant = self._of_shared(self._build(values), values)
        try:
            value, function = variant.pull_back(values, later=later)
        except DIVIDED as error:
            value, function = self.pulled_back(args, keywords, error)
        from tangent_lite.written.pullbacks import Pullback
        return value, Pullback(self, values, function, variant.outside_now() if later else None,
                               primals)

    def pullback_of(self, values: tuple[Any, ...], ran: Any, primals: int | None) -> Pullback:
        """The pullback for what the forward pass returned in another process."""
        variant = self._build(values)
        if variant.by_identity:         # code for the items of lists, of which there is enough here
            variant = self._variant_of(values, True)
        from tangent_lite.written.pullbacks import Pullback
        return Pullback(self, values, variant.pull_back(values, ran)[1], primals=primals)

    def push_forward(self, args: tuple[Any, ...], tangents: list[Any],
                     keywords: dict[str, Any] | None = None) -> Any:
        """The value and its derivative along tangents of what wrt names (see jvp); of the form
        "tangent" the derivative alone."""
        try:
            if not keywords:
                found = self._push(self._bound + args if self._bound else args, tangents)
                if found is not ELSEWHERE:
                    return found
            values = self._values(args, keywords or {})
            variant = self._build(values)
            if variant.is_new:                  # as with gradients, most are called once
                variant.is_new = False
            else:
                self._push = variant.push_entry_for(values) or elsewhere
            return self._of_shared(variant, values).push_forward(values, tangents)
        except DIVIDED as error:
            return self.push_by_pulls(self._values(args, keywords or {}), tangents, error)

    def variant_for(self, args: tuple[Any, ...], keywords: dict[str, Any]) \
            -> tuple[Variant, tuple[Any, ...]]:
        """The variant for these arguments, and all of them, bound and by position."""
        values = self._values(args, keywords)
        return self._of_shared(self._build(values), values), values

    def settles_in_a_tuple(self, values: tuple[Any, ...]) -> bool:
        """Whether the emitted gradient is a tuple, though it has one part."""
        return self._build(values).is_tuple_of_one

    def arguments(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """What wrt names, of these arguments."""
        return self.arguments_of(self._values(args, keywords))

    def arguments_of(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """What wrt names, of the values of all parameters."""
        named = dict(zip(self.request.names, values))
        found = []
        for path in self.request.paths():
            value = named[path[0]]
            for _, attribute in path[1:]:
                value = getattr(value, attribute)
            found.append(value)
        return tuple(found)

    def settled(self, found: Any, values: tuple[Any, ...], held: list[Any] | None = None) -> Any:
        """What the emitted function returned for these values, as a call returns it; held: arrays
        that it must share no memory with, beside those of the values."""
        # Behind those of the parameters stand tangents or the cotangent, if it was differentiated.
        variant = self._build(values[:len(self.request.names)])
        return variant.settled(found, values, held or [])

    def kinds_of_call(self, args: list[Any], keywords: dict[str, Any]) -> dict[str, Any] | None:
        """The kinds of the parameters of the primal, from those of the arguments of a call; None
        if they do not fit, or a parameter takes several."""
        from tangent_lite.kinds import kind_of
        if self._bound or self.request.has_stars:
            return None
        if self.request.is_forward:
            args = args[:len(args) - len(self.request.wrt)]
        elif self.request.form == "vjp":
            args = args[:-1]
        try:
            bound = self.request.signature.bind(*args, **keywords).arguments
        except TypeError:
            return None
        return {name: bound.get(name) or kind_of(parameter.default)
                for name, parameter in self.request.signature.parameters.items()}

    def of_primal(self, primal: Any) -> GradientFunction:
        """The same derivative of another function."""
        request = self.request
        return GradientFunction(request.form, primal, request.wrt, request.has_aux,
                                request.holomorphic, request.debug)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def _values(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        return self._bound + self.request.bind(args, keywords)

    # Compiled code ----------------------------------------------------------------------------
    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba takes a derivative for, so that compiled code may call it."""
        if self.request.compiled is None:
            raise AttributeError("_numba_type_")
        from tangent_lite.backends.numba_calls import DerivativeType
        return DerivativeType(self)

    @property
    def compile_seconds(self) -> float:
        """How long Numba has compiled for this derivative so far; 0.0 in plain Python."""
        return sum(v.compiled.seconds for made in self._variants.values() for v in made
                   if hasattr(v, "compiled"))

    def compiled_for(self, values: tuple[Any, ...]) -> Any:
        """What compiled code calls with such arguments."""
        compiled: Any = self._build(values, for_all=True)
        return compiled.called

    def __reduce__(self) -> Any:
        from tangent_lite.written import pickling
        request = self.request
        name = getattr(self.primal, "__qualname__", None)
        found: Any = sys.modules.get(self.__module__)
        for part in (name or "").split("."):
            found = getattr(found, part, None)
        asked = (request.form, request.wrt, request.has_aux, request.holomorphic, request.debug,
                 request.compiled)
        if found is self:
            # Made by a decorator: the name of the function means the derivative.
            value = pickling.by_value(self.primal) if self.__module__ == "__main__" else None
            if value is None:
                return (_by_name, (self.__module__, name))
            return (_by_name, (self.__module__, name, value, pickling.texts_of(self.primal),
                               asked))
        return pickling.reduced(_made, self.primal, asked)


def _by_name(module: str, name: str, value: bytes | None = None,
             texts: Texts | None = None, asked: tuple[Any, ...] = ()) -> Any:
    """What a module calls by a dotted name; where it does not, the derivative of the function that
    came along as bytes."""
    from tangent_lite.written import pickling
    try:
        found = pickling.by_name(module, name)
    except AttributeError:
        found = None
    if value is None or isinstance(found, GradientFunction):
        return found if found is not None else pickling.by_name(module, name)
    return pickling.made_of_bytes(_made, value, texts or pickling.Texts({}, {}), asked)


def _made(primal: Any, form: str, wrt: Any, has_aux: bool, holomorphic: bool, debug: str | None,
          compiled: dict[str, bool] | None) -> GradientFunction:
    """The object that is a derivative."""
    if compiled is None:
        return GradientFunction(form, primal, wrt, has_aux, holomorphic, debug)
    from tangent_lite.api.compiled import CompiledGradient
    return CompiledGradient(form, primal, wrt, has_aux, holomorphic, debug, compiled)
