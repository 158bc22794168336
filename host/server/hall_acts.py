"""Acts on the hall: messages, drafts that boards conduct, sound, counted turns, coins and dice."""

import functools

from firmware.core import intents
from host.archive.orders import NewOrder
from host.base.errors import UserError
from host.desk import draft_conducting, recent_presses, turn_counting
from host.event import roll_policy
from host.server.act import Act, Answer, choice, whole
from host.server.operator import Operator

MESSAGES = ("next", "seats", "break", "lunch", "clear", "desk", "pairings", "thanks")
SOUND = 8
_SECONDS_MOST = 65535


def _say(operator: Operator, message: str, minutes: str = "0") -> list[int]:
    number, seconds = MESSAGES.index(choice(message, MESSAGES)), whole(minutes) * 60
    if not 0 <= seconds <= _SECONDS_MOST:
        raise UserError("the next round begins in 0 to 1092 minutes")
    return _all(operator, "all", (intents.SAY, number, seconds, 0))


def _draft(operator: Operator, table: str, *words: str) -> list[int]:
    kind, *rest = words or ("",)
    if kind in draft_conducting.STEPS and not rest:
        return _all(operator, table, draft_conducting.step(kind))
    if kind not in draft_conducting.KINDS or len(rest) not in (2, 3):
        raise UserError(
            "say: draft TABLE rochester SEATS|podN GROUPS [SECONDS], booster SEATS|podN PACKS,"
            " build or end"
        )
    pick_s = whole(rest[2]) if rest[2:] else draft_conducting.PICK_S[kind]
    asked = draft_conducting.setting(kind, _seats(operator, rest[0]), whole(rest[1]), pick_s)
    return _all(operator, table, asked)


def _seats(operator: Operator, word: str) -> int:
    """Return the seats of a pod: a number, or as many as ``podN`` has in the round's draft."""
    if not word.casefold().startswith("pod"):
        return whole(word)
    return draft_conducting.seats_of(operator.station, whole(word[3:]))


def _sound(operator: Operator, table: str, switch: str) -> list[int]:
    return _switched(operator, table, SOUND, _choice(switch, {"on": SOUND, "off": 0}))


def _turns(operator: Operator, table: str, switch: str) -> Answer:
    on = _choice(switch, {"on": 1, "off": 0})
    return operator.each(table, functools.partial(turn_counting.switch, operator.station), on)


def _luck(operator: Operator, table: str, switch: str) -> list[int]:
    bits, station = _choice(switch, roll_policy.WORDS), operator.station
    with station.archive.transaction():
        if table.casefold() == "all":
            roll_policy.announce(station.archive, bits, operator.author, station.collector.now_ms)
        return _switched(operator, table, roll_policy.BITS, bits)


def _switched(operator: Operator, table: str, which: int, bits: int) -> list[int]:
    """Set some switches of a table, or of all; the others keep their last ordered state."""
    made = []
    with operator.station.archive.transaction():
        for number in _tables(operator, table):
            kept = operator.station.desk.switches(number) & ~which
            made += _all(operator, str(number), (intents.SET_POLICY, kept | bits, 0, 0))
    return made


def _beacon(operator: Operator, switch: str = "") -> list[str]:
    station = operator.station
    if switch:
        on = bool(_choice(switch, {"on": 1, "off": 0}))
        station.switch_beacon(on, operator.author)
        return [f"the beacon is switched {switch.casefold()}"]
    return [str(station.beacon or "no gateway hears boards, so no beacon goes out")]


def _clock(operator: Operator, answer: str) -> list[str]:
    passed = choice(answer.casefold(), ("passed", "wrong")) == "passed"
    return [str(operator.station.judge_clock(passed, operator.author))]


def _archive(operator: Operator, answer: str) -> list[str]:
    choice(answer.casefold(), ("mine",))
    return [str(operator.station.believe(operator.author))]


def _presses(operator: Operator, table: str) -> list[str]:
    return recent_presses.lines(operator.station, whole(table))


def _tables(operator: Operator, table: str) -> list[int]:
    known = operator.station.archive.roster.tables
    if table.casefold() == "all":
        return known
    if whole(table) not in known:
        raise UserError(f"table {table} has no board: swap a spare in")
    return [whole(table)]


def _all(operator: Operator, table: str, asked: tuple[int, int, int, int]) -> list[int]:
    """Order a table, or all with a board, also without a round; return the orders' ids."""
    station, (kind, a, b, c) = operator.station, asked
    intent = (kind, station.collector.now_ms, a, b, c)
    number = station.desk.round or 0
    with station.archive.transaction():
        return [
            station.collector.add_order(NewOrder(number, one, intent, operator.author))
            for one in _tables(operator, table)
        ]


def _choice(word: str, choices: dict[str, int]) -> int:
    return choices[choice(word.casefold(), choices)]


ACTS = (
    Act("say", "MESSAGE [MINUTES]", _say,
        f"show all idle boards a message ({' '.join(MESSAGES)}), and in how many minutes the next"
        " round begins"),
    Act("draft", "TABLE rochester|booster|build|end [SEATS…]", _draft,
        "have a board conduct a pod's draft: SEATS (or pod1, pod2 …) GROUPS [SECONDS], or SEATS"
        " PACKS; begin deck building; end it"),
    Act("sound", "TABLE|all on|off", _sound, "turn the boards' sound on or off"),
    Act("turns", "TABLE|all on|off", _turns,
        "count each turn before time, too; the judge's card and the incident log tell them"),
    Act("luck", "TABLE|all on|off|informal|barred", _luck,
        "the head judge's switch for coins and dice (informal: X-Wing dice too)"),
    Act("beacon", "[on|off]", _beacon,
        "tell which gateways send the hall's beacon, or switch it on or off until serve ends"),
    Act("clock", "passed|wrong", _clock,
        "answer where this PC's clock cannot be right: the time did pass, or the clock is wrong"),
    Act("archive", "mine", _archive,
        "answer where another program has changed the archive: that was you, and it is right"),
    Act("presses", "TABLE", _presses, "read the last ten key presses at a table, with their times"),
)  # fmt: skip
