#define _GNU_SOURCE
// What libFuzzer feeds the login's module. The first byte says what reads the rest:
//
//   0 to 3  the talk with a daemon: 1 for the question's answers and 0 for its greeting, 2 more for those of the prompt
//   4       sudo's arguments, as the kernel keeps them
//   6, 7    the talk that offers a password: its greeting, and its answer
//   5       an application's conversation: the next byte says what it returns, the rest is its answer
//   8       the name of an account, in a question that the next byte chooses
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"
// Its conversation's part has no door of its own: the child that it runs in is forked by the same function.
#include "terminal.c"

#ifndef PLANTED
#define PLANTED 0
#endif

enum { OF_TALK = 1, OF_SUDO, OF_CONVERSATION };

// The bug that shows that the fuzzer gets there.
static void look_for_planted(int place, const void *bytes, size_t size) {
    if (PLANTED == place && size >= 4 && memcmp(bytes, "\xC3\xB6zq", 4) == 0) {
        fputs("planted bug\n", stderr);
        abort();
    }
}

static void hear(uint8_t state, const uint8_t *bytes, size_t size) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) abort();
    static const struct deed deed = {.uid = 1000, .service = "sudo", .command = "id", .becomes = "root"};
    struct talk talk;
    talk_none(&talk);
    talk.deed = &deed;
    talk.uid = deed.uid;
    talk.about = state & 4 ? TALK_PASSWORD : state & 2 ? TALK_PROMPT : TALK_QUESTION;
    talk.password = "correct horse";
    talk.t.fd = ends[0];
    talk.t.process = getpid();
    talk.stage = state & 1 ? TALK_OPEN : TALK_WHOSE;
    // The number of the first frame: behind its length and its kind.
    for (size_t place = 5; place < 9 && place < size; place++) talk.call = talk.call << 8 | bytes[place];
    if (send(ends[1], bytes, size, MSG_NOSIGNAL) < 0 && size > 0) abort();
    shutdown(ends[1], SHUT_WR);
    enum talk_word word;
    while ((word = talk_next(&talk)) != TALK_NOTHING) {
        // Nothing is a yes but the answer to a question that was asked: one that begins here says hello before.
        bool was_asked = state & 1 || talk.t.last_call >= 2;
        if (word == TALK_YES && (talk.about != TALK_QUESTION || !was_asked)) abort();
        if (word == TALK_PROMPT_NEEDED) {
            look_for_planted(OF_TALK, talk.ticket, sizeof talk.ticket);
            talk_refuse_prompt(&talk);
        }
        if (word == TALK_SHOW) talk_shown(&talk);
        if (word == TALK_OVER && talk.stage != TALK_CLOSED) abort();
    }
    talk_here(&talk);
    talk_end(&talk);
    if (talk.t.fd >= 0) abort();
    close(ends[1]);
}

static void read_sudo(const uint8_t *bytes, size_t size) {
    struct deed deed = {.uid = 1000, .service = "sudo", .person = "ada"};
    if (!deed_read_sudo(&deed, (const char *)bytes, size)) return;
    look_for_planted(OF_SUDO, deed.command + strlen("sudo "), strlen(deed.command) > 8 ? 4 : 0);
    if (!deed.command[0] || !deed.becomes[0]) abort();
    char line[512];
    deed_line(&deed, false, line, sizeof line);
    size_t length = strlen(line), marks = 0;
    for (size_t place = 0; place < length; place++) {
        // Nothing that a terminal obeys, and no mark but the question's own two.
        if (line[place] < 0x20 || line[place] >= 0x7f) abort();
        if (line[place] == '\'') marks++;
    }
    static const char end[] = ", or type the password.";
    if (marks != 2 || length < sizeof end || strcmp(line + length - (sizeof end - 1), end) != 0) abort();
}

static void read_name(const uint8_t *bytes, size_t size) {
    if (size == 0) return;
    char name[256];
    size_t count = size - 1 < sizeof name - 1 ? size - 1 : sizeof name - 1;
    memcpy(name, bytes + 1, count);
    name[count] = 0;
    struct deed deed = {.uid = 1000, .service = "su", .is_lock = bytes[0] & 1};
    deed_copy(deed.becomes, sizeof deed.becomes, name);
    if (bytes[0] & 2) deed_copy(deed.person, sizeof deed.person, "ada");
    if (bytes[0] & 4) deed_copy(deed.command, sizeof deed.command, "sudo id");
    char line[512];
    bool is_exact = deed_line(&deed, bytes[0] & 8, line, sizeof line);
    for (const char *place = line; *place; place++) if (*place < 0x20 || *place >= 0x7f) abort();
    // A name that is said to be there as it is, is there. A lock's question has none.
    if (is_exact && !deed.is_lock && !strstr(line, deed.becomes)) abort();
}

struct answering {
    int result;
    const uint8_t *bytes;
    size_t size;
    bool has_response, has_text;
};

static int converse(int count, const struct pam_message **messages, struct pam_response **response, void *data) {
    const struct answering *answering = data;
    if (count != 1 || messages[0]->msg_style != PAM_PROMPT_ECHO_OFF) abort();
    static struct pam_response answer;
    answer = (struct pam_response){0};
    if (answering->has_text) {
        // Left to the process, as the module leaves it to its child's end.
        static char *text;
        free(text);
        text = malloc(answering->size + 1);
        if (!text) abort();
        memcpy(text, answering->bytes, answering->size);
        text[answering->size] = 0;
        answer.resp = text;
    }
    if (answering->has_response) *response = &answer;
    return answering->result;
}

static void be_answered(const uint8_t *bytes, size_t size) {
    if (size == 0) return;
    const struct answering answering = {
        .result = bytes[0] >> 1 & 0x1f, .bytes = bytes + 1, .size = size - 1, .has_response = bytes[0] < 0x80,
        .has_text = (bytes[0] & 1) == 0,
    };
    const struct pam_conv conversation = {.conv = converse, .appdata_ptr = (void *)&answering};
    struct asking asking = {0};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) abort();
    asking.answer = ends[0];
    ask(&conversation, "Password: ", ends[1]);
    close(ends[1]);
    char password[PAM_MAX_RESP_SIZE];
    enum asking_word word = asking_read(&asking, password);
    size_t length = strnlen((const char *)answering.bytes, answering.size);
    bool is_one = answering.result == PAM_SUCCESS && answering.has_response && answering.has_text && length < PAM_MAX_RESP_SIZE;
    // A password comes whole or not at all, and nothing else is one.
    if (word == ASKING_PASSWORD) {
        if (!is_one || strlen(password) != length || memcmp(password, answering.bytes, length) != 0) abort();
        look_for_planted(OF_CONVERSATION, password, length);
    } else if (is_one && word != ASKING_PASSWORD) {
        abort();
    }
    close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) return 0;
    switch (bytes[0]) {
    case 0: case 1: case 2: case 3: hear(bytes[0], bytes + 1, size - 1); break;
    case 4: read_sudo(bytes + 1, size - 1); break;
    case 5: be_answered(bytes + 1, size - 1); break;
    case 8: read_name(bytes + 1, size - 1); break;
    case 6: case 7: hear(bytes[0], bytes + 1, size - 1); break;
    default: break;
    }
    return 0;
}
