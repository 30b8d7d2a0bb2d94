"""What is asked for when a derivative is made: of which function, with respect to what."""
from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from tangent_lite.calling.collector import resting
from tangent_lite.errors import InputError, TangentError, WrtError
from tangent_lite.modules import signature_of

# ("params", (".", "dense")): the parameter, then steps into it.
Path = tuple[Any, ...]


class Request:
    """A function, what to differentiate it with respect to, and in which form.

    form: "grad", "value_and_grad", "vjp", "jvp", or "tangent": a jvp without the value. Raises what
    `target_of` raises, and WrtError.
    The function may be a derivative: then what is differentiated is the function emitted for it.
    """

    def __init__(self, form: str, fun: Any, wrt: Any, has_aux: bool, holomorphic: bool,
                 debug: str | None = None, compiled: dict[str, bool] | None = None) -> None:
        with resting():
            from tangent_lite.functions.callables import target_of  # gast and more: not at import
        self.form, self.fun, self.wrt = form, fun, wrt
        self._paths: list[Path] | None = None           # known once they are asked for
        self.is_forward = form in ("jvp", "tangent")
        self.has_aux, self.holomorphic, self.debug = has_aux, holomorphic, debug
        self.compiled = compiled                        # options of Numba; None: plain Python
        if debug not in (None, "nan"):
            raise TangentError(f"debug={debug!r} means nothing", None,
                               'write debug="nan", or leave it out')
        is_of_class = isinstance(fun, (staticmethod, classmethod))
        self.derived: Any = None if is_of_class else derivative_of(fun)
        if self.derived is None:
            self.function, self.bound, self.signature = target_of(fun)
        else:
            inner = self.derived.request
            self.function, self.bound = inner.function, inner.bound
            self.signature = self.derived.__signature__
            if fun is not self.derived:                         # a method that is a derivative
                self.bound = (fun.__self__, *self.bound)
                self.signature = self.signature.replace(
                    parameters=list(self.signature.parameters.values())[1:])
        # All parameters, also those that a bound method or callable object fills itself.
        every = signature_of(self.function).parameters
        self.names = list(every)
        if self.derived is not None:
            self.names += [n for n in self.signature.parameters if n not in every]
        self.keyword_only = [p.name for p in every.values() if p.kind is p.KEYWORD_ONLY]
        parameters = list(self.signature.parameters.values())
        self.visible = [p.name for p in parameters]
        self.name = _name_of(fun)
        self.defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
        # They may be replaced; of a derivative they are those of the function below it.
        self._known_defaults = self.function.__defaults__
        self._known_by_name = dict(self.function.__kwdefaults__ or {})
        self.binds_plainly = all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
                             for p in parameters)
        self.has_stars = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
        # The parameter that takes what positional arguments are left.
        self.star = next((k for k, p in enumerate(parameters) if p.kind is p.VAR_POSITIONAL), None)
        self._by_position = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
                                for p in parameters)
        # How many positional arguments need no binding at all; -1 if there is no such number.
        self.count = len(parameters) if self._by_position == len(parameters) else -1
        if wrt is not None or form != "vjp":
            self.paths()

    @property
    def is_made_anew(self) -> bool:
        """Whether there may be others of the same code: of a lambda or a function that stands in
        another one and captures variables, and of methods."""
        if self.derived is not None and not self.bound:
            inner: bool = self.derived.request.is_made_anew
            return inner
        return isinstance(self.function, types.FunctionType) \
            and bool(self.function.__closure__ or self.bound)

    def bind(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters, defaults filled in, as a call does it."""
        self.with_defaults_of_now()
        if self.binds_plainly and len(args) <= self._by_position:
            values, used = list(args), 0
            for name in self.visible[len(args):]:
                if name in keywords:
                    used += 1
                    values.append(keywords[name])
                elif name in self.defaults:
                    values.append(self.defaults[name])
                else:
                    break
            else:
                if used == len(keywords):
                    return tuple(values)
        try:
            bound = self.signature.bind(*args, **keywords)
        except TypeError as error:
            # What is wrong with names Python says itself, once it is Python that binds them.
            unknown = next((name for name in keywords if name not in self.visible), None)
            wrong = str(error)
            if unknown is not None:
                meant = nearest(unknown, self.visible)
                wrong = f"an unexpected keyword argument {unknown!r}" + (
                    "" if meant is None else f". Did you mean {meant!r}?")
            name = self._name_of_primal()
            if unknown is not None or wrong.startswith("multiple"):
                form = f"_{self.form}" if self.form in ("grad", "value_and_grad") else ""
                raise TypeError(f"{name}{form}() got {wrong}") from None
            raise InputError(f"{name}(): {error}", None,
                             f"pass the arguments of {name}{self.signature}") from None
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in self.visible)

    def _name_of_primal(self) -> str:
        """The name of the user's function, of which this may be a derivative of a derivative."""
        request = self
        while request.derived is not None:
            request = request.derived.request
        return request.name

    def with_defaults_of_now(self) -> None:
        """Read the signature again if defaults were replaced since."""
        if self._has_other_defaults():
            self.renew()

    def _has_other_defaults(self) -> bool:
        by_name, known = self.function.__kwdefaults__, self._known_by_name
        if self.function.__defaults__ is not self._known_defaults:
            return True
        return (by_name or {}).keys() != known.keys() or any(
            value is not known[name] for name, value in (by_name or {}).items())

    def renew(self) -> None:
        """Read the signature again, after defaults were replaced."""
        if self.derived is not None:
            self.derived.request.renew()
        self.__dict__.update(Request(self.form, self.fun, self.wrt, self.has_aux,
                                     self.holomorphic, self.debug, self.compiled).__dict__)

    def function_for(self, parameter_kinds: dict[str, Any], outside: Any = None) -> Any:
        """The function to read: of a derivative, the one emitted for arguments of these kinds;
        outside: where it is noted what that assumes of shapes (see `SizesOutside`), None if it is
        to serve all of them."""
        if self.derived is not None:
            return self.derived.emitted_for(parameter_kinds, outside)
        function: Any = self.function
        if not isinstance(function, types.FunctionType):
            return function
        from tangent_lite.source.renamed import under_other_names  # with gast: not at import
        from tangent_lite.source.unstarred import without_stars
        return without_stars(under_other_names(function)[0])

    def paths(self) -> list[Path]:
        """What to differentiate with respect to; WrtError if there is no such thing."""
        if self._paths is None:
            self._paths = self._found_paths()
        return [*self._paths]

    def _found_paths(self) -> list[Path]:
        many = self.wrt if isinstance(self.wrt, tuple) else (self.wrt,)
        if not many and not self.is_forward:
            raise WrtError("wrt=() names nothing", None, "name at least one parameter")
        found = [self._path(one) for one in many]
        for number, path in enumerate(found):
            for other in found[:number]:
                shorter = min(len(path), len(other))
                if path[:shorter] == other[:shorter]:
                    raise WrtError(f"wrt={self.wrt!r} names {spell(other[:shorter])} twice", None,
                                   "name each only once")
        return found

    def _path(self, one: Any) -> Path:
        if isinstance(one, np.integer):
            one = int(one)
        if isinstance(one, bool) or not isinstance(one, (int, str)):
            raise WrtError(f"wrt={one!r} is no position, name or attribute path", None,
                           f"write a tuple: wrt={tuple(one)!r}" if isinstance(one, list) and one
                           and all(type(part) in (int, str) for part in one) else
                           f"call the derivative with the arguments of {self.name}: grad(f)(x)"
                           if isinstance(one, (float, complex, np.ndarray, list, dict)) else
                           'write wrt=0, wrt="x", wrt="self.W" or a tuple of them')
        has = f"{self.name} has {', '.join(self.visible) or 'none'}"
        if isinstance(one, int):
            if not -len(self.visible) <= one < len(self.visible):
                raise WrtError(f"wrt={one}: there is no such parameter; {has}", None,
                               f"name an attribute of the object: wrt=\"{self.names[0]}.name\""
                               if self.bound and not self.visible else None)
            return (self.visible[one],)
        first, *rest = one.split(".")
        if first not in self.names:
            raise self._no_parameter(one, first, rest, has)
        if not all(name.isidentifier() for name in rest):
            raise WrtError(f"wrt={one!r} names an attribute by what is no name", None,
                           "name a parameter, or an attribute of it: items of lists and dicts are "
                           "parts of its gradient")
        return (first, *((".", name) for name in rest))


    def _no_parameter(self, one: str, first: str, rest: list[str], has: str) -> WrtError:
        """The error for a name that is no parameter."""
        what = f"wrt={one!r}: {self.name} has no parameter {first}; {has}"
        if not first.isidentifier():
            return WrtError(what, None, "name a parameter, or an attribute of it: items of lists "
                                        "and dicts are parts of its gradient")
        own = self.names[0] if self.bound else None
        if rest and own is not None:
            return WrtError(f"{what}; its object is {own} there", None,
                            f"write wrt={'.'.join([own, *rest])!r}")
        meant = nearest(first, self.names)
        return WrtError(what, None, None if meant is None
                        else f"write wrt={'.'.join([meant, *rest])!r}")


# What other libraries call wrt.
FOREIGN = "argnums", "argnum"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that a misspelt one is meant for, if there is one like it.

    >>> nearest("weight", ["data", "weights"]), nearest("z", ["x", "y"])
    ('weights', None)
    """
    import difflib  # later: only errors ask
    like = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name.lower(), like, 1, 0.7)
    return like[found[0]] if found else None


def no_options(form: str, options: dict[str, Any]) -> None:
    """TypeError for arguments that an operator does not have, with the name that is meant."""
    if options:
        name = sorted(options)[0]
        meant = nearest(name, ("wrt", "has_aux", "holomorphic", "backend", "debug"))
        hint = "" if meant is None or meant == name else f". Did you mean {meant}?"
        if name in FOREIGN:
            hint = ": write wrt=... (wrt= takes positions, names or attribute paths)"
        raise TypeError(f"{form}() has no argument {name}{hint}")


def no_foreign(form: str, fun: Any, keywords: dict[str, Any]) -> None:
    """TypeError for argnums= among the keywords of a function that has no such parameter."""
    for name in FOREIGN:
        if name in keywords and not takes(fun, name):
            no_options(form, {name: keywords[name]})


def takes(fun: Any, name: str) -> bool:
    """Whether a callable may be given a keyword; True where it does not say."""
    import inspect  # later: only what may be an error asks
    try:
        known = inspect.signature(fun).parameters
    except (TypeError, ValueError):
        return True
    return name in known or any(one.kind is one.VAR_KEYWORD for one in known.values())


def derivative_of(fun: Any) -> Any:
    """The derivative that a callable is, or is a bound method of; else None."""
    inner = getattr(fun, "__func__", fun)
    return inner if hasattr(type(inner), "pull_back") else None


def spell(path: Path) -> str:
    """A path as users write it: params.dense."""
    return ".".join([path[0], *(step[1] for step in path[1:])])


def at_path(value: Any, path: Path) -> Any:
    """What a path names in the value of its parameter; WrtError unless that is held by the objects
    on the way: what a property computes, or a class holds for all its objects, is not."""
    if len(path) == 1:
        return value
    from tangent_lite.runtime.tangents import attributes, is_record
    for _, attribute in path[1:]:
        held = value._fields if isinstance(value, tuple) and hasattr(value, "_fields") else \
            attributes(value) if is_record(value) else ()
        if attribute not in held:
            raise _not_held(value, attribute, path, held)
        value = getattr(value, attribute)
    return value


def left_out(fun: Any, count: int) -> dict[str, Any]:
    """The defaults of the parameters that a call with so many arguments by position leaves out.

    >>> left_out(lambda x, n=2, *, w=1.0: w * x ** n, 1)
    {'n': 2}

    Empty if some have none, or if there is a parameter with a star.
    """
    parameters = Request("vjp", fun, None, False, True).signature.parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {}
    rest = [p for p in list(parameters)[count:] if p.kind is p.POSITIONAL_OR_KEYWORD]
    return {} if any(p.default is p.empty for p in rest) else {p.name: p.default for p in rest}


def _not_held(value: Any, attribute: str, path: Path, held: Iterable[str]) -> WrtError:
    from tangent_lite.runtime.tangents import is_record
    cls = type(value)
    what = f"wrt={spell(path)!r}: {cls.__name__} has no attribute {attribute}"
    if isinstance(value, (dict, list)) and not hasattr(value, attribute):
        return WrtError(what, None, f"name the {cls.__name__}: its items are parts of its gradient")
    if not hasattr(value, attribute):
        meant = nearest(attribute, held)
        return WrtError(what, None, None if meant is None else
                        f"write wrt={spell(path).replace(f'.{attribute}', f'.{meant}', 1)!r}")
    if not is_record(value):
        return WrtError(f"{what} that could be varied by itself", None,
                        "name what it is an attribute of")
    if hasattr(getattr(cls, attribute, None), "__get__"):
        return WrtError(f"{what} of its own: it is computed when it is read", None,
                        "name what it is computed from")
    return WrtError(f"{what} of its own: it belongs to the class", None,
                    f"set it in the object: self.{attribute} = ...")


def _name_of(fun: Any) -> str:
    """The name of a function, of what a partial calls, or of the class of a callable object."""
    for one in (fun, getattr(fun, "func", None)):
        name = getattr(one, "__name__", None)
        if isinstance(name, str):
            return name
    return type(fun).__name__
