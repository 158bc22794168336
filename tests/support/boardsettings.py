"""The least that a board's settings.toml says, as text."""

KEY = "0123456789abcdef" * 4


def of(device):
    """Return the lines of a board's number, key and generation."""
    return f'PLUSTHREE_DEVICE = {device}\nPLUSTHREE_KEY = "{KEY}"\nPLUSTHREE_GENERATION = 1\n'
