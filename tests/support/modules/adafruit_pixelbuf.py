class PixelBuf:
    def __init__(
        self, size, *, byteorder="BGR", brightness=1.0, auto_write=False, header=b"", trailer=b""
    ):
        self._pixels = bytearray(size * 3)
        self.brightness = brightness

    def show(self):
        pass

    def fill(self, colour):
        pass

    def __setitem__(self, index, colour):
        pass
