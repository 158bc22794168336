"""The emulated panel and faces drawn on it: the real displayio draws, when somebody looks, and no panels meet."""

import threading

import pytest
from solo import Solo

from firmware.ui import face
from host.boards.models import NAMES
from host.cli.dev import shots
from host.sim import panel
from host.sim.faces import FOLDER, drawn_faces, picture
from host.sim.shots import Studio, name_of, sheet_of

displayio = panel.load_displayio()
ORANGE = 0xD55E00


def filled(seen, x, y, colour=ORANGE):
    """Put a square of 40 px on a panel's display, not yet out; return it."""
    import vectorio

    shade = displayio.Palette(1)
    shade[0] = colour
    square = vectorio.Rectangle(pixel_shader=shade, width=40, height=40, x=x, y=y)
    group = displayio.Group()
    group.append(square)
    seen.display.root_group = group
    return square


@pytest.mark.parametrize("name", ("320x240", "320x170"))
def test_pixels_land_where_they_belong(name):
    seen = panel.Panel(name)
    filled(seen, 30, 20)
    seen.display.refresh()
    image = seen.image()
    assert image.size == tuple(map(int, name.split("x")))
    assert image.getbbox() == (30, 20, 70, 60)
    assert image.getpixel((30, 20)) == (214, 93, 0)  # as RGB565 shows it


def test_only_what_changed_is_sent():
    seen = panel.Panel("320x240")
    square = filled(seen, 0, 0)
    seen.display.refresh()
    square.x = 100
    before = seen.bus.bytes_sent
    seen.display.refresh()
    assert seen.image().getbbox() == (100, 0, 140, 40)
    assert seen.bus.bytes_sent - before < 2 * 320 * 240 // 4


def test_a_box_that_moves_and_changes_its_colour_is_sent_at_both_places_alone():
    """Not the box around them (VectorShape.c, set_dirty), as Blinka has it by itself."""
    seen = panel.Panel("320x240")
    square = filled(seen, 0, 0)
    seen.display.refresh()
    square.hidden = False
    square.location = (200, 150)
    square.hidden = False
    before = seen.bus.pixels_sent
    seen.display.refresh()
    assert seen.image().getbbox() == (200, 150, 240, 190)
    assert seen.bus.pixels_sent - before == 2 * 40 * 40


def test_every_area_that_is_sent_counts_where_areas_overlap_too():
    """A board composes and sends its list of areas one after the other (BusDisplay.c)."""
    import vectorio

    seen = panel.Panel("320x240")
    lower = filled(seen, 0, 0)
    upper = vectorio.Rectangle(pixel_shader=lower.pixel_shader, width=320, height=240, x=0, y=0)
    seen.display.root_group.append(upper)
    seen.display.refresh()
    assert seen.bus.pixels_sent == 320 * 240
    lower.x, upper.hidden = 10, True
    seen.display.refresh()
    assert seen.bus.pixels_sent == 2 * 320 * 240 + 50 * 40


def test_what_is_hidden_after_a_whole_refresh_in_which_it_moved_is_gone():
    """``TileGrid.c`` notes where each grid is drawn; Blinka by itself left it on the panel."""
    seen = panel.Panel("320x240")
    shade, bitmap = displayio.Palette(1), displayio.Bitmap(40, 40, 1)
    shade[0] = ORANGE
    grid = displayio.TileGrid(bitmap, pixel_shader=shade)
    group = displayio.Group()
    group.append(grid)
    seen.display.root_group = group
    seen.display.refresh()
    seen.display.root_group = None
    grid.x, grid.y = 200, 150
    seen.display.root_group = group
    seen.display.refresh()
    assert seen.image().getbbox() == (200, 150, 240, 190)
    grid.hidden = True
    seen.display.refresh()
    assert seen.image().getbbox() is None


def test_a_board_whose_panel_hangs_the_other_way_turns_from_there():
    seen = panel.Panel("320x170")
    seen.display.rotation = 180
    canvas = face.open_face(seen.display, "320x170", "en", FOLDER).canvas
    canvas.turn(1)
    assert seen.display.rotation == 0
    canvas.turn(0)
    assert seen.display.rotation == 180


def test_two_hundred_panels_do_not_meet():
    panels = [panel.Panel("320x170") for _ in range(200)]
    for number, seen in enumerate(panels):
        filled(seen, number, 0)
        seen.display.refresh()
    for number in (0, 99, 199):
        assert panels[number].image().getbbox() == (number, 0, number + 40, 40)


def test_no_thread_draws_behind_our_back():
    assert threading.active_count() == 1 or all(
        "displayio" not in repr(thread) for thread in threading.enumerate()
    )
    assert not displayio.background_thread.is_alive()


def test_an_unknown_panel_is_refused():
    with pytest.raises(KeyError):
        panel.Panel("96x64")


def test_a_picture_that_turns_is_sent_once():
    """Not each box and each text where it was and where it is, which is five pictures."""
    seen = panel.Panel("320x170")
    shown = face.open_face(seen.display, "320x170", "en", FOLDER)
    face.tell(shown)
    before, upright = seen.bus.pixels_sent, seen.image()
    assert shown.canvas is not None
    shown.canvas.turn(1)
    shown.canvas.refresh()
    assert seen.image() == upright.rotate(180)
    assert seen.bus.pixels_sent - before == 320 * 170


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
