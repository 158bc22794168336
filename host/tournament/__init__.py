"""Who meets whom and who is where: pairings, brackets, pods, standings, rule packs; imports
formats, event and below.
"""
