// Secrets: stored, read, removed.
#define _GNU_SOURCE
#include "list.h"

// Whether a secret can be named so; an account of NULL is none.
static int name(thumbturn *t, const char *service, const char *account, struct tt_names *names) {
    int error = tt_enter(t);
    if (error) return error;
    if (!service || !service[0]) return tt_failed(t, THUMBTURN_ARGUMENT);
    *names = (struct tt_names){.service = service, .account = account ? account : ""};
    return THUMBTURN_OK;
}

static int read_done(struct tt_frame *frame, void *into) {
    (void)into;
    uint8_t factor;
    switch (frame->kind) {
    case TT_DONE: return tt_in_end(&frame->in) ? THUMBTURN_OK : TT_NOT_UNDERSTOOD;
    case TT_FAILED: return tt_read_failed(&frame->in);
    case TT_EVALUATED: {
        // Only how asking ended in vain.
        int failure = tt_read_evaluated(&frame->in, &factor);
        return failure ? failure : TT_NOT_UNDERSTOOD;
    }
    default: return TT_NOT_UNDERSTOOD;
    }
}

int thumbturn_store(
    thumbturn *t, const char *service, const char *account, const void *bytes, size_t size, const char *label,
    thumbturn_rule rule,
    unsigned options, const thumbturn_asking *asking) {
    struct tt_names names;
    int error = name(t, service, account, &names);
    if (error) return error;
    struct tt_rule made;
    if ((!bytes && size > 0) || (options & THUMBTURN_IN_STORE) || !tt_rule_of(rule, options, false, &made)) {
        return tt_failed(t, THUMBTURN_ARGUMENT);
    }
    // No bytes are a secret too.
    if (!bytes) bytes = "";
    bool replaces = options & THUMBTURN_REPLACE;
    // Two programs at once may each see what the other is about to do; once more settles it.
    for (int attempt = 0; attempt < 2; attempt++) {
        struct tt_out out;
        if (replaces) {
            tt_write_update(&out, &names, label, &made, bytes, size, asking);
            error = tt_call(t, &out, read_done, NULL);
            if (error != THUMBTURN_NOT_FOUND) return error;
        }
        struct tt_names labelled = names;
        labelled.label = label;
        tt_write_add(&out, &labelled, &made, bytes, size, asking);
        struct tt_taking nothing = {0};
        error = tt_call(t, &out, tt_take_pages, &nothing);
        if (!replaces || error != THUMBTURN_DUPLICATE) break;
    }
    return error;
}

static int take_secret(const struct tt_item *item, void *into) {
    thumbturn_secret **secret = into;
    // One was asked for, and an item without a secret has none to give.
    if (*secret || !item->has_secret) return TT_NOT_UNDERSTOOD;
    return tt_secret_copy(item->secret, item->secret_size, secret);
}

int thumbturn_read(
    thumbturn *t, const char *service, const char *account, const thumbturn_asking *asking, thumbturn_secret **secret) {
    struct tt_names names;
    int error = name(t, service, account, &names);
    if (error) return error;
    if (!secret) return tt_failed(t, THUMBTURN_ARGUMENT);
    *secret = NULL;
    struct tt_out out;
    tt_write_find(&out, TT_CLASS_PASSWORD, &names, 1, TT_SHAPE_DATA, asking);
    thumbturn_secret *found = NULL;
    struct tt_taking taking = {take_secret, &found};
    error = tt_call(t, &out, tt_take_pages, &taking);
    if (!error && !found) error = tt_broken(t);
    if (error) {
        thumbturn_secret_free(found);
        return error;
    }
    *secret = found;
    return THUMBTURN_OK;
}

int thumbturn_remove(thumbturn *t, const char *service, const char *account) {
    struct tt_names names;
    int error = name(t, service, account, &names);
    if (error) return error;
    struct tt_out out;
    tt_write_remove(&out, TT_CLASS_PASSWORD, &names, NULL, 0);
    return tt_call(t, &out, read_done, NULL);
}
