"""What users call: grad, value_and_grad, vjp, and the derivative as an object."""
from __future__ import annotations

import functools
import html
import inspect
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite import kinds, trees
from tangent_lite.callables import Target, target_of
from tangent_lite.compile import compile_units, display, standalone
from tangent_lite.errors import (
    AliasError,
    InputError,
    OutputError,
    TangentError,
    WrtError,
)
from tangent_lite.kinds import Kind
from tangent_lite.runtime import zeros_like
from tangent_lite.transform import derive

Path = tuple[Any, ...]


# Making derivatives ---------------------------------------------------------------------------
def grad(fun: Any = None, wrt: Any = 0, *, has_aux: bool = False, holomorphic: bool = False,
         backend: str = "python", **wrong: Any) -> Any:
    """The gradient of a function whose result is one number.

    fun: a function, method or other callable; left out, grad is a decorator with arguments.
    wrt: what to differentiate with respect to: a position (negative too), a parameter's name, an
        attribute path ("self.W"), or a tuple of them. A tuple in gives a tuple out.
    has_aux: the function returns (value, something else); the derivative (gradient, something).
    holomorphic: allow a complex result; the gradient is the complex derivative.

    Gradients have the structure, shape and dtype of the argument; for complex arguments the
    convention of JAX and autograd holds (|z|^2 at 3+4j has gradient 6-8j).

    Raises WrtError, InputError (an argument cannot vary), OutputError (the result is no number),
    and at the first call UnsupportedSyntaxError, MissingRuleError, SourceNotFoundError, AliasError.
    """
    return _make("grad", fun, wrt, has_aux, holomorphic, backend, wrong)


def value_and_grad(fun: Any = None, wrt: Any = 0, *, has_aux: bool = False,
                   holomorphic: bool = False, backend: str = "python", **wrong: Any) -> Any:
    """Like grad, but the derivative returns (value, gradient); the value is the function's own.

    With has_aux: ((value, aux), gradient).
    """
    return _make("value_and_grad", fun, wrt, has_aux, holomorphic, backend, wrong)


def _make(form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool, backend: str,
          wrong: dict[str, Any]) -> Any:
    if wrong:
        name = sorted(wrong)[0]
        hint = ": write wrt=..." if name in ("argnums", "argnum") else ""
        raise TypeError(f"{form}() has no argument {name}{hint} "
                        "(wrt= takes positions, names or attribute paths)")
    if backend != "python":
        raise TangentError(f"the backend {backend!r} is not there yet", None,
                           'leave it out, or write backend="python"')
    if fun is None:
        return lambda function: GradientFunction(form, function, wrt, has_aux, holomorphic)
    return GradientFunction(form, fun, wrt, has_aux, holomorphic)


def vjp(fun: Any, *primals: Any, wrt: Any = None, **keywords: Any) -> tuple[Any, Callable]:
    """The value of a function, and its pullback: cotangents of the result to those of arguments.

    Returns (y, pullback). pullback(dy) gives a tuple with one cotangent per primal, None for what
    cannot have one (text, integers, None, callables); with wrt a bare cotangent for one, a tuple
    for a tuple. It may be called any number of times. dy has the structure and shapes of y.
    """
    function = GradientFunction("vjp", fun, wrt, False, True)
    return function.pull_back(primals, keywords)


