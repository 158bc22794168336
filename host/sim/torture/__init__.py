"""Fault-injection runs: a simulated event with radio, power, disk, clock and attacker faults,
checked against invariants.
"""
