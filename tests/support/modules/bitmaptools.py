def fill_region(bitmap, x1, y1, x2, y2, value):
    pass


def blit(*args, **options):
    pass


def arrayblit(*args, **options):
    pass


def readinto(*args, **options):
    pass


def draw_line(*args):
    pass
