// Writes what an app says: its greeting, questions about the device, questions to the owner.
#include "words.h"

void tt_write_hello(struct tt_out *out, const char *label, const char *face_usage) {
    tt_out_begin(out, TT_HELLO, 1);
    tt_put_u16(out, TT_VERSION);
    tt_put_u16(out, TT_VERSION);
    tt_put_u8(out, 1); // an app
    tt_put_text_if(out, label, TT_LABEL_BYTES);
    tt_put_text_if(out, face_usage, TT_FACE_USAGE_BYTES);
    tt_put_u8(out, 0); // no ticket
    tt_put_u8(out, 0); // and nothing to draw on
}

void tt_write_status(struct tt_out *out) { tt_out_begin(out, TT_STATUS_ASKED, 1); }

void tt_write_capability(struct tt_out *out, uint64_t context, uint8_t policy) {
    tt_out_begin(out, TT_CAPABILITY_ASKED, 1);
    tt_put_u64(out, context);
    tt_put_u8(out, policy);
}

static void put_words(struct tt_out *out, const thumbturn_asking *asking) {
    tt_put_text(out, asking && asking->reason ? asking->reason : "", TT_WORDS_BYTES);
    tt_put_text_if(out, asking ? asking->fallback_title : NULL, TT_WORDS_BYTES);
    tt_put_text_if(out, asking ? asking->cancel_title : NULL, TT_WORDS_BYTES);
}

static bool is_known(const thumbturn_asking *asking) {
    if (!asking) return true;
    // The negated form is false for what isn't a number.
    return asking->size == sizeof *asking && (asking->permission == THUMBTURN_ASK || asking->permission == THUMBTURN_FAIL_INSTEAD)
        && asking->reuse_seconds >= 0 && asking->reuse_seconds <= 300;
}

void tt_put_asking(struct tt_out *out, const thumbturn_asking *asking) {
    if (!is_known(asking)) {
        out->error = THUMBTURN_ARGUMENT;
        return;
    }
    uint64_t context = asking ? asking->context : 0;
    tt_put_u8(out, context != 0);
    if (context) tt_put_u64(out, context);
    tt_put_u8(out, asking ? (uint8_t)asking->permission : THUMBTURN_ASK);
    tt_put_f64(out, asking ? asking->reuse_seconds : 0);
    put_words(out, asking);
}

void tt_write_evaluate(struct tt_out *out, uint64_t context, uint8_t policy, const thumbturn_asking *asking) {
    tt_out_begin(out, TT_EVALUATE, 1);
    if (!is_known(asking)) out->error = THUMBTURN_ARGUMENT;
    tt_put_u64(out, context);
    tt_put_u8(out, 1); // a policy
    tt_put_u8(out, policy);
    put_words(out, asking);
    tt_put_u8(out, asking && asking->permission == THUMBTURN_FAIL_INSTEAD);
    tt_put_f64(out, asking ? asking->reuse_seconds : 0);
}

void tt_write_invalidate(struct tt_out *out, uint64_t context) {
    tt_out_begin(out, TT_INVALIDATE, 1);
    tt_put_u64(out, context);
}

void tt_write_release(struct tt_out *out, uint64_t context) {
    tt_out_begin(out, TT_RELEASE, 0);
    tt_put_u64(out, context);
}

void tt_write_prompt_unavailable(struct tt_out *out, uint32_t call, const uint8_t ticket[TT_TICKET_BYTES]) {
    tt_out_begin(out, TT_PROMPT_UNAVAILABLE, call);
    tt_put_bytes(out, ticket, TT_TICKET_BYTES);
}
