// Finger and password at once: the daemon is asked for the one, a child asks for the other, and the first answer counts.
#ifndef THUMBTURN_RACE_H
#define THUMBTURN_RACE_H

#include <security/pam_appl.h>

#include "deed.h"
#include "talk.h"

enum race_end {
    RACE_FINGER, // the owner's finger
    RACE_PASSWORD, // something was typed; nobody has judged it
    RACE_NOTHING, // nobody could be asked for a finger, and nothing was asked on the terminal
    RACE_BROKEN, // the application's conversation ended without an answer
};

// Whether the owner touched the sensor before, for what this process does. Nobody is asked here.
bool is_touched_already(const struct deed *deed);

// `password` has room for PAM_MAX_RESP_SIZE bytes, and holds something after RACE_PASSWORD alone. `asked` gets the connection that said yes,
// and is closed after anything but RACE_FINGER.
enum race_end race(const struct deed *deed, const struct pam_conv *conversation, char password[], struct talk *asked);

#endif
