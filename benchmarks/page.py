"""The page docs/benchmarks.md: the table of run.py, and what the other benchmarks print.

    python benchmarks/run.py --write [--peers] [--numba]

Only ratios and bytes are on it, so that it says nothing of a day or a machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import harness

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "docs" / "benchmarks.md"
MISSED = ROOT / "benchmarks" / "missed.md"      # why targets are missed, written by hand

TOP = """# Benchmarks

This page is written by `python benchmarks/run.py --write`, with autograd, torch and jax beside it
if `--peers` is given; what each column and each workload is stands in
[benchmarks](../benchmarks/README.md). Everything is a ratio of times taken side by side in one
process: the median over the rounds of a round robin in which each contender runs next to the
gradient written by hand. Before anything is timed, all gradients must agree.

## Gradients

Times over the time of the gradient written by hand: 1 is as fast as by hand, less is faster. `tl`
is a call of `tl.grad(f)`, `emitted` the function that it has written, `primal` the function itself,
`chain` the chain rule by hand without algebra, `best` the algorithm rearranged by hand.
"""

# (heading, what it shows, script, arguments)
SECTIONS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("Time of the transformation",
     "Time a statement, relative to a function of 100 statements: 1 throughout is linear time.\n"
     "The statements stand in a row, in one loop, in many loops, in many branches.",
     "transform_time.py", ("--ratios",)),
    ("Length of a loop",
     "The logistic map: time over that by hand, and bytes a step at the peak.",
     "loop_length.py", ()),
    ("Cheap gradients",
     "Gradient over function as the size grows: it stays flat if an element costs O(1) backwards.",
     "cheap_gradient.py", ("--seconds", "0.2")),
    ("Cost of a call",
     "A derivative of two numbers, over the function emitted for it.",
     "call_overhead.py", ("--ratios",)),
    ("Import", "`import` in a new interpreter, over `import numpy`.", "import_time.py", ()),
    ("Memory of a loop", "Bytes that one step of the logistic map needs.", "loop_memory.py", ()),
    ("Lists",
     "Lists of numbers and of rows: time over that of the function.",
     "lists.py", ()),
    ("Memory of straight code",
     "Names are forgotten behind their last use: as the text is run, over the text as it stands.",
     "straight_code.py", ()),
)
# With the Numba backend, or other libraries, only.
NUMBA = ("Ranking, a triple at a time",
         "An epoch of 100 000 interactions in a loop that Numba compiles; the gradient by hand,\n"
         "and that of tangent_lite as a function that the loop calls.",
         "bpr_epoch.py", ("--ratios",))
PEERS = ("Training the Iris net",
         "Whole loops of gradient descent, over that with the gradient by hand.",
         "iris_training.py", ())


def table(rows: Sequence[harness.Row], names: Sequence[str]) -> str:
    """The ratios as a table in Markdown; what refused or failed stands below it."""
    lines = ["| workload | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    notes = []
    for row in rows:
        cells = []
        for name in names:
            contender = row.contenders.get(name)
            ratio = contender.ratio if contender else None
            cells.append("" if ratio is None else harness.show_ratio(ratio))
        lines.append(f"| {row.workload.title} | " + " | ".join(cells) + " |")
        notes += [f"* {row.workload.title}: {note}" for note in row.notes]
    return "\n".join([*lines, "", *notes]).rstrip() + "\n"


def printed(script: str, arguments: Sequence[str]) -> str:
    """What a benchmark prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / script), *arguments],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},        # a checkout is enough
    )
    if done.returncode:
        raise SystemExit(f"{script} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.rstrip()


def write(rows: Sequence[harness.Row], names: Sequence[str], summary: str, *, peers: bool,
          numba: bool) -> None:
    """Run the other benchmarks, and write the page."""
    parts = [TOP, table(rows, names), "```text\n" + summary + "\n```\n"]
    for heading, text, script, arguments in [*SECTIONS, *[NUMBA] * numba, *[PEERS] * peers]:
        print(f"{script} ...", flush=True)
        more = [*arguments]
        more += ["--peers"] if peers and script in ("import_time.py", "loop_memory.py") else []
        more += ["--numba"] if numba and script == "loop_memory.py" else []
        parts.append(f"## {heading}\n\n{text}\n\n```text\n{printed(script, more)}\n```\n")
    parts.append(MISSED.read_text())
    PATH.write_text("\n".join(parts))
    print(f"wrote {PATH.relative_to(ROOT)}")
