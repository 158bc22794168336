"""What CircuitPython itself has to be told in a board's settings.toml, whoever writes that file.

The heap in one piece, short of what the flash's cache takes (``external_flash.c``:352: without it
each rewritten block costs two erases, one of them always of the same sector); nothing over the air
(10.3 on).
"""

from host.boards.models import MODELS

HEAP = "CIRCUITPY_HEAP_START_SIZE"
HEAP_BYTES = (
    110 * 1024
)  # of 122,932; the stack of frames takes 2,048, the cache 4,228, the terminal 1,100
WORKFLOW = "CIRCUITPY_BLE_WORKFLOW"
_EVERY = ((WORKFLOW, "false"),)
NAMES = (HEAP, *(name for name, _ in _EVERY))


def lines(model: str) -> list[str]:
    """Return the lines of a ``model``'s settings.toml, each with its end."""
    small = ((HEAP, HEAP_BYTES),) if not MODELS[model].espressif else ()  # those have PSRAM
    return [f"{name} = {value}\n" for name, value in (*small, *_EVERY)]


def completed(settings: bytes, model: str) -> bytes:
    """Return the bytes of a settings.toml with the lines of ``model`` that it lacks, at its top.

    There, because CircuitPython reads nothing behind a [section] (``settings.c``).
    """
    there = {line.partition(b"=")[0].strip() for line in settings.splitlines()}
    lacking = [
        line for line in lines(model) if line.partition("=")[0].strip().encode() not in there
    ]
    return "".join(lacking).encode() + settings


def kept(text: str) -> str:
    """Return the lines of a settings.toml that neither these nor a board's own are."""
    ours = ("PLUSTHREE_", "# board ", *NAMES)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(ours))
