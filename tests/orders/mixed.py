"""Programs in which several classes meet: writes in helpers' results, lists of arrays that change,
linear algebra with several results, derivatives inside loops, containers in and out."""
import math

import numpy as np

import tangent_lite as tl
from tests.orders.case import case

u3 = np.array([0.5, -1.2, 0.8])
u4 = np.array([0.5, -1.2, 0.8, 1.7])
A22 = np.array([[1.5, 0.3], [-0.4, 0.9]])


# What helpers hand on -----------------------------------------------------------------------------
def halved(v):
    return 0.5 * v, v


def handed_on_and_written(x):
    half, y = halved(x * x)
    y[0] = y[1] * half[0]
    y[1:] *= half[:-1]
    return np.sum(y * half)


case(handed_on_and_written, u3)


def filled(n, v):
    out = np.zeros(n)
    for i in range(n):
        out[i] = v[i] * v[i - 1]
    return out


def helper_result_written(x):
    y = filled(3, x)
    y += x
    z = filled(3, y)
    z[1] *= y[0]
    return np.sum(z * y)


case(helper_result_written, u3)


def last_of(rows):
    return rows[-1]


def array_out_of_a_list(x):
    rows = [x * x]
    for i in range(2):
        rows.append(np.sin(rows[-1]) * x)
    last = last_of(rows)
    return np.sum(last * rows[0])


case(array_out_of_a_list, u3)


def stepped(state, h):
    place, speed = state
    force = -np.sin(place)
    return (place + h * speed, speed + h * force * place)


def tuple_of_arrays_in_a_loop(x):
    state = (x, x * x)
    for i in range(3):
        state = stepped(state, 0.2)
    return np.sum(state[0] * state[1])


case(tuple_of_arrays_in_a_loop, u3)


def layered(params, v):
    for layer in params:
        v = np.tanh(layer["W"] @ v + layer["b"])
    return v


def list_of_dicts(x):
    params = []
    for k in range(2):
        params.append({"W": x[:, k:] * x[0, k] + np.eye(2)[:, k:] @ np.ones((1, 1)) if k else x,
                       "b": x[k]})
    return np.sum(np.sin(params[0]["W"] @ params[0]["b"]) * params[1]["b"])


case(list_of_dicts, A22)


# Arrays in lists ----------------------------------------------------------------------------------
def lists_changed_in_loops(x):
    ys = [np.zeros(3), x * x]
    for i in range(3):
        ys[i % 2] += x * np.sin(ys[i % 2])
        ys[0] = ys[0] + x * x
    ys[1] -= ys[0] * x
    return np.sum(ys[0] * ys[1])


case(lists_changed_in_loops, u3)


def list_taken_apart(x):
    ys = [x * k for k in range(1, 4)]
    total = np.zeros(3)
    while ys:
        y = ys.pop()
        y[0] = y[1] * x[0]
        total = total + y * np.cos(total)
    return np.sum(total * x)


case(list_taken_apart, u3)


def rows_written_and_collected(x):
    rows = []
    for i in range(3):
        row = x * x[i]
        row[i] = np.sum(row)
        rows.append(row)
    return np.sum(np.stack(rows) @ rows[0])


case(rows_written_and_collected, u3)


def stack_of_numbers(x):
    stack = [x[0]]
    for v in x:
        if v > 0.0:
            stack.append(v * stack[-1])
        elif len(stack) > 1:
            a = stack.pop()
            stack[-1] = stack[-1] * a + v * v
    return sum(stack) * stack[0]


case(stack_of_numbers, u4)


# Linear algebra -----------------------------------------------------------------------------------
def eigenvectors(x):
    w, v = np.linalg.eigh(x @ x.T + np.diag([0.0, 1.0]))
    return np.sum(w * v[0] ** 2) + w[0] * w[1]


case(eigenvectors, A22)


