"""A draft is an event file: what is written is read again, whatever the names are."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from host.archive.roster import Format, Pairing, Player
from host.formats import event_file
from host.formats.event_file import EventFile

NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)
FORMULAS = st.sampled_from(["=1+1", "+1", "-2+3", "@SUM(A1)", "'=x", "'", "＝1", '"', ",", ";"])


@given(st.lists(st.one_of(NAMES, FORMULAS), min_size=1, max_size=9), st.one_of(st.none(), NAMES))
def test_names_come_back(tmp_path_factory, names, event):
    players = [Player(str(n), name) for n, name in enumerate(names)]
    pairs = list(zip(players[::2], players[1::2], strict=False))
    pairings = [Pairing(2, n, n, a, b) for n, (a, b) in enumerate(pairs, 1)]
    if len(players) % 2:
        pairings.append(Pairing(2, len(pairings) + 1, None, players[-1], None))
    event = None if event is None or event.startswith("#") else event
    file = EventFile(event, 2, Format(0, 6, 50), pairings)
    text = event_file.text_of(file)
    path = tmp_path_factory.getbasetemp() / "draft.csv"
    path.write_text("\ufeff" + text, encoding="utf-8", newline="")
    assert event_file.read(path) == file
    for row in csv.reader(io.StringIO(text)):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row)