# The derivative as an object ------------------------------------------------------------------
class GradientFunction:
    """A derivative: call it, print `.source`, `.save(path)` it.

    It keeps no state between calls, may be called from threads, and pickles. For each combination
    of kinds of arguments (never of shapes or values) its source is built once.
    """

    def __init__(self, form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool) -> None:
        self.primal = fun
        self._form, self._wrt = form, wrt
        self._has_aux, self._holomorphic = has_aux, holomorphic
        self._target: Target = target_of(fun)
        self._variants: dict[Any, _Variant] = {}
        self._latest: _Variant | None = None
        self._lock = threading.RLock()
        name = getattr(fun, "__name__", type(fun).__name__)
        self.__name__ = f"{name}_{form}"
        self.__qualname__ = self.__name__
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__module__ = getattr(fun, "__module__", __name__) or __name__
        self.__signature__ = self._target.signature
        parameters = self._target.signature.parameters.values()
        self._positional = len(parameters) if all(
            p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) else -1
        self._names = [*list(inspect.signature(self._target.function).parameters)]
        if wrt is not None:
            self._check_wrt()

    # Calling ----------------------------------------------------------------------------------
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if keywords or len(args) != self._positional:
            args = self._bind(args, keywords)
        values = self._target.bound + args if self._target.bound else args
        variant = self._variants.get(tuple([_key(v) for v in values]))
        if variant is None or not variant.holds():
            variant = self._build(values)
        return variant.run(values)

    def pull_back(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Callable]:
        """The value and the pullback (see vjp)."""
        args = self._bind(args, keywords)
        values = self._target.bound + args
        return self._build(values).pull_back(values, len(self._target.bound), self._wrt)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def _bind(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        signature = self._target.signature
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in signature.parameters)

    def _build(self, values: tuple[Any, ...]) -> _Variant:
        key = tuple([_key(v) for v in values])
        with self._lock:
            variant = self._variants.get(key)
            if variant is None or not variant.holds():
                variant = _Variant(self, self._kinds(values), values)
                self._variants[key] = self._latest = variant
        return variant

    def _kinds(self, values: tuple[Any, ...]) -> dict[str, Kind]:
        return {name: _with_shape(kinds.kind_of(value), name)
                for name, value in zip(self._names, values)}

    # wrt --------------------------------------------------------------------------------------
    def _check_wrt(self) -> None:
        for one in self._wrt if isinstance(self._wrt, tuple) else (self._wrt,):
            self._path(one)

    def _path(self, one: Any) -> Path:
        """A position, name or attribute path as a path; WrtError if there is no such thing."""
        visible = list(self._target.signature.parameters)
        if isinstance(one, bool) or not isinstance(one, (int, str)):
            raise WrtError(f"wrt={one!r} is no position, name or attribute path", None,
                           "write wrt=0, wrt=\"x\", wrt=\"self.W\" or a tuple of them")
        if isinstance(one, int):
            if not -len(visible) <= one < len(visible):
                raise WrtError(f"wrt={one}: {self.primal_name} has {len(visible)} parameters: "
                               f"{', '.join(visible)}")
            return (visible[one],)
        first, *rest = one.split(".")
        if first not in self._names:
            raise WrtError(f"wrt={one!r}: {self.primal_name} has no parameter {first}; it has "
                           f"{', '.join(visible)}")
        return (first, *((".", name) for name in rest))

    def paths(self) -> list[Path]:
        wrt = self._wrt if isinstance(self._wrt, tuple) else (self._wrt,)
        return [self._path(one) for one in wrt]

    @property
    def primal_name(self) -> str:
        return str(getattr(self.primal, "__name__", self.primal))

    # Looking ----------------------------------------------------------------------------------
    @property
    def source(self) -> str:
        """The source of the derivative for any arguments (or for those that annotations name).

        Where that cannot be written because too little is known, the source for the arguments of
        the latest call.
        """
        try:
            return self._general().text
        except TangentError:
            if self._latest is None:
                raise
            return self._latest.text

    def source_for(self, *args: Any, **keywords: Any) -> str:
        """The source that runs for such arguments."""
        return self._build(self._target.bound + self._bind(args, keywords)).text

    def _general(self) -> _Variant:
        with self._lock:
            variant = self._variants.get("general")
            if variant is None or not variant.holds():
                variant = _Variant(self, _annotated(self._target), None)
                self._variants["general"] = variant
        return variant

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The emitted function, so that inspect.getsource shows the derivative."""
        try:
            return self._general().main
        except TangentError:
            if self._latest is None:
                raise AttributeError("__wrapped__") from None
            return self._latest.main

    def show(self, *args: Any, **keywords: Any) -> None:
        """Print the source, in colour on a terminal if pygments is installed."""
        text = self.source_for(*args, **keywords) if args or keywords else self.source
        print(highlight(text) if sys.stdout.isatty() else text)

    def save(self, path: str | os.PathLike[str], *args: Any, **keywords: Any) -> None:
        """Write the derivative into a module that needs NumPy only.

        It is the code for the example arguments, if there are any; else for those of the latest
        call; else for any.
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.standalone(*args, **keywords))

    def standalone(self, *args: Any, **keywords: Any) -> str:
        """The text that save writes."""
        if args or keywords:
            found = self._kinds(self._target.bound + self._bind(args, keywords))
        elif self._latest is not None:
            found = self._latest.kinds
        else:
            found = _annotated(self._target)
        form = self._form if self._form in ("grad", "value_and_grad") else "grad"
        derivative = derive(self._target.function, found, self.paths(), form, general=not args)
        return standalone(derivative)

    def __repr__(self) -> str:
        wrt = f", wrt={self._wrt!r}" if self._wrt != 0 else ""
        return f"<{self._form}({self.primal_name}{wrt})>"

    def _repr_html_(self) -> str:
        return highlight(self.source, html_page=True)

    def __reduce__(self) -> Any:
        return (_rebuild, (self._form, self.primal, self._wrt, self._has_aux, self._holomorphic))


