"""The other of two modules that have helpers of the same names."""
import numpy as np

RATE = 3.0


def scale(x, y):
    return RATE * x + y * y


def norm(u):
    return np.sum(u * u) * RATE


def through(x):
    return scale(x, RATE)
