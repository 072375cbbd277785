#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

// Ends the child. It is a signal that no application's conversation takes for itself.
enum { END = SIGUSR1 };
// What the child says in place of a password, which ends with a zero byte.
static const char STOPPED = 1;

bool terminal_open(struct terminal *terminal) {
    *terminal = (struct terminal){.fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)};
    if (terminal->fd < 0) return false;
    terminal->has_modes = tcgetattr(terminal->fd, &terminal->modes) == 0;
    return terminal->has_modes;
}

// Whether this process is in front, or nobody is: a session whose leader has ended has no terminal.
static bool is_in_front(int fd) {
    pid_t front = tcgetpgrp(fd);
    return front <= 0 || front == getpgrp();
}

bool terminal_is_seen(const struct terminal *terminal) {
    int mode;
    // Only a console has such a mode. What other terminals show, the daemon judges.
    bool is_text = ioctl(terminal->fd, KDGETMODE, &mode) != 0 || mode == KD_TEXT;
    return is_text && tcgetpgrp(terminal->fd) == getpgrp();
}

bool terminal_is(const struct terminal *terminal, int fd) {
    unsigned own, other;
    return ioctl(terminal->fd, TIOCGDEV, &own) == 0 && ioctl(fd, TIOCGDEV, &other) == 0 && own == other;
}

void terminal_close(struct terminal *terminal) {
    if (terminal->fd >= 0) close(terminal->fd);
    terminal->fd = -1;
}

bool terminal_say(const struct terminal *terminal, const char *line, bool is_below_password) {
    // A password that was being typed stays above; what comes next is typed on.
    char text[1024] = "\n";
    size_t start = is_below_password ? 1 : 0, count = strlen(line);
    if (count > sizeof text - 2) return false;
    memcpy(text + start, line, count);
    text[start + count] = 10;
    count += start + 1;
    // A stopped terminal takes nothing, so nobody would see it.
    return write(terminal->fd, text, count) == (ssize_t)count;
}

void terminal_restore(const struct terminal *terminal) {
    if (!terminal->has_modes || !is_in_front(terminal->fd)) return;
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, SIGTTOU);
    // A process in the background is stopped for this otherwise.
    sigprocmask(SIG_BLOCK, &only, &before);
    tcsetattr(terminal->fd, TCSANOW, &terminal->modes);
    tcflush(terminal->fd, TCIFLUSH);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

// MARK: In the child

static struct terminal inherited;
static int answer_end = -1;

static void put_back(int number) {
    (void)number;
    signal(SIGTTOU, SIG_IGN);
    // All of these are safe in a handler.
    if (is_in_front(inherited.fd)) {
        tcsetattr(inherited.fd, TCSANOW, &inherited.modes);
        tcflush(inherited.fd, TCIFLUSH);
    }
    _exit(0);
}

// The child was stopped and goes on: it is asked anew. What the application does after a stop (sudo locks a file) is for the application's
// own process, and not for this one.
static void leave(int number) {
    (void)number;
    // If the parent can't be told, it sees that there is no answer.
    if (write(answer_end, &STOPPED, 1) < 0) _exit(1);
    _exit(0);
}

// The application's own handlers belong to its own process. These end the child and leave the terminal as it was.
static void take_signals(void) {
    static const int ending[] = {END, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) signal(ending[index], put_back);
    static const int usual[] = {SIGALRM, SIGCHLD, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t index = 0; index < sizeof usual / sizeof *usual; index++) signal(usual[index], SIG_DFL);
    signal(SIGCONT, leave);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = write(fd, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

static void ask(const struct pam_conv *conversation, const char *prompt, int answer) {
    const struct pam_message message = {.msg_style = PAM_PROMPT_ECHO_OFF, .msg = prompt};
    const struct pam_message *messages = &message;
    struct pam_response *response = NULL;
    int result = conversation->conv(1, &messages, &response, conversation->appdata_ptr);
    if (result == PAM_SUCCESS && response && response->resp) {
        size_t size = strnlen(response->resp, PAM_MAX_RESP_SIZE) + 1;
        // With its zero byte: a password that isn't whole has none.
        if (size <= PAM_MAX_RESP_SIZE) write_all(answer, response->resp, size);
        explicit_bzero(response->resp, size - 1);
    }
}

// MARK: In the parent

bool asking_begin(
    struct asking *asking, struct terminal *terminal, const struct pam_conv *conversation, const char *prompt,
    const int closed[], size_t count) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    // A shell may have had the terminal since it was opened, with modes of its own.
    if (is_in_front(terminal->fd)) terminal->has_modes = tcgetattr(terminal->fd, &terminal->modes) == 0;
    pid_t parent = getpid();
    // No signal of the parent's may find the child with the application's handlers.
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        inherited = *terminal;
        answer_end = ends[1];
        for (size_t index = 0; index < count; index++) if (closed[index] >= 0) close(closed[index]);
        close(ends[0]);
        // It holds what its owner types.
        prctl(PR_SET_DUMPABLE, 0);
        prctl(PR_SET_PDEATHSIG, END);
        take_signals();
        if (getppid() == parent) ask(conversation, prompt, ends[1]);
        // Not put_back: what was typed ahead for whoever reads next stays.
        _exit(0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *asking = (struct asking){.child = child, .answer = ends[0]};
    return true;
}

enum asking_word asking_read(struct asking *asking, char password[]) {
    // The pipe has room for it, so it comes whole.
    ssize_t count;
    do count = read(asking->answer, password, PAM_MAX_RESP_SIZE); while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN) return ASKING_NOTHING;
    if (count == 1 && password[0] == STOPPED) return ASKING_STOPPED;
    return count > 0 && password[count - 1] == 0 ? ASKING_PASSWORD : ASKING_BROKEN;
}

bool asking_is_stopped(struct asking *asking) {
    siginfo_t found = {0};
    return waitid(P_PID, (id_t)asking->child, &found, WSTOPPED | WNOHANG) == 0 && found.si_pid == asking->child;
}

static bool is_gone(pid_t child) {
    pid_t result = waitpid(child, NULL, WNOHANG);
    // An application may ignore its children, or wait for all of them.
    return result == child || (result < 0 && errno == ECHILD);
}

void asking_end(struct asking *asking) {
    if (asking->child <= 0) return;
    close(asking->answer);
    const struct timespec moment = {.tv_nsec = 2000000};
    bool has_ended = is_gone(asking->child);
    if (!has_ended) {
        kill(asking->child, END);
        // One that is stopped ends too: either handler runs before anything else of it does.
        kill(asking->child, SIGCONT);
    }
    for (int times = 0; times < 50 && !has_ended; times++) {
        nanosleep(&moment, NULL);
        has_ended = is_gone(asking->child);
    }
    if (!has_ended) {
        kill(asking->child, SIGKILL);
        while (!is_gone(asking->child)) nanosleep(&moment, NULL);
    }
    asking->child = 0;
}
