wire = []


def neopixel_write(pin, data):
    wire.append(bytes(data))
