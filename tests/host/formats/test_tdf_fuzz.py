"""Whatever becomes of a file of TOM's: it is read and filled soundly, or refused with one
sentence.
"""

import contextlib

import pytest
import tomfile
from hypothesis import given, settings
from hypothesis import strategies as st

from host.formats import tom_file, tom_results
from host.formats.csv_reader import SheetError
from host.formats.tom_results import KnownResult

FILES = [make().encode() for make in tomfile.WHOLE.values()]
PIECES = [
    b"<", b">", b'"', b"'", b"&", b"/>", b"<match", b"</match>", b' outcome="0"', b'outcome="10"',
    b"&#48;", b"\0", b"\xff",
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x?>", b"<!DOCTYPE t>", b"&amp;", b"0", b"-1",
    b"\xef\xbb\xbf", b"userid", b"\r\n",
]  # fmt: skip


@st.composite
def mangled(draw):
    raw = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 30)))
        raw = (
            raw[:start]
            + draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)))
            + raw[end:]
        )
    return raw


@settings(max_examples=400, deadline=None)
@given(mangled(), st.sampled_from(("A", "B", "tie")))
def test_a_mangled_file(raw, outcome):
    with contextlib.suppress(SheetError):
        file = tom_file.understood("cup.tdf", raw)
        told = [KnownResult(m.round, *m.numbers, outcome) for m in file.matches if m.playable]
        filled = tom_results.fill(file, told)
        after = tom_file.understood("cup.tdf", filled.raw)
        touched = {match.span[0] for match in filled.with_state(tom_results.FILLED)}
        untouched = [m for m in file.matches if m.span[0] not in touched]
        places = [n for n, m in enumerate(file.matches) if m.span[0] not in touched]
        assert [after.matches[n].outcome for n in places] == [m.outcome for m in untouched]
        tom_results.typing_list(file, filled)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(raw):
    with pytest.raises(SheetError) as caught:
        tom_file.understood("cup.tdf", raw)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", ["&#48;", "&#x30;"])
def test_an_outcome_behind_a_character_reference(code):
    file = tom_file.understood(
        "cup.tdf", tomfile.swiss().replace('outcome="0"', f'outcome="{code}"', 1).encode()
    )
    match = next(m for m in file.matches if m.outcome == 0)
    filled = tom_results.fill(file, [KnownResult(match.round, *match.numbers, "A")])
    assert filled.raw == tomfile.swiss().replace('outcome="0"', 'outcome="1"', 1).encode()
