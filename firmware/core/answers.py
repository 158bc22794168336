"""What a board answers to a command, and why it refuses a frame, by number."""

# field a of ANSWERED
DONE = 0
ILLEGAL = 1  # not legal now
SUPERSEDED = 2
UNKNOWN = 3  # no such command, or not available here
TIME_STEP = 4  # the host's time is impossible

# why frames were refused: places in ``Sync.refused``
VERSION = 0  # or length
DEVICE = 1
KIND = 2
EPOCH = 3
COUNTER = 4  # a command received before
TAG = 5
DIGEST = 6  # an acknowledgement of other bytes
