"""Characters that nobody can see: refused, or left out."""

REFUSED = {
    "\x1b": "U+001B (a control character)",
    "\x07": "U+0007 (a control character)",
    "\x7f": "U+007F (a control character)",
    "\x9b": "U+009B (a control character)",  # CSI in one character
    "\u202e": "U+202E (right-to-left override)",
    "\u2066": "U+2066 (left-to-right isolate)",
    "\u2028": "U+2028 (line separator)",
    "\u3164": "U+3164 (hangul filler)",
    "\u2800": "U+2800 (braille pattern blank)",
    "\U000e0041": "U+E0041 (tag latin capital letter a)",
    "\ue000": "U+E000 (a private character)",
}
IN_A_LINE = sorted(set(REFUSED) - {"\u2028"})  # that one is a space there
LEFT_OUT = "\xad", "\u200b", "\u2060", "\ufeff", "\u200e", "\u200f", "\u200d"
