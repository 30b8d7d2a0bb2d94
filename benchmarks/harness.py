"""What every workload shares: checking that gradients agree, timing them side by side, the table.

A workload is a function as its user writes it (`primal`), the derivative that a careful person
would write by hand (`hand`), and what else there is to compare with. Times are only ever compared
inside one process and one round robin: in each round every contender runs once, next to the
hand-written gradient, and a ratio is the median over the rounds of (its time / hand's time).
"""

from __future__ import annotations

import gc
import inspect
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))   # a bare checkout will do

Thunk = Callable[[], Any]
# A peer, made ready: of (workload, arguments) it makes a call of no arguments that returns the
# gradients, a tuple in the order of `wrt`, with all conversion and compilation done beforehand.
Peer = Callable[["Workload", tuple], Thunk]

RTOL = 1e-8
TARGET = 1.15


@dataclass(frozen=True)
class Workload:
    """One function, the ways to differentiate it, and the arguments to do it at."""

    name: str
    title: str
    primal: Callable[..., Any]
    args: Callable[[], tuple]
    wrt: tuple[str, ...]
    hand: Callable[..., tuple]
    # More gradients by hand, where they differ: "chain", the chain rule statement by statement,
    # without the algebra that `hand` uses; "best", the algorithm itself rearranged.
    variants: Mapping[str, Callable[..., tuple]] = field(default_factory=dict)
    peers: Mapping[str, Peer] = field(default_factory=dict)
    # `hand` for numba.njit, where it cannot be compiled as it stands; a call that makes it.
    hand_numba: Callable[[], Callable[..., tuple]] | None = None
    # Of the difference quotient that checks `hand`, relative to a tenth of the arguments.
    step: float = 1e-3

    def positions(self) -> tuple[int, ...]:
        """The positions of the parameters in `wrt`."""
        names = list(inspect.signature(self.primal).parameters)
        return tuple(names.index(name) for name in self.wrt)


@dataclass
class Contender:
    """One column of the table at one workload: a call to time, or why there is none."""

    name: str
    thunk: Thunk | None = None
    note: str = ""
    seconds: list[float] = field(default_factory=list)
    ratio: float | None = None


# Timing ------------------------------------------------------------------------------------------
def shortest(call: Thunk, repeats: int) -> float:
    """The shortest of some runs of a call, in seconds."""
    spans = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        spans.append(time.perf_counter() - start)
    return min(spans)


# Nested structures -------------------------------------------------------------------------------
def tree_map(fun: Callable[[Any], Any], tree: Any) -> Any:
    """The structure of tuples, lists and dicts `tree` with fun applied to each leaf."""
    if isinstance(tree, dict):
        return {key: tree_map(fun, value) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)(tree_map(fun, value) for value in tree)
    return fun(tree)


def tree_leaves(tree: Any) -> list:
    """The leaves of a structure of tuples, lists and dicts, dicts in the order of their keys."""
    if isinstance(tree, dict):
        tree = [tree[key] for key in sorted(tree)]
    if isinstance(tree, (tuple, list)):
        return [leaf for value in tree for leaf in tree_leaves(value)]
    return [tree]


# Agreement ---------------------------------------------------------------------------------------
def disagreement(gradient: Any, expected: Any) -> float:
    """The largest difference of two gradients, leaf by leaf relative to the leaf's largest entry.

    Infinite if the structures or the shapes differ, or if a NaN stands where none is expected.
    """
    leaves, expected_leaves = tree_leaves(gradient), tree_leaves(expected)
    if len(leaves) != len(expected_leaves):
        return float("inf")
    worst = 0.0
    for leaf, expected_leaf in zip(leaves, expected_leaves):
        a, b = np.asarray(leaf, dtype=float), np.asarray(expected_leaf, dtype=float)
        if a.shape != b.shape or not np.all(np.isfinite(a) == np.isfinite(b)):
            return float("inf")
        if a.size:
            scale = np.max(np.abs(b))
            difference = np.max(np.abs(a - b))
            worst = max(worst, float(difference / scale) if scale else float(difference))
    return worst


