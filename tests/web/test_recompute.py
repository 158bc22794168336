"""A page's own hash functions give what boards roll and commit to, in a real Chromium."""

import random

import pytest
from virtualdesk import VirtualDesk

from firmware.core import luck, seeds
from firmware.core.seeds import Chance

_AGREES = """
async (cases) => {
  const { auditId, commitment, fallen } = await import("/static/today/js/recompute.js");
  return Promise.all(cases.map(async ({ place, seed, nonce, roll, said }) =>
    [await commitment(place, seed), await fallen({ seed, nonce }, roll), auditId(said, roll.number)]));
}
"""

_SKIPS = """
async (roll) => {
  const { fallen } = await import("/static/today/js/recompute.js");
  const sign = crypto.subtle.sign;
  crypto.subtle.sign = async (name, key, data) =>
    (data.at(-2) < 2 ? new Uint8Array(32).fill(255).buffer : sign.call(crypto.subtle, name, key, data));
  const found = await fallen({ seed: "07".repeat(32), nonce: null }, roll);
  crypto.subtle.sign = sign;
  return found;
}
"""


@pytest.fixture(scope="module")
def page(module_chromium, tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("recompute"), tables=1) as desk:
        page = module_chromium.open(desk.links["viewer"], at=f"{desk.url}/check")
        yield page
        page.context.close()


def test_the_browser_recomputes_as_boards_do(page):
    some, cases, wanted = random.Random(1), [], []
    for number in range(600):
        device, event, table, pairing = (some.randrange(1, 1 << 16) for _ in range(4))
        place = device, event, some.randrange(1, 256), table, pairing
        seed, nonce = some.randbytes(32), some.choice((b"", some.randbytes(8)))
        randomizer, purpose = number % 4, number % 5 + 1
        many = 0 if randomizer else some.choice((0, 2, 5, 8, luck.UNTIL))
        said = seeds.commitment(place, seed)
        roll = {"number": some.randrange(1, 1 << 16), "randomizer": randomizer,
                "purpose": purpose, "many": many}  # fmt: skip
        chance = seeds.chance(seed, nonce, roll["number"], randomizer | purpose << 4)
        face, _ = luck.fallen(chance, randomizer, many)
        cases.append({"place": place, "seed": seed.hex(), "nonce": nonce.hex() or None,
                      "roll": roll, "said": said.hex()})  # fmt: skip
        wanted.append([said.hex(), face, seeds.audit_id(said, roll["number"])])
    assert page.evaluate(_AGREES, cases) == wanted


def test_the_browser_skips_the_bytes_that_a_board_skips(page):
    """A d6 skips 252 to 255."""
    cases, wanted, place, skipped = [], [], (7, 5, 1, 1, 1), 0
    for number in range(1, 4000):
        seed = number.to_bytes(32, "little")
        raw = seeds.chance(seed, b"", number, 0x21).source(0)
        if raw[0] < 252:
            continue
        skipped += 1
        said = seeds.commitment(place, seed)
        roll = {"number": number, "randomizer": 1, "purpose": 2, "many": 0}
        cases.append({"place": place, "seed": seed.hex(), "nonce": None, "roll": roll,
                      "said": said.hex()})  # fmt: skip
        face, _ = luck.fallen(seeds.chance(seed, b"", number, 0x21), 1, 0)
        wanted.append([said.hex(), face, seeds.audit_id(said, number)])
    assert skipped > 30
    assert page.evaluate(_AGREES, cases) == wanted


@pytest.mark.parametrize("number", range(1, 9))
def test_the_browser_asks_for_more_bytes_when_all_were_skipped(page, number):
    seed = bytes([7] * 32)

    def source(attempt):
        return (
            b"\xff" * 32 if attempt < 2 else seeds.chance(seed, b"", number, 0x11).source(attempt)
        )

    roll = {"number": number, "randomizer": 1, "purpose": 1, "many": 0}
    assert page.evaluate(_SKIPS, roll) == luck.fallen(Chance(source), 1, 0)[0]
