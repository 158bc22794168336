"""The colours of the screens, as red, green and blue: a palette that suits colour-blind people."""

BLACK = 0x000000
WHITE = 0xFFFFFF
GREY = 0xA8A8A8
YELLOW = 0xF0E442
DARK = 0x262B33
BLUE = 0x0072B2
SKY = 0x56B4E9
ORANGE = 0xD55E00
GREEN = 0x009E73
PURPLE = 0xCC79A7

ALL = (BLACK, WHITE, GREY, YELLOW, DARK, BLUE, SKY, ORANGE, GREEN, PURPLE)
