// What a board's py/circuitpy_mpconfig.h says, as far as a program or its heap can tell.
#define MICROPY_CONFIG_ROM_LEVEL            (MICROPY_CONFIG_ROM_LEVEL_EXTRA_FEATURES)

#define MICROPY_OBJ_REPR                    (MICROPY_OBJ_REPR_C)
#define MICROPY_FLOAT_IMPL                  (MICROPY_FLOAT_IMPL_FLOAT)
#define MICROPY_FLOAT_HIGH_QUALITY_HASH     (0)
#define MICROPY_ENABLE_PYSTACK              (1)
#define MICROPY_GC_SPLIT_HEAP               (0) // CIRCUITPY_HEAP_START_SIZE has the heap in one piece
#define MICROPY_GC_ALLOC_THRESHOLD          (0)
#define MICROPY_ALLOC_PARSE_CHUNK_INIT      (16)
#define MICROPY_QSTR_BYTES_IN_HASH          (1)
#define MICROPY_CPYTHON_EXCEPTION_CHAIN     (1)
#define MICROPY_COMP_TRIPLE_TUPLE_ASSIGN    (0)
#define MICROPY_ENABLE_DOC_STRING           (0)
#define MICROPY_MODULE_WEAK_LINKS           (0)
#define MICROPY_OPT_MPZ_BITWISE             (0)
#define MICROPY_SCHEDULER_STATIC_NODES      (0)
#define MICROPY_EMIT_X86                    (0)

// these are CircuitPython's own, or no board has them
#define MICROPY_PY_CRYPTOLIB                (0)
#define MICROPY_PY_HASHLIB                  (0)
#define MICROPY_PY_MATH_ISCLOSE             (0)
#define MICROPY_PY_MATH_SPECIAL_FUNCTIONS   (0)
#define MICROPY_PY_MICROPYTHON_RINGIO       (0)
#define MICROPY_PY_STRUCT                   (0)

#define MICROPY_BANNER_MACHINE              "as a board"

#include "../mpconfigvariant_common.h"

#undef MICROPY_EMERGENCY_EXCEPTION_BUF_SIZE
#undef MICROPY_ENABLE_EMERGENCY_EXCEPTION_BUF
#define MICROPY_ENABLE_EMERGENCY_EXCEPTION_BUF (0)
#undef MICROPY_ERROR_REPORTING
#define MICROPY_ERROR_REPORTING             (MICROPY_ERROR_REPORTING_NORMAL)
#undef MICROPY_PY_OS_SYSTEM
#define MICROPY_PY_OS_SYSTEM                (0)
#undef MICROPY_PY_STR_BYTES_CMP_WARN
#define MICROPY_PY_STR_BYTES_CMP_WARN       (0)
#undef MICROPY_PY_WEBSOCKET
#define MICROPY_PY_WEBSOCKET                (0)
#undef MICROPY_VFS_ROM
#define MICROPY_VFS_ROM                     (0)
#undef MICROPY_WARNINGS
#define MICROPY_WARNINGS                    (0)
