// Reads values in the wire's form. Whoever wrote them may be anybody, so everything is checked.
#include <math.h>
#include <string.h>

#include "wire.h"

static const uint8_t *take(struct tt_in *in, size_t size) {
    if (in->is_bad || size > in->count - in->next) {
        in->is_bad = true;
        return NULL;
    }
    const uint8_t *place = in->bytes + in->next;
    in->next += size;
    return place;
}

static uint64_t get_number(struct tt_in *in, size_t bytes) {
    const uint8_t *place = take(in, bytes);
    uint64_t value = 0;
    for (size_t index = 0; place && index < bytes; index++) value = value << 8 | place[index];
    return value;
}

uint8_t tt_get_u8(struct tt_in *in) { return (uint8_t)get_number(in, 1); }
uint16_t tt_get_u16(struct tt_in *in) { return (uint16_t)get_number(in, 2); }
uint32_t tt_get_u32(struct tt_in *in) { return (uint32_t)get_number(in, 4); }
uint64_t tt_get_u64(struct tt_in *in) { return get_number(in, 8); }

double tt_get_f64(struct tt_in *in) {
    uint64_t bits = tt_get_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
        in->is_bad = true;
        return 0;
    }
    return value;
}

bool tt_get_bool(struct tt_in *in) { return tt_get_choice(in, 0, 1) == 1; }

const uint8_t *tt_get_bytes(struct tt_in *in, size_t *size) {
    *size = tt_get_u32(in);
    const uint8_t *place = take(in, *size);
    if (!place) *size = 0;
    return place;
}

const uint8_t *tt_get_text(struct tt_in *in, size_t *size) {
    const uint8_t *place = tt_get_bytes(in, size);
    if (place && !tt_is_utf8(place, *size)) {
        in->is_bad = true;
        *size = 0;
        return NULL;
    }
    return place;
}

uint32_t tt_get_count(struct tt_in *in) {
    uint32_t count = tt_get_u32(in);
    if (in->is_bad || count > in->count - in->next) {
        in->is_bad = true;
        return 0;
    }
    return count;
}

uint8_t tt_get_choice(struct tt_in *in, uint8_t least, uint8_t most) {
    uint8_t value = tt_get_u8(in);
    if (in->is_bad || value < least || value > most) {
        in->is_bad = true;
        return 0;
    }
    return value;
}

bool tt_in_end(const struct tt_in *in) { return !in->is_bad && in->next == in->count; }

bool tt_is_utf8(const uint8_t *bytes, size_t size) {
    for (size_t place = 0; place < size;) {
        uint8_t first = bytes[place++];
        if (first < 0x80) continue;
        // How many bytes follow, and what the first of them may be: no overlong form, no surrogate, nothing beyond U+10FFFF.
        unsigned more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
        uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (first < 0xC2 || first > 0xF4 || more > size - place) return false;
        if (bytes[place] < least || bytes[place] > most) return false;
        for (unsigned index = 1; index < more; index++) {
            if ((bytes[place + index] & 0xC0) != 0x80) return false;
        }
        place += more;
    }
    return true;
}
