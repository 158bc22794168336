"""The self-test of a new board over USB, and what is measured on it."""
