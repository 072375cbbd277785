#include <stddef.h>
#include <string.h>

#include "service.h"

static const struct {
    const char *name;
    enum service service;
} KNOWN[] = {
    {"sudo", SERVICE_ROOT}, {"sudo-i", SERVICE_ROOT}, {"su", SERVICE_ROOT}, {"su-l", SERVICE_ROOT}, {"login", SERVICE_LOGIN},
    {"vlock", SERVICE_LOCK}, {"gdm-fingerprint", SERVICE_GREETER}, {"polkit-1", SERVICE_POLKIT},
};

enum service service_named(const char *name) {
    for (size_t index = 0; index < sizeof KNOWN / sizeof *KNOWN; index++) {
        if (strcmp(name, KNOWN[index].name) == 0) return KNOWN[index].service;
    }
    return SERVICE_UNKNOWN;
}

bool service_is_meant(enum service service, bool is_for_logins) {
    switch (service) {
    case SERVICE_UNKNOWN: return false;
    case SERVICE_LOGIN: case SERVICE_LOCK: return is_for_logins;
    case SERVICE_ROOT: case SERVICE_POLKIT: return !is_for_logins;
    // Its line is its own, and nothing else is in front of whoever comes without a finger.
    case SERVICE_GREETER: return true;
    }
    return false;
}
