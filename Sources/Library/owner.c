// Whether the owner can be asked, and asking.
#define _GNU_SOURCE
#include <string.h>

#include "asking.h"
#include "connection.h"
#include "words.h"

uint64_t thumbturn_new_context(thumbturn *t) { return t ? ++t->last_context : 0; }

static int read_done(struct tt_frame *frame, void *into) {
    (void)into;
    return frame->kind == TT_DONE && tt_in_end(&frame->in) ? THUMBTURN_OK : TT_NOT_UNDERSTOOD;
}

int thumbturn_end_context(thumbturn *t, uint64_t context) {
    int error = tt_enter(t);
    if (error) return error;
    if (!context) return tt_failed(t, THUMBTURN_ARGUMENT);
    // Without a connection there is no context either.
    if (t->fd < 0) return THUMBTURN_OK;
    struct tt_out out;
    tt_write_invalidate(&out, context);
    return tt_call(t, &out, read_done, NULL);
}

// What is found out about a policy, and where it goes.
struct ability {
    thumbturn_sensor *sensor;
    void *state;
    size_t capacity;
    size_t needed;
};

static int read_capability(struct tt_frame *frame, void *into) {
    struct ability *ability = into;
    struct tt_capability read;
    if (frame->kind != TT_CAPABILITY || !tt_read_capability(&frame->in, &read)) return TT_NOT_UNDERSTOOD;
    if (ability->sensor) *ability->sensor = (thumbturn_sensor)read.sensor;
    ability->needed = read.state_size;
    if (read.failure) return read.failure;
    if (!ability->state || read.state_size == 0) return THUMBTURN_OK;
    if (read.state_size > ability->capacity) return THUMBTURN_BUFFER_TOO_SMALL;
    memcpy(ability->state, read.state, read.state_size);
    return THUMBTURN_OK;
}

int thumbturn_capability(
    thumbturn *t, thumbturn_policy policy, thumbturn_sensor *sensor, void *state, size_t capacity, size_t *needed) {
    struct ability ability = {.sensor = sensor, .state = state, .capacity = capacity};
    if (sensor) *sensor = THUMBTURN_SENSOR_NONE;
    if (needed) *needed = 0;
    struct tt_out out;
    // The daemon has an answer for every number, but a larger one would be another.
    tt_write_capability(&out, 0, (unsigned)policy > 255 ? 0 : (uint8_t)policy);
    int error = tt_call(t, &out, read_capability, &ability);
    if (needed) *needed = ability.needed;
    return error;
}

static bool is_policy(thumbturn_policy policy) { return policy >= THUMBTURN_SENSOR && policy <= THUMBTURN_SENSOR_OR_COMPANION; }

int tt_check_question(thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking) {
    int error = tt_enter(t);
    if (error) return error;
    bool is_asked = is_policy(policy) && asking && asking->size == sizeof *asking && asking->reason && asking->reason[0];
    return is_asked ? THUMBTURN_OK : tt_failed(t, THUMBTURN_ARGUMENT);
}

static int read_evaluated(struct tt_frame *frame, void *into) {
    return frame->kind == TT_EVALUATED ? tt_read_evaluated(&frame->in, into) : TT_NOT_UNDERSTOOD;
}

int thumbturn_verify(thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking, thumbturn_factor *factor) {
    int error = tt_check_question(t, policy, asking);
    if (error) return error;
    uint64_t context = asking->context ? asking->context : thumbturn_new_context(t);
    struct tt_out out;
    tt_write_evaluate(&out, context, (uint8_t)policy, asking);
    uint8_t shown = 0;
    error = tt_call(t, &out, read_evaluated, &shown);
    if (!asking->context) tt_release(t, context);
    if (!error && factor) *factor = (thumbturn_factor)shown;
    return error;
}
