"""Lists of what was: they say what happened, whatever roll is on the table."""

from said import Said

from host.sim.scenes import RUN, at, rolled
from host.sim.scenes_more import DONE, TO_UNDO
from host.sim.scenes_rolls import CONTESTED
from host.sim.shots import Studio

FLIPS = rolled(32, 8 << 8 | 200) + CONTESTED


def test_flips_on_the_table_are_no_lines_of_the_list_to_take_back():
    studio = Studio("feather", lit=False)
    said = Said(studio)
    lines = []
    for told in (RUN, FLIPS):
        studio.pose("undo", "", told, at(30), TO_UNDO, {"recalled": DONE})
        lines.append([one.line for one in said.texts])
    assert lines[0] == lines[1]
