"""What a gateway's panel says: that it is one, how much it hears, and whether its PC is there."""

import displayio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.gateway.types import BusDisplay

_CLEAR = "\x1b[2J"  # and the cursor at its start (shared-module/terminalio/Terminal.c)
# the terminal's font has no letter with an accent
_WORDS = {
    "en": ("PlusThree: gateway", "PC: there", "PC: not there", "%d adverts a second", "lost: %d"),
    "it": ("PlusThree: gateway", "PC: presente", "PC: assente", "%d annunci al secondo",
           "persi: %d"),
}  # fmt: skip


class Sign:
    """The panel's terminal; ``language`` as in settings.toml."""

    def __init__(self, panel: "BusDisplay", language: str):
        panel.root_group = displayio.CIRCUITPYTHON_TERMINAL
        panel.auto_refresh = True
        self._words = _WORDS.get(language, _WORDS["en"])
        self._shown: str | None = None

    def show(self, attended: bool, rate: int, lost: int) -> None:
        """Show whether the PC is there, adverts a second, and those lost since the start."""
        title, there, gone, heard, losses = self._words
        lines = [title, there if attended else gone, heard % rate]
        if lost:
            lines.append(losses % lost)
        text = "\n".join(lines)
        if text != self._shown:
            self._shown = text
            print(_CLEAR + text)
