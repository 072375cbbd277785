// Private keys: made, found, listed, removed.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "list.h"

enum { ELLIPTIC = 1, RSA = 2, NUMBER = 3, BYTES = 2, ELLIPTIC_TYPE = 73, RSA_TYPE = 42 };

// The SSH agent's keys share one name, and are its own to make and remove ('thumbturn ssh-key').
static const char SSH_NAME[] = "thumbturn.ssh";

static const struct tt_key_kind KINDS[] = {
    [THUMBTURN_P256] = {ELLIPTIC, 256}, [THUMBTURN_P384] = {ELLIPTIC, 384}, [THUMBTURN_P521] = {ELLIPTIC, 521},
    [THUMBTURN_RSA2048] = {RSA, 2048}, [THUMBTURN_RSA3072] = {RSA, 3072}, [THUMBTURN_RSA4096] = {RSA, 4096},
};

static int64_t number(const struct tt_item *item, uint32_t name, int64_t otherwise) {
    const struct tt_attribute *attribute = tt_item_attribute(item, name);
    return attribute && attribute->form == NUMBER ? attribute->number : otherwise;
}

static uint8_t *copy(const uint8_t *bytes, size_t size) {
    uint8_t *new = malloc(size ? size : 1);
    if (new && size) memcpy(new, bytes, size);
    return new;
}

// What a frame says of a key, or several.
struct found {
    thumbturn_key *key;
    size_t count;
};

static int take_key(const struct tt_item *item, void *into) {
    struct found *found = into;
    const struct tt_attribute *public = tt_item_attribute(item, TT_ATTR_PUBLIC);
    if (item->class != TT_CLASS_KEY || item->reference_size == 0) return TT_NOT_UNDERSTOOD;
    if (++found->count > 1) return THUMBTURN_OK;
    if (!public || public->form != BYTES) return TT_NOT_UNDERSTOOD;
    thumbturn_key *key = calloc(1, sizeof *key);
    if (!key) return THUMBTURN_OUT_OF_MEMORY;
    found->key = key;
    int64_t type = number(item, TT_ATTR_TYPE, 0), bits = number(item, TT_ATTR_BITS, 0);
    key->family = type == ELLIPTIC_TYPE ? ELLIPTIC : type == RSA_TYPE ? RSA : 0;
    key->bits = bits > 0 && bits <= 8192 ? (unsigned)bits : 0;
    int64_t holder = number(item, TT_ATTR_CUSTODIAN, 0);
    key->holder = holder == 1 || holder == 2 ? (int)holder : 0;
    key->reference = copy(item->reference, item->reference_size);
    key->reference_size = item->reference_size;
    key->public = copy(public->bytes, public->size);
    key->public_size = public->size;
    return key->reference && key->public ? THUMBTURN_OK : THUMBTURN_OUT_OF_MEMORY;
}

static int read_made(struct tt_frame *frame, void *into) {
    if (frame->kind == TT_FAILED) return tt_read_failed(&frame->in);
    return frame->kind == TT_KEY ? tt_read_key(&frame->in, take_key, into) : TT_NOT_UNDERSTOOD;
}

static int check_name(thumbturn *t, const char *name) {
    int error = tt_enter(t);
    if (error) return error;
    return name && name[0] && strcmp(name, SSH_NAME) != 0 ? THUMBTURN_OK : tt_failed(t, THUMBTURN_ARGUMENT);
}

int thumbturn_key_make(
    thumbturn *t, const char *name, thumbturn_kind kind, thumbturn_rule rule, unsigned options, const thumbturn_asking *asking,
    thumbturn_key **key) {
    int error = check_name(t, name);
    if (error) return error;
    if (key) *key = NULL;
    struct tt_rule made;
    bool is_kind = kind >= THUMBTURN_P256 && kind <= THUMBTURN_RSA4096;
    if (!is_kind || options & THUMBTURN_REPLACE || !tt_rule_of(rule, options, true, &made)) {
        return tt_failed(t, THUMBTURN_ARGUMENT);
    }
    struct tt_out out;
    struct found found = {0};
    tt_write_make_key(
        &out, &KINDS[kind], !(options & THUMBTURN_IN_STORE), &(struct tt_names){.tag = name, .label = name}, &made, asking);
    error = tt_call(t, &out, read_made, &found);
    if (!error && key) {
        *key = found.key;
    } else {
        thumbturn_key_free(found.key);
    }
    return error;
}

