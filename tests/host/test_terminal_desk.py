"""The typed desk as a terminal has it: real key codes in, a screen of characters out."""

import asyncio
import io

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from host.desk.acts.table import ACTS
from host.server import console
from host.server.act_completion import ActCompleter
from host.server.terminal_desk import TerminalDesk

SEATED = {4: ["Ada Bianchi", "Bo Řezník"], 14: ["Cleo Ada", "Dan"], 9: ["Zoë Okafor"]}
TURNS = 50
UP, TAB, ENTER, LEFT = "\x1b[A", "\t", "\r", "\x1b[D"


@pytest.fixture
def completer():
    return ActCompleter((*ACTS, *console.ACTS), lambda: SEATED)


def offered(completer, text):
    return [one.text for one in completer.get_completions(Document(text), None)]


def typed(completer, *chunks, refused=()):
    """Return the lines taken from chunks of key codes, and what was drawn; ``refused`` are lines
    that come to nothing.

    Between chunks the editor gets turns of the event loop to look for completions and old lines.
    """
    taken, drawn, heights = [], io.StringIO(), set()
    script = [text for chunk in chunks for text in (chunk, *[""] * TURNS)]

    def above(height):
        heights.add(height)
        return "\x1b[1mCup, round 1\x1b[0m"

    def take(line):
        taken.append(line)
        return line in refused

    async def typing():
        with create_pipe_input() as source:
            screen = Vt100_Output(drawn, lambda: Size(rows=24, columns=100), term="xterm")
            desk = TerminalDesk(completer, above, take, source, screen)

            def tick():
                source.send_text(script.pop(0)) if script else desk.close()

            await desk.run(tick, 0)

    asyncio.run(typing())
    assert heights == {22}
    return taken, drawn.getvalue()


@pytest.mark.parametrize(("keys", "taken"), [
    (["freze", LEFT + LEFT + "e" + ENTER], ["freeze"]),
    (["extend 4 5" + ENTER, UP + " deck check" + ENTER], ["extend 4 5", "extend 4 5 deck check"]),
    (["fre" + TAB, " zo" + TAB, " fire" + ENTER], ["freeze 9 fire"]),
    (["\x03"], ["quit"]), (["\x04"], ["quit"]),
])  # fmt: skip
def test_a_line_is_typed_set_right_completed_and_taken(completer, keys, taken):
    found, drawn = typed(completer, *keys)
    assert found == taken and "Cup, round 1" in drawn


def test_a_refused_line_stands_in_the_prompt_again(completer):
    odd = "rule 4 A 0 0"
    taken, _ = typed(completer, odd + ENTER, " sure" + ENTER, "show tables" + ENTER, refused=[odd])
    assert taken == [odd, f"{odd} sure", "show tables"]


def test_below_the_line_stands_how_its_act_is_used(completer):
    _, drawn = typed(completer, "extend")
    assert "extend TABLE MINUTES [sure] [REASON…]" in drawn


def test_what_is_offered(completer):
    assert offered(completer, "ta") == ["takeback"]
    assert offered(completer, "sh") == ["show"]
    assert offered(completer, "show ") == ["results", "tables", "boards"]
    assert offered(completer, "extend ada") == ["4", "14"]
    assert offered(completer, "extend REZ") == ["4"]
    assert offered(completer, "freeze al") == ["all"]
    assert offered(completer, "freeze ") == ["4", "9", "14", "all"]
    assert offered(completer, "late 4 a") == ["A", "AB"]
    assert offered(completer, "approve 1") == ["14"]
    assert offered(completer, "no such act") == offered(completer, "start ") == []
    assert offered(completer, "freeze 4 'open quotation ad") == []
    assert completer.hint("nonsense").startswith("help")
