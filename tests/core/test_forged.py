"""Nothing that a stranger says changes anything; each kind of forgery by name."""

import forger
import pytest

ATTACKS = (
    "random", "same round", "other round", "other boot", "other event", "other board", "truncation",
    "bit flip",
    "downgrade", "other board's key", "other direction", "other event's key",
)  # fmt: skip
SOME = 300


@pytest.fixture(scope="module")
def doors(tmp_path_factory):
    found = forger.doors(tmp_path_factory.mktemp("forged") / "a.db")
    yield found
    found["host"][0].station.close()


@pytest.mark.parametrize("side", ("board", "host"))
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_forged_frame_changes_nothing(doors, side, attack):
    door, made = doors[side]
    assert not [
        frame for frame in (made.attacks[attack]() for _ in range(SOME)) if door.offer(frame)
    ]
    assert not door.settle()


def test_the_harness_sees_what_is_accepted(doors):
    for door, made in (
        forger.doors(doors["host"][0].station.archive.path.with_name("b.db"))
    ).values():
        assert any([door.offer(made.fresh()) for _ in range(20)] + [door.settle()])
    door.station.close()
