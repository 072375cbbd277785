// Writes what an app says about items and keys.
#include "words.h"

enum { TEXT = 1, BYTES = 2, NUMBER = 3 };
enum { PRIVATE_KEY = 1, SYNC_EITHER = 2 };
// Longest name, as the daemon has it for any attribute.
enum { ATTRIBUTE_BYTES = 64 << 10 };

static void put_text_attribute(struct tt_out *out, uint32_t name, const char *text) {
    if (!text) return;
    tt_put_u32(out, name);
    tt_put_u8(out, TEXT);
    tt_put_text(out, text, ATTRIBUTE_BYTES);
}

// Those that are named, in the order of their letters; `is_key`: and that it is a private key.
static void put_attributes(struct tt_out *out, const struct tt_names *names, bool is_key) {
    bool has_tag = names->tag;
    tt_put_u32(out, (names->account != NULL) + (names->service != NULL) + (names->label != NULL) + has_tag + is_key);
    put_text_attribute(out, TT_ATTR_ACCOUNT, names->account);
    if (has_tag) {
        tt_put_u32(out, TT_ATTR_TAG);
        tt_put_u8(out, BYTES);
        tt_put_text(out, names->tag, ATTRIBUTE_BYTES);
    }
    if (is_key) {
        tt_put_u32(out, TT_ATTR_KEY_CLASS);
        tt_put_u8(out, NUMBER);
        tt_put_u64(out, PRIVATE_KEY);
    }
    put_text_attribute(out, TT_ATTR_LABEL, names->label);
    put_text_attribute(out, TT_ATTR_SERVICE, names->service);
}

static void put_rule(struct tt_out *out, const struct tt_rule *rule) {
    tt_put_u8(out, rule->accessibility);
    tt_put_u64(out, rule->constraints);
}

static void put_secret_if(struct tt_out *out, const void *secret, size_t size) {
    tt_put_u8(out, secret != NULL);
    if (secret) tt_put_secret(out, secret, size);
}

void tt_write_add(
    struct tt_out *out, const struct tt_names *names, const struct tt_rule *rule, const void *secret, size_t size,
    const thumbturn_asking *asking) {
    tt_out_begin(out, TT_ADD, 1);
    tt_put_u8(out, TT_CLASS_PASSWORD);
    put_attributes(out, names, false);
    put_rule(out, rule);
    put_secret_if(out, secret, size);
    tt_put_u8(out, 0); // nothing of it back
    tt_put_asking(out, asking);
}

static void put_query(
    struct tt_out *out, enum tt_class class, const struct tt_names *names, const uint8_t *reference, size_t reference_size,
    uint32_t limit, uint8_t shape, const thumbturn_asking *asking) {
    tt_put_u8(out, 1);
    tt_put_u8(out, (uint8_t)class);
    put_attributes(out, names, class == TT_CLASS_KEY && !reference);
    tt_put_u8(out, SYNC_EITHER);
    tt_put_u8(out, reference != NULL);
    if (reference) tt_put_bytes(out, reference, reference_size);
    tt_put_u8(out, 0); // no host
    tt_put_u8(out, limit != 0);
    if (limit) tt_put_u32(out, limit);
    tt_put_u8(out, shape);
    tt_put_asking(out, asking);
}

void tt_write_find(
    struct tt_out *out, enum tt_class class, const struct tt_names *names, uint32_t limit, uint8_t shape,
    const thumbturn_asking *asking) {
    tt_out_begin(out, TT_FIND, 1);
    put_query(out, class, names, NULL, 0, limit, shape, asking);
}

void tt_write_update(
    struct tt_out *out, const struct tt_names *names, const char *label, const struct tt_rule *rule, const void *secret,
    size_t size,
    const thumbturn_asking *asking) {
    tt_out_begin(out, TT_UPDATE, 1);
    put_query(out, TT_CLASS_PASSWORD, names, NULL, 0, 0, 0, asking);
    put_attributes(out, &(struct tt_names){.label = label}, false);
    tt_put_u8(out, 1);
    put_rule(out, rule);
    put_secret_if(out, secret, size);
}

void tt_write_remove(struct tt_out *out, enum tt_class class, const struct tt_names *names, const uint8_t *reference,
    size_t size) {
    tt_out_begin(out, TT_REMOVE, 1);
    put_query(out, class, names, reference, size, 0, 0, NULL);
}

void tt_write_make_key(
    struct tt_out *out, const struct tt_key_kind *kind, bool is_enclave, const struct tt_names *names, const struct tt_rule *rule,
    const thumbturn_asking *asking) {
    tt_out_begin(out, TT_MAKE_KEY, 1);
    tt_put_u8(out, kind->family);
    tt_put_u16(out, kind->bits);
    tt_put_u8(out, is_enclave);
    tt_put_u8(out, 1); // it goes into the keychain
    put_attributes(out, names, false);
    put_rule(out, rule);
    tt_put_asking(out, asking);
}

void tt_write_use_key(struct tt_out *out, const struct tt_key_use *use, const thumbturn_asking *asking) {
    tt_out_begin(out, TT_USE_KEY, 1);
    tt_put_u8(out, 1); // one in the keychain
    tt_put_bytes(out, use->reference, use->reference_size);
    tt_put_u8(out, use->operation);
    tt_put_bytes(out, use->bytes, use->size);
    tt_put_u8(out, use->scheme);
    if (use->hash) tt_put_u8(out, use->hash);
    if (use->derives_nonce >= 0) tt_put_u8(out, (uint8_t)use->derives_nonce);
    tt_put_asking(out, asking);
}
