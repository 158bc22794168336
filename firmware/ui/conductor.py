"""What the face is told of a draft that this board conducts (``core.draft``). Loaded only for one."""

from firmware.core import draft
from firmware.ui import facts

PHASE = 13  # a draft's phases follow the table's
MOST_CARDS = 255
_FIRST = 67  # the fact ``pod_left``
_SHOWN = 3  # marks there are for the pick clock


def seconds(pod, now_ms):
    """Return what is left of the running clock in whole seconds, 0 without one."""
    left_ms = pod.remaining_ms(now_ms)
    return 0 if left_ms is None else max(0, (left_ms + 999) // 1000)


def bits(pod, match, three):
    """Return the facts of a draft: those of an idle table, whether a judge is called, and its own."""
    called = match.call is not None
    table = facts.bits((three, True, True, True, False, False, called))
    here = facts.bits((match.call == facts.HERE,))
    own = facts.bits((
        pod.clockwise,
        pod.missed,
        pod.halted_ms is not None,
        pod.kind == draft.BOOSTER,
        pod.last is not None,
        pod.phase == draft.PICKING and pod.kind == draft.BOOSTER,
    ))  # fmt: skip
    return table << facts.PASSING | here << facts.PASSING + 54 | own << _FIRST


def words(pod, left_s):
    """Return the templates' words: %k pick of %g, %r pack of group %t, %e Active; marks of seconds."""
    out = [""] * 29
    out[3], out[5], out[6] = pod.group, pod.pack, pod.cards
    out[7], out[8] = min(left_s, _SHOWN), min(_SHOWN, (pod.pick_ms + 999) // 1000)
    out[11], out[14] = pod.active, pod.index + 1
    return out
