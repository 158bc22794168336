"""Everything the host does on the air, and the carriers that do it; imports event, keys
and below.
"""
