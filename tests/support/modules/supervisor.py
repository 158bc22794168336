import time


class _Runtime:
    ble_workflow = autoreload = serial_connected = usb_connected = False


runtime = _Runtime()


def ticks_ms():
    return time.ticks_ms() & ((1 << 29) - 1)


def get_setting(key, default=None):
    return default
