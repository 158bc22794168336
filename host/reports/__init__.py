"""What is printed and taken home: exports, paper, statistics; imports tournament, audit, formats,
event and below.
"""
