"""Carriers transport frames between boards and the Collector, which does not depend on them."""
