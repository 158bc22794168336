"""The web desk in a browser, its routes in ``routes``; imports desk, reports, tournament and below,
never a command.
"""
