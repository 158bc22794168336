"""An MQTT broker's address, and a connection to it. aiomqtt is wanted (``locks/hall.txt``)."""

import importlib.util
import logging
import os
import ssl
import urllib.parse
from argparse import Namespace
from typing import TYPE_CHECKING, NamedTuple

from host.base import installation
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.hall import broker_messages
from host.hall.machines import KEEP_ALIVE_S

if TYPE_CHECKING:
    import aiomqtt

PASSWORD = "PLUSTHREE_BROKER_PASSWORD"  # of the environment: a command line shows it to everybody
RECONNECT_S = 1.0  # between two tries to connect
ANSWER_S = 5.0  # for the broker to answer
_PORTS = {"mqtts": 8883, "mqtt": 1883}
# aiomqtt ends without having looked at why a connection broke: for the log, not for the terminal
_UNHEARD = logging.NullHandler()
_HERE = "127.0.0.1", "::1", "localhost"
# what to do about a connection that failed, by a word in the failure
_ADVICE = (
    (
        "authorized",
        Sentence("see to the user in its address and to the password in {name}", name=PASSWORD),
    ),
    (
        "certificate",
        Sentence(
            "copy the broker's certificate here for --ca, and address the broker by the name in it"
        ),
    ),
)


class Broker(NamedTuple):
    """Where a hall's broker is. ``ca`` is the file of who signs its certificate, None for the
    system's own.
    """

    host: str
    port: int
    user: str | None
    hall: str
    tls: bool
    ca: str | None

    @property
    def shown(self) -> str:
        """What to call it in a sentence."""
        return f"{self.host}:{self.port}"

    def client(self, name: str, will: bytes | None = None) -> "aiomqtt.Client":
        """Return a connection that is not open yet. A machine of this ``name`` leaves a ``will``;
        the collector has none, and its messages are kept while it is away.
        """
        import aiomqtt

        logging.getLogger("asyncio").addHandler(_UNHEARD)
        is_collector = will is None
        last_message = None
        if will is not None:
            last_message = aiomqtt.Will(self.topic("state", name), will, qos=1, retain=True)
        return aiomqtt.Client(
            self.host,
            self.port,
            username=self.user,
            password=os.environ.get(PASSWORD),
            identifier=f"plusthree-{self.hall}-{name}{'-collects' if is_collector else ''}",
            clean_session=not is_collector,
            will=last_message,
            keepalive=KEEP_ALIVE_S,
            timeout=ANSWER_S,
            tls_context=ssl.create_default_context(cafile=self.ca) if self.tls else None,
        )

    def topic(self, *levels: str) -> str:
        """Return a topic of this hall."""
        return broker_messages.topic(self.hall, *levels)


def parse(address: str, ca: str | None = None) -> Broker:
    """Return the Broker at ``mqtts://USER@HOST[:PORT]/HALL``. Raises UserError.

    Without TLS (``mqtt``) only one on this PC is accepted.
    """
    malformed = UserError("a broker's address is mqtts://USER@HOST/HALL: docs/hall.md")
    try:
        parts = urllib.parse.urlsplit(address)
        port = parts.port
    except ValueError:
        raise malformed from None
    hall = parts.path.strip("/")
    if parts.scheme not in _PORTS or not parts.hostname or not broker_messages.is_name(hall):
        raise malformed
    if parts.password:
        message = "put the broker's password into {name}: a command line shows it"
        raise UserError(message, name=PASSWORD)
    if parts.scheme == "mqtt" and parts.hostname not in _HERE:
        raise UserError("a broker on another PC is reached by TLS: mqtts://USER@HOST/HALL")
    if ca and not os.path.isfile(ca):
        raise UserError("there is no file {path} with the broker's certificate", path=ca)
    try:
        ssl.create_default_context(cafile=ca)
    except OSError:
        raise UserError("{path} holds no certificate: --ca is the broker's", path=ca) from None
    port = port or _PORTS[parts.scheme]
    return Broker(parts.hostname, port, parts.username, hall, parts.scheme == "mqtts", ca)


def with_advice(sentence: Sentence, why: str) -> Sentence:
    """Return a ``sentence`` on a connection that failed, with what to do where ``why`` tells it."""
    advice = next((advice for word, advice in _ADVICE if word in why.casefold()), None)
    return Sentence("{what}; {advice}", what=sentence, advice=advice) if advice else sentence


def from_options(args: Namespace) -> Broker:
    """Return the Broker of ``--broker`` and ``--ca``. Raises UserError, without aiomqtt, too."""
    broker = parse(args.broker, args.ca)
    if importlib.util.find_spec("aiomqtt") is None:
        raise UserError(
            "a broker wants aiomqtt (docs/hall.md); run: {line}",
            line=installation.to_install("aiomqtt") or "",
        )
    return broker
