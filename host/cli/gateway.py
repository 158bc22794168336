"""``plusthree board gateway``: pass frames from the gateways on this machine's USB to a broker."""

import asyncio
import platform
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.cli import options
from host.hall import broker_messages
from host.hall.broker import from_options
from host.hall.forwarder import Forwarder


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_broker(parser, required=True)
    parser.add_argument(
        "--name",
        default=platform.node().partition(".")[0],
        help="this machine's name at the desk (default: %(default)s); no two may have the same",
    )


def run(args: Namespace) -> int:
    """Forward until interrupted. Raises UserError for an address that is none."""
    broker = from_options(args)
    if not broker_messages.is_name(args.name):
        raise UserError("a machine's name has letters, digits and dashes: give it with --name")

    def say(sentence):
        print(sentence, flush=True)

    async def serve():
        await Forwarder(broker, args.name, say).run()

    asyncio.run(serve())
    return 0
