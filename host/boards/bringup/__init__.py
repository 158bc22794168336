"""The self-test of a new board over USB, and its measurements."""
