// Reads what the daemon says: about itself, about the owner, and why it refuses.
#include <string.h>

#include "words.h"

enum { FIRST_KEYCHAIN = 100, LAST_FAILURE = 23, FIRST_EVALUATION = 200, FIRST_REFUSAL = 320, LAST_REFUSAL = 15 };

bool tt_read_welcome(struct tt_in *in, int *mode) {
    bool is_spoken = tt_get_u16(in) == TT_VERSION;
    *mode = tt_get_choice(in, 1, 3);
    return tt_in_end(in) && is_spoken;
}

int tt_read_refusal(struct tt_in *in) {
    int reason = tt_get_choice(in, 1, LAST_REFUSAL);
    return tt_in_end(in) ? FIRST_REFUSAL + reason : 0;
}

int tt_read_failed(struct tt_in *in) {
    int failure = tt_get_choice(in, 1, LAST_FAILURE);
    return tt_in_end(in) ? FIRST_KEYCHAIN + failure : -2;
}

bool tt_read_ticket(struct tt_in *in, uint8_t ticket[TT_TICKET_BYTES]) {
    size_t size;
    const uint8_t *bytes = tt_get_bytes(in, &size);
    if (!tt_in_end(in) || size != TT_TICKET_BYTES) return false;
    memcpy(ticket, bytes, size);
    return true;
}

// How asking the owner can end: 1 to 14, and 18.
static int get_evaluation_failure(struct tt_in *in) {
    uint8_t failure = tt_get_choice(in, 1, 18);
    if (failure > 14 && failure < 18) in->is_bad = true;
    return FIRST_EVALUATION + failure;
}

// Bytes that may be missing: NULL then.
static const uint8_t *get_bytes_if(struct tt_in *in, size_t *size) {
    *size = 0;
    return tt_get_bool(in) ? tt_get_bytes(in, size) : NULL;
}

bool tt_read_capability(struct tt_in *in, struct tt_capability *capability) {
    capability->failure = tt_get_bool(in) ? get_evaluation_failure(in) : THUMBTURN_OK;
    capability->sensor = tt_get_choice(in, 0, 2);
    capability->state = get_bytes_if(in, &capability->state_size);
    return tt_in_end(in);
}

int tt_read_evaluated(struct tt_in *in, uint8_t *factor) {
    int failure = THUMBTURN_OK;
    *factor = 0;
    if (tt_get_bool(in)) {
        failure = get_evaluation_failure(in);
    } else {
        *factor = tt_get_choice(in, 1, 3);
    }
    tt_get_choice(in, 0, 2);
    size_t size;
    get_bytes_if(in, &size);
    return tt_in_end(in) ? failure : -2;
}

// Why the daemon can't use the sensor: 1 to 6 about the sensor, 16 to 26 about a camera's models.
static void skip_hindrance(struct tt_in *in) {
    if (!tt_get_bool(in)) return;
    uint8_t hindrance = tt_get_choice(in, 1, 26);
    if (hindrance > 6 && hindrance < 16) in->is_bad = true;
}

bool tt_read_status(struct tt_in *in, thumbturn_status *status) {
    status->mode = tt_get_choice(in, 1, 3);
    status->sensor = tt_get_choice(in, 0, 2);
    status->is_enrolled = tt_get_bool(in);
    status->is_sensor_locked = tt_get_bool(in);
    status->is_passcode_set = tt_get_bool(in);
    status->was_passcode_given = tt_get_bool(in);
    tt_get_bool(in); // a recovery code was made
    status->is_session_locked = tt_get_bool(in);
    status->items = tt_get_u64(in);
    tt_get_u64(in); // in quarantine
    tt_get_choice(in, 1, 2); // who holds the store's key
    status->holds_keys = tt_get_bool(in) ? tt_get_choice(in, 1, 2) : 0;
    status->process = (int32_t)tt_get_u32(in);
    tt_get_choice(in, 1, 2); // the sensor's level
    tt_get_choice(in, 1, 2); // where the passcode comes from
    size_t size;
    tt_get_text(in, &size); // the sensor's name
    if (size > TT_SENSOR_NAME_BYTES) in->is_bad = true;
    skip_hindrance(in);
    for (int flags = 0; flags < 4; flags++) tt_get_bool(in);
    for (int amounts = 0; amounts < 4; amounts++) tt_get_u64(in);
    tt_get_bool(in); // a login by finger opens the first-unlock class
    tt_get_bool(in); // one did
    return tt_in_end(in);
}

bool tt_read_key_used(struct tt_in *in, const uint8_t **bytes, size_t *size) {
    *bytes = tt_get_bytes(in, size);
    tt_get_choice(in, 1, 2);
    return tt_in_end(in);
}
