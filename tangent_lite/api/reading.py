"""A derivative to be read: its source, where each line of it comes from, and as a file."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tangent_lite.calling.request import Request
from tangent_lite.errors import TangentError
from tangent_lite.tracebacks import direct

if TYPE_CHECKING:
    from tangent_lite.variant import Variant


class Readable:
    """The part of a GradientFunction that shows what runs."""

    __slots__ = ()

    request: Request
    primal: Any
    _latest: Variant | None

    def _values(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        raise NotImplementedError           # this and the next two: see GradientFunction

    def _build(self, values: tuple[Any, ...]) -> Variant:
        raise NotImplementedError

    def _general(self) -> Variant:
        raise NotImplementedError

    def _readable(self) -> Variant:
        """The general variant; where too little is known for that, or for more than adjoints by
        identity, that of the latest call."""
        latest = self._latest
        try:
            found = self._general()
        except TangentError:
            if latest is None:
                raise
            return latest
        if found.by_identity and latest is not None and not latest.by_identity:
            return latest
        return found

    @property
    def __signature__(self) -> Any:
        return _with_more(self.request)

    @property
    @direct
    def source(self) -> str:
        """The source of the derivative for any arguments (or for those that annotations name).

        Where that cannot be written because too little is known, or finds adjoints by identity for
        that reason, the source for the arguments of the latest call.
        """
        return self._readable().text

    @direct
    def source_for(self, *args: Any, **keywords: Any) -> str:
        """The source that runs for such arguments."""
        return self._build(self._values(args, keywords)).text

    def variant_to_read(self, args: tuple[Any, ...] | None) -> Variant:
        """The variant whose text `source` shows, or with arguments `source_for`."""
        return self._readable() if args is None else self._build(self._values(args, {}))

    @property
    @direct
    def line_map(self) -> dict[int, tuple[str, int]]:
        """For the lines of `source`, counted from 1, the (file, line) of the user that each comes
        from: the lines of the two passes, and of helpers, in whatever file these stand. Imports
        and the like come from nowhere and are left out."""
        return self._readable().lines

    @direct
    def line_map_for(self, *args: Any, **keywords: Any) -> dict[int, tuple[str, int]]:
        """The same for the source that runs for such arguments (see source_for)."""
        return self._build(self._values(args, keywords)).lines

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The emitted function, so that inspect.getsource shows the derivative."""
        try:
            return self._readable().for_any_shape().main
        except TangentError:
            raise AttributeError("__wrapped__") from None

    @property
    def __globals__(self) -> dict[str, Any]:
        """In which the annotations of the parameters mean something: see typing.get_type_hints."""
        return self.request.function.__globals__

    @direct
    def show(self, *args: Any, **keywords: Any) -> None:
        """Print the source, in colour on a terminal if pygments is installed."""
        from tangent_lite.written.highlight import for_terminal
        text = self.source_for(*args, **keywords) if args or keywords else self.source
        print(for_terminal(text) if sys.stdout.isatty() else text)

    @direct
    def save(self, path: str | os.PathLike[str], *args: Any, **keywords: Any) -> None:
        """Write the derivative into a module that needs NumPy only.

        It is the code for the example arguments, if there are any; else for those of the latest
        call; else for any. A file in which a function stands that the derivative was made of is not
        written over: TangentError.
        """
        text = self.standalone(*args, **keywords)  # first: an error must not leave an empty file
        self.check_path(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def check_path(self, path: str | os.PathLike[str]) -> None:
        """Refuse the path of a file of the user in which a part of the function stands."""
        variant = self._latest or self._general()
        files = {self.request.function.__code__.co_filename,
                 *(file for file, _ in variant.lines.values())}
        if os.path.exists(path) and any(os.path.exists(file) and os.path.samefile(file, path)
                                        for file in files):
            raise TangentError(f"{path} would be written over, and {self.request.name}, or what it "
                               "calls, stands there", None, "write to another file")

    @direct
    def standalone(self, *args: Any, **keywords: Any) -> str:
        """The text that save writes."""
        if self.request.has_stars:
            raise TangentError("what is written to a file would take what stands behind a star as "
                               "one argument", None, f"name the parameters of {self.request.name}")
        if args or keywords:
            return self._build(self._values(args, keywords)).standalone()
        return (self._latest or self._general()).standalone()

    def __repr__(self) -> str:
        wrt = f", wrt={self.request.wrt!r}" if self.request.wrt != 0 else ""
        return f"<{self.request.form}({called(self.primal)}{wrt})>"

    def _repr_html_(self) -> str:
        from tangent_lite.written.highlight import as_html
        return as_html(self.source)


def called(fun: Any) -> str:
    """How messages name a function: one short line."""
    return str(getattr(fun, "__name__", None) or repr(fun).splitlines()[0])


def annotations_of(fun: Any) -> dict[str, Any]:
    """The annotations of the parameters that a derivative takes as its function does; those of an
    object that can be called stand at its method, and its own are of its attributes."""
    is_named = hasattr(fun, "__globals__") or "__annotations__" in getattr(fun, "__dict__", ())
    own = fun if is_named else getattr(type(fun), "__call__", None)         # noqa: B004
    try:
        return {name: one for name, one in getattr(own, "__annotations__", {}).items()
                if name != "return"}
    except NameError:           # of a class that is yet to be defined, from Python 3.14 on
        return {}


def _with_more(request: Request) -> Any:
    """The signature of a derivative: that of the function, and tangents or the cotangent."""
    if not request.is_forward and request.form != "vjp":
        return request.signature
    import inspect
    given = [p.replace(kind=p.POSITIONAL_OR_KEYWORD, default=p.empty)
             for p in request.signature.parameters.values()]
    more = [f"d{path[0]}" for path in request.paths()] if request.is_forward \
        else [f"b{request.name}"]
    taken = {p.name for p in given}
    for name in more:
        while name in taken or not name.isidentifier():
            name = f"{name}_" if name.isidentifier() else "dy"
        taken.add(name)
        given.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return inspect.Signature(given)
