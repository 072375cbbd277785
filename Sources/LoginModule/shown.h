// What the daemon wants shown at a login's prompt, as far as the module shows it.
#ifndef THUMBTURN_SHOWN_H
#define THUMBTURN_SHOWN_H

#include "wire.h"

enum shown_notice { SHOWN_NOTHING, SHOWN_MISSED, SHOWN_NOT_READ };

struct shown {
    bool is_face; // a camera looks, and no finger is touched
    enum shown_notice notice;
    unsigned tries_left; // after SHOWN_MISSED
};

// Reads the content of a prompt whole. False if it is none, or one that no login's prompt has.
bool shown_read(struct tt_in *in, struct shown *shown);

#endif
