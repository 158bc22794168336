"""Whether an epoch's records are those that its seals vouch for: none missing, swapped or changed."""

from firmware.core import events, frames


def faults(records):
    """Return ``(faults, checked, unchecked)`` of one boot's records ``{counter: frame}``.

    Sentences on seals that do not fit; how many seals fit; how many cover records that are missing.
    """
    found, checked, unchecked = [], 0, 0
    first, seven = 0, bytes(7)
    for counter in sorted(records):
        if frames.event_of(records[counter])[0] != events.SEALED:
            continue
        begins, says = frames.seal_of(records[counter])
        covered = [records.get(number) for number in range(begins, counter)]
        if begins != first and None not in [records.get(number) for number in range(first, begins)]:
            found.append(f"the seal at {counter} begins at {begins}, not at {first}")
        if begins != first or None in covered:
            unchecked += 1  # a seal before it, or a record under it, is not here
        elif (
            frames.pack_seal(begins, seven, b"".join(r[frames.BODY :] for r in covered))[2:] == says
        ):
            checked += 1
        else:
            found.append(f"the seal at {counter} does not fit records {begins} to {counter - 1}")
        first, seven = counter + 1, says
    return found, checked, unchecked
