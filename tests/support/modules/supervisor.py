class _Runtime:
    ble_workflow = autoreload = serial_connected = usb_connected = False


runtime = _Runtime()
now = [1000]  # moved on by whoever measures


def ticks_ms():
    return now[0] & ((1 << 29) - 1)


def get_setting(key, default=None):
    return default
