// A finger alone, where a greeter shows what is said to it.
#ifndef THUMBTURN_GREETER_H
#define THUMBTURN_GREETER_H

#include <security/pam_appl.h>

#include "deed.h"

// Waits until the owner's finger came, which is true, or until none can come any more. A greeter that wants no finger any longer ends this
// process.
bool greeter_waits(const struct deed *deed, const struct pam_conv *conversation);

#endif
