// The words of the wire that an app says and hears (docs/PROTOCOL.md). Pure: they know frames, and no connection.
#ifndef THUMBTURN_WORDS_H
#define THUMBTURN_WORDS_H

#include "memory.h"
#include "wire.h"

enum { TT_MODE_SYSTEM = 2 };

// Attributes' names: four letters.
#define TT_NAME(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
enum {
    TT_ATTR_ACCOUNT = TT_NAME('a', 'c', 'c', 't'), TT_ATTR_TAG = TT_NAME('a', 't', 'a', 'g'),
    TT_ATTR_BITS = TT_NAME('b', 's', 'i', 'z'), TT_ATTR_CREATED = TT_NAME('c', 'd', 'a', 't'),
    TT_ATTR_CUSTODIAN = TT_NAME('c', 'u', 's', 't'), TT_ATTR_KEY_CLASS = TT_NAME('k', 'c', 'l', 's'),
    TT_ATTR_LABEL = TT_NAME('l', 'a', 'b', 'l'), TT_ATTR_MODIFIED = TT_NAME('m', 'd', 'a', 't'),
    TT_ATTR_PUBLIC = TT_NAME('p', 'u', 'b', 'k'), TT_ATTR_SERVICE = TT_NAME('s', 'v', 'c', 'e'),
    TT_ATTR_TYPE = TT_NAME('t', 'y', 'p', 'e'),
};

enum tt_class { TT_CLASS_PASSWORD = 1, TT_CLASS_KEY = 4 };
enum { TT_SHAPE_DATA = 1, TT_SHAPE_ATTRIBUTES = 2, TT_SHAPE_REFERENCE = 4 };

struct tt_rule {
    uint8_t accessibility;
    uint64_t constraints;
};
enum {
    TT_USER_PRESENCE = 1 << 0, TT_BIOMETRY_ANY = 1 << 1, TT_BIOMETRY_CURRENT = 1 << 3, TT_PASSCODE = 1 << 4,
    TT_COMPANION = 1 << 5,
    TT_OR = 1 << 14, TT_AND = 1 << 15, TT_PRIVATE_KEY_USAGE = 1 << 30,
};

// The rule of an item; false for numbers that aren't any.
bool tt_rule_of(thumbturn_rule rule, unsigned options, bool is_key, struct tt_rule *made);
thumbturn_rule tt_rule_named(const struct tt_rule *rule);

// What a query and a new item name: the attributes that aren't NULL.
struct tt_names {
    const char *service, *account, *label; // of a password
    const char *tag; // of a key
};
struct tt_key_kind {
    uint8_t family;
    uint16_t bits;
};

// How the owner is asked; NULL is as nothing. False, and the frame has an error, if it isn't one that this library knows.
void tt_put_asking(struct tt_out *out, const thumbturn_asking *asking);

void tt_write_hello(struct tt_out *out, const char *label, const char *face_usage);
void tt_write_status(struct tt_out *out);
void tt_write_capability(struct tt_out *out, uint64_t context, uint8_t policy);
void tt_write_evaluate(struct tt_out *out, uint64_t context, uint8_t policy, const thumbturn_asking *asking);
void tt_write_invalidate(struct tt_out *out, uint64_t context);
void tt_write_release(struct tt_out *out, uint64_t context);
void tt_write_prompt_unavailable(struct tt_out *out, uint32_t call, const uint8_t ticket[TT_TICKET_BYTES]);
void tt_write_add(
    struct tt_out *out, const struct tt_names *names, const struct tt_rule *rule, const void *secret, size_t size,
    const thumbturn_asking *asking);
// A limit of 0: all of them.
void tt_write_find(
    struct tt_out *out, enum tt_class class, const struct tt_names *names, uint32_t limit, uint8_t shape,
    const thumbturn_asking *asking);
void tt_write_update(
    struct tt_out *out, const struct tt_names *names, const char *label, const struct tt_rule *rule, const void *secret,
    size_t size,
    const thumbturn_asking *asking);
void tt_write_remove(struct tt_out *out, enum tt_class class, const struct tt_names *names, const uint8_t *reference,
    size_t size);
void tt_write_make_key(
    struct tt_out *out, const struct tt_key_kind *kind, bool is_enclave, const struct tt_names *names, const struct tt_rule *rule,
    const thumbturn_asking *asking);

// One use of a key that is in the keychain.
struct tt_key_use {
    const uint8_t *reference;
    size_t reference_size;
    uint8_t operation; // 1 sign, 2 agree, 3 decrypt
    const void *bytes; // digest, public key or ciphertext
    size_t size;
    uint8_t scheme, hash; // a hash of 0 isn't there
    int derives_nonce; // -1 isn't there
};
void tt_write_use_key(struct tt_out *out, const struct tt_key_use *use, const thumbturn_asking *asking);

// An item, whose bytes lie in its frame.
struct tt_attribute {
    uint32_t name;
    uint8_t form; // 1 text, 2 bytes, 3 number, 4 flag, 5 date
    const uint8_t *bytes;
    size_t size;
    int64_t number;
    double date;
};
struct tt_item {
    uint8_t class;
    struct tt_rule rule;
    struct tt_attribute *attributes;
    size_t attribute_count;
    const uint8_t *reference;
    size_t reference_size;
    bool has_secret;
    const uint8_t *secret;
    size_t secret_size;
};
// The next item. False if it isn't one, or if there is no memory (`*is_out_of_memory`). The attributes are to be freed.
bool tt_get_item(struct tt_in *in, struct tt_item *item, bool *is_out_of_memory);
void tt_item_free(struct tt_item *item);
// NULL if there is none of that name.
const struct tt_attribute *tt_item_attribute(const struct tt_item *item, uint32_t name);

// Each reads the whole body of a frame. Numbers of errors are the library's; -2 is TT_NOT_UNDERSTOOD.
bool tt_read_welcome(struct tt_in *in, int *mode);
int tt_read_refusal(struct tt_in *in); // 0 if it isn't one
int tt_read_failed(struct tt_in *in);
bool tt_read_ticket(struct tt_in *in, uint8_t ticket[TT_TICKET_BYTES]);
bool tt_read_status(struct tt_in *in, thumbturn_status *status);
struct tt_capability {
    int failure; // 0 if the owner can be asked
    uint8_t sensor;
    const uint8_t *state;
    size_t state_size;
};
bool tt_read_capability(struct tt_in *in, struct tt_capability *capability);
// The error, or THUMBTURN_OK with the factor.
int tt_read_evaluated(struct tt_in *in, uint8_t *factor);
bool tt_read_key_used(struct tt_in *in, const uint8_t **bytes, size_t *size);
// The items of a page; `take` gets each one and returns an error or THUMBTURN_OK.
typedef int tt_take_item(const struct tt_item *item, void *into);
int tt_read_page(struct tt_in *in, tt_take_item *take, void *into, bool *is_last);
int tt_read_key(struct tt_in *in, tt_take_item *take, void *into);

#endif
