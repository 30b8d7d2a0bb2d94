"""Backends: what else runs the emitted source.

The modules of a backend are imported when a derivative asks for it by name, and not before.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.errors import TangentError

# What may be said to a backend, with what holds if nothing is said.
OPTIONS: dict[str, dict[str, bool]] = {
    "python": {},
    "numba": {"fastmath": False, "parallel": False, "boundscheck": True, "cache": False},
}


def options_of(backend: str, given: dict[str, Any]) -> dict[str, bool] | None:
    """The options of a compiling backend, taken out of `given`; None for plain Python.

    Raises TangentError for a backend that there is not, ImportError where one is not installed.
    """
    if backend not in OPTIONS:
        raise TangentError(f"there is no backend {backend!r}", None,
                           "write " + " or ".join(f'backend="{name}"' for name in OPTIONS))
    if backend == "python":
        return None
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ImportError('backend="numba" needs Numba: pip install "tangent_lite[numba]"') \
            from error
    known = OPTIONS[backend]
    return {name: bool(given.pop(name, default)) for name, default in known.items()}
