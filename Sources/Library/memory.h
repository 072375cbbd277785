// Memory for secrets: locked, not in core files, not in children, between two pages that nobody may touch, erased when it is freed.
#ifndef THUMBTURN_MEMORY_H
#define THUMBTURN_MEMORY_H

#include "thumbturn.h"

struct thumbturn_secret {
    unsigned char *bytes;
    size_t size;
    // With the pages around it.
    void *mapping;
    size_t mapped;
};

// Makes a secret that has a copy of these bytes.
int tt_secret_copy(const void *bytes, size_t size, thumbturn_secret **secret);

#endif
