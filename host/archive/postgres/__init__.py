"""The archive in a PostgreSQL database, for a hall of several PCs (docs/hall.md); imported for an
address alone, and psycopg with it.
"""
