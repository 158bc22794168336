"""A match in any situation, without the way there: for the tables that judge it."""

import types

from firmware.core.match import Match
from firmware.core.systems import p18

SWISS_3, SWISS_2, SWISS_4, SWISS_5, CUT_1, CUT_3 = 3 << 1, 2 << 1, 1 << 8, 1 << 8 | 1 << 1, 3, 7
TEAM = 1 << 7 | 1 << 1


def under(rules=p18, bits=SWISS_3, **state):
    match = Match(rules)
    match.format = bits
    for name, value in state.items():
        setattr(match, name, value)
    return match


def like(rules, **tables):
    return types.SimpleNamespace(**{**vars(rules), **tables})
