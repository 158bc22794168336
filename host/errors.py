"""What the command line tells a person who asked for something that cannot be."""


class Mistake(Exception):
    """A person's mistake or an absent thing, in one clear sentence; ends a command with exit 2."""
