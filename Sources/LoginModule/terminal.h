// The session's terminal, while a password is asked there in a child process.
#ifndef THUMBTURN_TERMINAL_H
#define THUMBTURN_TERMINAL_H

#include <security/pam_appl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
    int fd; // -1: there is none
    struct termios modes; // as they were
    bool has_modes;
};

// Opens the process's own terminal and notes its modes.
bool terminal_open(struct terminal *terminal);
// Whether what is written there is seen: this process is in front, and the console shows text.
bool terminal_is_seen(const struct terminal *terminal);
// Whether a descriptor is that terminal.
bool terminal_is(const struct terminal *terminal, int fd);
void terminal_close(struct terminal *terminal);
// Writes a line there, without waiting. False if it isn't on the screen now.
bool terminal_say(const struct terminal *terminal, const char *line, bool is_below_password);
// Puts the modes back, and forgets what was typed and not read: a password that nobody asks for any more. In the background the terminal is
// somebody else's, and stays as it is.
void terminal_restore(const struct terminal *terminal);

// A child that asks for the password, as the application does it.
struct asking {
    pid_t child; // 0: none
    int answer; // where the password comes
};

// Starts it. The child knows nothing of `closed`, and puts the modes back if this process is gone.
bool asking_begin(
    struct asking *asking, struct terminal *terminal, const struct pam_conv *conversation, const char *prompt,
    const int closed[], size_t count);
enum asking_word {
    ASKING_NOTHING, // nothing yet
    ASKING_PASSWORD, // a password of at most PAM_MAX_RESP_SIZE bytes, with its zero byte
    ASKING_STOPPED, // it was stopped and has ended since; its question is to be asked again
    ASKING_BROKEN, // it has ended without an answer
};
// What the child says.
enum asking_word asking_read(struct asking *asking, char password[]);
// Whether the child was stopped, as by the key for that.
bool asking_is_stopped(struct asking *asking);
// Ends the child at once and leaves nothing of it.
void asking_end(struct asking *asking);

#endif
