"""What a table does in an evening beyond a running clock, while memory is measured: acts that load
modules of their own. Each is done by fingers on the keys or by the desk, and each is checked.
"""

import memory_scenes
from memory_scenes import written

from firmware.core import code, digest, frames, intents
from host.boards.deploy import image

BEGINNING = ("firmware.board.pins", "firmware.core.settings")  # let go of when the board is built
FINGERS = """
import keypad
from firmware.board import hardware
seen, kept = set(), board.unload
PAST = {
    'firmware.core.judging', 'firmware.core.unjudged', 'firmware.ui.recall', 'firmware.ui.pressed',
    'firmware.ui.rolled', 'firmware.core.takeback', 'firmware.core.standing',
    'firmware.core.code',
}
def noting():
    seen.update([name for name in hardware.LATE if name in sys.modules])
    kept()
board.unload = noting
def hear(frame):
    _bleio.inbox.append(frame)
    later(20)
def edge(key, pressed):
    keypad.queues[0].append((key, pressed, supervisor.now[0]))
def press(key, ms=120):
    edge(key, True)
    later(ms)
    edge(key, False)
    later(20)
    later(600)
def choose(from_end):
    for _ in range(screens.rows.count(1) - from_end):
        press(0)
    press(1)
"""
KEY = code.judges_key(memory_scenes.KEY, memory_scenes.EVENT)
JUDGES = code.hotp(KEY, 0, digest.new_sha256)  # this MicroPython has no SHA-1


def heard(counter, kind, *plain):
    """Return the call that hears the desk ask for something."""
    return f"hear({written(counter, kind, frames.plain(*plain))})"


ROUND = [
    heard(26, intents.SET_ROUND, 1, 4, 12, 1),
    heard(27, intents.SET_FORMAT, 1, 0, 3 << 1, 50),
    heard(28, intents.SET_START, 1),
    "later(200000)",
    "assert set(hardware.LATE) - seen == {'firmware.core.anchor', 'firmware.core.announced', 'firmware.core.talk'}, seen",
    "assert program.match.phase == 3 and program.match.round == 4",
    *["later(1000)"] * 5,
]
ACTS = [
    "press(0)\npress(1)\nassert program.match.score == (1, 0), program.match.score",
    heard(20, intents.SET_POLICY, 1, 1),
    "press(0)\nchoose(3)",  # the result's menu; its last but two: take a press back
    "assert program.view.recalled[0]",
    "assert program.ledger.seeds.whole",
    "press(0, 1100)\npress(1, 1100)",
    "assert program.match.score == (0, 0), 'taken back'",
    "press(0)\nchoose(2)",  # luck
    "choose(3)\npress(0, 1100)\npress(1, 1100)",  # consent
    "assert program.match.consent == 3, program.match.consent",
    "press(0)\nchoose(2)\nchoose(2)",  # rolls, none so far
    "press(1)\npress(0)\nchoose(2)\npress(1)\nchoose(3)",  # who is first: the coin
    "assert program.match.roll",
    "press(0, 1100)\npress(1, 1100)",
    "assert program.match.agreed == 3",
    "press(0)\nchoose(2)\nchoose(2)\npress(0)",  # rolls, and the page of older ones
    "assert program.view.recalled[0], program.view.recalled",
    "press(1)",
    "press(2, 1100)\npress(0)\nchoose(2)",  # a call, its menu: the judge's code
    *["press(0)\n" * int(digit) + "press(1)" for digit in JUDGES],
    "press(1, 1100)",
    "choose(4)",  # of the judge's menu: what the judge ruled last, which is nothing
    "press(1, 1100)\nassert seen == PAST, seen",
    "screens.verify('000000')\nlater(20)",
    heard(22, intents.RULE_RESULT, 1, 1 | 128, 2, 0),
    "assert program.match.phase == 12, program.match.phase",
    *["later(30000)"] * 4,
    heard(23, intents.CLEAR_ROUND, 1),
    heard(24, intents.SET_DRAFT, 1, 0, 8 << 1 | 3 << 5, 5000),
    "assert program.ledger.draft is not None and screens.number",
    heard(25, intents.SET_DRAFT, 1, 9),
    "later(20)\nassert seen == PAST and 'firmware.core.draft' in sys.modules",
]
NAMES = ("what an evening brings", "then a match again")


def scenes(modules):
    """Return the scenes of an evening; at its end no others than ``modules`` are loaded."""
    wanted = sorted({*modules} - {*BEGINNING})
    strays = f"""
wanted = {wanted}
strays = [name for name in sys.modules if name.startswith({("firmware", *image.LIBRARIES)}) and name not in wanted]
strays = [name for name in strays if not [one for one in wanted if one.startswith(name + ".")]]
assert not strays, strays
"""
    return [(None, [FINGERS]), (NAMES[0], ACTS), (NAMES[1], ROUND), (None, [strays])]
