"""The desk's orders and decisions, stored before they are sent; imports collector, formats, event
and below.
"""