int thumbturn_key_find(thumbturn *t, const char *name, thumbturn_key **key) {
    int error = check_name(t, name);
    if (error) return error;
    if (!key) return tt_failed(t, THUMBTURN_ARGUMENT);
    *key = NULL;
    struct tt_out out;
    struct found found = {0};
    struct tt_taking taking = {take_key, &found};
    tt_write_find(
        &out, TT_CLASS_KEY, &(struct tt_names){.tag = name}, 0, TT_SHAPE_ATTRIBUTES | TT_SHAPE_REFERENCE, NULL);
    error = tt_call(t, &out, tt_take_pages, &taking);
    if (!error && found.count > 1) error = tt_failed(t, THUMBTURN_AMBIGUOUS);
    if (!error && !found.key) error = tt_failed(t, THUMBTURN_NOT_FOUND);
    if (error) {
        thumbturn_key_free(found.key);
        return error;
    }
    *key = found.key;
    return THUMBTURN_OK;
}

int thumbturn_key_list(thumbturn *t, thumbturn_items **items) {
    int error = tt_enter(t);
    if (error) return error;
    if (!items) return tt_failed(t, THUMBTURN_ARGUMENT);
    *items = NULL;
    struct tt_out out;
    tt_write_find(&out, TT_CLASS_KEY, &(struct tt_names){0}, 0, TT_SHAPE_ATTRIBUTES, NULL);
    error = tt_list(t, &out, items);
    if (!error) tt_leave_out(*items, SSH_NAME);
    return error;
}

static int read_done(struct tt_frame *frame, void *into) {
    (void)into;
    if (frame->kind == TT_FAILED) return tt_read_failed(&frame->in);
    return frame->kind == TT_DONE && tt_in_end(&frame->in) ? THUMBTURN_OK : TT_NOT_UNDERSTOOD;
}

int thumbturn_key_remove(thumbturn *t, const char *name) {
    thumbturn_key *key = NULL;
    // The one that is found, and never another that gets its name meanwhile.
    int error = thumbturn_key_find(t, name, &key);
    if (error) return error;
    struct tt_out out;
    tt_write_remove(&out, TT_CLASS_KEY, &(struct tt_names){0}, key->reference, key->reference_size);
    error = tt_call(t, &out, read_done, NULL);
    thumbturn_key_free(key);
    return error;
}

thumbturn_kind thumbturn_key_kind(const thumbturn_key *key) {
    for (size_t kind = THUMBTURN_P256; key && kind < sizeof KINDS / sizeof *KINDS; kind++) {
        if (KINDS[kind].family == key->family && KINDS[kind].bits == key->bits) return (thumbturn_kind)kind;
    }
    return THUMBTURN_OTHER_KIND;
}

int thumbturn_key_holder(const thumbturn_key *key) { return key ? key->holder : 0; }

int thumbturn_key_public(const thumbturn_key *key, void *bytes, size_t capacity, size_t *needed) {
    if (!key || !needed || (!bytes && capacity > 0)) return THUMBTURN_ARGUMENT;
    *needed = key->public_size;
    if (key->public_size > capacity) return THUMBTURN_BUFFER_TOO_SMALL;
    if (key->public_size > 0) memcpy(bytes, key->public, key->public_size);
    return THUMBTURN_OK;
}

void thumbturn_key_free(thumbturn_key *key) {
    if (!key) return;
    free(key->reference);
    free(key->public);
    free(key);
}