def difference_quotient(workload: Workload, args: tuple, seed: int = 0) -> tuple[float, float]:
    """The slope along a random direction: by the hand-written gradient, and by differences.

    The difference is central, of order six.
    """
    rng = np.random.default_rng(seed)
    positions = workload.positions()
    direction = {
        k: tree_map(lambda leaf: rng.normal(size=np.shape(leaf)) * _scale(leaf), args[k])
        for k in positions
    }

    def value(t: float) -> float:
        moved = list(args)
        for k in positions:
            moved[k] = _move(args[k], direction[k], t)
        return float(workload.primal(*moved))

    gradient = workload.hand(*args)
    slope = sum(
        float(np.sum(np.asarray(g) * v))
        for k, part in zip(positions, gradient)
        for g, v in zip(tree_leaves(part), tree_leaves(direction[k]))
    )
    h = workload.step
    weights = ((1, 45.0), (2, -9.0), (3, 1.0))
    quotient = sum(w * (value(k * h) - value(-k * h)) for k, w in weights) / (60.0 * h)
    return slope, quotient


def _scale(leaf: Any) -> float:
    """A typical size of the entries of a leaf, so that a direction moves all leaves alike."""
    return 0.1 * (float(np.mean(np.abs(leaf))) or 1.0)


def _move(tree: Any, direction: Any, t: float) -> Any:
    """tree + t * direction, leaf by leaf; Python floats stay Python floats."""
    if isinstance(tree, dict):
        return {key: _move(tree[key], direction[key], t) for key in tree}
    if isinstance(tree, (tuple, list)):
        return type(tree)(_move(a, b, t) for a, b in zip(tree, direction))
    moved = tree + t * direction
    return float(moved) if isinstance(tree, float) else moved


# Contenders --------------------------------------------------------------------------------------
def first_line(error: BaseException) -> str:
    """The first line of an error's text that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def tangent_lite_contender(workload: Workload, args: tuple, backend: str, label: str) -> Contender:
    """tl.grad of the primal; a refusal or a crash becomes the contender's note."""
    contender = Contender(label)
    try:
        import tangent_lite as tl
    except Exception as error:
        contender.note = f"tangent_lite cannot be imported: {first_line(error)}"
        return contender
    try:
        derivative = tl.grad(workload.primal, wrt=workload.wrt, backend=backend)
        derivative(*args)
    except Exception as error:
        refused = isinstance(error, getattr(tl, "TangentError", ()))
        word = "refused" if refused else f"crashed ({type(error).__name__})"
        prefix = "" if label == "tl" else f"{label} "
        contender.note = f"{prefix}{word}: {first_line(error)}"
        return contender
    contender.thunk = lambda: derivative(*args)
    return contender


def emitted_contender(workload: Workload, args: tuple) -> Contender:
    """The emitted function itself, without the object that chooses it at each call."""
    contender = Contender("emitted")
    try:
        import tangent_lite as tl

        derivative = tl.grad(workload.primal, wrt=workload.wrt)
        variant, values = derivative.variant_for(args, {})
        if variant.form == "grad" and not variant.by_identity:
            emitted = variant.main
            gradient = (lambda: (emitted(*values),)) if len(workload.wrt) == 1 else \
                (lambda: emitted(*values))
            gradient()
            contender.thunk = gradient
    except Exception:           # the column of the object says why
        contender.thunk = None
    return contender


def function_contender(label: str, fun: Callable[..., Any], args: tuple) -> Contender:
    """A plain function of the arguments."""
    return Contender(label, lambda: fun(*args))


def peer_contender(workload: Workload, args: tuple, label: str) -> Contender:
    """One of the other libraries, if the workload has a form for it and it is installed."""
    contender = Contender(label)
    peer = workload.peers.get(label)
    if peer is None:
        return contender
    try:
        contender.thunk = peer(workload, args)
        contender.thunk()
    except ImportError as error:
        contender.thunk, contender.note = None, f"{label} is not installed: {first_line(error)}"
    except Exception as error:
        contender.thunk, contender.note = None, f"{label} fails: {first_line(error)}"
    return contender


def hand_numba_contender(workload: Workload, args: tuple, label: str) -> Contender:
    """The hand-written gradient compiled by Numba, where Numba can compile it."""
    contender = Contender(label)
    try:
        import numba

        compiled = workload.hand_numba() if workload.hand_numba else numba.njit(workload.hand)
        compiled(*args)
    except ImportError as error:
        contender.note = f"Numba is not installed: {first_line(error)}"
    except Exception as error:
        contender.note = f"{label}: Numba cannot compile it: {first_line(error)}"
    else:
        contender.thunk = lambda: compiled(*args)
    return contender


# Timing ------------------------------------------------------------------------------------------
def _once(thunk: Thunk, number: int) -> float:
    """Seconds a call, over `number` calls."""
    clock = time.perf_counter
    start = clock()
    for _ in range(number):
        thunk()
    return (clock() - start) / number


