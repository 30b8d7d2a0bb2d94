"""Fresh names: the user's win, ours are numbered, the same from run to run."""
import pytest

from tangent_lite.names import RESERVED, Names


def test_a_free_wish_is_granted():
    assert Names().fresh("bx") == "bx"


def test_a_wish_is_granted_once():
    names = Names()
    assert [names.fresh("t") for _ in range(3)] == ["t", "t_1", "t_2"]


def test_the_users_names_win():
    names = Names(["bx", "bx_1", "bx_3"])
    assert [names.fresh("bx") for _ in range(3)] == ["bx_2", "bx_4", "bx_5"]


@pytest.mark.parametrize("name", ["lambda", "None", "sum", "len", "print", "async"])
def test_keywords_and_builtins_are_nobodys(name):
    assert name in RESERVED
    assert Names().fresh(name) == f"{name}_1"


def test_numbered_wishes_are_wishes():
    names = Names()
    assert [names.fresh("x_1"), names.fresh("x"), names.fresh("x"), names.fresh("x_1")] \
        == ["x_1", "x", "x_2", "x_1_1"]


def test_names_taken_later():
    names = Names()
    names.take(["t", "t_1"])
    assert names.fresh("t") == "t_2"
    assert "t_1" in names and "t_2" in names and "t_3" not in names


def test_a_wish_never_comes_twice():
    names = Names(f"a_{k}" for k in range(0, 20, 3))
    given = [names.fresh(wish) for wish in ("a", "a_1", "b", "a_2", "a", "b_1") * 9]
    assert len(set(given)) == len(given)
    assert not {f"a_{k}" for k in range(0, 20, 3)} & set(given)


def test_order_alone_decides():
    first, second = Names({"x", "y", "z"}), Names(["z", "y", "x"])
    wishes = ["x", "t", "y", "t", "x", "z"]
    assert [first.fresh(w) for w in wishes] == [second.fresh(w) for w in wishes]


def test_many_are_quick():
    names = Names()
    assert [names.fresh("t") for _ in range(20_000)][-1] == "t_19999"
