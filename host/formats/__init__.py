"""Files that organisers bring and take home."""