def measure(contenders: Sequence[Contender], *, budget: float = 1.0, rounds: int = 15) -> None:
    """Time the contenders round robin; the first is what the others are divided by.

    Each gets about `budget` seconds in all: fast ones run many times a round, slow ones sit out
    the later rounds (never fewer than three). The garbage collector stays on, as it is for users,
    but does not walk what was there before.
    """
    ready = [c for c in contenders if c.thunk is not None]
    plans = []
    for contender in ready:
        thunk = contender.thunk
        assert thunk is not None
        estimate = min(_once(thunk, 1) for _ in range(2))
        number = max(1, min(100_000, round(budget / rounds / max(estimate, 1e-8))))
        turns = max(3, min(rounds, int(budget / max(estimate * number, 1e-9))))
        plans.append((contender, thunk, number, turns))
    base = ready[0]
    gc.collect()
    gc.freeze()
    try:
        quotients: dict[str, list[float]] = {c.name: [] for c in ready}
        for turn in range(max(turns for *_, turns in plans)):
            shift = turn % len(plans)
            seconds = {
                contender.name: _once(thunk, number)
                for contender, thunk, number, turns in plans[shift:] + plans[:shift]
                if turn < turns
            }
            for contender in ready:
                if contender.name in seconds:
                    contender.seconds.append(seconds[contender.name])
                    if base.name in seconds:
                        quotients[contender.name].append(
                            seconds[contender.name] / seconds[base.name]
                        )
        for contender in ready:
            contender.ratio = statistics.median(quotients[contender.name])
    finally:
        gc.unfreeze()


# One row of the table ----------------------------------------------------------------------------
@dataclass
class Row:
    """A workload with its contenders, measured."""

    workload: Workload
    contenders: dict[str, Contender]
    notes: list[str]

    @property
    def hand_microseconds(self) -> float:
        """The median time of the hand-written gradient."""
        return 1e6 * statistics.median(self.contenders["hand"].seconds)


def run_workload(
    workload: Workload, *, peers: bool, numba: bool, budget: float, rounds: int
) -> Row:
    """Check that all gradients agree with the one by hand, then time those that do."""
    args = workload.args()
    hand = function_contender("hand", workload.hand, args)
    contenders = [hand, tangent_lite_contender(workload, args, "python", "tl"),
                  emitted_contender(workload, args)]
    contenders += [function_contender(name, f, args) for name, f in workload.variants.items()]
    if numba:
        contenders.append(tangent_lite_contender(workload, args, "numba", "tl numba"))
        contenders.append(hand_numba_contender(workload, args, "hand numba"))
    if peers:
        contenders += [peer_contender(workload, args, name) for name in PEERS]
    expected = workload.hand(*args)
    notes = []
    for contender in contenders[1:]:
        if contender.thunk is not None:
            off = disagreement(contender.thunk(), expected)
            if not off <= RTOL:
                contender.thunk = None
                contender.note = f"{contender.name} DISAGREES with hand by {off:.1e}"
        if contender.note:
            notes.append(contender.note)
    contenders.append(function_contender("primal", workload.primal, args))
    measure(contenders, budget=budget, rounds=rounds)
    return Row(workload, {c.name: c for c in contenders}, notes)


PEERS = ("autograd", "torch", "jax")


def columns(*, peers: bool, numba: bool) -> list[str]:
    """The names of the ratio columns."""
    names = ["tl", "emitted", "primal", "chain", "best"]
    names += ["tl numba", "hand numba"] if numba else []
    names += PEERS if peers else ()
    return names


def header(names: Sequence[str]) -> str:
    """The head of the table."""
    cells = [f"{'workload':<18}", f"{'hand, us':>10}", *(f"{name:>11}" for name in names)]
    return "".join(cells) + "  note"


def line(row: Row, names: Sequence[str]) -> str:
    """One line of the table: every ratio is to the time of the hand-written gradient."""
    cells = [f"{row.workload.name:<18}", f"{row.hand_microseconds:>10.1f}"]
    for name in names:
        contender = row.contenders.get(name)
        ratio = contender.ratio if contender else None
        cells.append(f"{'-':>11}" if ratio is None else f"{show_ratio(ratio):>11}")
    return "".join(cells) + ("  " + "; ".join(row.notes) if row.notes else "")


def show_ratio(ratio: float) -> str:
    """Three digits or so, whatever the size."""
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"
