"""docs/limitations.md lists every refusal; each program on it gets the message below it."""

import ast
import builtins
import contextlib
import functools
import re
import tempfile
from pathlib import Path

import pytest
from test_docs import ROOT, as_written, blocks, error_of, working_in

import tangent_lite
from tangent_lite.passes.fence import HIDDEN, REASONS
from tests.heap.followed import CASES, arrays, calls, containers, objects, statements  # noqa: F401
from tests.heap.forced import by_names

PAGE = (ROOT / "docs" / "limitations.md").read_text(encoding="utf-8")
# Refusals in the engine that no program is known to reach.
UNREACHED = {
    # Two names, or a key that is not written out, are said first.
    "what is changed here does not have the same parts in all steps",
    "several results of one call are not handled here yet",
    "this subscript is not handled on active values yet",
    "this unpacking is not handled on active values yet",
    "what is unpacked here is not known to be a tuple",
    "writing here is not handled on active values yet",
    "an active value is written into an array of integers, which rounds it",
    "this in-place operation is not handled yet",
    "whether this index names an element twice is not known",
    "is unpacked from a value and written to in place",
    "whether is an array is not known, and it is written to",
    "whether is a number or an array is not known, so neither is what `+=` changes",
    "x[index] += v keeps only one of repeated positions",
    "writing active values into an object is not handled yet",
    "writing active values into a container is not handled yet",
    "comes from outside and is changed here",
    # Such a helper is written out; where that cannot be done, that is said.
    "writes into an array from outside; a helper that does is not handled yet",
    # By identity it is the TypeError that Python raises.
    "multiple values for the argument",
    # The reason why a call is written out in its place; shown only where that fails as well.
    "takes any number of arguments",
    "returns a function",
    "changes its object",
    "is given a function that is defined inside",
    "is given a list of different objects",
    # Those that do, and are known to, are followed.
    "writes into its argument, which is not handled here",
    # A function of a library: it is said to have no rule.
    "is not looked into",
    # What is put into a list has a name by then.
    "a container that is written out goes into a list of active values",
    "a container is taken out of a list of active values, which is not handled",
    # Nor is it known what is handed to a helper without a name.
    "a container is written as an argument of a helper",
    "a part of something is an argument of a helper",
    "a part of something is changed by a helper",
    # By identity: no tree that Python makes has them, or no call is known that gives such a result.
    "cannot be followed here",
    "tangent_lite. cannot be followed here",
    "this cannot be bound",
    "what a context manager hands out cannot be followed here",
    "some of the results are views, and some are not",
    "tuples of what is no list are chained",
    # By identity the largest of objects is found; names alone refuse it.
    "what this call gives is an object that holds active values, for which its rule is not made",
    # By identity; of the same place names say something else, which is what is shown.
    "dataclasses.replace gives values that are no fields",
    "whole numbers are made of a float, and tell nothing of where it came from",
    # Derivatives inside, by identity: the passes say it of the same place.
    "the of a function that names alone do not tell is taken in a differentiated function",
    "jvp is followed here with tuples of primals and tangents",
    "a derivative of a function with * is taken here",
    # Nets below derivatives by identity, which no program is known to fall into.
    "an operation was met that does not take tangents along",
    "memory of is looked at as and varies",
    "is a variable of a function around this one, whose derivative is taken elsewhere",
    # The map is said to be handed on first.
    "a map that vjp or linearize gave is called by what cannot be looked into",
    # The passes say the same of the same place.
    "an attribute of a is deleted",
    # A helper from a module that was taken out of sys.modules.
    "reads the global of a module that is not imported",
    # By identity the object that is looped over, or the set that is made, is told.
    "only ranges, arrays, lists and tuples can be looped over",
    "an argument is written in a form that the rule does not take apart",
    "this expression is not handled on active values yet",
    # Names say the same.
    "the operations of a are not those of plain arrays",
    # What stops the derivative by names is shown in its place.
    "a sparse matrix that varies is not followed by identity",
    # It takes 20 000 statements.
    "the calls written out make the function too long",
    # Only where one name means several functions, and a function without a rule is said so first.
    "one of several functions is handed on to what cannot be looked into",
}