def _rebuild(form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool) -> GradientFunction:
    return GradientFunction(form, fun, wrt, has_aux, holomorphic)


def highlight(text: str, html_page: bool = False) -> str:
    """The text in colours, if pygments is installed."""
    try:
        from pygments import highlight as colour
        from pygments.formatters import HtmlFormatter, TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f"<pre>{html.escape(text)}</pre>" if html_page else text
    formatter = HtmlFormatter(noclasses=True) if html_page else TerminalFormatter()
    return colour(text, PythonLexer(), formatter)


# One variant: the code for one combination of kinds ---------------------------------------------
class _Variant:
    """Compiled code for arguments of certain kinds."""

    def __init__(self, owner: GradientFunction, parameter_kinds: dict[str, Kind],
                 values: tuple[Any, ...] | None) -> None:
        self.owner, self.kinds = owner, parameter_kinds
        function = owner._target.function
        general = values is None
        if owner._form == "vjp":
            skipped = len(owner._target.bound)
            names = list(parameter_kinds)[skipped:]
            self.paths = owner.paths() if owner._wrt is not None else \
                [(n,) for n in names if kinds.can_vary(parameter_kinds[n])]
            self.form = "pair"
        else:
            self.paths = owner.paths()
            self.form = owner._form
        if not general:
            self._check_inputs(values)
        derivative = derive(function, parameter_kinds, self.paths, self.form, general)
        result = derivative.result
        if not general and self.form != "pair" and not self._is_plain(result):
            self._check_result(result)
            self.form = "pair"
            derivative = derive(function, parameter_kinds, self.paths, "pair")
        self.derivative = derivative
        self.text = display(derivative)
        if owner._form != "vjp" and self.form == "pair":
            # What is shown is the gradient as one function.
            shown = derive(function, parameter_kinds, self.paths, owner._form)
            self.text = display(shown)
        self.functions = compile_units(derivative)
        self.main = self.functions[derivative.main.name]
        if derivative.backward is not None:
            self.backward = self.functions[derivative.backward.name]
        self.resolvers = derivative.resolvers
        self.spots = [list(parameter_kinds).index(path[0]) for path in self.paths]
        self.written = [list(parameter_kinds).index(name) for name in derivative.written]
        self.single = not isinstance(owner._wrt, tuple)
        self.simple = self.single and len(self.paths) == 1 and len(self.paths[0]) == 1 \
            and self.form == "grad" and not self.written \
            and isinstance(parameter_kinds[self.paths[0][0]], kinds.Number)
        self.checks = _checks(self.resolvers)

    def _is_plain(self, result: Kind) -> bool:
        return isinstance(result, kinds.Number) and result.type == "float" \
            and not self.owner._has_aux and not self.owner._holomorphic

    def _check_result(self, result: Kind) -> None:
        if self.owner._has_aux:
            if isinstance(result, kinds.TupleKind) and len(result.items) == 2:
                result = result.items[0]
            elif not isinstance(result, kinds.TupleKind):
                return
        if isinstance(result, kinds.Number) and result.type == "complex" \
                and not self.owner._holomorphic:
            raise _complex_output(self.owner)

    def _check_inputs(self, values: tuple[Any, ...]) -> None:
        for path in self.paths:
            kind = self.kinds[path[0]]
            value = values[list(self.kinds).index(path[0])]
            for step in path[1:]:
                if not hasattr(value, step[1]):
                    raise WrtError(f"wrt={'.'.join([path[0], *(s[1] for s in path[1:])])!r}: "
                                   f"{type(value).__name__} has no attribute {step[1]}")
                value = getattr(value, step[1])
                kind = kinds.kind_of(value)
            if not _has_floats(kind):
                name = ".".join([path[0], *(s[1] for s in path[1:])])
                raise InputError(
                    f"{self.owner.primal_name}: the argument {name} is {_describe(value)}, which "
                    "cannot vary", None,
                    f"pass a float or an array of floats, or leave {name} out of wrt")

    def holds(self) -> bool:
        """Whether the names the code rests on still mean the same."""
        for table, name, old in self.checks:
            if table.get(name, _MISSING) is not old:
                return self._holds_slowly()
        return True

    def _holds_slowly(self) -> bool:
        if not all(r.holds() for r in self.resolvers):
            return False
        for resolver in self.resolvers:
            for name in resolver.seen:
                resolver.seen[name] = resolver.now(name)
        self.checks = _checks(self.resolvers)
        return True

    # Running ----------------------------------------------------------------------------------
    def run(self, values: tuple[Any, ...]) -> Any:
        if self.simple:
            gradient = self.main(*values)
            return gradient if type(gradient) is float else \
                trees.finish(gradient, values[self.spots[0]], [])
        if self.written:
            self._check_sharing(values)
        if self.form == "pair":
            return self._run_pair(values)
        found = self.main(*values)
        value = None
        if self.form == "value_and_grad":
            value, found = found
        gradients = self._finish(found, values, [v for v in values if type(v) is np.ndarray])
        return gradients if self.form == "grad" else (value, gradients)

    def _finish(self, found: Any, values: tuple[Any, ...], held: list[Any]) -> Any:
        parts = found if len(self.paths) > 1 else (found,)
        out = []
        for part, path, spot in zip(parts, self.paths, self.spots):
            argument = values[spot]
            for step in path[1:]:
                argument = getattr(argument, step[1])
            out.append(trees.finish(part, argument, held))
        return out[0] if self.single and self.owner._form != "vjp" else tuple(out)

    def _run_pair(self, values: tuple[Any, ...]) -> Any:
        owner = self.owner
        value, saved = self.main(*values)
        first, seed = value, None
        if owner._has_aux:
            if not isinstance(value, tuple) or len(value) != 2:
                raise OutputError(f"{owner.primal_name}: has_aux=True needs a result (value, aux), "
                                  f"not {_describe(value)}")
            first = value[0]
        seed = self._seed(first)
        if owner._has_aux:
            seed = (seed, zeros_like(value[1]))
        found = self.backward(saved, seed)
        gradients = self._finish(found, values, [v for v in values if type(v) is np.ndarray])
        if owner._form == "grad":
            return (gradients, value[1]) if owner._has_aux else gradients
        return value, gradients

    def _seed(self, value: Any) -> Any:
        """One, in the shape of the result; OutputError if the result is no number."""
        owner = self.owner
        if isinstance(value, (bool, np.bool_)) or not isinstance(
                value, (int, float, complex, np.ndarray, np.generic)):
            raise OutputError(f"{owner.primal_name} returns {_describe(value)}; grad needs one "
                              "number", None, "return a float, or use jacobian or vjp"
                              if not isinstance(value, tuple) else
                              "write has_aux=True, or use jacobian or vjp")
        shape = np.shape(value)
        if np.size(value) != 1:
            raise OutputError(f"{owner.primal_name} returns an array of shape {shape}; grad needs "
                              "one number", None, "sum it up, or use jacobian or vjp")
        if np.iscomplexobj(value) and not owner._holomorphic:
            raise _complex_output(owner)
        if not shape:
            return 1.0
        return np.ones(shape, np.asarray(value).dtype if np.asarray(value).dtype.kind in "fc"
                       else float)

    def pull_back(self, values: tuple[Any, ...], skipped: int, wrt: Any) -> tuple[Any, Callable]:
        if self.written:
            self._check_sharing(values)
        value, saved = self.main(*values)
        names = list(self.kinds)

        def pullback(cotangent: Any) -> Any:
            seed = _like(cotangent, value, "cotangent")
            held = [v for v in values if type(v) is np.ndarray] + trees.arrays_in(seed)
            found = self._finish(self.backward(saved, seed) if self.paths else (), values, held)
            if wrt is not None:
                return found if isinstance(wrt, tuple) else found[0]
            by_name = {path[0]: part for path, part in zip(self.paths, found)}
            return tuple(by_name.get(name) for name in names[skipped:])

        return value, pullback

    def _check_sharing(self, values: tuple[Any, ...]) -> None:
        """Two arguments that share memory, one of them written: the shadows would not overlap."""
        for spot in self.written:
            ours = trees.arrays_in(values[spot])
            for other, value in enumerate(values):
                if other == spot:
                    continue
                for a in ours:
                    for b in trees.arrays_in(value):
                        if np.may_share_memory(a, b) and np.shares_memory(a, b):
                            names = list(self.kinds)
                            raise AliasError(
                                f"{self.owner.primal_name} writes into {names[spot]}, which shares "
                                f"memory with {names[other]}", None,
                                f"pass a copy: {names[other]}.copy()")


