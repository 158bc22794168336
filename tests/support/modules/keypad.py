class Event:
    def __init__(self, key_number=0, pressed=True, timestamp=None):
        self.key_number, self.pressed, self.timestamp = key_number, pressed, timestamp or 0


class _Queue:
    overflowed = False

    def get_into(self, event):
        return False

    def get(self):
        return None

    def clear(self):
        pass


class Keys:
    def __init__(self, pins, *, value_when_pressed, pull=True, interval=0.02, max_events=64,
                 debounce_threshold=1):
        self.events, self.key_count = _Queue(), len(pins)
