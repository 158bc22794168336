"""Stands in for the native module when memory is measured; as there, a call allocates nothing."""


def fill_region(dest_bitmap, x1, y1, x2, y2, value):
    pass


def blit(
    dest_bitmap,
    source_bitmap,
    x,
    y,
    x1=0,
    y1=0,
    x2=None,
    y2=None,
    skip_source_index=None,
    skip_dest_index=None,
):
    pass


def arrayblit(bitmap, data, x1=0, y1=0, x2=None, y2=None, skip_index=None):
    pass


def readinto(
    bitmap,
    file,
    bits_per_pixel,
    element_size=1,
    reverse_pixels_in_element=False,
    swap_bytes_in_element=False,
    reverse_rows=False,
):
    pass


def draw_line(dest_bitmap, x1, y1, x2, y2, value):
    pass
