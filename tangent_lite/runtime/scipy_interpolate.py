"""What emitted code may call for scipy.interpolate.

An interpolant of points (x, y) is linear in y, for fixed x: its value at t is a row of weights
times y, and the weights are the values at t of the interpolants of unit vectors. Its slope in t is
the interpolant's own derivative.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import interpolate

from tangent_lite.errors import InputError

DEGREES = {"linear": 1, "slinear": 1, "quadratic": 2, "cubic": 3}


@dataclass
class Interpolant:
    """An interpolant in a differentiated function: called as the one that it stands for."""
    y: Any
    made: Any
    recipe: Any

    def __call__(self, t, nu=0, extrapolate=None):
        return interpolated(t, self.y, self.made, self.recipe, nu, extrapolate)


class Recipe:
    """How an interpolant is made of values y: which one, the points x, the options."""

    def __init__(self, maker, x, axis, options):
        self.maker, self.x, self.axis = maker, np.asarray(x), axis
        self.options = options

    def make(self, y, axis, options):
        return getattr(interpolate, self.maker)(self.x, y, axis=axis, **options)

    def linear_options(self):
        """The options of the part that is linear in y."""
        bounds = self.options.get("bc_type")
        if not isinstance(bounds, (str, type(None))):
            raise InputError("the boundary conditions are given as numbers", None,
                             "name them, as in bc_type=\"natural\"")
        options = dict(self.options)
        if self.maker == "interp1d" and not isinstance(options["fill_value"], str):
            options["fill_value"] = 0.0         # what lies outside does not depend on y
        return options


def recipe_of(maker, x, axis, options):
    """A recipe, from the options as pairs."""
    return Recipe(maker, x, axis, dict(options))


def on_points(y, x):
    """The values y, which stand at the points x."""
    return y


def made_of(recipe, y):
    """The interpolant of values y."""
    return recipe.make(y, recipe.axis, recipe.options)


def linear_of(recipe, y):
    """The interpolant of values y, less what does not depend on them."""
    return recipe.make(y, recipe.axis, recipe.linear_options())


def interpolated(t, y, made, recipe, nu=0, extrapolate=None):
    """The value at t of the interpolant made, or that of its derivative of order nu."""
    if recipe.maker != "interp1d":
        return made(t, nu) if extrapolate is None else made(t, nu, extrapolate)
    return made(t) if nu == 0 else _line_slope(t, y, made, recipe, nu)


def _line_slope(t, y, made, recipe, nu):
    """Derivative of order nu of interp1d, which has none of its own: that of the spline."""
    kind = recipe.options["kind"]
    degree = DEGREES.get(kind, kind if isinstance(kind, int) else 0)
    if degree < nu:
        return np.zeros(np.shape(made(t)))
    order = np.argsort(recipe.x, kind="stable")
    x, y = recipe.x[order], np.take(y, order, recipe.axis)
    slope = interpolate.make_interp_spline(x, y, degree, axis=recipe.axis)(t, nu)
    if isinstance(recipe.options["fill_value"], str):
        return slope
    inside = (np.asarray(t) >= x[0]) & (np.asarray(t) <= x[-1])
    return np.where(as_values(inside, t, y, recipe), slope, 0.0)


def as_values(dt, t, y, recipe):
    """Something of the shape of t, so that it broadcasts with the values at t, which have the axes
    of t in place of the axis of y along which x runs."""
    return np.reshape(dt, np.shape(t) + (1,) * (np.ndim(y) - 1 - recipe.axis % np.ndim(y)))


def slope_tangent(dt, t, y, made, recipe, nu=0, extrapolate=None):
    """Tangent of the values along dt."""
    return as_values(dt, t, y, recipe) * interpolated(t, y, made, recipe, nu + 1, extrapolate)


def slope_adjoint(dz, t, y, made, recipe, nu=0, extrapolate=None):
    """Adjoint of t: what all values at t have together; shape of t."""
    return summed_values(dz * interpolated(t, y, made, recipe, nu + 1, extrapolate), t, y, recipe)


def summed_values(dz, t, y, recipe):
    """The sum over all axes of the values but those of t; shape of t."""
    place = recipe.axis % np.ndim(y)
    others = tuple([k for k in range(np.ndim(dz)) if k < place or k >= place + np.ndim(t)])
    return np.sum(dz, axis=others)


def spread_values(ds, like, t, y, recipe):
    """Adjoint of dz in summed_values(dz, t, y, recipe); shape of like."""
    return np.broadcast_to(as_values(ds, t, y, recipe), np.shape(like)) + 0.0


def weights_adjoint(dz, t, y, recipe, nu=0, extrapolate=None):
    """Adjoint of y: each value times its weights; shape of y."""
    place, count = recipe.axis % np.ndim(y), np.shape(y)[recipe.axis]
    units = recipe.make(np.eye(count), 0, recipe.linear_options())
    column = Recipe(recipe.maker, recipe.x, 0, recipe.linear_options())
    weights = np.reshape(interpolated(t, np.eye(count), units, column, nu, extrapolate),
                         (-1, count))
    rank = np.ndim(t)
    moved = np.moveaxis(np.asarray(dz), range(place, place + rank), range(rank))
    lines = weights.T @ np.reshape(moved, (weights.shape[0], -1))
    return np.moveaxis(np.reshape(lines, (count, *moved.shape[rank:])), 0, place)
