// Writes values in the wire's form.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "wire.h"

static bool make_room(struct tt_out *out, size_t more) {
    if (out->error) return false;
    if (more <= out->capacity - out->count) return true;
    size_t capacity = out->capacity ? out->capacity : 256;
    while (capacity - out->count < more) {
        // A frame has an end long before a number does.
        if (capacity > SIZE_MAX / 4) {
            out->error = THUMBTURN_TOO_LARGE;
            return false;
        }
        capacity *= 2;
    }
    // Not realloc: what is moved would be left behind.
    uint8_t *bytes = malloc(capacity);
    if (!bytes) {
        out->error = THUMBTURN_OUT_OF_MEMORY;
        return false;
    }
    if (out->count) memcpy(bytes, out->bytes, out->count);
    if (out->bytes) {
        explicit_bzero(out->bytes, out->capacity);
        free(out->bytes);
    }
    out->bytes = bytes;
    out->capacity = capacity;
    return true;
}

static void put_number(struct tt_out *out, uint64_t value, size_t bytes) {
    if (!make_room(out, bytes)) return;
    for (size_t place = bytes; place-- > 0;) out->bytes[out->count++] = (uint8_t)(value >> (8 * place));
}

void tt_out_begin(struct tt_out *out, enum tt_kind kind, uint32_t call) {
    *out = (struct tt_out){0};
    tt_put_u32(out, 0);
    tt_put_u8(out, (uint8_t)kind);
    tt_put_u32(out, call);
}

bool tt_out_end(struct tt_out *out) {
    if (out->error) return false;
    size_t length = out->count - TT_LENGTH_BYTES;
    if (length > TT_FRAME_BYTES || out->secret_size > TT_FRAME_BYTES - length) {
        out->error = THUMBTURN_TOO_LARGE;
        return false;
    }
    length += out->secret_size;
    for (size_t place = 0; place < TT_LENGTH_BYTES; place++) {
        out->bytes[place] = (uint8_t)(length >> (8 * (TT_LENGTH_BYTES - 1 - place)));
    }
    return true;
}

void tt_out_number(struct tt_out *out, uint32_t call) {
    for (int place = 0; place < 4; place++) {
        out->bytes[TT_LENGTH_BYTES + 1 + place] = (uint8_t)(call >> (8 * (3 - place)));
    }
}

void tt_out_free(struct tt_out *out) {
    if (out->bytes) {
        explicit_bzero(out->bytes, out->capacity);
        free(out->bytes);
    }
    *out = (struct tt_out){0};
}

void tt_put_u8(struct tt_out *out, uint8_t value) { put_number(out, value, 1); }
void tt_put_u16(struct tt_out *out, uint16_t value) { put_number(out, value, 2); }
void tt_put_u32(struct tt_out *out, uint32_t value) { put_number(out, value, 4); }
void tt_put_u64(struct tt_out *out, uint64_t value) { put_number(out, value, 8); }

void tt_put_f64(struct tt_out *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    tt_put_u64(out, bits);
}

void tt_put_bytes(struct tt_out *out, const void *bytes, size_t size) {
    if (size > TT_FRAME_BYTES) {
        if (!out->error) out->error = THUMBTURN_TOO_LARGE;
        return;
    }
    tt_put_u32(out, (uint32_t)size);
    if (!make_room(out, size) || size == 0) return;
    memcpy(out->bytes + out->count, bytes, size);
    out->count += size;
}

void tt_put_text(struct tt_out *out, const char *text, size_t limit) {
    size_t size = strlen(text);
    if (size > limit || !tt_is_utf8((const uint8_t *)text, size)) {
        if (!out->error) out->error = THUMBTURN_ARGUMENT;
        return;
    }
    tt_put_bytes(out, text, size);
}

void tt_put_text_if(struct tt_out *out, const char *text, size_t limit) {
    tt_put_u8(out, text != NULL);
    if (text) tt_put_text(out, text, limit);
}

void tt_put_secret(struct tt_out *out, const void *bytes, size_t size) {
    if (size > TT_FRAME_BYTES) {
        if (!out->error) out->error = THUMBTURN_TOO_LARGE;
        return;
    }
    tt_put_u32(out, (uint32_t)size);
    out->secret = bytes;
    out->secret_size = size;
    out->secret_place = out->count;
}
