import displayio
import fontio

FONT = fontio.BuiltinFont(displayio.Bitmap(6, 12, 2))
