"""CircuitPython's ``_bleio`` on a PC: ``radio`` is what a program imports."""
