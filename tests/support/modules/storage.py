class _Mount:
    readonly = False


def getmount(path):
    return _Mount()


def remount(path, readonly=False, **options):
    pass


def disable_usb_drive():
    pass
