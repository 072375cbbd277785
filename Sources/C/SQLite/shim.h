// The door to SQLite 3. Shims exist only for what Swift can't call: a variadic function, and macros that are expressions.

#ifndef THUMBTURN_C_SQLITE_H
#define THUMBTURN_C_SQLITE_H

#if !__has_include(<sqlite3.h>)
#error "Tests on ThumbturnSimulator need the headers of SQLite, libsystemd and the TPM's library. On Debian: sudo apt-get install libsqlite3-dev libsystemd-dev libtss2-dev"
#endif

#include <sqlite3.h>
#include <time.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "Thumbturn needs SQLite 3.37: its tables are STRICT"
#endif

// A constant whose macro is an expression.
static const int thumb_sqlite_ioerr_nomem = SQLITE_IOERR_NOMEM;

static inline int thumb_sqlite_configure(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}

// A variadic call. It applies to the process and must come before the first use of SQLite; later it is refused.
static inline int thumb_sqlite_keep_no_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// SQLITE_TRANSIENT: SQLite copies the bound bytes.
static inline int thumb_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int thumb_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline sqlite3_file *thumb_sqlite_file(sqlite3 *connection) {
    sqlite3_file *file = 0;
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK ? file : 0;
}

// Syncs the database's file, not the log, through SQLite's own descriptor: closing another one would release its locks.
static inline int thumb_sqlite_sync(sqlite3 *connection) {
    sqlite3_file *file = thumb_sqlite_file(connection);
    return file ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY) : SQLITE_NOTFOUND;
}

// A connection that puts its writes to the database's file on disk a few pages at a time, and rests as long as that took, but at most
// 10 ms: syncing thousands of pages at once holds up everybody else who syncs. SQLite has no setting for this, but lets you replace a
// file's methods.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *own;
    int pages;
    int waiting;
} thumb_sqlite_gentleness;

static inline int thumb_sqlite_write_gently(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    thumb_sqlite_gentleness *gentleness = (thumb_sqlite_gentleness *)file->pMethods;
    int status = gentleness->own->xWrite(file, bytes, count, offset);
    if (status != SQLITE_OK || ++gentleness->waiting < gentleness->pages) return status;
    gentleness->waiting = 0;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    status = gentleness->own->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long rest = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    struct timespec time = {0, rest < 10000000 ? rest : 10000000};
    nanosleep(&time, 0);
    return status;
}

// The caller owns `gentleness`, and keeps it until the connection is closed.
static inline int thumb_sqlite_be_gentle(sqlite3 *connection, thumb_sqlite_gentleness *gentleness, int pages) {
    sqlite3_file *file = thumb_sqlite_file(connection);
    if (!file || !file->pMethods) return SQLITE_NOTFOUND;
    gentleness->own = file->pMethods;
    gentleness->methods = *file->pMethods;
    gentleness->methods.xWrite = thumb_sqlite_write_gently;
    gentleness->pages = pages;
    gentleness->waiting = 0;
    file->pMethods = &gentleness->methods;
    return SQLITE_OK;
}

#endif
