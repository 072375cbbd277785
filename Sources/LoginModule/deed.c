#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "deed.h"
#include "wire.h"

void deed_copy(char to[], size_t capacity, const char *text) {
    size_t count = 0;
    for (; text && *text && count < capacity - 1; text++) to[count++] = *text;
    to[count] = 0;
    // A name that isn't UTF-8 is still a name, and the wire takes nothing else.
    for (size_t place = 0; !tt_is_utf8((const uint8_t *)to, count) && place < count; place++) {
        if ((unsigned char)to[place] >= 0x80) to[place] = '?';
    }
}

// The options of sudo with which a finger is asked for. Each other one, an abbreviated one too, changes what is done or where the password
// comes from, and the question doesn't say so.
static const struct {
    const char *name;
    char letter;
} OPTIONS[] = {
    {"background", 'b'}, {"edit", 'e'}, {"login", 'i'}, {"preserve-env", 'E'}, {"reset-timestamp", 'k'}, {"set-home", 'H'},
    {"shell", 's'}, {"user", 'u'}, {"validate", 'v'},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

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

// Whether the question can show a word as it is. A mark could end the question's own, blanks could push its end out of sight, and a line's
// end, shown as anything else, would hide that another command begins there.
static bool is_clear(const char *word) {
    for (const char *byte = word; *byte; byte++) {
        if ((unsigned char)*byte < 0x20 || *byte == 0x7f || strchr("'\"`", *byte)) return false;
    }
    return !strstr(word, "  ") && tt_is_utf8((const uint8_t *)word, strlen(word));
}

// Adds a word to the command. False if it can't be shown as it is, or whole.
static bool add(struct deed *deed, const char *word) {
    size_t have = strlen(deed->command), room = sizeof deed->command - have;
    const char *mark = word[0] && !strchr(word, ' ') ? "" : "\"";
    if (!is_clear(word)) return false;
    int count = snprintf(deed->command + have, room, "%s%s%s%s", have > 0 ? " " : "", mark, word, mark);
    return count >= 0 && (size_t)count < room;
}

// An account by its name. By its number, sudo's question would name nobody.
static bool read_user(struct deed *deed, const char *name) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    if (!name || !name[0] || name[strspn(name, letters)] || strlen(name) >= sizeof deed->becomes) return false;
    deed_copy(deed->becomes, sizeof deed->becomes, name);
    return true;
}

static char letter_of(const char *name, size_t size) {
    for (size_t index = 0; index < OPTION_COUNT; index++) {
        if (strlen(OPTIONS[index].name) == size && strncmp(OPTIONS[index].name, name, size) == 0) return OPTIONS[index].letter;
    }
    return 0;
}

static bool read_long(struct deed *deed, const char *argument, struct arguments *all) {
    const char *name = argument + 2, *sign = strchr(name, '=');
    char letter = letter_of(name, sign ? (size_t)(sign - name) : strlen(name));
    if (letter == 'u') return read_user(deed, sign ? sign + 1 : next_argument(all));
    return letter && (!sign || letter == 'E') && add(deed, argument);
}

static bool read_short(struct deed *deed, const char *argument, struct arguments *all) {
    if (argument[1] == 'u') return read_user(deed, argument[2] ? argument + 2 : next_argument(all));
    for (const char *letters = argument + 1; *letters; letters++) {
        bool is_known = false;
        for (size_t index = 0; index < OPTION_COUNT; index++) is_known |= OPTIONS[index].letter == *letters && *letters != 'u';
        if (!is_known) return false;
    }
    return add(deed, argument);
}

bool deed_read_sudo(struct deed *deed, const char *arguments, size_t size) {
    struct arguments all = {.next = arguments, .end = arguments + size};
    const char *name = next_argument(&all);
    if (!name) return false;
    // Whoever starts sudo chooses this name. Some versions of sudo edit only under the name sudoedit, others under each name that ends like
    // it. The question would be wrong for one of them.
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    size_t length = strlen(name);
    bool is_edit = strcmp(name, "sudoedit") == 0;
    if (!is_edit && length > 4 && strcmp(name + length - 4, "edit") == 0) return false;
    if (!add(deed, is_edit ? "sudoedit" : "sudo")) return false;
    const char *argument;
    while ((argument = next_argument(&all)) && argument[0] == '-' && strcmp(argument, "--") != 0) {
        if (!argument[1]) return false;
        if (argument[1] == '-' ? !read_long(deed, argument, &all) : !read_short(deed, argument, &all)) return false;
    }
    if (argument && strcmp(argument, "--") == 0) argument = next_argument(&all);
    // A variable for the command: sudo reads options behind it too.
    if (argument && argument[0] != '/' && strchr(argument, '=')) return false;
    for (; argument; argument = next_argument(&all)) {
        if (!add(deed, argument)) return false;
    }
    return deed->becomes[0] || read_user(deed, "root");
}

static void put(char line[], size_t capacity, const char *text) {
    size_t have = strlen(line);
    if (have < capacity) snprintf(line + have, capacity - have, "%s", text);
}

// A text that somebody chose: letters of ASCII alone, because a console obeys or garbles others. False if it has others.
static bool put_safe(char line[], size_t capacity, const char *text) {
    size_t have = strlen(line);
    bool is_exact = true;
    for (; *text && have + 1 < capacity; text++) {
        bool is_safe = *text >= 0x20 && *text < 0x7f;
        line[have++] = is_safe ? *text : '?';
        is_exact = is_exact && is_safe;
    }
    line[have] = 0;
    return is_exact && !*text;
}

bool deed_line(const struct deed *deed, bool is_face, char line[], size_t capacity) {
    line[0] = 0;
    if (deed->is_lock) {
        put(line, capacity, is_face ? "Look at the camera" : "Touch the sensor");
        put(line, capacity, " to unlock this screen, or type the password.");
        return true;
    }
    bool is_exact;
    put(line, capacity, is_face ? "Look at the camera to let " : "Touch the sensor to let ");
    bool is_person = deed->person[0] && strcmp(deed->person, deed->becomes) != 0;
    if (deed->command[0]) {
        is_exact = put_safe(line, capacity, deed->service);
        put(line, capacity, " run '");
        is_exact &= put_safe(line, capacity, deed->command);
        put(line, capacity, "' as ");
        is_exact &= put_safe(line, capacity, deed->becomes);
    } else {
        is_exact = put_safe(line, capacity, is_person ? deed->person : deed->becomes);
        put(line, capacity, is_person ? " become " : " log in");
        if (is_person) is_exact &= put_safe(line, capacity, deed->becomes);
    }
    put(line, capacity, ", or type the password.");
    return is_exact;
}
