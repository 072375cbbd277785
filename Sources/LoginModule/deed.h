// What an application wants the owner for: found in PAM's items and in the application's own command line.
#ifndef THUMBTURN_DEED_H
#define THUMBTURN_DEED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// A longer command isn't shown whole anywhere, so no finger is asked for.
enum { DEED_NAME_BYTES = 65, DEED_COMMAND_BYTES = 161 };

// An empty text isn't there.
struct deed {
    uid_t uid; // whose finger is asked for
    bool is_lock; // a screen lock asks, and gives nobody other rights
    bool is_greeter; // a greeter shows the question, so there is no terminal, and nobody types
    char service[DEED_NAME_BYTES], person[DEED_NAME_BYTES], becomes[DEED_NAME_BYTES], terminal[DEED_NAME_BYTES];
    char command[DEED_COMMAND_BYTES];
};

// Copies a text, without what isn't UTF-8, and only as much as there is room for.
void deed_copy(char to[], size_t capacity, const char *text);
// Reads sudo's arguments, as the kernel keeps them: each ends with a zero byte. False if the question couldn't say all of what sudo is going
// to do, or if the password comes from elsewhere than the terminal. Then no finger is asked for.
bool deed_read_sudo(struct deed *deed, const char *arguments, size_t size);
// The question in one line for a terminal, without anything that a terminal obeys. False if it can't say all of it: no touch may count for it.
bool deed_line(const struct deed *deed, bool is_face, char line[], size_t capacity);

#endif
