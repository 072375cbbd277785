// Reads items and keys.
#include <stdlib.h>

#include "words.h"

enum { TEXT = 1, BYTES = 2, NUMBER = 3, FLAG = 4, DATE = 5 };
static const uint64_t STRONG_BIOMETRY = 1ULL << 40, SIGN_IN = 1ULL << 41, APPLICATION_PASSWORD = 1ULL << 31;

// Unknown bits, and bits that exclude each other, aren't a rule.
static bool is_rule(uint64_t bits) {
    const uint64_t sensing = TT_USER_PRESENCE | TT_BIOMETRY_ANY | TT_BIOMETRY_CURRENT;
    const uint64_t asking = sensing | TT_PASSCODE | TT_COMPANION;
    const uint64_t beside = TT_PRIVATE_KEY_USAGE | APPLICATION_PASSWORD | STRONG_BIOMETRY | SIGN_IN;
    if (bits & ~(asking | beside | TT_OR | TT_AND)) return false;
    if ((bits & TT_OR) && (bits & TT_AND)) return false;
    if ((bits & TT_BIOMETRY_ANY) && (bits & TT_BIOMETRY_CURRENT)) return false;
    if ((bits & STRONG_BIOMETRY) && !(bits & sensing)) return false;
    if ((bits & SIGN_IN) && (!(bits & TT_PRIVATE_KEY_USAGE) || !(bits & asking))) return false;
    return !(bits & TT_USER_PRESENCE) || !(bits & ~(TT_USER_PRESENCE | beside));
}

static void get_attribute(struct tt_in *in, struct tt_attribute *attribute) {
    *attribute = (struct tt_attribute){.name = tt_get_u32(in)};
    attribute->form = tt_get_choice(in, TEXT, DATE);
    switch (attribute->form) {
    case TEXT: attribute->bytes = tt_get_text(in, &attribute->size); break;
    case BYTES: attribute->bytes = tt_get_bytes(in, &attribute->size); break;
    case NUMBER: attribute->number = (int64_t)tt_get_u64(in); break;
    case FLAG: attribute->number = tt_get_bool(in); break;
    case DATE: attribute->date = tt_get_f64(in); break;
    default: in->is_bad = true;
    }
}

static int by_name(const void *one, const void *other) {
    uint32_t first = ((const struct tt_attribute *)one)->name, second = ((const struct tt_attribute *)other)->name;
    return (first > second) - (first < second);
}

// The attributes, each name at most once. The memory grows with what is really there, not with what a count says.
static void get_attributes(struct tt_in *in, struct tt_item *item, bool *is_out_of_memory) {
    uint32_t count = tt_get_count(in);
    size_t capacity = 0;
    while (!in->is_bad && item->attribute_count < count) {
        if (item->attribute_count == capacity) {
            capacity = capacity ? capacity * 2 : 32;
            struct tt_attribute *more = realloc(item->attributes, capacity * sizeof *more);
            if (!more) {
                *is_out_of_memory = in->is_bad = true;
                return;
            }
            item->attributes = more;
        }
        get_attribute(in, &item->attributes[item->attribute_count++]);
    }
    if (in->is_bad || item->attribute_count == 0) return;
    qsort(item->attributes, item->attribute_count, sizeof *item->attributes, by_name);
    for (size_t index = 1; index < item->attribute_count; index++) {
        if (item->attributes[index - 1].name == item->attributes[index].name) in->is_bad = true;
    }
}

bool tt_get_item(struct tt_in *in, struct tt_item *item, bool *is_out_of_memory) {
    *item = (struct tt_item){.class = tt_get_choice(in, 1, 5)};
    get_attributes(in, item, is_out_of_memory);
    item->rule.accessibility = tt_get_choice(in, 1, 7);
    item->rule.constraints = tt_get_u64(in);
    if (!is_rule(item->rule.constraints)) in->is_bad = true;
    item->reference = tt_get_bytes(in, &item->reference_size);
    item->has_secret = tt_get_bool(in);
    if (item->has_secret) item->secret = tt_get_bytes(in, &item->secret_size);
    return !in->is_bad;
}

void tt_item_free(struct tt_item *item) {
    free(item->attributes);
    item->attributes = NULL;
}

const struct tt_attribute *tt_item_attribute(const struct tt_item *item, uint32_t name) {
    if (item->attribute_count == 0) return NULL;
    struct tt_attribute wanted = {.name = name};
    return bsearch(&wanted, item->attributes, item->attribute_count, sizeof wanted, by_name);
}

// One item, and whether the frame was right as far as it.
static int take_item(struct tt_in *in, tt_take_item *take, void *into) {
    struct tt_item item;
    bool is_out_of_memory = false;
    int error = THUMBTURN_OK;
    if (tt_get_item(in, &item, &is_out_of_memory)) {
        if (take) error = take(&item, into);
    } else {
        error = is_out_of_memory ? THUMBTURN_OUT_OF_MEMORY : -2;
    }
    tt_item_free(&item);
    return error;
}

// Whether a frame is right to its end, before anybody is given anything of it.
static int check(struct tt_in in, bool is_page) {
    if (is_page) tt_get_bool(&in);
    uint32_t count = is_page ? tt_get_count(&in) : 1;
    int error = THUMBTURN_OK;
    for (uint32_t index = 0; index < count && !error; index++) error = take_item(&in, NULL, NULL);
    size_t size;
    if (!is_page && !error && tt_get_bool(&in)) tt_get_bytes(&in, &size);
    return error || tt_in_end(&in) ? error : -2;
}

int tt_read_page(struct tt_in *in, tt_take_item *take, void *into, bool *is_last) {
    int error = check(*in, true);
    if (error) return error;
    *is_last = tt_get_bool(in);
    uint32_t count = tt_get_count(in);
    for (uint32_t index = 0; index < count && !error; index++) error = take_item(in, take, into);
    return error;
}

int tt_read_key(struct tt_in *in, tt_take_item *take, void *into) {
    int error = check(*in, false);
    return error ? error : take_item(in, take, into);
}
