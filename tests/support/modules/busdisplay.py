class BusDisplay:
    def __init__(self, display_bus, init_sequence, *, width, height, **options):
        self.width, self.height, self.auto_refresh = width, height, True
        self.brightness, self.root_group, self.rotation, self.bus = 1.0, None, 0, display_bus

    def refresh(self):
        return True
