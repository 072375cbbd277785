#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

// Where a secret without bytes lies.
static unsigned char nothing[1];

int thumbturn_secret_new(size_t size, thumbturn_secret **secret) {
    if (!secret) return THUMBTURN_ARGUMENT;
    *secret = NULL;
    thumbturn_secret *new = calloc(1, sizeof *new);
    if (!new) return THUMBTURN_OUT_OF_MEMORY;
    new->bytes = nothing;
    new->size = size;
    if (size > 0) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        if (size > SIZE_MAX - 4 * page) {
            free(new);
            return THUMBTURN_OUT_OF_MEMORY;
        }
        size_t inside = (size + page - 1) / page * page;
        new->mapped = inside + 2 * page;
        new->mapping = mmap(NULL, new->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (new->mapping == MAP_FAILED) {
            free(new);
            return THUMBTURN_OUT_OF_MEMORY;
        }
        unsigned char *begin = (unsigned char *)new->mapping + page;
        if (mprotect(begin, inside, PROT_READ | PROT_WRITE) != 0 || mlock(begin, inside) != 0) {
            munmap(new->mapping, new->mapped);
            free(new);
            return THUMBTURN_NO_LOCKED_MEMORY;
        }
        // A child reads zeros. Where the kernel can't do that, or can't leave the page out of core files, no secret lies there.
        if (madvise(begin, inside, MADV_WIPEONFORK) != 0 || madvise(begin, inside, MADV_DONTDUMP) != 0) {
            munmap(new->mapping, new->mapped);
            free(new);
            return THUMBTURN_NO_LOCKED_MEMORY;
        }
        // At the end, so that the first byte too many is in the page that nobody may touch. Sixteen is what any type wants.
        new->bytes = begin + (inside - (size + 15) / 16 * 16);
    }
    *secret = new;
    return THUMBTURN_OK;
}

int tt_secret_copy(const void *bytes, size_t size, thumbturn_secret **secret) {
    int error = thumbturn_secret_new(size, secret);
    if (!error && size > 0) memcpy((*secret)->bytes, bytes, size);
    return error;
}

void *thumbturn_secret_bytes(thumbturn_secret *secret) { return secret ? secret->bytes : nothing; }

size_t thumbturn_secret_size(const thumbturn_secret *secret) { return secret ? secret->size : 0; }

void thumbturn_secret_free(thumbturn_secret *secret) {
    if (!secret) return;
    if (secret->mapping) {
        explicit_bzero(secret->bytes, secret->size);
        munmap(secret->mapping, secret->mapped);
    }
    free(secret);
}