_MISSING = object()


def _checks(resolvers: list[Any]) -> list[tuple[dict[str, Any], str, Any]]:
    """What to look up at each call: globals by identity; cells are looked up the slow way."""
    found = []
    seen = set()
    for resolver in resolvers:
        cells = resolver.source.cells
        for name, old in resolver.seen.items():
            if name in cells:
                if not callable(old) and not isinstance(old, types.ModuleType):
                    table: Any = _Cell(cells[name])
                else:
                    table = _Cell(cells[name])
                found.append((table, name, old))
            elif name in resolver.source.globals and (id(resolver.source.globals), name) not in seen:
                seen.add((id(resolver.source.globals), name))
                found.append((resolver.source.globals, name, old))
    return found


class _Cell:
    """A closure cell, looked up like a dict."""
    __slots__ = ("cell",)

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell

    def get(self, name: str, default: Any) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return default


def _key(value: Any) -> Any:
    """What chooses the variant for a value: equal for values of one kind."""
    kind = type(value)
    if kind is np.ndarray:
        return (value.ndim, value.dtype.char)
    if kind in (float, int, str, bool, complex) or value is None:
        return kind
    if isinstance(value, dict):
        return (kind, *[(k, _key(v)) for k, v in value.items()])
    if isinstance(value, tuple):
        return (kind, *[_key(v) for v in value])
    if isinstance(value, list):
        return (kind, *dict.fromkeys([_key(v) for v in value]))
    if isinstance(value, np.generic):
        return kind
    found = kinds.kind_of(value)
    if isinstance(found, kinds.RecordKind):
        return (kind, *[(n, _key(getattr(value, n))) for n in found.fields])
    return found