# Modules beside the passes whose refusals stand on the page.
OUTSIDE_PASSES = ("checks/__init__", "checks/duck", "analyses/handed_on", "filling",
                  "functions/halfway", "functions/pairs", "functions/inlining",
                  "expansion/calls", "expansion/containers", "expansion/operators",
                  "directions/tangents", "directions/by_rule", "directions/jvps",
                  "calling/duck_arrays", "runtime/duck")


# A pass whose refusals nobody sees: without batches, the directions run one by one.
UNSEEN = ("batch",)


def refusals():
    """The programs of the page, each with the message shown below it."""
    found, code = [], None
    for block in blocks(PAGE):
        if block.language == "python" and "raises" in block.words:
            code = block
        elif code is not None:
            assert "output" in block.words, f"line {code.line}: no message below the program"
            found.append(pytest.param(code.text, block.text, id=f"line{code.line}"))
            code = None
    return found


@pytest.mark.parametrize("code, shown", refusals())
def test_refuses(code, shown, tmp_path):
    with working_in(tmp_path):
        printed = error_of(code, tmp_path)
    name, _, message = printed.partition(": ")
    error = getattr(tangent_lite, name, None) or getattr(builtins, name)
    assert issubclass(error, tangent_lite.TangentError) or error is TypeError
    assert as_written(printed) == shown

    place = re.match(r"model\.py:(\d+): .*\n +\1 \| (.*)\n +\| ( *)(\^+)", message)
    if place is None:
        # What is asked for, or an argument, is wrong: no line of the function is.
        assert issubclass(error, (tangent_lite.WrtError, tangent_lite.InputError,
                                  tangent_lite.OutputError, tangent_lite.AliasError,
                                  tangent_lite.SourceNotFoundError, TypeError)) \
            or error is tangent_lite.TangentError
        assert error is not tangent_lite.AliasError or "shares memory with" in message
        assert ".py" not in message and "^" not in message
        return
    line, text, before, carets = place.groups()
    assert code.splitlines()[int(line) - 1].rstrip() == text
    meant = text[len(before):len(before) + len(carets)]
    assert len(meant) == len(carets) and meant == meant.strip() != ""


def reasons():
    """What the refusals in the engine say, without the names that are filled in."""
    package = Path(tangent_lite.__file__).parent
    for path in [*(p for p in sorted((package / "passes").glob("*.py")) if p.stem not in UNSEEN),
                 *sorted((package / "heap").glob("*.py")),
                 *(package / f"{name}.py" for name in OUTSIDE_PASSES)]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            is_ours = name.endswith("Error") and hasattr(tangent_lite, name)
            place = {"refuse": 1}.get(name, 0 if is_ours else None)
            if place is None or len(node.args) <= place:
                continue
            reason = node.args[place]
            parts = reason.values if isinstance(reason, ast.JoinedStr) else [reason]
            words = [part.value for part in parts
                     if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if words:
                yield f"{path.relative_to(package)}:{node.lineno}", words
    for kind, (reason, _) in REASONS.items():
        yield kind.__name__, [reason]
    for kind, reason in HIDDEN.items():
        yield kind, [reason]


# They stand in a function that is refused before they are met.
INSIDE_A_COROUTINE = {"AsyncFor", "AsyncWith", "`async for` cannot be differentiated"}


@pytest.mark.parametrize("where, words", [pytest.param(*r, id=r[0]) for r in reasons()])
def test_page_is_complete(where, words):
    if {where, *words} & INSIDE_A_COROUTINE or " ".join(w.strip() for w in words) in UNREACHED:
        return
    shown = reached()
    for part in words:
        assert " ".join(part.split()) in shown, f"{where}: {part!r} is not in docs/limitations.md"


@functools.cache
def reached():
    """What the programs of the page are told, by either strategy, and those that the passes refuse
    and the other strategy follows (each is refused, and right, in tests/heap/test_followed.py)."""
    found = [PAGE, *(case.refusal for case in CASES.values())]
    with tempfile.TemporaryDirectory() as folder, working_in(Path(folder)), by_names():
        for program in refusals():
            with contextlib.suppress(AssertionError):           # no error
                found.append(error_of(program.values[0], Path(folder)))
    return " ".join(" ".join(found).split())
