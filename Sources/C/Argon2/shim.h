// The door to libargon2. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_ARGON2_H
#define THUMBTURN_C_ARGON2_H

#include <argon2.h>

#endif
