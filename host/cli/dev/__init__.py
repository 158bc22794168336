"""Developers' commands, ``plusthree dev NAME``; each module is built like one of ``host.cli``."""
