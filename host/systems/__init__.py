"""Systems of rules as people write and read them: found, checked, compiled, explained, drawn;
imports base.
"""
