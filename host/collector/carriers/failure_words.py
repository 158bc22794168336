"""Messages to the organiser about this PC's Bluetooth, each with a remedy."""

from host.base.sentences import Sentence

_NO_HELP = Sentence(
    "Bluetooth does not answer: check that it is installed, switched on and allowed"
)
HELP = {  # by the name of bleak's reason
    "NO_BLUETOOTH": Sentence("no Bluetooth adapter was found: plug one in"),
    "NO_BLE_CENTRAL_ROLE": Sentence(
        "this Bluetooth adapter cannot talk to boards: use another one"
    ),
    "POWERED_OFF": Sentence("Bluetooth is off: switch it on"),
    "DENIED_BY_USER": Sentence("the system does not let this program use Bluetooth: allow it"),
    "DENIED_BY_SYSTEM": Sentence("the system does not let this program use Bluetooth: allow it"),
}
NO_START = Sentence(
    "Bluetooth does not start: if the system asks whether this program may use it, allow it"
)
NO_STOP = Sentence("Bluetooth did not stop scanning when told to: a new scan was started")
BACK = Sentence("Bluetooth hears adverts again")
HELD = Sentence(
    "this PC's Bluetooth is in use by {holder}: end that one, or go without it (--no-radio)"
)
HUNG = Sentence("the program's radio part did not answer and was started again")
DIED = Sentence("the program's radio part ended and was started again")
ANSWERED = Sentence("the program's radio part works again")
NO_ANSWER, NO_SERVICE = Sentence("no answer in time"), Sentence("the board's service was not found")
NARROW, NOTHING = (
    Sentence("packets carry 20 bytes, boards need 24"),
    Sentence("the board said nothing"),
)


def help_for(error: Exception) -> Sentence:
    """Return what to do when a start raised ``error``."""
    reason = getattr(error, "reason", None)
    return HELP.get(getattr(reason, "name", ""), _NO_HELP)


def silent(seconds: float) -> Sentence:
    """Return that no advert at all was heard for ``seconds``."""
    return Sentence(
        "no board was heard for {seconds} s: scanning was restarted", seconds=round(seconds)
    )


def several(boards: int, why: str) -> Sentence:
    """Return that connections to several boards failed, most of them because of ``why``."""
    return Sentence(
        "links to {boards} boards in a row failed ({why}): results still come in by adverts;"
        " if it stays so, switch Bluetooth off and on, or plug the adapter out and in",
        boards=boards, why=why,
    )  # fmt: skip


def late(seconds: float) -> Sentence:
    """Return that this PC hears changed adverts late."""
    return Sentence(
        "a changed advert waits up to {seconds} s on this PC: plusthree doctor says what to do",
        seconds=round(seconds),
    )


def broken(error: BaseException) -> Sentence:
    """Return that the radio process failed because of a bug in this program."""
    return Sentence("the program's radio part failed: {why}", why=repr(error))
