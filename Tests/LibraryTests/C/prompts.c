// What the library starts to show a prompt: `prompts FOLDER`, an empty folder. Scripts are there in our programs' places, and say
// what they were given.
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>

#include "daemon.h"
#include "places.h"
#include "prompts.h"

static char folder[PATH_MAX];
static const uint8_t TICKET[TT_TICKET_BYTES] = {1, 2, 3, [31] = 9};
static const char SOCKET[] = "/somewhere/socket";
enum { AT_DISPLAY = 1, IS_SYSTEM = 2 };

// Each writes down that it was started, its variables, and what it reads. Then it does what FOLDER/way says: it stays, or a prompt
// ends, and a window says that word or is silent.
static const char SCRIPT[] =
    "#!/bin/sh\n"
    "cd %s && name=${0##*/} && printf '%%s ' $name >>started && /usr/bin/env >$name.variables && /bin/cat <&3 >$name.words\n"
    "read -r way <way; [ \"$way\" = stays ] && exec /bin/sleep 600\n"
    "[ $name = thumbturn-prompt ] && exit\n"
    "[ \"$way\" = silent ] && exec /bin/sleep 600; printf %%s \"$way\" >&4\n";

static const char *at(const char *name) {
    static char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *form, ...) {
    FILE *file = fopen(at(name), "w");
    CHECK(file);
    va_list values;
    va_start(values, form);
    CHECK(vfprintf(file, form, values) >= 0 && fclose(file) == 0);
    va_end(values);
}

static size_t get(const char *name, char bytes[], size_t capacity) {
    FILE *file = fopen(at(name), "r");
    if (!file) return bytes[0] = 0;
    size_t size = fread(bytes, 1, capacity - 1, file);
    bytes[size] = 0;
    fclose(file);
    return size;
}

// Whether these were started, one after the other, and the last one was given the ticket and the socket.
static bool was_started(const char *names, const char *last) {
    char started[200], words[200], file[100];
    get("started", started, sizeof started);
    if (strcmp(started, names) != 0) fprintf(stderr, "started: %s\n", started);
    snprintf(file, sizeof file, "%s.words", last);
    size_t size = get(file, words, sizeof words);
    return strcmp(started, names) == 0 && size == sizeof TICKET + strlen(SOCKET) && memcmp(words, TICKET, sizeof TICKET) == 0
        && strcmp(words + sizeof TICKET, SOCKET) == 0;
}

static bool has_variable(const char *program, const char *variable) {
    char file[100], variables[4096];
    snprintf(file, sizeof file, "%s.variables", program);
    get(file, variables, sizeof variables);
    return strstr(variables, variable) != NULL;
}

// Shows a prompt to its end; the stage that it came to.
static enum tt_prompt_stage show(int flags, const char *way) {
    unlink(at("started"));
    put("way", "%s\n", way);
    struct tt_prompt prompt;
    tt_prompt_begin(&prompt, TICKET, SOCKET, flags & AT_DISPLAY, flags & IS_SYSTEM);
    pid_t window = prompt.stage == TT_PROMPT_WINDOW ? prompt.child : 0;
    // Nobody waits here for a window that is silent.
    if (strcmp(way, "silent") == 0) prompt.deadline = 0;
    tt_prompt_wait(&prompt);
    enum tt_prompt_stage stage = prompt.stage;
    if (window > 0 && prompt.child != window) CHECK(kill(window, 0) != 0);
    tt_prompt_end(&prompt, false);
    CHECK(prompt.ready < 0 && prompt.child == 0);
    return stage;
}