def _with_shape(kind: Kind, name: str) -> Kind:
    """The kind of a parameter, its arrays with a token for the shape."""
    if isinstance(kind, kinds.Array):
        return kinds.Array(kind.ndim, kind.dtype, kinds.new_shape())
    if isinstance(kind, kinds.TupleKind):
        return kinds.TupleKind(tuple(_with_shape(k, name) for k in kind.items), kind.type)
    if isinstance(kind, kinds.DictKind):
        return kinds.DictKind(kind.keys, tuple(_with_shape(k, name) for k in kind.items))
    return kind


def _has_floats(kind: Kind) -> bool:
    if isinstance(kind, kinds.ListKind):
        return kind.item is not kinds.EMPTY and _has_floats(kind.item)
    if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)):
        return any(map(_has_floats, kind.items))
    return kinds.can_vary(kind)


def _annotated(target: Target) -> dict[str, Kind]:
    """Kinds of the parameters as annotations and bound objects tell; the rest is unknown."""
    found: dict[str, Kind] = {}
    parameters = inspect.signature(target.function).parameters
    plain = {float: kinds.FLOAT, int: kinds.INT, bool: kinds.BOOL, complex: kinds.COMPLEX,
             str: kinds.TEXT, "float": kinds.FLOAT, "int": kinds.INT, "bool": kinds.BOOL,
             "complex": kinds.COMPLEX, "str": kinds.TEXT}
    for number, (name, parameter) in enumerate(parameters.items()):
        if number < len(target.bound):
            found[name] = kinds.kind_of(target.bound[number])
            continue
        annotation = parameter.annotation
        kind = plain.get(annotation) if isinstance(annotation, (type, str)) else None
        if kind is None and (annotation is np.ndarray or annotation in ("np.ndarray",
                                                                        "numpy.ndarray")):
            kind = kinds.Array(None, "float")
        if kind is None and isinstance(parameter.default, (bool, str, type(None))):
            kind = kinds.kind_of(parameter.default)
        found[name] = kind or kinds.UNKNOWN
    return found


