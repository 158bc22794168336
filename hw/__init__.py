"""Hardware that someone can build: wiring, parts, enclosure, power (see README.md beside this
file).
"""
