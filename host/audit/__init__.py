"""Whether an archive is whole and its rolls are fair; imports event, keys and below."""
