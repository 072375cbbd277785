// Where things are on this machine: folders that belong to one user alone, our own programs, the user's store.
#ifndef THUMBTURN_PLACES_H
#define THUMBTURN_PLACES_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum tt_folder { TT_FOLDER_PRIVATE, TT_FOLDER_UNREACHABLE, TT_FOLDER_OPEN };

// Whether a path leads to a folder of that user's where nobody else can put or replace anything. `follows`: a link may lead there.
enum tt_folder tt_check_folder(const char *path, uid_t user, bool follows);
// The path of one of Thumbturn's programs; false if it isn't installed.
bool tt_program(const char *name, char path[PATH_MAX]);
// Joins paths; false if the result is too long.
__attribute__((format(printf, 3, 4))) bool tt_path(char *path, size_t capacity, const char *form, ...);
// The folder of the user's store if it isn't the account's own, which the daemon finds by itself: then empty. NULL, or why there is none.
const char *tt_store_folder(char path[PATH_MAX]);

#endif
