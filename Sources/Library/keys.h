// A key, as far as it is known here: everything but its private half.
#ifndef THUMBTURN_KEYS_H
#define THUMBTURN_KEYS_H

#include "thumbturn.h"

struct thumbturn_key {
    uint8_t *reference, *public;
    size_t reference_size, public_size;
    int family; // 1 elliptic, 2 RSA, 0 neither
    unsigned bits;
    int holder;
};

#endif
