"""What was compiled, kept on disk: where it lies, and what is done where nothing can be written.

Numba looks for a folder that it can write to, and takes another one where it finds none there. A
folder that many read and few write (in an image of a container, on a shared disk) would never be
read so. Here the folder is that of the text, whoever may write there.
"""
from __future__ import annotations

import enum
import functools
import hashlib
import linecache
import os
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache

from tangent_lite.modules import module_of


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


def load(digest: str, name: str, text: str, names: Mapping[str, Any],
         is_kept: bool) -> tuple[str, dict[str, Any], bool]:
    """Run a text; the name of its file, what its names mean then, and whether it lies on disk.

    digest: of the text, and of all else that its compiling rests on; names: what its free names
    mean; is_kept: whether it is to lie on disk.
    """
    kept = file_for(digest, name, text) if is_kept else None
    filename = kept or f"<tangent_lite numba {name} {digest}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = ModuleType(f"tangent_lite_numba_{digest}")
    if kept:
        sys.modules[module.__name__] = module           # what was kept is read as a part of it
    space = vars(module)
    if not kept:
        # Numba looks for a function that calls itself in the module of its name, if it has one.
        del space["__name__"]
    space.update(names, __file__=filename)
    exec(compile(text, filename, "exec"), space)
    return filename, space, bool(kept)


def digest_of(*said: str) -> str:
    """What a text, and all else that its compiling rests on, is told by."""
    return hashlib.sha256("\n".join(
        [*said, numba.__version__, _of_backend()]).encode()).hexdigest()[:16]


@functools.cache
def _of_backend() -> str:
    """A digest of this package: what its functions do is compiled into what is kept on disk."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def spelled(thing: Any) -> str:
    """What a thing is, in words that mean the same to another process."""
    module = module_of(thing)
    name = getattr(thing, "__qualname__", getattr(thing, "__name__", None))
    members = f" {list(thing)}" if isinstance(thing, type) and issubclass(thing, enum.Enum) else ""
    return f"{module}.{name}{members}" if name else repr(thing)


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
