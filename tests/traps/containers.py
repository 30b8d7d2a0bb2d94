"""Traps of containers: lists that grow and shrink, dicts, tuples, comprehensions."""
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def list_built(x, n):
    xs = [x]
    for i in range(n):
        xs.append(math.sin(xs[-1]) * x)
    return sum(xs) * xs[n // 2]


case(list_built, 0.7, 4)
case(list_built, 0.7, 0)


def list_emptied(x):
    xs = [x, x * x, 2.0]
    total = 0.0
    while xs:
        total = total * x + xs.pop()
    xs.append(total)
    return xs[0] * xs[-1]


case(list_emptied, 0.7)


def list_written(x, y):
    xs = [x, y, x * y]
    xs[0] = xs[1] * xs[2]
    xs[1] *= xs[0]
    xs[-1], xs[0] = xs[0], xs[-1]
    return xs[0] + 2.0 * xs[1] + 3.0 * xs[2] * xs[0]


case(list_written, 0.7, 1.3)


def list_with_two_names(x, y):
    xs = [x, y]
    ys = xs
    ys.append(x * y)
    xs[0] = ys[2] * y
    zs = xs[:]
    zs[1] = 9.0
    ys += [x]
    return sum(xs) * ys[0] + zs[0] * zs[1]


case(list_with_two_names, 0.7, 1.3)


def list_methods(x, y):
    xs = [x, y, 2.0]
    xs.insert(1, x * y)
    xs.extend([y, x])
    xs.reverse()
    del xs[0]
    a = xs.pop(0)
    xs = xs + [a] * 2
    return sum(v * (k + 1) for k, v in enumerate(xs)) * a


case(list_methods, 0.7, 1.3)


def list_of_constants_and_values(x):
    xs = [1, 2.0, x]
    total = 0
    for v in xs:
        total = total * x + v * v
    return total


case(list_of_constants_and_values, 0.7)


def list_of_zeros(x, n):
    xs = [0.0] * n
    for i in range(n):
        xs[i] = x * i + xs[i - 1]
    return xs[-1] * xs[1]


case(list_of_zeros, 0.7, 4)


def list_of_arrays(u, n):
    states = [u]
    for i in range(n):
        u = np.tanh(u * states[-1])
        states.append(u)
    path = np.stack(states)
    return np.sum(path * path) + states[n // 2][0]


case(list_of_arrays, u4, 3)
case(list_of_arrays, u4, 0)


def list_of_arrays_written_later(u, n):
    states = []
    for i in range(n):
        u *= 1.2
        states.append(u)
    return np.sum(states[0]) * np.sum(states[-1] * u)


case(list_of_arrays_written_later, u4, 3)


def list_of_copies(u, n):
    states = []
    for i in range(n):
        u[i] = u[i - 1] * u[i]
        states.append(u.copy())
    total = 0.0
    for s in states:
        total = total + np.sum(s * s)
    return total


case(list_of_copies, u4, 3)


def list_argument(weights, x):
    for w in weights:
        x = math.tanh(w * x)
    weights[0] = x
    return x * weights[0] * weights[-1]


case(list_argument, [0.5, 1.5, -0.7], 0.7)


def nested_lists(x, y):
    grid = [[x, y], [x * y, 1.0]]
    grid[0][1] = grid[1][0] * x
    row = grid[1]
    row[1] = grid[0][1]
    return grid[0][1] * grid[1][1] + sum(sum(r) for r in grid)


case(nested_lists, 0.7, 1.3)


def shared_rows(x):
    grid = [[0.0, 0.0]] * 2
    grid[0][1] = x
    grid[1][0] = grid[0][1] * x
    return grid[0][0] + grid[1][1]


case(shared_rows, 0.7)


def tuples(x, y):
    pair = (x, y)
    for i in range(3):
        pair = (pair[1] * x, pair[0] + y)
    a, b = pair
    return a * b * pair[0]


case(tuples, 0.7, 1.3)


def tuple_argument(state, k):
    x, v = state
    for _ in range(3):
        x, v = x + 0.1 * v, v - 0.1 * k * x
    return x * x + v * state[0]


case(tuple_argument, (0.7, 1.3), 0.4)


def dict_argument(params, x):
    h = np.tanh(params["w"] * x + params["b"])
    return np.sum(h * params["w"]) * params["scale"]


case(dict_argument, {"w": u4, "b": 0.2, "scale": 1.5}, 0.7)


def dict_written(params, x):
    params["w"] = params["w"] * x
    params["new"] = x
    params["b"] *= params["new"]
    return params["w"] * params["b"] + params["new"]


case(dict_written, {"w": 0.3, "b": 0.2}, 0.7)


def dict_built(x, y):
    d = {"a": x, "b": y}
    for key in d:
        d[key] = d[key] * x
    for key, value in d.items():
        x = x + value
    d = {k: v * y for k, v in d.items()}
    return x * d["a"] + sum(d.values()) + d.get("c", y)


case(dict_built, 0.7, 1.3)


def dict_of_arrays(p, x):
    p = {k: v * x for k, v in p.items()}
    p["w"][0] = x
    return np.sum(p["w"] * p["v"])


case(dict_of_arrays, {"w": u4, "v": u4 + 0.3}, 0.7)


def dict_array_written(p, x):
    w = p["w"]
    w *= x
    p["w"][1] = p["w"][0] * x
    return np.sum(p["w"] * w)


case(dict_array_written, {"w": u4}, 0.7)


def layers(params, x):
    for layer in params:
        x = np.tanh(layer["w"] @ x + layer["b"])
    return np.sum(x * x)


case(layers, [{"w": np.arange(8.0).reshape(2, 4) * 0.1, "b": np.array([0.1, 0.2])},
              {"w": np.arange(4.0).reshape(2, 2) * 0.3, "b": 0.5}], u4)


def comprehensions(u, x):
    a = [v * x for v in u if v > 0.0]
    b = {k: v * v for k, v in enumerate(a)}
    c = sum(p * q for p in a for q in u[:2])
    return sum(a) + b[0] * b[1] + c * max([v * v for v in u])


case(comprehensions, u4, 0.7)


def doubled(xs):
    return [2.0 * x for x in xs]


def chosen(xs, k, other):
    return [other if i == k else x for i, x in enumerate(xs)]


def comprehensions_returned(u, x):
    a = doubled((x, u[0] * u[1]))
    b = chosen(a, 0, u[2])
    return a[0] * a[1] + b[0] * b[1] + sum(doubled(b))


case(comprehensions_returned, u4, 0.7)


def comprehension_scope(u, v):
    x = v
    y = [v * x for v in u]
    return y[0] * v + y[-1] * x


case(comprehension_scope, u4, 0.7)


def array_from_list(u, x):
    rows = []
    for i in range(3):
        rows.append([u[i] * x, u[i + 1]])
    A = np.array(rows)
    A[0] = A[1] * A[2]
    return np.sum(A * A)


case(array_from_list, u4, 0.7)


def sorted_and_mapped(u, x, y):
    a = sorted([x, y, x * y])
    b = list(map(lambda v: v * v, u))
    return a[0] * a[-1] + sum(b) * b[1] + list(reversed(a))[0]


case(sorted_and_mapped, u4, 0.7, 1.3)


def list_in_loop(x, n):
    total = 0.0
    for i in range(n):
        xs = []
        for j in range(i + 1):
            xs.append(x * j)
            x = x + 0.1 * xs[-1]
        total = total + sum(xs)
    return total * x


case(list_in_loop, 0.7, 3)


def stack_machine(x, y):
    stack = []
    for word in ["x", "y", "*", "x", "+", "y", "*"]:
        if word == "x":
            stack.append(x)
        elif word == "y":
            stack.append(y)
        else:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b if word == "*" else a + b)
    return stack[0]


case(stack_machine, 0.7, 1.3)
