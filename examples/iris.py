"""A small net learns Fisher's irises by gradient descent.

    python examples/iris.py [ITERATIONS]

150 flowers, 4 measurements, 3 species; 10 hidden units, no biases; the summed binary cross-entropy.
"""

import sys
from pathlib import Path

import numpy as np

import tangent_lite as tl


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def predict(X, w1, w2):
    return sigmoid(sigmoid(X @ w1) @ w2)


def loss(X, Y, w1, w2):
    p = predict(X, w1, w2)
    return -np.sum(Y * np.log(p) + (1 - Y) * np.log(1 - p))


def main(iterations=10_000, rate=0.001):
    table = np.loadtxt(Path(__file__).with_name("iris.csv"), delimiter=",", skiprows=1)
    X, species = table[:, :4], table[:, 4].astype(int)
    Y = np.eye(3)[species]
    rng = np.random.default_rng(0)
    w1 = 0.01 * rng.uniform(-1, 1, (4, 10))
    w2 = 0.01 * rng.uniform(-1, 1, (10, 3))

    value_and_gradient = tl.value_and_grad(loss, wrt=("w1", "w2"))
    print(value_and_gradient.source_for(X, Y, w1, w2))
    for i in range(iterations):
        value, (bw1, bw2) = value_and_gradient(X, Y, w1, w2)
        if i % max(iterations // 5, 1) == 0:
            print(f"iteration {i:6}: loss {value:8.3f}")
        w1 -= rate * bw1
        w2 -= rate * bw2
    right = np.mean(np.argmax(predict(X, w1, w2), axis=1) == species)
    print(f"after {iterations:10}: loss {loss(X, Y, w1, w2):8.3f}, {right:.1%} of them right")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
