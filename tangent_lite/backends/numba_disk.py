"""What was compiled, kept on disk: where it lies, and what is done where nothing can be written.

Numba looks for a folder that it can write to, and takes another one where it finds none there. A
folder that many read and few write (in an image of a container, on a shared disk) would never be
read so. Here the folder is that of the text, whoever may write there.
"""
from __future__ import annotations

import os
import tempfile
import warnings
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache


def file_for(digest: str, name: str, text: str) -> str | None:
    """A file with the text, in the user's folder for caches: beside it lies what is compiled.
    None, with a warning, where there is none and nothing can be written."""
    folder = os.environ.get("TANGENT_LITE_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"),
        "tangent_lite")
    path = os.path.join(folder, f"{name}_{digest}.py")
    try:
        if not os.path.exists(path):
            os.makedirs(folder, exist_ok=True)
            # Under a name of its own first: another process may be writing the same file.
            with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".tmp", delete=False,
                                             encoding="utf-8") as file:
                file.write(text)
            os.replace(file.name, path)
    except OSError as error:
        _warn(name, error, 4)
        return None
    return path


def keep(compiled: Any) -> Any:
    """The function that Numba is to compile, which looks on disk first and keeps there what it
    makes: as `cache=True` of Numba does, in the folder of the text."""
    compiled._cache = _Kept(compiled.py_func)
    return compiled


def _warn(name: str, error: OSError, above: int) -> None:
    warnings.warn(f"what is compiled for {name} is not kept on disk: {error}", RuntimeWarning,
                  stacklevel=above)


class _BesideTheText:
    """Where Numba finds what it kept of a function of ours."""

    def __init__(self, function: Any, path: str) -> None:
        self._py_file, self._line = path, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Any, path: str) -> _BesideTheText:
        return cls(function, path)

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        return os.path.join(os.path.dirname(self._py_file), "__pycache__")

    def get_source_stamp(self) -> str:
        # The name of the file has the digest of all that the text and its compiling rest on.
        return os.path.basename(self._py_file)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):
    _locator_classes = [_BesideTheText]


class _Kept(FunctionCache):
    """Numba's cache, for which a disk that cannot be read is empty, and one that cannot be
    written to (or is full) keeps nothing."""

    _impl_class = _Implementation

    def load_overload(self, *args: Any) -> Any:
        try:
            return super().load_overload(*args)
        except OSError:
            return None

    def save_overload(self, *args: Any) -> None:
        try:
            super().save_overload(*args)
        except OSError as error:
            _warn(self._py_func.__name__, error, 2)
