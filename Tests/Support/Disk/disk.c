#include "disk.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct thumb_disk {
    sqlite3_vfs vfs;
    // Guards what is recorded and counted: a database may be written from several threads.
    pthread_mutex_t mutex;
    sqlite3_vfs *system;
    char *vfs_name;
    int recording;
    thumb_disk_event *events;
    size_t count, room;
    int64_t steps, place, failures;
    int fault, lasting;
    int64_t reads, unread, unread_count;
};

// A file of ours, with the system's own behind it in the same piece of memory.
typedef struct {
    sqlite3_file base;
    thumb_disk *disk;
    char name[64];
} disk_file;

static sqlite3_file *under(sqlite3_file *file) { return (sqlite3_file *)((disk_file *)file + 1); }

static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : (path ? path : "");
}

static void note(thumb_disk *disk, int kind, const char *name, int64_t number, const void *bytes, size_t length) {
    pthread_mutex_lock(&disk->mutex);
    if (!disk->recording) {
        pthread_mutex_unlock(&disk->mutex);
        return;
    }
    if (disk->count == disk->room) {
        disk->room = disk->room ? disk->room * 2 : 256;
        disk->events = realloc(disk->events, disk->room * sizeof *disk->events);
        if (!disk->events) abort();
    }
    unsigned char *copy = malloc(length ? length : 1);
    char *own = strdup(name);
    if (!copy || !own) abort();
    if (length) memcpy(copy, bytes, length);
    disk->events[disk->count++] = (thumb_disk_event){kind, own, number, length, copy};
    pthread_mutex_unlock(&disk->mutex);
}

// Whether this write or sync is one that fails.
static int fails(thumb_disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    int64_t step = disk->steps++;
    int hit = disk->fault && (step == disk->place || (disk->lasting && step > disk->place));
    disk->failures += hit;
    pthread_mutex_unlock(&disk->mutex);
    if (!hit) return 0;
    if (disk->fault == thumb_disk_killed) raise(SIGKILL);
    errno = disk->fault == thumb_disk_full ? ENOSPC : disk->fault == thumb_disk_read_only ? EROFS : EIO;
    return 1;
}

// MARK: A file's methods

