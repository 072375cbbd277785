#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "deed.h"
#include "wire.h"

void deed_copy(char to[], size_t capacity, const char *text) {
    size_t count = 0;
    for (; text && *text && count < capacity - 1; text++) to[count++] = *text;
    to[count] = 0;
    // Byte by byte: a name that isn't UTF-8 is still a name, and the wire takes nothing else.
    for (size_t place = 0; !tt_is_utf8((const uint8_t *)to, count) && place < count; place++) {
        if ((unsigned char)to[place] >= 0x80) to[place] = '?';
    }
}

// Options of sudo that take a word, either in the same argument or as the next one; and those that take none.
static const char WITH_WORD[] = "CDghpRrTtUu", WITHOUT_WORD[] = "BbEeHiKklnPsVv";
static const struct {
    const char *name;
    char letter;
} LONG_OPTIONS[] = {
    {"background", 'b'}, {"bell", 'B'}, {"close-from", 'C'}, {"chdir", 'D'}, {"preserve-env", 'E'}, {"edit", 'e'},
    {"group", 'g'}, {"set-home", 'H'}, {"host", 'h'}, {"login", 'i'}, {"remove-timestamp", 'K'}, {"reset-timestamp", 'k'},
    {"list", 'l'}, {"non-interactive", 'n'}, {"preserve-groups", 'P'}, {"prompt", 'p'}, {"chroot", 'R'}, {"role", 'r'},
    {"shell", 's'}, {"command-timeout", 'T'}, {"type", 't'}, {"other-user", 'U'}, {"user", 'u'}, {"version", 'V'},
    {"validate", 'v'},
};

struct arguments {
    const char *next, *end;
};

static const char *next_argument(struct arguments *all) {
    if (all->next >= all->end) return NULL;
    const char *found = all->next;
    const char *stop = memchr(found, 0, (size_t)(all->end - found));
    if (!stop) return NULL;
    all->next = stop + 1;
    return found;
}

static bool is_in(char letter, const char *letters) { return letter && strchr(letters, letter); }

// Notes an option whose word matters. An environment variable before the command is no option.
static void note(struct deed *deed, char letter, const char *word) {
    if (letter == 'u') deed_copy(deed->becomes, sizeof deed->becomes, word);
    if (letter == 'g' && !deed->becomes[0]) deed_copy(deed->becomes, sizeof deed->becomes, deed->person);
}

static bool read_long(struct deed *deed, const char *argument, struct arguments *all) {
    const char *sign = strchr(argument, '=');
    size_t size = sign ? (size_t)(sign - argument) : strlen(argument);
    for (size_t index = 0; index < sizeof LONG_OPTIONS / sizeof *LONG_OPTIONS; index++) {
        if (strncmp(LONG_OPTIONS[index].name, argument, size) != 0 || LONG_OPTIONS[index].name[size]) continue;
        char letter = LONG_OPTIONS[index].letter;
        if (!is_in(letter, WITH_WORD)) return true;
        const char *word = sign ? sign + 1 : next_argument(all);
        if (word) note(deed, letter, word);
        return word;
    }
    return false;
}

static bool read_short(struct deed *deed, const char *letters, struct arguments *all) {
    for (; *letters; letters++) {
        if (is_in(*letters, WITHOUT_WORD)) continue;
        if (!is_in(*letters, WITH_WORD)) return false;
        const char *word = letters[1] ? letters + 1 : next_argument(all);
        if (word) note(deed, *letters, word);
        return word;
    }
    return true;
}

static void add(char command[DEED_COMMAND_BYTES], const char *text) {
    size_t have = strlen(command);
    deed_copy(command + have, DEED_COMMAND_BYTES - have, text);
}

bool deed_read_sudo(struct deed *deed, const char *arguments, size_t size) {
    struct arguments all = {.next = arguments, .end = arguments + size};
    const char *argument = next_argument(&all);
    if (!argument) return false;
    // sudoedit is sudo by another name.
    const char *slash = strrchr(argument, '/');
    deed_copy(deed->command, sizeof deed->command, slash ? slash + 1 : argument);
    struct arguments words = all;
    while ((argument = next_argument(&all)) && argument[0] == '-' && argument[1] && strcmp(argument, "--") != 0) {
        if (argument[1] == '-' ? !read_long(deed, argument + 2, &all) : !read_short(deed, argument + 1, &all)) return false;
    }
    if (!deed->becomes[0]) deed_copy(deed->becomes, sizeof deed->becomes, "root");
    while ((argument = next_argument(&words))) {
        // A word with blanks is shown as one word.
        bool is_one = argument[0] && !strpbrk(argument, " \t\n");
        add(deed->command, is_one ? " " : " \"");
        add(deed->command, argument);
        if (!is_one) add(deed->command, "\"");
    }
    return true;
}

static void put(char line[], size_t capacity, const char *text) {
    size_t have = strlen(line);
    if (have < capacity) snprintf(line + have, capacity - have, "%s", text);
}

// A text that somebody chose: letters of ASCII alone, because a console obeys or garbles others.
static void put_safe(char line[], size_t capacity, const char *text) {
    size_t have = strlen(line);
    for (; *text && have + 1 < capacity; text++) line[have++] = *text >= 0x20 && *text < 0x7f ? *text : '?';
    line[have] = 0;
}

void deed_line(const struct deed *deed, bool is_face, char line[], size_t capacity) {
    line[0] = 0;
    put(line, capacity, is_face ? "Look at the camera to let " : "Touch the sensor to let ");
    bool is_person = deed->person[0] && strcmp(deed->person, deed->becomes) != 0;
    if (deed->command[0]) {
        put_safe(line, capacity, deed->service);
        put(line, capacity, " run '");
        // The end of a long command is cut off before what the line says behind it.
        char command[200];
        command[0] = 0;
        put_safe(command, sizeof command, deed->command);
        put(line, capacity, command);
        put(line, capacity, strlen(deed->command) < sizeof command ? "'" : "...'");
        put(line, capacity, " as ");
        put_safe(line, capacity, deed->becomes);
    } else {
        put_safe(line, capacity, is_person ? deed->person : deed->becomes);
        put(line, capacity, is_person ? " become " : " log in");
        if (is_person) put_safe(line, capacity, deed->becomes);
    }
    put(line, capacity, ", or type the password.");
}
