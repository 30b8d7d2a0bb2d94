"""Time tangent_lite beside gradients written by hand, and beside other libraries.

    python benchmarks/run.py                        every workload
    python benchmarks/run.py rnn lstm --peers       two of them, with autograd, torch and jax
    python benchmarks/run.py --numba                the Numba backend and compiled hand code too
    python benchmarks/run.py --check                the hand-written gradients against differences
    python benchmarks/run.py --peers --write        all of it, as docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import threads

threads.limit(sys.argv)   # before NumPy is imported

import harness  # noqa: E402
import page  # noqa: E402
from workloads import WORKLOADS  # noqa: E402


def check(names: list[str]) -> int:
    """Compare each hand-written gradient with a difference quotient; the number that are off."""
    wrong = 0
    for name in names:
        workload = WORKLOADS[name]
        args = workload.args()
        slope, quotient = harness.difference_quotient(workload, args)
        off = abs(slope - quotient) / max(abs(quotient), 1e-30)
        expected = workload.hand(*args)
        for label, gradient in workload.variants.items():
            apart = harness.disagreement(gradient(*args), expected)
            if not apart <= harness.RTOL:
                wrong += 1
                print(f"{name}: {label} differs from hand by {apart:.1e}")
        wrong += not off < 1e-6
        print(f"{name:<18} slope {slope:<22.14g} by differences {quotient:<22.14g} off {off:.1e}")
    return wrong


def measure(names: list[str], options: argparse.Namespace) -> list[harness.Row]:
    """Print the table, row by row."""
    shown = harness.columns(peers=options.peers, numba=options.numba)
    print("Times over the time of the hand-written gradient (hand = 1); see README.md.")
    print(harness.header(shown))
    rows = []
    for name in names:
        row = harness.run_workload(
            WORKLOADS[name],
            peers=options.peers,
            numba=options.numba,
            budget=options.seconds,
            rounds=options.rounds,
        )
        rows.append(row)
        print(harness.line(row, shown), flush=True)
    return rows


def summary(rows: list[harness.Row], options: argparse.Namespace) -> str:
    """How many rows are where they should be."""
    ratios = [row.contenders["tl"].ratio for row in rows]
    within = sum(ratio is not None and ratio <= harness.TARGET for ratio in ratios)
    text = [f"tl within {harness.TARGET} of hand: {within} of {len(rows)}"]
    for name in ("tl", "emitted"):
        known = [row.contenders[name].ratio for row in rows]
        logs = [math.log(ratio) for ratio in known if ratio]
        if logs:
            text.append(f"{name}, geometric mean: {math.exp(sum(logs) / len(logs)):.2f}")
    if options.numba:
        pairs = [(row.contenders["tl numba"], row.contenders["hand numba"]) for row in rows]
        quotients = [a.ratio / b.ratio for a, b in pairs if a.ratio and b.ratio]
        within = sum(quotient <= harness.TARGET for quotient in quotients)
        text.append(f"tl numba within {harness.TARGET} of hand numba: {within} of {len(rows)}")
    if options.peers:
        ours = ("tl", "tl numba")
        ahead = sum(_best(row, ours) < _best(row, harness.PEERS) for row in rows)
        text.append(f"ahead of every peer measured: {ahead} of {len(rows)}")
    return "\n".join(text)


def _best(row: harness.Row, names: tuple[str, ...]) -> float:
    """The smallest ratio among the contenders of these names, infinite if there is none."""
    found = [row.contenders[name].ratio for name in names if name in row.contenders]
    return min((ratio for ratio in found if ratio is not None), default=float("inf"))


def main() -> int:
    """Parse the command line and do it; nonzero if gradients disagree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help=f"of {', '.join(WORKLOADS)}; default all")
    parser.add_argument("--peers", action="store_true", help="autograd, torch and jax too")
    parser.add_argument("--numba", action="store_true", help="the Numba backend too")
    parser.add_argument("--check", action="store_true", help="difference quotients, no timing")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contender (1.0)")
    parser.add_argument("--rounds", type=int, default=15, help="of the round robin (15)")
    parser.add_argument("--threads", type=int, default=1, help="of every library (1)")
    parser.add_argument("--write", action="store_true",
                        help="run the other benchmarks too, and write docs/benchmarks.md")
    parser.add_argument("--json", type=Path, help="write the ratios to this file as well")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in WORKLOADS]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    names = options.names or list(WORKLOADS)
    if options.check:
        return 1 if check(names) else 0
    rows = measure(names, options)
    print(summary(rows, options))
    if options.write:
        shown = harness.columns(peers=options.peers, numba=options.numba)
        page.write(rows, shown, summary(rows, options), peers=options.peers,
                   numba=options.numba)
    if options.json:
        table = {
            row.workload.name: {
                "ratios": {c.name: c.ratio for c in row.contenders.values()},
                "notes": row.notes,
            }
            for row in rows
        }
        options.json.write_text(json.dumps(table, indent=2) + "\n")
    return 1 if any("DISAGREES" in note for row in rows for note in row.notes) else 0


if __name__ == "__main__":
    sys.exit(main())
