def remount(path, readonly=False, **options):
    pass


def disable_usb_drive():
    pass
