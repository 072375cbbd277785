#include "shown.h"

enum { FACE = 2, MISSED = 1, RETRY = 2, NOTICES = 12 };

static void skip_bytes(struct tt_in *in) {
    size_t size;
    tt_get_bytes(in, &size);
}

static void skip_bytes_if(struct tt_in *in) {
    if (tt_get_bool(in)) skip_bytes(in);
}

static void skip_program(struct tt_in *in) {
    tt_get_u8(in); // how surely it is known
    skip_bytes_if(in); // name
    skip_bytes_if(in); // path
    tt_get_u8(in); // place
    skip_bytes_if(in); // what it calls itself
    if (tt_get_bool(in) && tt_get_choice(in, 1, 2) == 1) skip_bytes(in); // what it runs
    tt_get_u32(in); // process
}

static void skip_words(struct tt_in *in) {
    skip_bytes(in);
    skip_bytes_if(in);
    skip_bytes_if(in);
    tt_get_bool(in); // they are the daemon's
}

static void read_notice(struct tt_in *in, struct shown *shown) {
    if (!tt_get_bool(in)) return;
    switch (tt_get_choice(in, 1, NOTICES)) {
    case MISSED:
        shown->notice = SHOWN_MISSED;
        shown->tries_left = tt_get_u8(in);
        break;
    case RETRY:
        shown->notice = SHOWN_NOT_READ;
        tt_get_u8(in);
        break;
    // The others are about a passcode, which a login's prompt doesn't ask for.
    default: in->is_bad = true;
    }
}

bool shown_read(struct tt_in *in, struct shown *shown) {
    *shown = (struct shown){0};
    tt_get_u8(in); // purpose
    skip_program(in);
    skip_words(in);
    if (tt_get_bool(in)) in->is_bad = true; // a sign-in
    if (tt_get_bool(in)) in->is_bad = true; // what polkit asks for
    shown->is_face = tt_get_choice(in, 0, FACE) == FACE;
    tt_get_bool(in); // a passcode is accepted
    tt_get_bool(in); // there is a fallback
    read_notice(in, shown);
    tt_get_f64(in); // seconds until the next passcode
    tt_get_u16(in); // programs that wait
    if (tt_get_bool(in)) in->is_bad = true; // other machines
    return tt_in_end(in);
}