static int file_close(sqlite3_file *file) { return under(file)->pMethods->xClose(under(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    thumb_disk *disk = ((disk_file *)file)->disk;
    pthread_mutex_lock(&disk->mutex);
    int64_t past = disk->reads++ - disk->unread;
    int hit = past >= 0 && past < disk->unread_count;
    disk->failures += hit;
    pthread_mutex_unlock(&disk->mutex);
    if (hit) {
        errno = EIO;
        return SQLITE_IOERR_READ;
    }
    return under(file)->pMethods->xRead(under(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    disk_file *own = (disk_file *)file;
    if (fails(own->disk)) {
        if (own->disk->fault == thumb_disk_full) return SQLITE_FULL;
        if (own->disk->fault == thumb_disk_read_only) return SQLITE_READONLY;
        under(file)->pMethods->xWrite(under(file), bytes, count / 2, offset);
        note(own->disk, thumb_disk_written, own->name, offset, bytes, (size_t)count / 2);
        errno = EIO;
        return SQLITE_IOERR_WRITE;
    }
    int status = under(file)->pMethods->xWrite(under(file), bytes, count, offset);
    if (status == SQLITE_OK) note(own->disk, thumb_disk_written, own->name, offset, bytes, (size_t)count);
    return status;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    disk_file *own = (disk_file *)file;
    int status = under(file)->pMethods->xTruncate(under(file), size);
    if (status == SQLITE_OK) note(own->disk, thumb_disk_cut, own->name, size, NULL, 0);
    return status;
}

static int file_sync(sqlite3_file *file, int flags) {
    disk_file *own = (disk_file *)file;
    // A full disk may say so as late as at the sync.
    if (fails(own->disk)) return own->disk->fault == thumb_disk_read_only ? SQLITE_READONLY : SQLITE_IOERR_FSYNC;
    int status = under(file)->pMethods->xSync(under(file), flags);
    if (status == SQLITE_OK) note(own->disk, thumb_disk_synced, own->name, 0, NULL, 0);
    return status;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return under(file)->pMethods->xFileSize(under(file), size); }
static int file_lock(sqlite3_file *file, int level) { return under(file)->pMethods->xLock(under(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return under(file)->pMethods->xUnlock(under(file), level); }
static int file_is_locked(sqlite3_file *file, int *is) { return under(file)->pMethods->xCheckReservedLock(under(file), is); }
static int file_control(sqlite3_file *file, int op, void *value) {
    return under(file)->pMethods->xFileControl(under(file), op, value);
}
static int file_sector(sqlite3_file *file) { return under(file)->pMethods->xSectorSize(under(file)); }
static int file_traits(sqlite3_file *file) { return under(file)->pMethods->xDeviceCharacteristics(under(file)); }

// What a log's readers share: the system's own. Nothing in it outlasts its processes, so none of it is recorded.
static int file_map(sqlite3_file *file, int page, int size, int extends, void volatile **out) {
    return under(file)->pMethods->xShmMap(under(file), page, size, extends, out);
}
static int file_map_lock(sqlite3_file *file, int offset, int count, int flags) {
    return under(file)->pMethods->xShmLock(under(file), offset, count, flags);
}
static void file_map_barrier(sqlite3_file *file) { under(file)->pMethods->xShmBarrier(under(file)); }
static int file_unmap(sqlite3_file *file, int removes) { return under(file)->pMethods->xShmUnmap(under(file), removes); }

static const sqlite3_io_methods methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_is_locked,
    file_control, file_sector, file_traits, file_map, file_map_lock, file_map_barrier, file_unmap, 0, 0,
};

// MARK: The VFS

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    thumb_disk *disk = vfs->pAppData;
    disk_file *own = (disk_file *)file;
    int was = 0;
    memset(own, 0, sizeof *own);
    own->disk = disk;
    strncpy(own->name, base_name(path), sizeof own->name - 1);
    if (path) disk->system->xAccess(disk->system, path, SQLITE_ACCESS_EXISTS, &was);
    int status = disk->system->xOpen(disk->system, path, under(file), flags, out);
    own->base.pMethods = under(file)->pMethods ? &methods : NULL;
    // Access says that an empty log isn't there: made again or for the first time, it is empty either way.
    if (status == SQLITE_OK && !was && (flags & SQLITE_OPEN_CREATE)) note(disk, thumb_disk_made, own->name, 0, NULL, 0);
    return status;
}

static int disk_remove(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    thumb_disk *disk = vfs->pAppData;
    int status = disk->system->xDelete(disk->system, path, sync_folder);
    if (status == SQLITE_OK) note(disk, thumb_disk_removed, base_name(path), sync_folder, NULL, 0);
    return status;
}

static sqlite3_vfs *system_of(sqlite3_vfs *vfs) { return ((thumb_disk *)vfs->pAppData)->system; }
static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *out) {
    return system_of(vfs)->xAccess(system_of(vfs), path, flags, out);
}
static int disk_path(sqlite3_vfs *vfs, const char *path, int room, char *out) {
    return system_of(vfs)->xFullPathname(system_of(vfs), path, room, out);
}
static int disk_random(sqlite3_vfs *vfs, int count, char *out) { return system_of(vfs)->xRandomness(system_of(vfs), count, out); }
static int disk_sleep(sqlite3_vfs *vfs, int time) { return system_of(vfs)->xSleep(system_of(vfs), time); }
static int disk_time(sqlite3_vfs *vfs, double *time) { return system_of(vfs)->xCurrentTime(system_of(vfs), time); }
static int disk_error(sqlite3_vfs *vfs, int room, char *out) { return system_of(vfs)->xGetLastError(system_of(vfs), room, out); }

thumb_disk *thumb_disk_make(const char *name) {
    thumb_disk *disk = calloc(1, sizeof *disk);
    if (!disk || sqlite3_initialize() != SQLITE_OK) return NULL;
    pthread_mutex_init(&disk->mutex, NULL);
    disk->system = sqlite3_vfs_find(NULL);
    disk->vfs_name = strdup(name);
    disk->vfs = (sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = (int)sizeof(disk_file) + disk->system->szOsFile,
        .mxPathname = disk->system->mxPathname,
        .zName = disk->vfs_name,
        .pAppData = disk,
        .xOpen = disk_open,
        .xDelete = disk_remove,
        .xAccess = disk_access,
        .xFullPathname = disk_path,
        .xRandomness = disk_random,
        .xSleep = disk_sleep,
        .xCurrentTime = disk_time,
        .xGetLastError = disk_error,
    };
    sqlite3_vfs_register(&disk->vfs, 0);
    return disk;
}

void thumb_disk_free(thumb_disk *disk) {
    sqlite3_vfs_unregister(&disk->vfs);
    for (size_t index = 0; index < disk->count; index++) {
        free((void *)disk->events[index].name);
        free((void *)disk->events[index].bytes);
    }
    free(disk->events);
    free(disk->vfs_name);
    pthread_mutex_destroy(&disk->mutex);
    free(disk);
}

void thumb_disk_record(thumb_disk *disk, int on) { disk->recording = on; }
void thumb_disk_mark(thumb_disk *disk, int64_t number) { note(disk, thumb_disk_marked, "", number, NULL, 0); }
size_t thumb_disk_event_count(const thumb_disk *disk) { return disk->count; }
thumb_disk_event thumb_disk_event_at(const thumb_disk *disk, size_t index) { return disk->events[index]; }

void thumb_disk_fail(thumb_disk *disk, int64_t place, int fault, int lasting) {
    disk->steps = disk->failures = 0;
    disk->place = place;
    disk->fault = fault;
    disk->lasting = lasting;
}

void thumb_disk_fail_reads(thumb_disk *disk, int64_t place, int64_t count) {
    disk->reads = disk->failures = 0;
    disk->unread = place;
    disk->unread_count = count;
}

void thumb_disk_starve(int64_t bytes) { sqlite3_hard_heap_limit64(bytes < 0 ? 0 : sqlite3_memory_used() + bytes); }

static void limit_to(int resource, int64_t number) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    limit.rlim_cur = number < 0 || (rlim_t)number > limit.rlim_max ? limit.rlim_max : (rlim_t)number;
    setrlimit(resource, &limit);
}

void thumb_want_descriptors(int64_t count) {
    // The lowest free one: what is below it is taken.
    int free = count < 0 ? -1 : dup(0);
    if (free >= 0) close(free);
    if (free >= 0 || count < 0) limit_to(RLIMIT_NOFILE, count < 0 ? -1 : free + count);
}

void thumb_want_room(int64_t bytes) {
    // Past the limit a write is to fail, not to kill.
    signal(SIGXFSZ, SIG_IGN);
    limit_to(RLIMIT_FSIZE, bytes);
}

int64_t thumb_disk_steps(const thumb_disk *disk) { return disk->steps; }
int64_t thumb_disk_failures(const thumb_disk *disk) { return disk->failures; }
