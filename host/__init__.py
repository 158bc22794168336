"""The organiser's program, in eighteen packages; who may import whom are contracts in
pyproject.toml.
"""