def singular(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.sum(np.sin(s)) + np.sum((u * s ** 2) @ vh * x)


case(singular, A22)


def log_determinant(x):
    sign, logdet = np.linalg.slogdet(x @ x.T + np.eye(2))
    return sign * logdet * np.trace(np.linalg.inv(x + 2.0 * np.eye(2)))


case(log_determinant, A22)


def power_iteration(x):
    v = np.ones(2)
    for i in range(3):
        v = x @ v
        v /= np.linalg.norm(v)
    return v @ x @ v


case(power_iteration, A22)


def parts_of_numbers(x):
    fraction, whole = np.modf(x)
    quotient, rest = np.divmod(x, 2.9)
    return np.sum(fraction ** 2 * x) + np.sum(rest * rest * x) + np.sum(whole)


# The places are as far from the jumps as the differences of third order step.
case(parts_of_numbers, np.array([0.5, -1.45, 0.55]))


def products_of_all(x):
    return np.prod(x) + np.sum(np.prod(np.outer(x, np.cos(x)), axis=0) * x) + np.sum(np.cumprod(x))


case(products_of_all, u3)


# Loops, writes, while, early exits ----------------------------------------------------------------
def thomas_in_while(x):
    y = x.copy()
    k = 0
    while k < 3:
        y[k] = y[k - 1] * math.sin(y[k]) + x[k]
        if y[k] > 1.1:
            break
        k += 1
    return np.sum(y * y)


case(thomas_in_while, np.array([0.2, 2.2, 0.8, 0.4]))


def running_largest(x):
    best = x[0]
    for v in x:
        if v * v > 2.0 * best:
            best = v * v * best
    return best * x[1]


case(running_largest, u4)


def gauss_seidel(x):
    A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 5.0]])
    y = np.zeros(3)
    for sweep in range(2):
        for i in range(3):
            s = x[i] * x[i]
            for j in range(3):
                if j != i:
                    s = s - A[i, j] * y[j]
            y[i] = s / (A[i, i] + x[i] ** 2)
    return y @ y


case(gauss_seidel, u3)


def upper_rows(x):
    U = x.copy()
    for i in range(1, 2):
        U[i] = U[i] - U[i, 0] / U[0, 0] * U[0]
    return U[0, 0] * U[1, 1] + np.sum(np.triu(U) ** 2)


case(upper_rows, A22)


def matrix_filled(x):
    K = np.empty((3, 3))
    for i in range(3):
        for j in range(i + 1):
            K[i, j] = K[j, i] = math.exp(-(x[i] - x[j]) ** 2) * x[i] * x[j]
    return np.sum(K @ x) + K[2, 0] * K[1, 1]


case(matrix_filled, u3)


def never_entered(x):
    y = x
    for i in range(len(x) - 3):
        w = np.sin(y)
        y = w * y
    return np.sum(y * y)


case(never_entered, u3)


def recurrent(x):
    W, h = x[:, :2], np.zeros(2)
    states = []
    for t in range(3):
        h = np.tanh(W @ h + x[0] * 0.1 * t)
        states.append(h)
    out = np.array(states)
    return np.sum(out[1:] * out[:-1])


case(recurrent, A22)


def diagonal_added(x):
    K = np.outer(x, x)
    i = np.arange(3)
    K[i, i] += 1.0
    return math.tanh(np.sum(K * 1.0)) * K[0, 1]


case(diagonal_added, u3)


# Derivatives inside -------------------------------------------------------------------------------
def bent(q):
    return np.sum(np.tanh(q["W"] * q["s"]) * q["W"])


def gradient_of_a_dict(p):
    slope = tl.grad(bent)(p)
    return np.sum(slope["W"] * p["W"]) * slope["s"]


def parts_dot(a, b):
    return np.sum(a["W"] * b["W"]) + a["s"] * b["s"]


case(gradient_of_a_dict, {"W": u3, "s": 0.7}, parts_dot)


def waves(vs):
    return np.sum(np.sin(vs[0]) * vs[1]) + np.sum(vs[1] ** 3)


def gradient_of_a_list(ws):
    slopes = tl.grad(waves)(ws)
    return np.sum(slopes[0] * slopes[1] * ws[0])


def arrays_dot(a, b):
    return np.sum(a[0] * b[0]) + np.sum(a[1] * b[1])


case(gradient_of_a_list, [u3, np.cos(u3)], arrays_dot)


def filled_like(v):
    return filled(3, v)


def pushed_through_a_helper(x):
    value, along = tl.jvp(filled_like, (x,), (x * x,))
    return np.sum(value * along)


case(pushed_through_a_helper, u3)


# Containers out -----------------------------------------------------------------------------------
def statistics(v):
    mean = np.mean(v)
    return {"mean": mean, "spread": np.sum((v - mean) ** 2), "scaled": (v - mean) * mean}


def dict_returned(x):
    s = statistics(x)
    t = statistics(s["scaled"] * x)
    return s["mean"] * t["spread"] + np.sum(t["scaled"] * s["scaled"])


case(dict_returned, u3)


def split(v):
    parts = []
    for k in range(3):
        parts.append(v[k:] * v[k])
    return parts, parts[0][0]


def list_and_number_returned(x):
    parts, first = split(x)
    again, second = split(np.sin(parts[0]))
    return np.sum(parts[1]) * np.sum(again[0] * parts[0]) * first + second


case(list_and_number_returned, u3)
