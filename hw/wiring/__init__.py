"""The wiring: one WireViz file a build, and what proves it equal to the firmware's pin table."""
