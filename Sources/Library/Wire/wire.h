// The form of the wire (docs/PROTOCOL.md): numbers, texts, frames. Nothing here knows a connection.
#ifndef THUMBTURN_WIRE_H
#define THUMBTURN_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "thumbturn.h"

enum {
    TT_VERSION = 1,
    // Kind and call number: what every frame has after its length.
    TT_HEAD_BYTES = 5,
    TT_LENGTH_BYTES = 4,
    // Longest frame without its length: one secret of 1 MiB with its attributes, and room.
    TT_FRAME_BYTES = 2 << 20,
    TT_TICKET_BYTES = 32,
    TT_LABEL_BYTES = 255,
    TT_FACE_USAGE_BYTES = 1024,
    // A reason or a title. A prompt shows less.
    TT_WORDS_BYTES = 4 << 10,
    // Longest name of a sensor, in characters of at most four bytes.
    TT_SENSOR_NAME_BYTES = 128 * 4,
};

enum tt_kind {
    TT_HELLO = 1, TT_STATUS_ASKED = 3, TT_CAPABILITY_ASKED = 10, TT_EVALUATE = 11, TT_INVALIDATE = 13, TT_RELEASE = 14,
    TT_PROMPT_UNAVAILABLE = 15, TT_ADD = 20, TT_FIND = 21, TT_UPDATE = 22, TT_REMOVE = 23, TT_MAKE_KEY = 50, TT_USE_KEY = 53,
    TT_WELCOME = 128, TT_REFUSED = 129, TT_DONE = 130, TT_STATUS = 132, TT_CAPABILITY = 133, TT_EVALUATED = 134, TT_FAILED = 135,
    TT_ITEM_PAGE = 136, TT_PROMPT_NEEDED = 137, TT_KEY = 150, TT_KEY_USED = 151, TT_WINDOW_NEEDED = 164,
    // The system's login, and the prompt that it shows.
    TT_OFFER_PASSCODE = 63, TT_SHOWN = 64, TT_HERE = 65, TT_ASK_OWNER = 67, TT_LOGIN_STANDS = 74, TT_SHOW = 160, TT_DISMISS = 161,
    TT_WAIT = 165, TT_WHOSE = 201,
};

// A frame that is being written. One secret of the caller's may lie in it; it is sent from where it is.
struct tt_out {
    uint8_t *bytes;
    size_t count, capacity;
    // No memory was left, or a text was too long or isn't UTF-8.
    int error;
    const void *secret;
    size_t secret_size, secret_place;
};

void tt_out_begin(struct tt_out *out, enum tt_kind kind, uint32_t call);
// Writes the length. False if anything went wrong before.
bool tt_out_end(struct tt_out *out);
// Gives it another number than it began with.
void tt_out_number(struct tt_out *out, uint32_t call);
void tt_out_free(struct tt_out *out);

void tt_put_u8(struct tt_out *out, uint8_t value);
void tt_put_u16(struct tt_out *out, uint16_t value);
void tt_put_u32(struct tt_out *out, uint32_t value);
void tt_put_u64(struct tt_out *out, uint64_t value);
void tt_put_f64(struct tt_out *out, double value);
void tt_put_bytes(struct tt_out *out, const void *bytes, size_t size);
// A text ends with a zero byte, and has at most `limit` bytes before it.
void tt_put_text(struct tt_out *out, const char *text, size_t limit);
// None for NULL.
void tt_put_text_if(struct tt_out *out, const char *text, size_t limit);
// Where a secret of the caller's lies. It has to stay there until the frame is sent.
void tt_put_secret(struct tt_out *out, const void *bytes, size_t size);

// A frame that is being read. After the first thing that isn't right everything reads as zero, and `is_bad` stays.
struct tt_in {
    const uint8_t *bytes;
    size_t count, next;
    bool is_bad;
};

uint8_t tt_get_u8(struct tt_in *in);
uint16_t tt_get_u16(struct tt_in *in);
uint32_t tt_get_u32(struct tt_in *in);
uint64_t tt_get_u64(struct tt_in *in);
double tt_get_f64(struct tt_in *in);
bool tt_get_bool(struct tt_in *in);
// The place of as many bytes as the count before them says; NULL and 0 if they aren't there.
const uint8_t *tt_get_bytes(struct tt_in *in, size_t *size);
// The same, and they are UTF-8.
const uint8_t *tt_get_text(struct tt_in *in, size_t *size);
// How many values follow. Each takes a byte at least, so more of them than bytes is a lie.
uint32_t tt_get_count(struct tt_in *in);
// A number that has to be one of `least` to `most`.
uint8_t tt_get_choice(struct tt_in *in, uint8_t least, uint8_t most);
// Whether all was right, and nothing is left over.
bool tt_in_end(const struct tt_in *in);

bool tt_is_utf8(const uint8_t *bytes, size_t size);

#endif