static void windows(void) {
    // In system mode the one that root vouches for, which needs its launcher.
    CHECK(show(AT_DISPLAY | IS_SYSTEM, "R") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window-launcher ", "thumbturn-window-launcher"));
    CHECK(show(AT_DISPLAY, "R") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window ", "thumbturn-window"));
    CHECK(has_variable("thumbturn-window", "DISPLAY=:7\n") && !has_variable("thumbturn-window", "OTHER="));
    // Whatever else a window says or does, the terminal is next.
    CHECK(show(AT_DISPLAY, "X") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window thumbturn-prompt ", "thumbturn-prompt"));
    CHECK(has_variable("thumbturn-prompt", "TERM=dumb\n") && !has_variable("thumbturn-prompt", "DISPLAY=")
        && !has_variable("thumbturn-prompt", "OTHER="));
    CHECK(show(AT_DISPLAY, "") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window thumbturn-prompt ", "thumbturn-prompt"));
    CHECK(show(AT_DISPLAY | IS_SYSTEM, "silent") == TT_PROMPT_STANDS);
    char started[200];
    get("started", started, sizeof started);
    CHECK(strcmp(started + strlen(started) - strlen("thumbturn-prompt "), "thumbturn-prompt ") == 0);
}

// A question that is taken back doesn't wait for a window that is silent.
static void given_up(void) {
    put("way", "%s\n", "silent");
    struct tt_prompt prompt;
    tt_prompt_begin(&prompt, TICKET, SOCKET, true, false);
    CHECK(prompt.stage == TT_PROMPT_WINDOW);
    pid_t window = prompt.child;
    alarm(60);
    tt_prompt_end(&prompt, false);
    alarm(0);
    CHECK(kill(window, 0) != 0);
}

// Nobody waits for a prompt whose daemon is gone.
static void lost(void) {
    put("way", "%s\n", "stays");
    struct tt_prompt prompt;
    tt_prompt_begin(&prompt, TICKET, SOCKET, false, false);
    CHECK(prompt.stage == TT_PROMPT_STANDS && prompt.child > 0);
    pid_t child = prompt.child;
    alarm(60);
    tt_prompt_end(&prompt, true);
    alarm(0);
    CHECK(kill(child, 0) != 0);
}

static void choices(void) {
    CHECK(show(0, "R") == TT_PROMPT_STANDS && was_started("thumbturn-prompt ", "thumbturn-prompt"));
    CHECK(setenv("THUMBTURN_PROMPT", "terminal", 1) == 0);
    CHECK(show(AT_DISPLAY, "R") == TT_PROMPT_STANDS && was_started("thumbturn-prompt ", "thumbturn-prompt"));
    CHECK(setenv("THUMBTURN_PROMPT", "window", 1) == 0);
    CHECK(show(0, "R") == TT_PROMPT_STANDS && was_started("thumbturn-window ", "thumbturn-window"));
    CHECK(unsetenv("THUMBTURN_PROMPT") == 0 && unsetenv("DISPLAY") == 0);
    CHECK(show(AT_DISPLAY, "R") == TT_PROMPT_STANDS && was_started("thumbturn-prompt ", "thumbturn-prompt"));
    CHECK(setenv("DISPLAY", ":7", 1) == 0);
}

static void play_agent(int fd, int number, const void *detail) {
    (void)number;
    uint8_t ticket[sizeof TICKET];
    if (recv(fd, ticket, sizeof ticket, MSG_WAITALL) != sizeof ticket || memcmp(ticket, TICKET, sizeof ticket) != 0) _exit(9);
    send_all(fd, detail, 1);
}

static void play_foreign(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    char byte;
    // No ticket is said to it.
    if (recv(fd, &byte, 1, 0) != 0) _exit(14);
}

// Another user's program in the agent's place hears nothing, and the window is next.
static void foreign_agent(void) {
    // To run as another user takes root.
    if (getuid() != 0) return;
    char path[TT_SOCKET_PATH];
    snprintf(path, sizeof path, "%s", at("run/thumbturn/window"));
    // So that the user can bind it. Nobody else can write there afterwards.
    CHECK(chmod(folder, 0711) == 0 && chmod(at("run"), 0711) == 0 && chmod(at("run/thumbturn"), 0777) == 0);
    pid_t agent = started(path, 65534, 1, play_foreign, NULL);
    CHECK(chmod(at("run/thumbturn"), 0700) == 0 && chmod(at("run"), 0700) == 0 && chmod(folder, 0700) == 0);
    CHECK(show(AT_DISPLAY, "R") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window ", "thumbturn-window"));
    ended(agent);
    CHECK(unlink(path) == 0);
}

// The session's agent comes before all.
static void agents(void) {
    // The library looked for one before, and made its folder.
    CHECK(access(at("run/thumbturn"), W_OK) == 0);
    char path[TT_SOCKET_PATH];
    snprintf(path, sizeof path, "%s", at("run/thumbturn/window"));
    pid_t agent = started(path, getuid(), 1, play_agent, "\1");
    CHECK(show(AT_DISPLAY | IS_SYSTEM, "R") == TT_PROMPT_STANDS && access(at("started"), F_OK) != 0);
    ended(agent);
    agent = started(path, getuid(), 1, play_agent, "\0");
    CHECK(show(AT_DISPLAY | IS_SYSTEM, "R") == TT_PROMPT_STANDS);
    CHECK(was_started("thumbturn-window-launcher ", "thumbturn-window-launcher"));
    ended(agent);
    CHECK(unlink(path) == 0);
}

// What this process starts gains no group any more, so the system's daemon would take none of it.
static void without_privileges(void) {
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(show(AT_DISPLAY | IS_SYSTEM, "R") == TT_PROMPT_NONE && access(at("started"), F_OK) != 0);
    CHECK(show(IS_SYSTEM, "R") == TT_PROMPT_NONE && access(at("started"), F_OK) != 0);
    // The user's own daemon doesn't look at groups.
    CHECK(show(AT_DISPLAY, "R") == TT_PROMPT_STANDS && was_started("thumbturn-window ", "thumbturn-window"));
    CHECK(show(0, "R") == TT_PROMPT_STANDS && was_started("thumbturn-prompt ", "thumbturn-prompt"));
}

int main(int count, char **words) {
    CHECK(count == 2);
    snprintf(folder, sizeof folder, "%s", words[1]);
    CHECK(mkdir(at("libexec"), 0700) == 0 && mkdir(at("run"), 0700) == 0);
    CHECK(setenv("THUMBTURN_LIBEXEC", at("libexec"), 1) == 0 && setenv("XDG_RUNTIME_DIR", at("run"), 1) == 0);
    static const char *const programs[] = {
        "libexec/thumbturn-window", "libexec/thumbturn-window-launcher", "libexec/thumbturn-prompt"};
    for (size_t index = 0; index < sizeof programs / sizeof *programs; index++) {
        put(programs[index], SCRIPT, folder);
        CHECK(chmod(at(programs[index]), 0700) == 0);
    }
    CHECK(setenv("DISPLAY", ":7", 1) == 0 && setenv("TERM", "dumb", 1) == 0 && setenv("OTHER", "x", 1) == 0);
    fflush(NULL);
    // A session with a terminal of its own.
    pid_t child = fork();
    if (child > 0) {
        ended(child);
        puts("the right prompts");
        return 0;
    }
    CHECK(child == 0 && setsid() >= 0);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int own = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(own >= 0 && ioctl(own, TIOCSCTTY, 0) == 0);
    windows();
    given_up();
    lost();
    choices();
    agents();
    foreign_agent();
    without_privileges();
    return 0;
}
