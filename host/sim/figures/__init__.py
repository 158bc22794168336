"""The figures of ``make bench``: each beside its naive baseline and its physical limit, from the
same run.
"""
