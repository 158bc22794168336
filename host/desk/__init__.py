"""What organisers and judges ask, kept on the disk before it is on the air; imports collector,
formats, event and below.
"""
