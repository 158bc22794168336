"""The only place that names a pin or a chip; ``hardware`` is the door."""
