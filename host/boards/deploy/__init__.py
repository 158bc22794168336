"""Laying the firmware on a board's drive: ``image`` says what belongs there, ``drive`` writes it."""
