"""Case files, the rules' stories as data, and what plays them; no part of the product, imports
desk, tournament and below.
"""
