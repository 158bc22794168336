"""What a system's table leaves unsaid of a match: its phases' names, and how long a round usually lasts.

Runs under MicroPython too, as the match cases do.
"""

PHASES = (
    "idle", "seated", "pregame", "playing", "frozen", "time", "overtime", "finishing",
    "resolving", "play_on", "tiebreaker", "proposed", "agreed",
)  # fmt: skip


def usual_minutes(bits, rules):
    """Return the minutes that a system gives a round of a format (FORMAT_SET's ``bits``)."""
    if rules.CAPS:
        return rules.MINUTES[bits >> 8 & 3]
    if bits >> 7 & 1 and len(rules.MINUTES) > 4:
        return rules.MINUTES[4 + (bits >> 3 & 1)]
    return rules.MINUTES[2 * (bits >> 1 & 3 == 3) + (bits >> 3 & 1)]
