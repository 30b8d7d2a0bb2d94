"""Where programs with generators are entered, and the generators that many of them use."""
from tests.registered import Programs

PROGRAMS = program = Programs()


def steps(x, n):
    for i in range(n):
        x = x * x * 0.5 + x * 0.3
        yield x


def tail(u, n):
    for k in range(n):
        yield u[k]
        u[0] = u[0] * u[1]          # behind each yield, at the end too
    u[1] = u[0] * u[0]


def stops(x):
    while True:
        x = x * 0.7
        if x < 0.2:
            return
        if x < 0.5:
            yield x * x
            continue
        for k in range(2):
            yield x * k
            if k == 0 and x > 0.6:
                break
