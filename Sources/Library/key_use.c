// Private keys at work.
#define _GNU_SOURCE
#include <string.h>

#include "connection.h"
#include "keys.h"
#include "words.h"

enum { SIGN = 1, AGREE = 2, DECRYPT = 3, ELLIPTIC = 1, RSA = 2, SHA256 = 3 };
enum { ECDSA = 1, PKCS1_WITH_DIGEST_INFO = 2, SHARED_COORDINATE = 1, OAEP = 3, ECIES = 5 };
// Longest ciphertext: much more than a secret of 1 MiB becomes.
enum { CIPHERTEXT_BYTES = (1 << 20) + 4096 };

// Where the product goes: into memory that the caller has, or into a secret.
struct product {
    void *bytes;
    size_t capacity, size;
    thumbturn_secret *secret;
};

static int read_used(struct tt_frame *frame, void *into) {
    struct product *product = into;
    uint8_t factor;
    if (frame->kind == TT_FAILED) return tt_read_failed(&frame->in);
    if (frame->kind == TT_EVALUATED) {
        int failure = tt_read_evaluated(&frame->in, &factor);
        // Only how asking ended in vain.
        return failure ? failure : TT_NOT_UNDERSTOOD;
    }
    const uint8_t *bytes;
    if (frame->kind != TT_KEY_USED || !tt_read_key_used(&frame->in, &bytes, &product->size)) return TT_NOT_UNDERSTOOD;
    if (!product->bytes) return tt_secret_copy(bytes, product->size, &product->secret);
    if (product->size > product->capacity) return TT_NOT_UNDERSTOOD;
    memcpy(product->bytes, bytes, product->size);
    return THUMBTURN_OK;
}

static int use(
    thumbturn *t, const thumbturn_key *key, struct tt_key_use *use, const thumbturn_asking *asking, struct product *product) {
    use->reference = key->reference;
    use->reference_size = key->reference_size;
    struct tt_out out;
    tt_write_use_key(&out, use, asking);
    return tt_call(t, &out, read_used, product);
}

// The longest signature: two numbers of the curve's size as DER has them, or the modulus's bytes.
static size_t longest_signature(const thumbturn_key *key) {
    size_t block = (key->bits + 7) / 8;
    if (key->family == RSA) return block;
    // Each number may take a byte more, for its sign; a head is two bytes, and three from 128 on.
    size_t numbers = 2 * (2 + block + 1);
    return numbers + (numbers < 128 ? 2 : 3);
}

static size_t digest_bytes(thumbturn_hash hash) {
    switch (hash) {
    case THUMBTURN_SHA256: return 32;
    case THUMBTURN_SHA384: return 48;
    case THUMBTURN_SHA512: return 64;
    }
    return 0;
}

int thumbturn_key_sign(
    thumbturn *t, const thumbturn_key *key, thumbturn_hash hash, const void *digest, size_t size, const thumbturn_asking *asking,
    void *signature, size_t capacity, size_t *needed) {
    int error = tt_enter(t);
    if (error) return error;
    if (!key || !key->family || !needed || !digest || size == 0 || size != digest_bytes(hash) || (!signature && capacity > 0)) {
        return tt_failed(t, THUMBTURN_ARGUMENT);
    }
    *needed = longest_signature(key);
    if (capacity < *needed) return tt_failed(t, THUMBTURN_BUFFER_TOO_SMALL);
    bool is_elliptic = key->family == ELLIPTIC;
    struct tt_key_use signing = {
        .operation = SIGN, .bytes = digest, .size = size, .scheme = is_elliptic ? ECDSA : PKCS1_WITH_DIGEST_INFO,
        .hash = is_elliptic ? 0 : (uint8_t)hash, .derives_nonce = -1};
    struct product product = {.bytes = signature, .capacity = capacity};
    error = use(t, key, &signing, asking, &product);
    if (!error) *needed = product.size;
    return error;
}

// Has the key make a secret.
static int make_secret(
    thumbturn *t, const thumbturn_key *key, struct tt_key_use *making, const thumbturn_asking *asking,
    thumbturn_secret **secret) {
    struct product product = {0};
    int error = use(t, key, making, asking, &product);
    if (error) {
        thumbturn_secret_free(product.secret);
        return error;
    }
    *secret = product.secret;
    return THUMBTURN_OK;
}

int thumbturn_key_agree(
    thumbturn *t, const thumbturn_key *key, const void *peer, size_t size, const thumbturn_asking *asking,
    thumbturn_secret **shared) {
    int error = tt_enter(t);
    if (error) return error;
    if (shared) *shared = NULL;
    if (!key || !peer || !shared || size > CIPHERTEXT_BYTES) return tt_failed(t, THUMBTURN_ARGUMENT);
    if (key->family != ELLIPTIC) return tt_failed(t, THUMBTURN_UNSUPPORTED);
    struct tt_key_use agreeing = {.operation = AGREE, .bytes = peer, .size = size, .scheme = SHARED_COORDINATE,
        .derives_nonce = -1};
    return make_secret(t, key, &agreeing, asking, shared);
}

int thumbturn_key_decrypt(
    thumbturn *t, const thumbturn_key *key, const void *bytes, size_t size, const thumbturn_asking *asking,
    thumbturn_secret **plaintext) {
    int error = tt_enter(t);
    if (error) return error;
    if (plaintext) *plaintext = NULL;
    if (!key || !key->family || !bytes || !plaintext || size > CIPHERTEXT_BYTES) return tt_failed(t, THUMBTURN_ARGUMENT);
    bool is_elliptic = key->family == ELLIPTIC;
    struct tt_key_use decrypting = {
        .operation = DECRYPT, .bytes = bytes, .size = size, .scheme = is_elliptic ? ECIES : OAEP, .hash = SHA256,
        .derives_nonce = is_elliptic ? 1 : -1};
    return make_secret(t, key, &decrypting, asking, plaintext);
}
