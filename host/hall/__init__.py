"""A hall of several PCs: other machines' gateways, a broker, PostgreSQL, a standby; imports
collector, archive and below. Only cli imports it, when it is asked for.
"""
