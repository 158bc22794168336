// CircuitPython's hashlib over the SHA-256 that lies in its sources: mbedtls is a submodule.
#include <string.h>

#include "lib/crypto-algorithms/sha256.h"
#include "py/runtime.h"
#include "shared-bindings/hashlib/Hash.h"
#include "shared-bindings/hashlib/__init__.h"

#define CONTEXT(self) ((CRYAL_SHA256_CTX *)(self)->state)

bool common_hal_hashlib_new(hashlib_hash_obj_t *self, const char *algorithm) {
    sha256_init(CONTEXT(self));
    return strcmp(algorithm, "sha256") == 0;
}

void common_hal_hashlib_hash_update(hashlib_hash_obj_t *self, const uint8_t *data, size_t size) {
    sha256_update(CONTEXT(self), data, size);
}

void common_hal_hashlib_hash_digest(hashlib_hash_obj_t *self, uint8_t *digest, size_t size) {
    CRYAL_SHA256_CTX copy = *CONTEXT(self); // so one may go on with it
    sha256_final(&copy, digest);
}

size_t common_hal_hashlib_hash_get_digest_size(hashlib_hash_obj_t *self) {
    return SHA256_BLOCK_SIZE;
}
