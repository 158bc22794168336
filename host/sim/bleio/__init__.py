"""CircuitPython's ``_bleio`` on a PC: ``radio`` is what a program imports, ``adapter`` carries its
packets over bumble, which is loaded only with it: a hall over pure air has no use for it.
"""
