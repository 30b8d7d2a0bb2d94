"""Runs functions in normal form, and holds what is known of their names against what they mean.

    with recorded() as looks:
        tl.grad(f).source_for(x)
    assert looks[-1].false_of({"x": x}) == []
"""
import builtins
import contextlib
import copy
import warnings
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangent_lite import preparation, syntax
from tangent_lite.emit import emit
from tangent_lite.inference import NO_OBJECT
from tests.inference.truth import holds


@dataclass
class Look:
    """What was known of a function in the end; before and after: of names, by the number of the
    statement in front of which, or behind which, it holds."""
    name: str
    text: str
    before: list[dict[str, Any]]
    after: list[dict[str, Any]]
    free: Any

    def false_of(self, arguments):
        """(statement, name, what was said, what it was) wherever that was not true, in a call with
        these arguments, by names."""
        tree = gast.parse(self.text).body[0]
        numbers = {id(node): k for k, node in enumerate(syntax.statements(tree.body))}
        texts = [emit(node).splitlines()[0].strip() for node in syntax.statements(tree.body)]
        tree.body = self._watched(tree.body, numbers)
        tree.args.defaults, tree.args.kw_defaults, tree.decorator_list = [], [], []
        found = []

        def watch(number, side, name, look_up):
            with contextlib.suppress(NameError):            # not bound yet
                value, said = look_up(), getattr(self, side)[number][name]
                if not holds(said, value):
                    found.append((texts[number], name, said, copy.deepcopy(value)))

        text = emit(tree)
        space = {"watch": watch, "np": np}
        for name in syntax.all_names(tree):
            meant = self.free(name) if name not in space else NO_OBJECT
            if meant is not NO_OBJECT:
                space[name] = meant
            elif hasattr(builtins, name):
                space.setdefault(name, getattr(builtins, name))
        exec(compile(text, "<observed>", "exec"), space)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            space[tree.name](**copy.deepcopy(arguments))
        return found

    def _watched(self, block, numbers):
        made = []
        for node in block:
            number = numbers[id(node)]
            if not isinstance(node, gast.While):            # whose test is asked again
                made += _watching(number, "before", self.before[number])
            for blocks in ("body", "orelse", "finalbody"):
                if getattr(node, blocks, None):
                    setattr(node, blocks, self._watched(getattr(node, blocks), numbers))
            for handler in getattr(node, "handlers", ()):
                handler.body = self._watched(handler.body, numbers)
            made.append(node)
            if isinstance(node, (gast.Assign, gast.AugAssign)):
                made += _watching(number, "after", self.after[number])
        return made


def _watching(number, side, names):
    return [gast.parse(f"watch({number}, '{side}', '{name}', lambda: {name})").body[0]
            for name in names]


@contextlib.contextmanager
def recorded():
    """A list to which each function is added that goes through the front half meanwhile."""
    looks = []
    alias = preparation.alias                # the first that is asked when kinds are settled

    def noted(tree, facts, typer, *others):
        nodes = list(syntax.statements(tree.body))
        looks.append(Look(tree.name, emit(tree), *(
            [dict(known.get(id(node), {})) for node in nodes]
            for known in (facts.before, facts.after)), typer.free))
        return alias(tree, facts, typer, *others)

    preparation.alias = noted
    try:
        yield looks
    finally:
        preparation.alias = alias
