#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "list.h"

// From 2001, where the wire's dates begin, to 1970.
static const double REFERENCE = 978307200;

// A text of an item, with a zero byte behind it; NULL if there is none.
struct text {
    char *bytes;
    size_t size;
};

struct listed {
    struct text texts[THUMBTURN_NAME];
    thumbturn_rule rule;
    double made, changed;
};

struct thumbturn_items {
    struct listed *all;
    size_t count, capacity;
};

static bool copy_text(const struct tt_item *item, uint32_t name, struct text *text) {
    const struct tt_attribute *attribute = tt_item_attribute(item, name);
    // A program may have put bytes where text belongs.
    if (!attribute || !attribute->bytes) return true;
    text->bytes = malloc(attribute->size + 1);
    if (!text->bytes) return false;
    memcpy(text->bytes, attribute->bytes, attribute->size);
    text->bytes[attribute->size] = 0;
    text->size = attribute->size;
    return true;
}

static double date(const struct tt_item *item, uint32_t name) {
    const struct tt_attribute *attribute = tt_item_attribute(item, name);
    return attribute && attribute->form == 5 ? attribute->date + REFERENCE : 0;
}

static int take_listed(const struct tt_item *item, void *into) {
    thumbturn_items *items = into;
    if (items->count == items->capacity) {
        size_t capacity = items->capacity ? items->capacity * 2 : 16;
        struct listed *more = realloc(items->all, capacity * sizeof *more);
        if (!more) return THUMBTURN_OUT_OF_MEMORY;
        items->all = more;
        items->capacity = capacity;
    }
    struct listed *listed = &items->all[items->count++];
    *listed = (struct listed){.rule = tt_rule_named(&item->rule)};
    listed->made = date(item, TT_ATTR_CREATED);
    listed->changed = date(item, TT_ATTR_MODIFIED);
    static const uint32_t names[] = {TT_ATTR_SERVICE, TT_ATTR_ACCOUNT, TT_ATTR_LABEL, TT_ATTR_TAG};
    for (size_t index = 0; index < THUMBTURN_NAME; index++) {
        if (!copy_text(item, names[index], &listed->texts[index])) return THUMBTURN_OUT_OF_MEMORY;
    }
    return THUMBTURN_OK;
}

int tt_take_pages(struct tt_frame *frame, void *into) {
    const struct tt_taking *taking = into;
    bool is_last = false;
    if (frame->kind == TT_FAILED) return tt_read_failed(&frame->in);
    if (frame->kind == TT_EVALUATED) {
        uint8_t factor;
        int failure = tt_read_evaluated(&frame->in, &factor);
        // Only how asking ended in vain.
        return failure ? failure : TT_NOT_UNDERSTOOD;
    }
    int error = frame->kind == TT_ITEM_PAGE ? tt_read_page(&frame->in, taking->take, taking->into, &is_last) : TT_NOT_UNDERSTOOD;
    return error || is_last ? error : TT_MORE;
}

int tt_list(thumbturn *t, struct tt_out *out, thumbturn_items **items) {
    thumbturn_items *new = calloc(1, sizeof *new);
    if (!new) {
        tt_out_free(out);
        return tt_failed(t, THUMBTURN_OUT_OF_MEMORY);
    }
    struct tt_taking taking = {take_listed, new};
    int error = tt_call(t, out, tt_take_pages, &taking);
    if (error && error != THUMBTURN_NOT_FOUND) {
        thumbturn_items_free(new);
        return error;
    }
    *items = new;
    return THUMBTURN_OK;
}

int thumbturn_list(thumbturn *t, const char *service, thumbturn_items **items) {
    int error = tt_enter(t);
    if (error) return error;
    if (!items || (service && !service[0])) return tt_failed(t, THUMBTURN_ARGUMENT);
    *items = NULL;
    struct tt_out out;
    tt_write_find(&out, TT_CLASS_PASSWORD, &(struct tt_names){.service = service}, 0, TT_SHAPE_ATTRIBUTES, NULL);
    return tt_list(t, &out, items);
}

static void free_texts(struct listed *listed) {
    for (size_t text = 0; text < THUMBTURN_NAME; text++) free(listed->texts[text].bytes);
}

void tt_leave_out(thumbturn_items *items, const char *name) {
    size_t kept = 0;
    for (size_t index = 0; index < items->count; index++) {
        const struct text *text = &items->all[index].texts[THUMBTURN_NAME - 1];
        if (text->bytes && text->size == strlen(name) && memcmp(text->bytes, name, text->size) == 0) {
            free_texts(&items->all[index]);
        } else {
            items->all[kept++] = items->all[index];
        }
    }
    items->count = kept;
}

size_t thumbturn_items_count(const thumbturn_items *items) { return items ? items->count : 0; }

const char *thumbturn_items_text(const thumbturn_items *items, size_t index, thumbturn_text which, size_t *size) {
    if (size) *size = 0;
    if (!items || index >= items->count || which < THUMBTURN_SERVICE || which > THUMBTURN_NAME) return NULL;
    const struct text *text = &items->all[index].texts[which - THUMBTURN_SERVICE];
    if (size) *size = text->size;
    return text->bytes;
}

thumbturn_rule thumbturn_items_rule(const thumbturn_items *items, size_t index) {
    return items && index < items->count ? items->all[index].rule : THUMBTURN_RULE_OTHER;
}

void thumbturn_items_times(const thumbturn_items *items, size_t index, double *made, double *changed) {
    bool is_there = items && index < items->count;
    if (made) *made = is_there ? items->all[index].made : 0;
    if (changed) *changed = is_there ? items->all[index].changed : 0;
}

void thumbturn_items_free(thumbturn_items *items) {
    if (!items) return;
    for (size_t index = 0; index < items->count; index++) free_texts(&items->all[index]);
    free(items->all);
    free(items);
}
