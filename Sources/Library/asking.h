// What every way of asking the owner looks at first.
#ifndef THUMBTURN_ASKING_H
#define THUMBTURN_ASKING_H

#include "thumbturn.h"

// Whether a question can be asked here and now. It needs words: without them nobody knows what a touch is for.
int tt_check_question(thumbturn *t, thumbturn_policy policy, const thumbturn_asking *asking);

#endif
