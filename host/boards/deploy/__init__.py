"""Laying the firmware on a drive: ``image`` says what belongs there, ``drive`` writes it."""
