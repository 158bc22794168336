class Direction:
    INPUT = 0
    OUTPUT = 1


class Pull:
    UP = 0
    DOWN = 1


class DigitalInOut:
    def __init__(self, pin):
        self.value, self.direction, self.pull = True, 0, None

    def switch_to_input(self, pull=None):
        pass

    def deinit(self):
        pass
