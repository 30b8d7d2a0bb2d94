"""What lets `tidy` leave out a search for dead statements: see analyses/read_no_more.py."""
import gast
import pytest

from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.read_no_more import ReadNoMore


def block(*lines):
    return gast.parse("\n".join(lines)).body


def known_of(body):
    mentions = Mentions()
    return ReadNoMore(body, mentions), mentions


def rewrite(body, mentions, number, line):
    body[number].value = block(line)[0].value
    mentions.rewritten(body[number])


def test_put_into_its_reader():
    body = block("t = x * y", "z = t * w", "return z")
    known, mentions = known_of(body)
    mentions.put_into(body[0], "t", [body[1]])
    rewrite(body, mentions, 1, "z = x * y * w")
    del body[0]
    assert not known.may_be(body)


def test_what_was_put_in_is_dropped():
    body = block("t = x * y", "z = t * w", "return z")
    known, mentions = known_of(body)
    mentions.put_into(body[0], "t", [body[1]])
    rewrite(body, mentions, 1, "z = x * w")
    del body[0]
    assert known.may_be(body)


@pytest.mark.parametrize("change", [
    lambda body, mentions: body.pop(0),
    lambda body, mentions: body.insert(0, block("a = x")[0]),
    lambda body, mentions: rewrite(body, mentions, 1, "z = w"),
    lambda body, mentions: body.__setitem__(1, block("z = t")[0])])
def test_others(change):
    body = block("t = x * y", "z = t * w", "return z")
    known, mentions = known_of(body)
    change(body, mentions)
    assert known.may_be(body)


def test_a_name_that_is_bound_elsewhere():
    body = block("t = x * y", "z = t * w", "if z > w:", "    t = w", "return z")
    known, mentions = known_of(body)
    mentions.put_into(body[0], "t", [body[1]])
    rewrite(body, mentions, 1, "z = x * y * w")
    del body[0]
    assert known.may_be(body)
