#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "places.h"
#include "prompts.h"
#include "spawning.h"

// How long a window may take, in seconds: a toolkit's start on a busy machine, and well within a ticket's life.
static const double PATIENCE = 10;

static const char *const TERMINALS[] = {"TERM", "NO_COLOR", "LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", NULL};
// What the window needs to find the display, the desktop's settings and the screen reader.
static const char *const DISPLAYS[] = {
    "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP", "GDK_BACKEND", "GDK_SCALE", "GTK_THEME", "GTK_A11Y", "LANG",
    "LC_ALL",
    "LC_MESSAGES", "LC_CTYPE", NULL,
};
enum { MOST_VARIABLES = 24 };

// Those of the variables that are set, as NAME=VALUE.
static void keep(const char *const names[], char *kept[MOST_VARIABLES]) {
    size_t count = 0;
    for (size_t index = 0; names[index] && count < MOST_VARIABLES - 1; index++) {
        const char *value = tt_environment(names[index]);
        if (value && asprintf(&kept[count], "%s=%s", names[index], value) >= 0) count++;
    }
    kept[count] = NULL;
}

static void forget(char *kept[MOST_VARIABLES]) {
    for (size_t index = 0; kept[index]; index++) free(kept[index]);
}

// Whether programs that this process starts can't gain a group, as in many services.
static bool gains_nothing(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }

// A pipe's reading end, with ticket and socket in it, and the writing end closed; -1 if there is none.
static int message(const struct tt_prompt *prompt) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    uint8_t bytes[TT_TICKET_BYTES + TT_SOCKET_PATH];
    size_t size = strlen(prompt->socket);
    memcpy(bytes, prompt->ticket, TT_TICKET_BYTES);
    memcpy(bytes + TT_TICKET_BYTES, prompt->socket, size);
    size += TT_TICKET_BYTES;
    // It fits into the pipe, so nobody waits for the other.
    bool is_whole = write(ends[1], bytes, size) == (ssize_t)size;
    close(ends[1]);
    if (is_whole) return ends[0];
    close(ends[0]);
    return -1;
}

static void close_if(int fd) {
    if (fd >= 0) close(fd);
}

static void start_on_terminal(struct tt_prompt *prompt) {
    char program[PATH_MAX];
    // What this process starts would get no group either, so the system's daemon wouldn't let it in.
    if ((prompt->is_system && gains_nothing()) || !tt_program("thumbturn-prompt", program)) return;
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    int words = terminal >= 0 ? message(prompt) : -1;
    if (words >= 0) {
        const int descriptors[] = {terminal, terminal, terminal, words};
        char *variables[MOST_VARIABLES];
        keep(TERMINALS, variables);
        prompt->child = tt_spawn(program, (const char *const[]){"thumbturn-prompt", NULL}, variables, descriptors, 4);
        forget(variables);
        if (prompt->child > 0) prompt->stage = TT_PROMPT_STANDS; else prompt->child = 0;
    }
    close_if(words);
    close_if(terminal);
}

static bool start_window(struct tt_prompt *prompt) {
    char program[PATH_MAX];
    if (!tt_environment("WAYLAND_DISPLAY") && !tt_environment("DISPLAY")) return false;
    if (prompt->is_system && gains_nothing()) return false;
    if (!tt_program(prompt->is_system ? "thumbturn-window-launcher" : "thumbturn-window", program)) return false;
    int ends[2], words = message(prompt);
    if (words < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        close_if(words);
        return false;
    }
    const int descriptors[] = {-1, -1, -1, words, ends[1]};
    char *variables[MOST_VARIABLES];
    keep(DISPLAYS, variables);
    prompt->child = tt_spawn(program, (const char *const[]){program, NULL}, variables, descriptors, 5);
    forget(variables);
    close(words);
    close(ends[1]);
    if (prompt->child < 0) {
        prompt->child = 0;
        close(ends[0]);
        return false;
    }
    prompt->stage = TT_PROMPT_WINDOW;
    prompt->ready = ends[0];
    prompt->deadline = tt_now() + PATIENCE;
    return true;
}

