// Which of PAM's services the module knows, and what each of them is.
#ifndef THUMBTURN_SERVICE_H
#define THUMBTURN_SERVICE_H

#include <stdbool.h>

enum service {
    SERVICE_UNKNOWN, // gets the password alone
    SERVICE_ROOT, // makes somebody another user, on its own terminal
    SERVICE_LOGIN, // lets somebody in, on its own terminal
    SERVICE_LOCK, // lets its user go on, on its own terminal
    SERVICE_GREETER, // takes a finger alone, and shows what is said to it: another service beside it takes the password
    SERVICE_POLKIT, // asks nowhere: its agent does, and if that is ours, the owner may have touched the sensor for it already
};

enum service service_named(const char *name);
// Whether a line of PAM's configuration is for that service: one with the word `login` for logins and screen locks, one without for the rest.
bool service_is_meant(enum service service, bool is_for_logins);

#endif
