"""The web desk: what judges and organisers see and do in a browser; its routes are in ``routes``."""
