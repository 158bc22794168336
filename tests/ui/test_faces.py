"""Faces of virtual boards: drawn when somebody looks, and only then."""

from solo import Solo

from host.boards.models import NAMES
from host.cli.dev import shots
from host.sim.faces import drawn_faces, picture
from host.sim.shots import Studio, name_of, sheet_of


def test_a_dark_face_costs_nothing_until_somebody_looks():
    solo = Solo(faces=drawn_faces())
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(200)
    glass = solo.board.glass
    sent = glass.bus.bytes_sent
    solo.run(60)
    assert glass.bus.bytes_sent == sent, "nothing is composed on its own"
    first, second = picture(solo.app), picture(solo.app)
    assert first.getbbox() is not None
    assert first.tobytes() == second.tobytes()


def test_a_contact_sheet_holds_every_shot():
    studio = Studio("lilygo")
    taken = [
        studio.shot("no_table", "", (), 0, (), {}),
        studio.shot("unset", "", (), 0, (), {"keyless": 1}),
    ]
    whole = sheet_of(taken * 4)
    assert whole.width >= 5 * 320 and whole.height >= 2 * 170
    assert name_of("clock", "running") == "clock.running"
    assert name_of(taken[0].screen, taken[0].case) == "no_table"


def test_the_command_offers_the_boards_that_can_be_drawn():
    assert set(shots.NAMES) == set(NAMES)
