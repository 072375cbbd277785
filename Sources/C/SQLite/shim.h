// The door to SQLite 3. Shims only for what Swift can't call: a variadic function, macros that are expressions.

#ifndef THUMBTURN_C_SQLITE_H
#define THUMBTURN_C_SQLITE_H

#include <sqlite3.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "Thumbturn needs SQLite 3.37: its tables are STRICT"
#endif

// A constant whose macro is an expression.
static const int thumb_sqlite_ioerr_nomem = SQLITE_IOERR_NOMEM;

static inline int thumb_sqlite_configure(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

// Variadic. For the process, before SQLite is used in it for the first time; later it is refused.
static inline int thumb_sqlite_keep_no_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// SQLITE_TRANSIENT: SQLite copies what is bound.
static inline int thumb_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int thumb_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Syncs the database's file, not the log, through the descriptor that SQLite has: closing another would let go of its locks.
static inline int thumb_sqlite_sync(sqlite3 *connection) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK) return status;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

#endif
