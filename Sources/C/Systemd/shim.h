// The door to libsystemd's sd-bus. No shims: messages are built and read one value at a time, without the variadic calls.

#ifndef THUMBTURN_C_SYSTEMD_H
#define THUMBTURN_C_SYSTEMD_H

#include <systemd/sd-bus.h>

#endif