def _complex_output(owner: GradientFunction) -> OutputError:
    return OutputError(f"{owner.primal_name} returns a complex number", None,
                       "return its real part or modulus, or write holomorphic=True for the "
                       "complex derivative")


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    if value is None:
        return "None"
    return f"of type {type(value).__name__}"


def _like(given: Any, value: Any, what: str) -> Any:
    """A cotangent checked against the value it belongs to."""
    if isinstance(value, dict):
        if not isinstance(given, dict) or set(given) != set(value):
            raise InputError(f"the {what} needs the keys {sorted(value)}, not {given!r}")
        return {k: _like(given[k], v, what) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        if not isinstance(given, (tuple, list)) or len(given) != len(value):
            raise InputError(f"the {what} needs {len(value)} parts, as the value has")
        return type(value)(*[_like(g, v, what) for g, v in zip(given, value)]) \
            if hasattr(value, "_fields") else \
            type(value)([_like(g, v, what) for g, v in zip(given, value)])
    if isinstance(value, np.ndarray):
        if np.shape(given) != value.shape:
            raise InputError(f"the {what} has shape {np.shape(given)}, the value {value.shape}",
                             None, f"pass an array of shape {value.shape}")
        made = np.asarray(given)
        return made if made.dtype.kind in "fcO" else made.astype(float)
    if isinstance(value, (int, float, complex, np.generic)):
        if np.shape(given) != ():
            raise InputError(f"the {what} has shape {np.shape(given)}, the value is a number")
        if isinstance(given, np.ndarray):
            given = given[()]
        return float(given) if isinstance(given, int) else given
    return given


_ = functools
