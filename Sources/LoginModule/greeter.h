// A finger alone, where a greeter shows what is said to it.
#ifndef THUMBTURN_GREETER_H
#define THUMBTURN_GREETER_H

#include <security/pam_appl.h>

#include "deed.h"
#include "talk.h"

// Waits until the owner's finger came, which is true, or until none can come any more. A greeter that wants no finger any longer ends this
// process. `asked` gets the connection that said yes, and is closed if none did.
bool greeter_waits(const struct deed *deed, const struct pam_conv *conversation, struct talk *asked);

#endif
