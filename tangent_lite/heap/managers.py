"""Context managers: those written in Python are followed, others run as they are."""
from __future__ import annotations

import contextlib
import dis
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import functions
from tangent_lite.heap.memory import Parts
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies

_STORES = {"STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF"}


def made(tape: Any, kind: Any, function: Any, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back]:
    """What `contextlib.contextmanager` makes of a call: what it was given has slots."""
    manager = kind(function, args, keywords)

    def back(_: Any) -> Any:
        slots = tape.adjoints.slots(manager)
        return None, Parts({k: slots.pop(k) for k in list(slots)}), None
    tape.heap.ours(manager)
    return manager, back


class Managed:
    """A context manager that leaves an entry when it is entered, and one when it is left."""

    def __init__(self, tape: Any, manager: Any, step: int | None = None) -> None:
        self.tape, self.manager, self.step = tape, manager, step
        self.is_ours = is_record(manager) and hasattr(type(manager).__enter__, "__code__") \
            and not isinstance(manager, contextlib._GeneratorContextManager)
        self.leave: Any = None                  # the second half of a generator
        self.halves: functions.Halves | None = None
        generator = None if self.is_ours else getattr(manager, "gen", None)
        if generator is not None:
            if functions.is_of_user(generator.gi_code.co_filename):
                self.halves = functions.halves_of(manager.func)
            if self.halves is None:
                self._check(generator)

    def _check(self, generator: Any) -> None:
        """What a generator does that is used as a context manager is not followed."""
        used = {i.opname for i in dis.get_instructions(generator.gi_code)}
        frame = generator.gi_frame
        given = [*frame.f_locals.values()] if frame is not None else []
        if used & _STORES or any(map(varies, given)):
            raise UnsupportedSyntaxError(
                f"what the context manager {generator.__name__} does cannot be followed",
                self.tape.place(), "write it as a class with __enter__ and __exit__")

    def __enter__(self) -> Any:
        if self.is_ours:
            return self.tape._done(self.tape.called(
                type(self.manager).__enter__, (self.manager,), {}))
        if self.halves is not None:
            return self.tape._done(self._first_half(self.halves))
        entered = self.manager.__enter__()
        if varies(entered) and entered is not self.manager:
            raise UnsupportedSyntaxError("what a context manager hands out cannot be followed here",
                                         self.tape.place(), "write it as a class of your own")
        return self.tape._done((entered, None))

    def _first_half(self, halves: functions.Halves) -> tuple[Any, Back]:
        args, keywords = self.manager.args, self.manager.kwds
        (entered, self.leave), back = self.tape.called(halves.function, args, keywords)

        def begun(adjoint: Any) -> None:
            found = back(None if adjoint is None else Parts({0: adjoint}))
            for key, part in zip((*range(len(args)), *keywords), found or ()):
                owner = self.manager if isinstance(key, int) else keywords
                self.tape.adjoints.add_slot(owner, key, part)
        return entered, begun

    def __exit__(self, *error: Any) -> Any:
        if error[0] is not None and self.step is not None:
            self.tape.caught()
        if self.is_ours:
            found, back = self.tape.called(type(self.manager).__exit__, (self.manager, *error), {})
        elif self.halves is not None:
            if error[0] is not None and self.halves.handles:
                raise UnsupportedSyntaxError(
                    f"the context manager {self.manager.func.__name__} may handle an exception",
                    self.tape.place(), "use try and except") from error[1]
            _, back = self.tape.called(self.leave, (error[0] is not None,), {})
            found = False
        else:
            found, back = self.manager.__exit__(*error), None
        if error[0] is None or self.step is not None:
            self.tape._done((None, back))
            if self.step is not None:
                self.tape.did(self.step)
        elif found:
            raise UnsupportedSyntaxError("a context manager hides an exception", self.tape.place(),
                                         "use try and except") from error[1]
        return found
