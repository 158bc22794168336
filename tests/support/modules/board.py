import busdisplay


def SPI():
    return None


DISPLAY = busdisplay.BusDisplay(None, b"", width=240, height=240)
board_id = "unexpectedmaker_feathers3"
A0 = A1 = A2 = A3 = BATTERY = VOLTAGE_MONITOR = D5 = D6 = D9 = D10 = D11 = NEOPIXEL = SPEAKER = 0
BUTTON_A = BUTTON_B = 0
