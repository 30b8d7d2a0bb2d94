"""How much memory functions keep alive beside their code: the arrays that they capture, that are in
their defaults, or in the objects whose methods they are.
"""
from __future__ import annotations

import functools
import gc
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

# So many things are looked at; of more it is not asked what they take, which would take long.
MOST = 4096
# What these hold is the module's, or the interpreter's: it is there anyway.
_ELSEWHERE = (type, types.ModuleType, types.CodeType, types.FrameType, types.BuiltinFunctionType)
_BARE = (int, float, complex, str, bool, type(None), np.generic, np.ufunc, np.dtype)


def arrays_in(things: Iterable[Any]) -> dict[int, int]:
    """How many bytes each block of memory takes that these keep alive, by the id of its owner.

    Nothing of the user's is run: what an object holds is asked of Python itself.
    """
    found: dict[int, int] = {}
    todo = list(things)
    seen: set[int] = set()
    while todo and len(seen) < MOST:
        thing = todo.pop()
        kind = type(thing)                      # what `isinstance` asks a proxy is not itself
        if issubclass(kind, _BARE + _ELSEWHERE) or id(thing) in seen:
            continue
        seen.add(id(thing))
        if issubclass(kind, np.ndarray):
            if thing.base is None:
                found[id(thing)] = thing.nbytes
            else:                           # a view keeps all alive that it is a part of
                todo.append(thing.base)
        elif issubclass(kind, (bytes, bytearray)):
            found[id(thing)] = len(thing)
        elif kind is memoryview:
            found[id(thing.obj)] = thing.nbytes
        elif kind is types.FunctionType:     # all but its globals
            todo += [*(thing.__closure__ or ()), *(thing.__defaults__ or ()),
                     thing.__kwdefaults__, thing.__dict__]
        elif issubclass(kind, functools.partial):
            todo += [thing.func, *thing.args, thing.keywords]
        elif kind in (list, tuple):
            todo += thing[:MOST]
        else:
            todo += gc.get_referents(thing)
    return found
