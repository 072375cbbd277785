// What libFuzzer feeds the library: a frame that a daemon might say. Without libFuzzer it reads files: `fuzz FILE …`.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "words.h"

// The bug that shows that the fuzzer gets there.
static void look_for_planted(const uint8_t *bytes, size_t size) {
#ifdef PLANTED
    if (size >= 4 && memcmp(bytes, "\xB6zq!", 4) == 0) {
        fputs("planted bug\n", stderr);
        abort();
    }
#else
    (void)bytes;
    (void)size;
#endif
}

static int look(const struct tt_item *item, void *into) {
    for (size_t index = 0; index < item->attribute_count; index++) {
        const struct tt_attribute *attribute = &item->attributes[index];
        for (size_t place = 0; attribute->bytes && place < attribute->size; place++) *(unsigned *)into += attribute->bytes[place];
        look_for_planted(attribute->bytes, attribute->bytes ? attribute->size : 0);
        if (tt_item_attribute(item, attribute->name) != attribute) abort();
    }
    for (size_t place = 0; place < item->secret_size; place++) *(unsigned *)into += item->secret[place];
    return THUMBTURN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct tt_in in = {.bytes = bytes, .count = size};
    uint8_t kind = tt_get_u8(&in), factor, ticket[TT_TICKET_BYTES];
    tt_get_u32(&in);
    if (in.is_bad) return 0;
    thumbturn_status status;
    struct tt_capability capability;
    const uint8_t *product;
    unsigned sum = 0;
    size_t count;
    int mode;
    bool is_last;
    switch (kind) {
    case TT_WELCOME: return tt_read_welcome(&in, &mode) && mode == 99 ? -1 : 0;
    case TT_REFUSED: if (tt_read_refusal(&in) > THUMBTURN_REFUSED_NO_ROOM) abort(); break;
    case TT_STATUS: tt_read_status(&in, &status); break;
    case TT_CAPABILITY: tt_read_capability(&in, &capability); break;
    case TT_EVALUATED: if (tt_read_evaluated(&in, &factor) == THUMBTURN_OK && (factor < 1 || factor > 3)) abort(); break;
    case TT_FAILED: tt_read_failed(&in); break;
    case TT_ITEM_PAGE: tt_read_page(&in, look, &sum, &is_last); break;
    case TT_PROMPT_NEEDED: tt_read_ticket(&in, ticket); break;
    case TT_KEY: tt_read_key(&in, look, &sum); break;
    case TT_KEY_USED: tt_read_key_used(&in, &product, &count); break;
    default: break;
    }
    return 0;
}
