def neopixel_write(pin, data):
    pass
