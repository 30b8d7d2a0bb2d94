"""Rest for the garbage collector while a derivative is written, while what writes it is loaded, or
while it runs by identity."""
from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

MANY = 30_000           # new objects: some 400 statements
_lock = threading.RLock()     # an object that goes meanwhile may ask for a derivative
_inside = 0             # how many wait for the end of what they do
_enabled = True         # whether it worked before
_FEW = 1_000            # frozen objects: Python 3.12 begins with some hundred of its own


@contextlib.contextmanager
def resting() -> Iterator[None]:
    """Trees are many small objects that all stay until the end, as do modules: looking for garbage
    finds none.

    What is no longer needed is to be gone before the collector looks at what there is: so this
    stands around all that is done for a derivative. What is left then stays as long as the
    derivative. Of a long function it is so much that it counts as old at once, or the collector
    would go through all of it, to find that out.

    It rests until the last thread is done: what it calls where an object goes may let another
    thread go on, and Python 3.11 cannot make two trees of `ast` at a time (a SystemError).
    """
    global _inside, _enabled
    with _lock:
        if _inside == 0:
            _enabled = gc.isenabled()
            gc.disable()
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and _enabled:
                if gc.get_count()[0] > MANY:
                    _grow_old()
                gc.enable()


def _grow_old() -> None:
    """Let all objects count as old, without a look at them: frozen ones are old when they thaw.

    Seldom, since it begins anew to count what tells the collector to look at the old ones.
    """
    if gc.get_freeze_count() < _FEW:    # those that the user froze are to stay so
        gc.freeze()
        gc.unfreeze()
