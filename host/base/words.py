"""How orders, answers and times are said to a person."""

from firmware.core import intents, sync

ORDERS = {
    intents.JOIN_EVENT: "join the event",
    intents.SET_ROUND: "set the round",
    intents.SET_FORMAT: "set the format",
    intents.SET_START: "set the start",
    intents.FREEZE: "freeze",
    intents.RESUME: "resume",
    intents.EXTEND: "extend",
    intents.STAMP_LATE: "stamp late",
    intents.RULE_RESULT: "rule the result",
    intents.REOPEN_RESULT: "reopen the result",
    intents.SET_POLICY: "set the randomizers",
    intents.RULE_ROLL: "rule the roll",
    intents.END_CALL: "end the call",
    intents.ARRIVE: "arrive",
    intents.ADJUST_PRIZES: "adjust the prizes",
    intents.CLEAR_ROUND: "clear the round",
    intents.SAY: "say",
    intents.TAKE_BACK: "take back",
    intents.APPROVE_RESULT: "approve the result",
    intents.SET_DRAFT: "conduct the draft",
    intents.SET_SCORE: "set the score",
    intents.SET_NONCE: "give the nonce",
}
REFUSALS = {
    sync.ILLEGAL: "not possible there now",
    sync.SUPERSEDED: "overtaken by something newer",
    sync.UNKNOWN: "the board does not know this",
    sync.TIME_STEP: "the host's time is impossible to the board",
}


def fate_of(order):
    """Say in a sentence what has become of an Order."""
    what = f"table {order.table}: {ORDERS.get(order.kind, order.kind)}"
    if (
        order.state == "refused"
        and order.kind == intents.SET_FORMAT
        and order.refusal == sync.ILLEGAL
    ):
        return f"{what}: refused, its board carries other rules (plusthree deploy --system), or its round has begun"
    if order.state == "refused":
        return f"{what}: refused, {REFUSALS.get(order.refusal, order.refusal)}"
    return f"{what}: {order.state}"


def clock(left_ms):
    """Return M:SS, negative after the zero and rounded up as on the boards; empty for None."""
    if left_ms is None:
        return ""
    seconds = -(-left_ms // 1000)
    return f"{'-' if seconds < 0 else ''}{abs(seconds) // 60}:{abs(seconds) % 60:02}"
