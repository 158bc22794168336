class WatchDogMode:
    RAISE = 0
    RESET = 1
