"""The organiser's program, in eighteen packages; who may import whom is one table in
tests/rules/test_layers.py.
"""
