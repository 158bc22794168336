sleep_memory = bytearray(256)
