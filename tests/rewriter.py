"""Rewrites programs so that they mean the same, and holds their derivatives to those from before.

    python -m tests.rewriter --of full --seed 0 --count 200 [--each 3] [--most 5] [--keep DIR]
    python -m tests.rewriter --of traps --only in_state,second_name --by-identity
    python -m tests.rewriter --of scalar --numba

--of: traps, or a level of tests.generator. The gradient of the program as it is comes from the
referee of tests.generator; what the rewritten program gives is compared with it, and what is wrong
then is judged once more by a referee of its own, so that a rewrite that changes the meaning is no
finding. Counted as well: what is refused, or goes by identity, only when it is rewritten. The exit
code is 1 if any derivative was wrong. The rewrites: tests/programs/rewrites.
"""
import argparse
import collections
import contextlib
import sys
import tempfile
from pathlib import Path

import numpy as np

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.programs.features import LEVELS
from tests.programs.judge import judge, printed, reason
from tests.programs.rewriting import generated, rewritten, trap, traps
from tests.programs.running import load, time_limit
from tests.reference.dual import close, reference_gradient


def loaded(subject, path):
    """The function of a program in a file, and a maker of its arguments."""
    space = vars(load(subject.source + "\n", path))
    return eval(subject.entry, space), lambda: subject.make(space)


@contextlib.contextmanager
def falls():
    """Collects why derivatives were not found by names."""
    found, plain = [], tl.api.GradientFunction.by_identity

    def noted(self, values, refusal):
        found.append(refusal)
        return plain(self, values, refusal)

    tl.api.GradientFunction.by_identity = noted
    try:
        yield found
    finally:
        tl.api.GradientFunction.by_identity = plain


def reference(subject, path):
    """The gradient of a program as it is; None where it cannot be trusted, or gives no number."""
    function, make = loaded(subject, path)
    with printed():
        value = function(*make())
    if not isinstance(value, (float, np.floating)):
        return None
    if subject.expect is not None:
        return subject.expect
    gradient, trusted, _ = reference_gradient(function, make(), subject.wrt)
    return gradient if trusted else None


def verdict(subject, gradient, path):
    """The verdict on a program whose gradient is known."""
    function, make = loaded(subject, path)
    found = judge(function, make, subject.wrt, expect=gradient)
    if found.outcome == "wrong" and subject.expect is None:
        own = judge(function, make, subject.wrt)
        return found if own.outcome == "wrong" else own
    return found


def compiled(subject, gradient, path):
    """What Numba makes of a program: right, wrong, refused and why."""
    function, make = loaded(subject, path)
    try:
        found = tl.grad(function, wrt=tuple(subject.wrt), backend="numba")(*make())
    except tl.TangentError as error:
        return f"refused: {reason(error)}"
    return "right" if close(found, gradient, 1e-6) else f"wrong: {found!r}, not {gradient!r}"


def sweep(subjects, each, most, only, folder, numba=False):
    """Rewrite and judge; what is wrong, and counts of the rest."""
    wrong, counts = [], collections.Counter()
    for number, subject in enumerate(subjects):
        path = folder / f"subject_{number}_0.py"
        try:
            with time_limit(60.0):
                gradient = reference(subject, path)
        except Exception:               # the referee's own limits; tests.generator looks at these
            gradient = None
        if gradient is None:
            counts["no reference"] += 1
            continue
        with falls() as before:
            first = verdict(subject, gradient, path)
        for k in range(1, each + 1):
            other, path = rewritten(subject, k, most, only), folder / f"subject_{number}_{k}.py"
            with falls() as after:
                found = verdict(other, gradient, path)
            label = f"{other.label}: {found} ({', '.join(other.rewrites)}) in {path}"
            counts[found.outcome] += 1
            if found.outcome == "wrong" and first.outcome != "wrong":
                wrong.append(label)
                print("WRONG", label, flush=True)
            elif found.outcome == "refused" and first.outcome == "right":
                counts[f"refused now: {found.detail}"] += 1
            elif after and not before:
                counts[f"by identity now: {reason(after[0])}"] += 1
            if numba and found.outcome == "right":
                how = compiled(other, gradient, path)
                counts[f"numba {how}"] += 1
                if how.startswith("wrong"):
                    wrong.append(f"{label} numba {how}")
                    print("WRONG", wrong[-1], flush=True)
    return wrong, counts


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m tests.rewriter", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=["traps", *sorted(LEVELS)], default="full")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--each", type=int, default=3, help="rewritten programs of each program")
    parser.add_argument("--most", type=int, default=4, help="rewrites of one program")
    parser.add_argument("--only", default="", metavar="A,B", help="use these rewrites alone")
    parser.add_argument("--by-identity", action="store_true", help="find derivatives by identity")
    parser.add_argument("--numba", action="store_true", help="compile them as well")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where to leave the programs")
    options = parser.parse_args(argv)
    folder = options.keep or Path(tempfile.mkdtemp(prefix="rewritten_"))
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(options.seed, options.seed + options.count)
    subjects = (map(trap, traps()[seeds.start:seeds.stop]) if options.of == "traps"
                else (generated(seed, options.of) for seed in seeds))
    with by_identity() if options.by_identity else contextlib.nullcontext():
        wrong, counts = sweep(subjects, options.each, options.most,
                              [n for n in options.only.split(",") if n], folder, options.numba)
    for what, number in counts.most_common():
        print(f"{number:6d}  {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
