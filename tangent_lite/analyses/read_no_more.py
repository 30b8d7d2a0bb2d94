"""Whether statements of which all were needed may be needed no more.

>>> block = gast.parse('''
... t = x * y
... z = t * w
... ''').body
>>> mentions = Mentions()
>>> known = ReadNoMore(block, mentions)
>>> block[1].value = gast.parse("t * 0.0 * w").body[0].value
>>> mentions.rewritten(block[1])
>>> known.may_be(block)
False
>>> block[1].value = gast.parse("w").body[0].value
>>> mentions.rewritten(block[1])
>>> known.may_be(block)
True

As long as each statement reads what it read, or what it read is computed in it, as `fold` does it,
each is needed for what it was needed for, and none has to be looked at to find that out.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions


class ReadNoMore:
    """What a body held when all of it was needed."""

    def __init__(self, body: list[gast.stmt], mentions: Mentions) -> None:
        self.mentions = mentions
        self.there = {id(node): node for node in syntax.every_statement(body)}
        for node in self.there.values():
            mentions[node]                  # what it reads now
        mentions.begin_again()

    def may_be(self, body: list[gast.stmt]) -> bool:
        """Whether a statement may be needed no more: others came or went than by being put into
        those that read them, or a name is not read any more where it was."""
        mentions, there = self.mentions, self.there
        now = syntax.every_statement(body)
        left = len(there) - len([node for node in now if id(node) in there])
        if left != len(mentions.moved) or len(now) + left != len(there):
            return True
        lost: set[str] = set()
        for node, reads in mentions.before.items():
            if node not in mentions.moved:
                lost |= reads - mentions[node].reads
        names = set(mentions.moved.values())
        return not lost <= names or (bool(names) and any(
            not names.isdisjoint(mentions[node].binds) for node in now))
