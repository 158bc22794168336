"""Paper: what hangs on the wall and lies on tables when screens fail, as pages that print
themselves.
"""
