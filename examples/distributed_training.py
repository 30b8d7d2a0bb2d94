"""Training on several machines: the gradient of a mean is the mean of the gradients of its parts.

    python examples/distributed_training.py [EPOCHS]        (needs Dask: pip install '.[dask]')

The rows are spread over the workers of a Dask cluster once; in each epoch every worker takes the
gradient of the loss of its rows, and the sum of these is one step. The cluster is a local one of
two processes; put the address of another one into Client(...), and nothing else changes. What is
sent to the workers is `tl.grad(loss)` as it is: a derivative pickles, and its source goes along.
"""
import sys

import numpy as np
from distributed import Client, LocalCluster, progress

import tangent_lite as tl


def loss(params, x, labels):
    """Logistic loss of a small network, summed over some rows."""
    hidden = np.tanh(x @ params["W"] + params["b"])
    score = hidden @ params["v"]
    return np.sum(np.logaddexp(0.0, score) - labels * score)


value_and_gradient = tl.value_and_grad(loss)


def step(params, parts, rows, rate=2.0):
    """The mean loss, and the parameters after one step, from what each part of the rows gave."""
    total = sum(value for value, _ in parts) / rows
    return total, {name: params[name] - rate / rows * sum(gradient[name] for _, gradient in parts)
                   for name in params}


def data(rows=2000):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, 2))
    params = {"W": rng.normal(size=(2, 8)), "b": np.zeros(8), "v": 0.1 * rng.normal(size=8)}
    return params, x, (np.sum(x * x, axis=1) < 1.4) * 1.0


def serial(params, x, labels, epochs):
    for _ in range(epochs):
        total, params = step(params, [value_and_gradient(params, x, labels)], len(x))
    return total, params


def distributed(client, params, x, labels, epochs, parts=8):
    xs, ys = (client.scatter(np.array_split(a, parts)) for a in (x, labels))
    for epoch in range(1, epochs + 1):
        futures = client.map(value_and_gradient, [params] * parts, xs, ys, pure=False)
        progress(futures, notebook=False)
        total, params = step(params, client.gather(futures), len(x))
        print(f"\nepoch {epoch}: loss {total:.6f}")
    return total, params


def main(epochs=10):
    params, x, labels = data()
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) \
            as cluster, Client(cluster) as client:
        total, trained = distributed(client, params, x, labels, epochs)
    alone, expected = serial(params, x, labels, epochs)
    apart = max(abs(total - alone), *(np.max(abs(trained[k] - expected[k])) for k in expected))
    print(f"apart from one process: {apart:.1e}")
    assert apart < 1e-12


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
