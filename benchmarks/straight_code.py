"""What it saves to forget names behind their last use: straight code, by the size of its arrays.

    python benchmarks/straight_code.py [--rounds N]

The emitted text of eight layers, `h8 = np.tanh(h7 * 1.4)`, as it is run, over the same text run as
it stands: time (minima of rounds that take turns), and the peak of memory by tracemalloc. tanh
takes most of the time, so there is a column for eight products too.
"""
import argparse
import time
import tracemalloc

import numpy as np

import tangent_lite as tl


def tanh(x):
    h1 = np.tanh(x * 1.1)
    h2 = np.tanh(h1 * 1.2)
    h3 = np.tanh(h2 * 1.3)
    h4 = np.tanh(h3 * 1.4)
    h5 = np.tanh(h4 * 1.1)
    h6 = np.tanh(h5 * 1.2)
    h7 = np.tanh(h6 * 1.3)
    h8 = np.tanh(h7 * 1.4)
    return np.sum(h8)


def squares(x):
    h1 = x * x + 0.1
    h2 = h1 * h1 - 0.2
    h3 = h2 * h2 + 0.1
    h4 = h3 * h3 - 0.2
    h5 = h4 * h4 + 0.1
    h6 = h5 * h5 - 0.2
    h7 = h6 * h6 + 0.1
    h8 = h7 * h7 - 0.2
    return np.sum(h8)


def as_it_stands(function, x):
    """The emitted text, compiled as any other."""
    space = {"np": np}
    exec(tl.grad(function).source_for(x), space)
    return space[f"{function.__name__}_grad"]


def peak(function, x):
    function(x)
    tracemalloc.start()
    function(x)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def ratio_of_times(one, other, x, rounds):
    best = [float("inf")] * 2
    number = max(1, int(2e4 / x.size))
    for _ in range(rounds):
        for k, function in enumerate((one, other)):
            start = time.process_time()
            for _ in range(number):
                function(x)
            best[k] = min(best[k], time.process_time() - start)
    return best[0] / best[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    print("As it is run, over the text as it stands:")
    print(f"{'elements':>10} {'time, tanh':>12} {'time, squares':>14} {'memory':>8}")
    for size in (100, 10_000, 100_000, 1_000_000):
        x = np.linspace(-1.0, 1.0, size)
        row = []
        for function in (tanh, squares):
            gradient, text = tl.grad(function), as_it_stands(function, x)
            assert np.array_equal(gradient(x), text(x))
            row.append(ratio_of_times(gradient, text, x, options.rounds))
        memory = peak(tl.grad(tanh), x) / peak(as_it_stands(tanh, x), x)
        print(f"{size:>10} {row[0]:>12.2f} {row[1]:>14.2f} {memory:>8.2f}")


if __name__ == "__main__":
    main()
