// Lists of items.
#ifndef THUMBTURN_LIST_H
#define THUMBTURN_LIST_H

#include "connection.h"
#include "words.h"

// Has the daemon list what a frame asks for. What isn't there is an empty list.
int tt_list(thumbturn *t, struct tt_out *out, thumbturn_items **items);
// Leaves out the keys of that name.
void tt_leave_out(thumbturn_items *items, const char *name);
// How an answer of pages is read: `take` gets each item.
struct tt_taking {
    tt_take_item *take;
    void *into;
};
int tt_take_pages(struct tt_frame *frame, void *taking);

#endif
