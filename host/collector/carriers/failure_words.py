"""What is said to the organiser of this PC's Bluetooth, a sentence each with what to do."""

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
NO_STOP = Sentence("Bluetooth does not stop listening when it is told to: a new scan is begun")
BACK = Sentence("Bluetooth hears adverts again")
HUNG = Sentence("the program's radio part did not answer and was started again")
DIED = Sentence("the program's radio part ended and was started again")
ANSWERED = Sentence("the program's radio part works again")
NO_ANSWER, NO_SERVICE = Sentence("no answer in time"), Sentence("the board's service was not found")
NARROW, NOTHING = (
    Sentence("packets carry 20 bytes, boards need 24"),
    Sentence("the board said nothing"),
)


def help_for(error):
    """Return what to do where a start raised ``error``."""
    return HELP.get(getattr(getattr(error, "reason", None), "name", None), _NO_HELP)


def silent(seconds):
    """Nothing was heard of anybody for so long."""
    return Sentence(
        "no advert was heard for {seconds} s: listening anew until one is", seconds=round(seconds)
    )


def several(boards, why):
    """Links to several boards failed, most of them because of ``why``."""
    return Sentence(
        "links to {boards} boards in a row failed ({why}): results still come in by adverts;"
        " if it stays so, switch Bluetooth off and on, or plug the adapter out and in",
        boards=boards, why=why,
    )  # fmt: skip


def late(seconds):
    """A changed advert is heard late here."""
    return Sentence(
        "a changed advert waits up to {seconds} s on this PC: plusthree doctor says what to do",
        seconds=round(seconds),
    )


def broken(error):
    """The radio's process fell over a mistake of ours."""
    return Sentence("the program's radio part failed: {why}", why=repr(error))
