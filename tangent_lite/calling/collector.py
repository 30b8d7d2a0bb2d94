"""Rest for the garbage collector while a derivative is written."""
from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def resting() -> Iterator[None]:
    """Trees are many small objects that all stay until the end: looking for garbage finds none.

    What is no longer needed is to be gone before the collector looks at what there is: so this
    stands around all that is done for a derivative.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
