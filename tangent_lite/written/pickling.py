"""What goes along with a derivative to another process.

A derivative is pickled as the function and what was asked for; there it is made again. The function
goes by name where its module can be imported. What cannot be (`__main__`, a notebook, what is
defined inside of a function, a lambda) goes by value, where a pickler is loaded that can do so
(cloudpickle: Dask's and joblib's), and then its file need not be there: its text goes along. From
version 3.1.3 on cloudpickle forgets which file a function is from, so that goes along as well.

A worker unpickles a derivative for each of its tasks. It is made once: of functions that come by
name there is one, and of those by value the bytes say all that they are.
"""
from __future__ import annotations

import functools
import linecache
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_FORGOTTEN = "<dynamic-code>"       # the file of all functions that cloudpickle sent
_MOST = 256                 # derivatives that a process keeps
_made: dict[Any, Any] = {}


class Texts(NamedTuple):
    """The texts of files, by their names, and which of them functions are from (see `_mark_of`)."""
    of_files: dict[str, str]
    files: dict[Any, str]


def reduced(make: Callable[..., Any], thing: Any, asked: tuple[Any, ...]) -> tuple[Any, Any]:
    """How make(thing, *asked) pickles."""
    texts = texts_of(thing)
    value = by_value(thing) if texts.of_files and isinstance(thing, types.FunctionType) else None
    if value is not None:
        return (made_of_bytes, (make, value, texts, asked))
    return (made_again, (make, thing, texts, asked))


def made_again(make: Callable[..., Any], thing: Any, texts: Texts, asked: tuple[Any, ...]) -> Any:
    """A derivative in another process, its sources at hand."""
    enter_texts(texts)
    name_files(thing, texts)
    if isinstance(thing, types.FunctionType) or hasattr(type(thing), "emitted_for"):
        return _made_once(make, (thing, pickle.dumps(asked)), lambda: make(thing, *asked))
    return make(thing, *asked)                  # it holds what may change


def made_of_bytes(make: Callable[..., Any], value: bytes, texts: Texts,
                  asked: tuple[Any, ...]) -> Any:
    """The same of a function that came by value."""
    enter_texts(texts)
    return _made_once(make, (value, pickle.dumps(asked)),
                      lambda: make(name_files(pickle.loads(value), texts), *asked))


def _made_once(make: Callable[..., Any], key: Any, new: Callable[[], Any]) -> Any:
    found = _made.get((make, key))
    if found is None:
        if len(_made) >= _MOST:
            _made.clear()
        found = _made.setdefault((make, key), new())
    return found


def texts_of(thing: Any) -> Texts:
    """The texts of the functions that go by value with something that can be called."""
    spaces: dict[str, dict[str, Any]] = {}
    files: dict[Any, str] = {}
    for function in _functions(thing):
        if goes_by_value(function):
            file = function.__code__.co_filename
            spaces.setdefault(file, function.__globals__)
            files[_mark_of(function.__code__)] = file
    found = {file: "".join(linecache.getlines(file, space)) for file, space in spaces.items()}
    return Texts({file: text for file, text in found.items() if text},
                 {mark: file for mark, file in files.items() if found[file]})


def _mark_of(code: types.CodeType) -> Any:
    """What tells code from that of other functions, its file aside. Should two be taken for each
    other, the text is found not to be that of the code."""
    constants = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    return code.co_name, code.co_firstlineno, code.co_code, code.co_names, repr(constants)


def name_files(thing: Any, texts: Texts) -> Any:
    """Tell functions that forgot it which file they are from; the thing that rests on them."""
    for function in _functions(thing):
        code = function.__code__
        file = texts.files.get(_mark_of(code)) if code.co_filename == _FORGOTTEN else None
        if file is not None:
            function.__code__ = _from_file(code, file)
    return thing


def _from_file(code: types.CodeType, file: str) -> types.CodeType:
    """Code, and that of functions inside, as from a file."""
    return code.replace(co_filename=file, co_consts=tuple(
        _from_file(c, file) if isinstance(c, types.CodeType) else c for c in code.co_consts))


def goes_by_value(function: Any) -> bool:
    """Whether another process cannot look up a function by the name of its module and its own."""
    return function.__module__ == "__main__" or "<" in function.__qualname__


def _functions(thing: Any) -> Iterator[types.FunctionType]:
    """The functions of Python that something rests on, as far as they go by value with it."""
    todo, seen = [thing], set()
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, types.FunctionType):
            yield one
            if goes_by_value(one):
                cells = [c.cell_contents for c in one.__closure__ or () if _is_filled(c)]
                around = [one.__globals__.get(name) for name in _names(one.__code__)]
                todo += [*cells, *around, getattr(one, "__wrapped__", None)]
        elif isinstance(one, types.MethodType):
            todo += [one.__func__, type(one.__self__)]
        elif isinstance(one, functools.partial):
            todo += [one.func, *one.args, *one.keywords.values()]
        elif isinstance(one, type):
            todo += [v for c in one.__mro__ for v in vars(c).values()] \
                if one.__module__ == "__main__" or "<" in one.__qualname__ else []
        elif isinstance(one, (staticmethod, classmethod, property)):
            todo += [getattr(one, "__func__", None), getattr(one, "fget", None)]
        elif hasattr(type(one), "emitted_for"):
            todo.append(one.primal)
        elif type(one).__module__ == "__main__" or "<" in type(one).__qualname__:
            todo.append(type(one))


def _is_filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _names(code: types.CodeType) -> Iterator[str]:
    """The names that code looks up, that of functions inside included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def enter_texts(texts: Texts) -> None:
    """Put texts where Python looks up those of files, unless there is one already."""
    for file, text in texts.of_files.items():
        if not linecache.getlines(file):
            linecache.cache[file] = (len(text), None, text.splitlines(True), file)


# Made by a decorator: the name of the function means the derivative ------------------------------
def by_value(function: Any) -> bytes | None:
    """A function as bytes, by a pickler that is loaded and can send it by value; None if there is
    none."""
    for name, module in list(sys.modules.items()):
        if name.rpartition(".")[2] == "cloudpickle" and hasattr(module, "dumps"):
            try:
                return module.dumps(function)
            except (TypeError, pickle.PicklingError):
                return None
    return None


def by_name(module: str, name: str) -> Any:
    """What a module calls by a dotted name."""
    __import__(module)
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    return found
