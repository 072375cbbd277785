// One call: sent, its prompts started, its answer read.
#define _GNU_SOURCE
#include <string.h>

#include "connection.h"
#include "prompts.h"
#include "words.h"

int tt_refuse_prompt(thumbturn *t, uint32_t call, const uint8_t ticket[TT_TICKET_BYTES]) {
    struct tt_out out;
    tt_write_prompt_unavailable(&out, call, ticket);
    size_t sent;
    int error = tt_out_end(&out) ? tt_send(t, &out, &sent) : tt_failed(t, out.error);
    tt_out_free(&out);
    return error;
}

// Starts the prompt that a frame asks for. One call may ask twice, and the first prompt has the terminal until it has ended.
static int start_prompt(thumbturn *t, struct tt_frame *frame, struct tt_prompt *prompt) {
    uint8_t ticket[TT_TICKET_BYTES];
    if (!tt_read_ticket(&frame->in, ticket)) return tt_broken(t);
    uint32_t call = frame->call;
    bool is_at_display = frame->kind == TT_WINDOW_NEEDED;
    tt_received(t);
    tt_prompt_end(prompt, false);
    tt_prompt_begin(prompt, ticket, t->socket, is_at_display, t->mode == TT_MODE_SYSTEM);
    tt_prompt_wait(prompt);
    return prompt->stage == TT_PROMPT_NONE ? tt_refuse_prompt(t, call, ticket) : THUMBTURN_OK;
}

static int read_answer(thumbturn *t, uint32_t call, tt_answer *answer, void *into, struct tt_prompt *prompt) {
    while (true) {
        struct tt_frame frame;
        int error = tt_receive_waiting(t, &frame);
        if (error) return error;
        if (frame.kind == TT_REFUSED) return tt_refused(t, &frame);
        if (frame.call != call) {
            // A call that was taken back may have been answered before the daemon knew.
            if (t->abandoned && frame.call >= t->abandoned && frame.call < call) continue;
            return tt_broken(t);
        }
        if (frame.kind == TT_PROMPT_NEEDED || frame.kind == TT_WINDOW_NEEDED) {
            if ((error = start_prompt(t, &frame, prompt))) {
                if (t->fd >= 0) tt_disconnect(t);
                return error;
            }
            continue;
        }
        int result = answer(&frame, into);
        if (result == TT_NOT_UNDERSTOOD) return tt_broken(t);
        if (result == TT_MORE) continue;
        tt_received(t);
        t->abandoned = 0;
        return result == THUMBTURN_OK ? THUMBTURN_OK : tt_failed(t, result);
    }
}

// Sends a call, on a new connection if the old one turns out to be gone before anything of it was seen.
static int send_somewhere(thumbturn *t, struct tt_out *out, uint32_t *call) {
    bool was_connected = t->fd >= 0;
    int error = tt_ready(t);
    if (error) return error;
    bool was_seen;
    error = tt_send_call(t, out, call, &was_seen);
    if (error != THUMBTURN_CONNECTION_LOST || t->fd < 0) return error;
    struct tt_frame frame;
    while (!was_seen && tt_receive_waiting(t, &frame) == THUMBTURN_OK) {
        if (frame.kind == TT_REFUSED) return tt_refused(t, &frame);
    }
    if (t->fd >= 0) tt_disconnect(t);
    if (was_seen || !was_connected) return tt_failed(t, THUMBTURN_CONNECTION_LOST);
    if ((error = tt_ready(t))) return error;
    error = tt_send_call(t, out, call, &was_seen);
    if (error && t->fd >= 0) tt_disconnect(t);
    return error;
}

void tt_release(thumbturn *t, uint64_t context) {
    if (t->fd < 0) return;
    // What is said of a call stays what that call says.
    char advice[sizeof t->advice];
    memcpy(advice, t->advice, sizeof advice);
    struct tt_out out;
    tt_write_release(&out, context);
    size_t sent;
    bool is_told = tt_out_end(&out) && tt_send(t, &out, &sent) == THUMBTURN_OK;
    tt_out_free(&out);
    // A daemon that can't be told notices when the connection ends.
    if (!is_told && t->fd >= 0) tt_disconnect(t);
    memcpy(t->advice, advice, sizeof advice);
}

int tt_start_call(thumbturn *t, struct tt_out *out, uint32_t *call) {
    int error = tt_enter(t);
    if (!error && out->error) error = tt_failed(t, out->error);
    if (!error) error = send_somewhere(t, out, call);
    tt_out_free(out);
    return error;
}

int tt_call(thumbturn *t, struct tt_out *out, tt_answer *answer, void *into) {
    uint32_t call;
    int error = tt_start_call(t, out, &call);
    if (error) return error;
    struct tt_prompt prompt = TT_NO_PROMPT;
    error = read_answer(t, call, answer, into, &prompt);
    // The terminal is the prompt's until it has ended. Without a daemon it would wait for an answer that never comes.
    tt_prompt_end(&prompt, t->fd < 0);
    return error;
}
