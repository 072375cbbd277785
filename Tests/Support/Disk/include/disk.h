// A disk for tests: a VFS of SQLite's over the system's own, which records what is written and synced, and fails where it is told to.

#ifndef THUMBTURN_TEST_DISK_H
#define THUMBTURN_TEST_DISK_H

#include <stddef.h>
#include <stdint.h>

typedef struct thumb_disk thumb_disk;

// What happened: a file was made, written, synced, cut or removed, or the test set a mark.
enum thumb_disk_kind {
    thumb_disk_made = 1,
    thumb_disk_written = 2,
    thumb_disk_synced = 3,
    thumb_disk_cut = 4,
    thumb_disk_removed = 5,
    thumb_disk_marked = 6,
};

typedef struct {
    int kind;
    // The file's name in its folder; empty for a mark.
    const char *name;
    // Written: where. Cut: to which size. Removed: whether the folder was synced too. Marked: the mark.
    int64_t number;
    size_t length;
    const unsigned char *bytes;
} thumb_disk_event;

// What a disk does at the place where it is told to fail.
enum thumb_disk_fault {
    // The half of a write is done, then it is an error; a sync syncs nothing.
    thumb_disk_broken = 1,
    // There is no room.
    thumb_disk_full = 2,
    // The process is killed.
    thumb_disk_killed = 3,
    // It can only be read.
    thumb_disk_read_only = 4,
};

// Registers a disk under that name, which stays the caller's own; NULL without memory.
thumb_disk *thumb_disk_make(const char *name);
// Removes it. No file may be open on it.
void thumb_disk_free(thumb_disk *disk);

void thumb_disk_record(thumb_disk *disk, int on);
void thumb_disk_mark(thumb_disk *disk, int64_t number);
size_t thumb_disk_event_count(const thumb_disk *disk);
thumb_disk_event thumb_disk_event_at(const thumb_disk *disk, size_t index);

// Counts writes and syncs from now on; the one with number `place` (from 0) fails, and with `lasting` all after it.
void thumb_disk_fail(thumb_disk *disk, int64_t place, int fault, int lasting);
// Counts reads from now on; `count` of them from number `place` (from 0) on fail.
void thumb_disk_fail_reads(thumb_disk *disk, int64_t place, int64_t count);
// Lets SQLite have that many bytes of memory more than it has, in the whole process; as many as it likes where they are negative. Works
// where a disk was made before anything else used SQLite.
void thumb_disk_starve(int64_t bytes);
// How many writes and syncs there were since.
int64_t thumb_disk_steps(const thumb_disk *disk);
// How many of them, or of the reads, failed.
int64_t thumb_disk_failures(const thumb_disk *disk);

// The rest is about the whole process, and for a process of a test's own. A negative number takes it back.

// Lets the process open so many descriptors more.
void thumb_want_descriptors(int64_t count);
// Lets no file grow beyond so many bytes: the keybag isn't on a disk of these, and this is its disk's being full.
void thumb_want_room(int64_t bytes);

#endif
