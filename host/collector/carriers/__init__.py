"""Carriers: what moves frames between boards and the Collector, which knows none of them."""
