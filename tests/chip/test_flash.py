"""What a journalled event costs the flash of a laid board."""

import pytest


@pytest.mark.parametrize("model", ("feathers3", "lilygo"))
def test_an_event_on_a_laid_board_costs_two_erases(chip_of, model):
    """BOOT records of ten starts: each is one event, written to both copies."""
    chip = chip_of(model)
    chip.power(12)
    before = sum(chip.flash.erases.values())
    for _ in range(9):
        chip.press_reset()
        chip.run(12)
    assert (
        sum(chip.flash.erases.values()) - before <= 2 * 9 + 2
    )  # the block that ends meanwhile is closed while nobody waits


def test_the_journals_are_never_closed(chip_of):
    chip = chip_of()
    chip.power(20)
    chip.press_reset()
    chip.run(20)
    assert chip.drive.flushed == 0
