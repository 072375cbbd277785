// The door to libpq, PostgreSQL's client. There are no shims, because Swift can call all of it.

#ifndef THUMBTURN_C_POSTGRES_H
#define THUMBTURN_C_POSTGRES_H

#include <postgresql/libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "Thumbturn needs libpq 14: a batch travels as a pipeline"
#endif

#endif
