"""CircuitPython's ``_bleio`` on a PC: ``module`` is what a program imports, ``port`` tells the two
ports' radios apart. Bumble is loaded only with ``module``: a hall over pure air has no use for it.
"""
