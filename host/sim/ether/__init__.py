"""The air, modelled: three advertising channels, stations that share them, and what collides.

docs/air.md says what is modelled, what is not, and which published curves it was checked against.
Times are whole microseconds of true time; everything follows from one seed.
"""
