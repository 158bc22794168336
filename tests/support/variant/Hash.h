// A running hash, as large as one of mbedtls's on a board.
#pragma once
#include "py/obj.h"

typedef struct {
    mp_obj_base_t base;
    uint32_t kind;
    uint32_t state[29];
} hashlib_hash_obj_t;
