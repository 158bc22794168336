"""What CircuitPython itself has to be told in a board's settings.toml, whoever writes that file:
nothing over the air.
"""

HEAP = "CIRCUITPY_HEAP_START_SIZE"  # what older files tell an nRF52840
WORKFLOW = "CIRCUITPY_BLE_WORKFLOW"
LINE = f"{WORKFLOW} = false\n"


def completed(settings: bytes) -> bytes:
    """Return the bytes of a settings.toml with the line that it may lack, at its top.

    There, because CircuitPython reads nothing behind a [section] (``settings.c``).
    """
    there = {line.partition(b"=")[0].strip() for line in settings.splitlines()}
    return settings if WORKFLOW.encode() in there else LINE.encode() + settings


def kept(text: str) -> str:
    """Return the lines of a settings.toml that neither these nor a board's own are."""
    ours = ("PLUSTHREE_", "# board ", HEAP, WORKFLOW)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(ours))
