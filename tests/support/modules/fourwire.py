class FourWire:
    def __init__(self, spi_bus, *, command, chip_select, **options):
        pass

    def send(self, command, data, **options):
        pass
