"""The only place that names a pin or a chip; the program gets it as ``hardware.Hardware``."""
