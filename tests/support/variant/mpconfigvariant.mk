# CircuitPython's unix port with what a program of ours asks of a board, in 32 bits
MICROPY_FORCE_32BIT = 1
MICROPY_PY_FFI = 0
MICROPY_PY_TERMIOS = 0
MICROPY_PY_THREAD = 0
MICROPY_VFS_FAT = 0
CIRCUITPY_ULAB = 0
CIRCUITPY_MESSAGE_COMPRESSION_LEVEL = 1
FROZEN_MANIFEST =

# not our sources, and on another compiler than theirs: its warnings are of no use here
CFLAGS += -w -m32 -msse2 -mfpmath=sse -DMPZ_DIG_SIZE=16 $(addprefix -DCIRCUITPY_,$(addsuffix =1,\
	BITMAPTOOLS DISPLAYIO DISPLAYIO_UNIX HASHLIB STRUCT TRACEBACK VECTORIO))
LDFLAGS += -m32

SRC_C += displayio_board.c hashlib_board.c lib/crypto-algorithms/sha256.c \
	shared/runtime/context_manager_helpers.c shared-bindings/util.c \
	$(addprefix shared-bindings/,hashlib/__init__.c hashlib/Hash.c) \
	$(foreach part,shared-bindings shared-module,$(addprefix $(part)/,\
		bitmaptools/__init__.c struct/__init__.c traceback/__init__.c vectorio/__init__.c \
		displayio/Bitmap.c displayio/ColorConverter.c displayio/Group.c displayio/Palette.c \
		displayio/TileGrid.c vectorio/Circle.c vectorio/Polygon.c vectorio/Rectangle.c \
		vectorio/VectorShape.c)) \
	shared-module/displayio/area.c
