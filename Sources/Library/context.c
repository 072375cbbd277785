// A connection's beginning and end, and what holds for all of its calls.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "connection.h"
#include "words.h"

// Longest patience, in seconds; longer is forever.
static const double LONGEST_PATIENCE = 3600;

// A copy of a text that is UTF-8 and not too long.
static int copy_text(const char *text, size_t limit, char **copy) {
    *copy = NULL;
    if (!text) return THUMBTURN_OK;
    if (strlen(text) > limit || !tt_is_utf8((const uint8_t *)text, strlen(text))) return THUMBTURN_ARGUMENT;
    *copy = strdup(text);
    return *copy ? THUMBTURN_OK : THUMBTURN_OUT_OF_MEMORY;
}

int thumbturn_open(const char *label, thumbturn **connection) {
    if (!connection) return THUMBTURN_ARGUMENT;
    *connection = NULL;
    thumbturn *new = calloc(1, sizeof *new);
    if (!new) return THUMBTURN_OUT_OF_MEMORY;
    int error = copy_text(label, TT_LABEL_BYTES, &new->label);
    if (error) {
        free(new);
        return error;
    }
    new->fd = -1;
    new->process = getpid();
    *connection = new;
    return THUMBTURN_OK;
}

int thumbturn_set_face_usage(thumbturn *t, const char *why) {
    int error = tt_enter(t);
    if (error) return error;
    char *copy;
    error = copy_text(why, TT_FACE_USAGE_BYTES, &copy);
    if (error) return tt_failed(t, error);
    free(t->face_usage);
    t->face_usage = copy;
    // The daemon hears it when this connects.
    if (t->fd >= 0) tt_disconnect(t);
    return THUMBTURN_OK;
}

int thumbturn_set_patience(thumbturn *t, double seconds) {
    int error = tt_enter(t);
    if (error) return error;
    if (!isfinite(seconds) || seconds < 0 || seconds > LONGEST_PATIENCE) return tt_failed(t, THUMBTURN_ARGUMENT);
    t->patience = seconds;
    return THUMBTURN_OK;
}

void thumbturn_close(thumbturn *t) {
    if (!t) return;
    // In a child this closes the child's descriptor and nothing else: nothing is said over the connection.
    tt_disconnect(t);
    free(t->label);
    free(t->face_usage);
    free(t);
}

const char *thumbturn_advice(const thumbturn *t) { return t ? t->advice : ""; }

static int read_status(struct tt_frame *frame, void *into) {
    if (frame->kind != TT_STATUS || !tt_read_status(&frame->in, into)) return TT_NOT_UNDERSTOOD;
    return THUMBTURN_OK;
}

int thumbturn_get_status(thumbturn *t, thumbturn_status *status) {
    int error = tt_enter(t);
    if (error) return error;
    if (!status || status->size != sizeof *status) return tt_failed(t, THUMBTURN_ARGUMENT);
    struct tt_out out;
    tt_write_status(&out);
    thumbturn_status read = {.size = sizeof read};
    error = tt_call(t, &out, read_status, &read);
    if (!error) *status = read;
    return error;
}
