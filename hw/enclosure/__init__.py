"""The printed parts as parametric solids; only ``dimensions`` and ``mesh`` load without the CAD kernel."""
