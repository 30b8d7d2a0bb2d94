"""What an option is worth, and how that changes: paths drawn at random, in a loop over days.

The price falls and rises at random, in steps whose size follows the last one (a volatility that
returns to its mean). The option pays by how much the mean price of its days is above the strike.
The draws are those of the generator, with their parameters; the derivative of a draw is that of
its parameters, so one run on the same paths gives all sensitivities ("Greeks") at once.

    python examples/asian_option.py [PATHS]
"""

import math
import sys

import numpy as np

import tangent_lite as tl

NAMES = ("price", "volatility", "rate")


def worth(price, volatility, rate, paths, days=50, strike=100.0, asian=True, seed=1):
    """The mean payoff, discounted, over that many paths of one year."""
    rng = np.random.default_rng(seed)
    dt = 1.0 / days
    s = np.full(paths, price)
    total = np.zeros(paths)
    for _ in range(days):
        drift = (rate - 0.5 * volatility**2) * dt
        s *= rng.lognormal(drift, volatility * math.sqrt(dt), size=paths)
        total += s
    final = total / days if asian else s
    return math.exp(-rate) * np.mean(np.maximum(final - strike, 0.0))


def black_scholes(price, volatility, rate, strike=100.0):
    """The worth of the option on the last price alone, in closed form, and its sensitivities
    (Black and Scholes, The Pricing of Options and Corporate Liabilities, 1973)."""
    d1 = (math.log(price / strike) + rate + 0.5 * volatility**2) / volatility
    d2 = d1 - volatility
    below = [0.5 * math.erfc(-d / math.sqrt(2.0)) for d in (d1, d2)]
    discounted = strike * math.exp(-rate) * below[1]
    density = math.exp(-0.5 * d1**2) / math.sqrt(2.0 * math.pi)
    return price * below[0] - discounted, (below[0], price * density, discounted)


def main(paths):
    derivative = tl.value_and_grad(worth, wrt=(0, 1, 2))
    market = (100.0, 0.2, 0.03)
    value, slopes = derivative(*market, paths)
    print(derivative.source_for(*market, paths))
    tl.check_grads(lambda *market: worth(*market, 100), market, order=1)
    print("checked against finite differences on the same paths: passed")
    print(f"on the mean price: worth {value:.3f}, by "
          + ", ".join(f"{name} {slope:.3f}" for name, slope in zip(NAMES, slopes)))
    value, slopes = derivative(*market, paths, asian=False)
    exact, exact_slopes = black_scholes(*market)
    print(f"on the last price: worth {value:.3f} (in closed form {exact:.3f})")
    for name, slope, wanted in zip(NAMES, slopes, exact_slopes):
        print(f"  by {name}: {slope:.3f} ({wanted:.3f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