static bool ask_agent(struct tt_prompt *prompt) {
    char folder[TT_SOCKET_PATH], path[TT_SOCKET_PATH];
    if (!tt_runtime_folder(folder, sizeof folder) || !tt_path(path, sizeof path, "%s/window", folder)) return false;
    // One that is so far behind that there is no room in its line would be of no use.
    int fd = tt_connect(path, TT_AT_ONCE);
    if (fd < 0) return false;
    bool is_ours = tt_is_peer(fd, getuid()) || tt_is_peer(fd, 0);
    if (!is_ours || send(fd, prompt->ticket, TT_TICKET_BYTES, MSG_NOSIGNAL) != TT_TICKET_BYTES) {
        close(fd);
        return false;
    }
    prompt->stage = TT_PROMPT_AGENT;
    prompt->ready = fd;
    prompt->deadline = tt_now() + PATIENCE;
    return true;
}

void tt_prompt_begin(
    struct tt_prompt *prompt, const uint8_t ticket[TT_TICKET_BYTES], const char *socket, bool is_at_display, bool is_system) {
    *prompt = TT_NO_PROMPT;
    memcpy(prompt->ticket, ticket, TT_TICKET_BYTES);
    memcpy(prompt->socket, socket, strlen(socket) + 1);
    prompt->is_system = is_system;
    // The user may choose, for machines that no login manager knows.
    const char *word = tt_environment("THUMBTURN_PROMPT");
    bool is_window = word && strcmp(word, "window") == 0, is_terminal = word && strcmp(word, "terminal") == 0;
    if ((is_window || (is_at_display && !is_terminal)) && (ask_agent(prompt) || start_window(prompt))) return;
    start_on_terminal(prompt);
}

void tt_prompt_step(struct tt_prompt *prompt) {
    if (prompt->ready < 0) return;
    uint8_t word = 0;
    struct pollfd wait = {.fd = prompt->ready, .events = POLLIN};
    bool is_there = poll(&wait, 1, 0) == 1;
    if (!is_there && tt_now() < prompt->deadline) return;
    if (is_there && read(prompt->ready, &word, 1) != 1) word = 0;
    close(prompt->ready);
    prompt->ready = -1;
    enum tt_prompt_stage stage = prompt->stage;
    prompt->stage = TT_PROMPT_STANDS;
    if (stage == TT_PROMPT_AGENT ? word == 1 : word == 'R') return;
    prompt->stage = TT_PROMPT_NONE;
    if (prompt->child > 0) {
        // A display that doesn't answer must not hold anybody up.
        kill(prompt->child, SIGKILL);
        tt_wait(prompt->child);
        prompt->child = 0;
    }
    if (stage == TT_PROMPT_AGENT && start_window(prompt)) return;
    start_on_terminal(prompt);
}

void tt_prompt_wait(struct tt_prompt *prompt) {
    while (prompt->ready >= 0) {
        struct pollfd wait = {.fd = prompt->ready, .events = POLLIN};
        if (poll(&wait, 1, tt_milliseconds(prompt->deadline - tt_now())) < 0 && errno != EINTR) prompt->deadline = 0;
        tt_prompt_step(prompt);
    }
}

void tt_prompt_end(struct tt_prompt *prompt, bool is_lost) {
    close_if(prompt->ready);
    if (prompt->child > 0 && !(is_lost && tt_has_ended(prompt->child))) {
        // A window that never said that it is there may never do so.
        if (prompt->stage == TT_PROMPT_WINDOW) kill(prompt->child, SIGKILL);
        else if (is_lost) kill(prompt->child, SIGTERM);
        tt_wait(prompt->child);
    }
    *prompt = TT_NO_PROMPT;
}
