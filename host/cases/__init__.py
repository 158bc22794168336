"""Case files (examples of the rules as data) and the code that runs them; not part of the product;
imports desk, tournament and below.
"""
