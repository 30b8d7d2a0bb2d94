"""A container at two places of an argument: one thing by identity, two by names."""
import numpy as np

import tangent_lite as tl


def by_names(p):
    return np.sum(p["x"]["w"] * 2.0) + np.sum(p["y"]["w"] * 3.0)


def by_identity(p):
    d = {"a": p["x"]}
    e = d if p["x"]["w"][0] > 0.0 else {}
    e["a"] = p["y"]                                     # a second name: adjoints by identity
    return np.sum(p["x"]["w"] * 2.0) + np.sum(d["a"]["w"] * 3.0)


def test_by_names_each_place_has_its_part():
    shared = {"w": np.ones(2)}
    got = tl.grad(by_names)({"x": shared, "y": shared})
    np.testing.assert_array_equal(got["x"]["w"], [2.0, 2.0])
    np.testing.assert_array_equal(got["y"]["w"], [3.0, 3.0])


def test_by_identity_both_places_show_the_whole():
    shared = {"w": np.ones(2)}
    derivative = tl.grad(by_identity)
    got = derivative({"x": shared, "y": shared})
    assert "tape." in derivative.source_for({"x": shared, "y": shared})
    np.testing.assert_array_equal(got["x"]["w"], [5.0, 5.0])
    np.testing.assert_array_equal(got["y"]["w"], [5.0, 5.0])
    apart = derivative({"x": {"w": np.ones(2)}, "y": {"w": np.ones(2)}})
    np.testing.assert_array_equal(apart["x"]["w"], [2.0, 2.0])
    np.testing.assert_array_equal(apart["y"]["w"], [3.0, 3.0])
