"""Names that later versions of variables, and their adjoints, take in the end."""
import gast

from tangent_lite.emit import emit
from tangent_lite.passes.coalesce import coalesce


def test_adjoints_go_with_their_variables():
    tree = gast.parse("s_x_1 = x * 2.0\nbs_x_1 = s_x_1 * 3.0\n")
    coalesce(tree.body, ["x"], {"s_x_1": "s_x"}, {"bs_x_1": "s_x_1"})
    assert emit(tree) == "s_x = x * 2.0\nbs_x = s_x * 3.0\n"
    # No keyword of Python, and no builtin.
    for variable in ("reak", "ool"):
        tree = gast.parse(f"{variable}_1 = x * 2.0\nb{variable}_1 = {variable}_1 * 3.0\n")
        coalesce(tree.body, ["x"], {f"{variable}_1": variable},
                 {f"b{variable}_1": f"{variable}_1"})
        assert emit(tree) == f"{variable} = x * 2.0\nb{variable}_1 = {variable} * 3.0\n"
