class Event:
    def __init__(self, key_number=0, pressed=True, timestamp=None):
        self.key_number, self.pressed, self.timestamp = key_number, pressed, timestamp or 0


class _Queue(list):
    overflowed = False

    def clear(self):
        self[:] = []
        self.overflowed = False

    def get_into(self, event):
        if not self:
            return False
        event.key_number, event.pressed, event.timestamp = self.pop(0)
        return True


queues = []  # of each scanner


class Keys:
    def __init__(
        self,
        pins,
        *,
        value_when_pressed,
        pull=True,
        interval=0.02,
        max_events=64,
        debounce_threshold=1,
    ):
        self.events, self.key_count, self.pins = _Queue(), len(pins), pins
        self.value_when_pressed = value_when_pressed
        queues.append(self.events)

    def reset(self):
        pass
