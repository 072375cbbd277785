// The door to libargon2. No shims: Swift calls all of it.

#ifndef THUMBTURN_C_ARGON2_H
#define THUMBTURN_C_ARGON2_H

#include <argon2.h>

#endif
