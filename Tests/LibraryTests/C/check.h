// What the test programs share: a check that says where it failed.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);       \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

// Whether a call ended with that error. If not, both are said.
#define EXPECT(wanted, call)                                                              \
    do {                                                                                  \
        int got_ = (call);                                                                \
        if (got_ != (wanted)) {                                                           \
            fprintf(stderr, "%s:%d: %s: %d (%s), not %d\n", __FILE__, __LINE__, #call, got_, thumbturn_error_text(got_), (wanted)); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

#endif
