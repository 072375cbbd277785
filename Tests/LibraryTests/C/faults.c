// What the library does about a daemon that lies, hangs, dies or isn't ours: `faults FOLDER`.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/time.h>
#include <thumbturn.h>
#include <time.h>

#include "connection.h"
#include "daemon.h"
#include "keys.h"

static char path[200];

static thumbturn *opened(double patience) {
    thumbturn *t;
    EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
    EXPECT(THUMBTURN_OK, thumbturn_set_patience(t, patience));
    return t;
}

static int status(thumbturn *t) {
    thumbturn_status status = {.size = sizeof status};
    return thumbturn_get_status(t, &status);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// What `status` is answered by a good daemon: a finger, nobody enrolled, no passcode.
static const uint8_t STATUS[] = {
    3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 7, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

// An answer as bytes, sent as they are after the welcome.
struct raw {
    const char *name;
    int error;
    const uint8_t *bytes;
    size_t size;
};

static void play_raw(int fd, int number, const void *detail) {
    (void)number;
    const struct raw *raw = detail;
    uint8_t body[4096];
    welcome(fd);
    hear(fd, body, sizeof body);
    send_all(fd, raw->bytes, raw->size);
    // The library closes what it doesn't understand. Otherwise this does, and something is cut off.
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (raw->error == THUMBTURN_PROTOCOL && poll(&wait, 1, 20000) != 1) _exit(9);
}

#define RAW(name, error, ...) {name, error, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})}

// The call's number is 2: the greeting has 1.
static const struct raw RAWS[] = {
    RAW("a length of 0", THUMBTURN_PROTOCOL, 0, 0, 0, 0),
    RAW("a length of 4", THUMBTURN_PROTOCOL, 0, 0, 0, 4, 130, 0, 0, 0),
    RAW("a length beyond the limit", THUMBTURN_PROTOCOL, 0, 0x20, 0, 1),
    RAW("a length of 4 GiB", THUMBTURN_PROTOCOL, 0xff, 0xff, 0xff, 0xff),
    RAW("an unknown kind", THUMBTURN_PROTOCOL, 0, 0, 0, 5, 254, 0, 0, 0, 2),
    RAW("an answer of another call's", THUMBTURN_PROTOCOL, 0, 0, 0, 5, 130, 0, 0, 0, 2),
    RAW("the answer to a call that wasn't made", THUMBTURN_PROTOCOL, 0, 0, 0, 5, 130, 0, 0, 0, 9),
    RAW("the answer to the greeting again", THUMBTURN_PROTOCOL, 0, 0, 0, 8, 128, 0, 0, 0, 1, 0, 1, 3),
    RAW("a status that ends early", THUMBTURN_PROTOCOL, 0, 0, 0, 7, 132, 0, 0, 0, 2, 3, 1),
    RAW("a failure that isn't one", THUMBTURN_PROTOCOL, 0, 0, 0, 6, 135, 0, 0, 0, 2, 99),
    RAW("a refusal for no reason", THUMBTURN_PROTOCOL, 0, 0, 0, 5, 129, 0, 0, 0, 2),
    RAW("a refusal that isn't one", THUMBTURN_PROTOCOL, 0, 0, 0, 6, 129, 0, 0, 0, 2, 16),
    RAW("a ticket of 31 bytes", THUMBTURN_PROTOCOL, 0, 0, 0, 40, 137, 0, 0, 0, 2, 0, 0, 0, 31, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31),
    RAW("a frame that is cut off", THUMBTURN_CONNECTION_LOST, 0, 0, 0, 9, 132, 0),
    RAW("a length that is cut off", THUMBTURN_CONNECTION_LOST, 0, 0),
};

static void lies(void) {
    for (size_t index = 0; index < sizeof RAWS / sizeof *RAWS; index++) {
        pid_t daemon = started(path, getuid(), 1, play_raw, &RAWS[index]);
        thumbturn *t = opened(20);
        int error = status(t);
        if (error != RAWS[index].error) fprintf(stderr, "%s: %d\n", RAWS[index].name, error);
        CHECK(error == RAWS[index].error);
        thumbturn_close(t);
        ended(daemon);
    }
}

// An item without names, with a secret of one byte.
#define ITEM(secret) 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, secret

static const struct raw READS[] = {
    RAW("one secret", THUMBTURN_OK, 0, 0, 0, 34, 136, 0, 0, 0, 2, 1, 0, 0, 0, 1, ITEM('a')),
    RAW("no item", THUMBTURN_PROTOCOL, 0, 0, 0, 10, 136, 0, 0, 0, 2, 1, 0, 0, 0, 0),
    RAW("two secrets", THUMBTURN_PROTOCOL, 0, 0, 0, 58, 136, 0, 0, 0, 2, 1, 0, 0, 0, 2, ITEM('a'), ITEM('b')),
    RAW("two secrets on two pages", THUMBTURN_PROTOCOL, 0, 0, 0, 34, 136, 0, 0, 0, 2, 0, 0, 0, 0, 1, ITEM('a'), 0, 0, 0, 34, 136,
        0, 0, 0, 2, 1, 0, 0, 0, 1, ITEM('b')),
};

// One secret was asked for, and one is given.
static void secrets(void) {
    for (size_t index = 0; index < sizeof READS / sizeof *READS; index++) {
        pid_t daemon = started(path, getuid(), 1, play_raw, &READS[index]);
        thumbturn *t = opened(20);
        thumbturn_secret *secret;
        int error = thumbturn_read(t, "mail", NULL, NULL, &secret);
        if (error != READS[index].error) fprintf(stderr, "%s: %d\n", READS[index].name, error);
        CHECK(error == READS[index].error && !secret == (error != THUMBTURN_OK));
        thumbturn_secret_free(secret);
        thumbturn_close(t);
        ended(daemon);
    }
}

static void play_signature(int fd, int number, const void *detail) {
    (void)number;
    uint8_t body[4096], used[100] = {0};
    uint8_t size = *(const uint8_t *)detail;
    welcome(fd);
    hear(fd, body, sizeof body);
    // Its length, its bytes, and who holds the key.
    used[3] = size;
    memset(used + 4, 7, size);
    used[4 + size] = 1;
    say(fd, 151, body + 1, used, size + 5u);
    hear(fd, body, sizeof body);
}

// A signature that is longer than the program's memory isn't written there.
static void signatures(void) {
    uint8_t reference[] = {1, 2, 3}, digest[32] = {0};
    const thumbturn_key key = {.reference = reference, .reference_size = sizeof reference, .family = 1, .bits = 256};
    for (uint8_t size = 72; size <= 73; size++) {
        pid_t daemon = started(path, getuid(), 1, play_signature, &size);
        thumbturn *t = opened(20);
        uint8_t signature[73] = {0};
        size_t needed;
        EXPECT(size == 72 ? THUMBTURN_OK : THUMBTURN_PROTOCOL,
            thumbturn_key_sign(t, &key, THUMBTURN_SHA256, digest, sizeof digest, NULL, signature, 72, &needed));
        CHECK(signature[71] == (size == 72 ? 7 : 0) && signature[72] == 0);
        thumbturn_close(t);
        ended(daemon);
    }
}

static void play_refusal(int fd, int number, const void *detail) {
    uint8_t body[4096];
    hear(fd, body, sizeof body);
    if (number == 1) {
        say(fd, 128, body + 1, "\0\1\3", 3);
        hear(fd, body, sizeof body);
    }
    say(fd, 129, body + 1, detail, 1);
}

// Each reason is the caller's to know, whether it comes for the greeting or for a call.
static void refusals(void) {
    for (uint8_t reason = 1; reason <= 15; reason++) {
        pid_t daemon = started(path, getuid(), 2, play_refusal, &reason);
        thumbturn *t = opened(20);
        EXPECT(320 + reason, status(t));
        CHECK(strcmp(thumbturn_advice(t), thumbturn_error_advice(320 + reason)) == 0 && thumbturn_advice(t)[0]);
        EXPECT(320 + reason, status(t));
        thumbturn_close(t);
        ended(daemon);
    }
}

static void play_welcome(int fd, int number, const void *detail) {
    (void)number;
    uint8_t body[4096];
    hear(fd, body, sizeof body);
    say(fd, 128, body + 1, detail, 3);
    if (hear(fd, body, sizeof body) != 0) _exit(10);
}

static void greetings(void) {
    static const char *const wrong[] = {"\0\2\3", "\0\0\3", "\0\1\0", "\0\1\4"};
    for (size_t index = 0; index < 4; index++) {
        pid_t daemon = started(path, getuid(), 1, play_welcome, wrong[index]);
        thumbturn *t = opened(20);
        EXPECT(THUMBTURN_PROTOCOL, status(t));
        thumbturn_close(t);
        ended(daemon);
    }
}

// Byte for byte is as good as all at once.
static void play_slowly(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096];
    welcome(fd);
    hear(fd, body, sizeof body);
    uint8_t frame[9 + sizeof STATUS] = {0, 0, 0, 5 + sizeof STATUS, 132};
    memcpy(frame + 5, body + 1, 4);
    memcpy(frame + 9, STATUS, sizeof STATUS);
    for (size_t index = 0; index < sizeof frame; index++) {
        send_all(fd, frame + index, 1);
        usleep(2000);
    }
}

static void slowness(void) {
    pid_t daemon = started(path, getuid(), 1, play_slowly, NULL);
    thumbturn *t = opened(20);
    EXPECT(THUMBTURN_OK, status(t));
    thumbturn_close(t);
    ended(daemon);
}

static void play_silence(int fd, int number, const void *detail) {
    uint8_t body[4096];
    // It may greet and say nothing else; and whoever looks hears as little.
    if (number == 0 && *(const int *)detail) welcome(fd);
    while (recv(fd, body, sizeof body, 0) > 0) {}
}

static void silence(void) {
    for (int greets = 0; greets < 2; greets++) {
        pid_t daemon = started(path, getuid(), 2, play_silence, &greets);
        double begin = now();
        thumbturn *t = opened(0.3);
        EXPECT(THUMBTURN_SILENT, status(t));
        CHECK(now() - begin < 20);
        thumbturn_close(t);
        killed(daemon);
    }
}

// Greets, and can't be reached any more: as many wait in its line as can, or it listens no longer.
static void play_out_of_reach(int fd, int number, const void *detail) {
    (void)number;
    uint8_t body[4096];
    if (*(const int *)detail) unlink(path);
    else while (tt_connect(path, -1) >= 0) {}
    welcome(fd);
    while (recv(fd, body, sizeof body, 0) > 0) {}
}

static void out_of_reach(void) {
    for (int is_gone = 0; is_gone < 2; is_gone++) {
        pid_t daemon = started(path, getuid(), 1, play_out_of_reach, &is_gone);
        thumbturn *t = opened(0.3);
        EXPECT(THUMBTURN_SILENT, status(t));
        thumbturn_close(t);
        killed(daemon);
    }
}

// Nobody is taken any more, and as many wait as can.
static void full(void) {
    int listener = listening(path), waiting[64], count = 0;
    while (count < 64 && (waiting[count] = tt_connect(path, -1)) >= 0) count++;
    CHECK(count < 64);
    thumbturn *t = opened(0.3);
    EXPECT(THUMBTURN_SILENT, status(t));
    thumbturn_close(t);
    while (count > 0) close(waiting[--count]);
    close(listener);
}

// Greets, hears a question, and says nothing any more, to nobody.
static void play_silent_question(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096];
    welcome(fd);
    while (recv(fd, body, sizeof body, 0) > 0) {}
}

// One that answers others takes its time over a question.
static void play_slow_question(int fd, int number, const void *detail) {
    (void)detail;
    uint8_t body[4096];
    static uint8_t call[4];
    static int asked = -1;
    welcome(fd);
    if (number == 0) {
        // It stays open behind this call.
        asked = dup(fd);
        hear(fd, body, sizeof body);
        memcpy(call, body + 1, 4);
        return;
    }
    // After the second look the owner has answered.
    if (number == 2) say(asked, 134, call, (const uint8_t[]){0, 1, 1, 0}, 4);
}

// A question whose program has no descriptor left to look with isn't told that the daemon is silent.
static void without_descriptors(void) {
    pid_t daemon = started(path, getuid(), 1, play_silent_question, NULL);
    thumbturn *t = opened(0.1);
    thumbturn_question *question;
    thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    struct rlimit before, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    for (int look = 0; look < 3; look++) {
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        CHECK(poll(&wait, 1, 60000) == 1);
        EXPECT(THUMBTURN_PENDING, thumbturn_question_finish(&question, NULL));
    }
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    thumbturn_question_cancel(&question);
    thumbturn_close(t);
    killed(daemon);
}

// A program that goes on while its question is asked is woken when its patience is over, and hears of a daemon that is silent.
static void questions(void) {
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        pid_t daemon = started(path, getuid(), is_slow ? 3 : 1, is_slow ? play_slow_question : play_silent_question, NULL);
        thumbturn *t = opened(0.3);
        thumbturn_question *question;
        thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
        EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
        int error;
        do {
            struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
            CHECK(poll(&wait, 1, 60000) == 1);
            error = thumbturn_question_finish(&question, NULL);
        } while (error == THUMBTURN_PENDING);
        EXPECT(is_slow ? THUMBTURN_OK : THUMBTURN_SILENT, error);
        thumbturn_close(t);
        killed(daemon);
    }
}

// One that answers others is there, and has its time.
static void play_thinking(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096], call[4];
    welcome(fd);
    hear(fd, body, sizeof body);
    memcpy(call, body + 1, 4);
    // The library looks, and looks again. Its looks wait in the line of the same listener.
    int listener = 3;
    while (listener < 64) {
        int is_listening = 0;
        socklen_t size = sizeof is_listening;
        if (getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0 && is_listening) break;
        listener++;
    }
    for (int look = 0; look < 2; look++) {
        int other = accept(listener, NULL, NULL);
        welcome(other);
        close(other);
    }
    say(fd, 132, call, STATUS, sizeof STATUS);
    hear(fd, body, sizeof body);
}

static void thinking(void) {
    pid_t daemon = started(path, getuid(), 1, play_thinking, NULL);
    thumbturn *t = opened(0.5);
    EXPECT(THUMBTURN_OK, status(t));
    thumbturn_close(t);
    ended(daemon);
}

static void play_once(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096];
    welcome(fd);
    hear(fd, body, sizeof body);
    say(fd, 132, body + 1, STATUS, sizeof STATUS);
}

static volatile sig_atomic_t signals;

static void count_signal(int number) {
    (void)number;
    signals++;
}

static bool is_asleep(pid_t process) {
    char file[64], text[256];
    snprintf(file, sizeof file, "/proc/%d/stat", process);
    FILE *stream = fopen(file, "r");
    if (!stream) _exit(16);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    // The state stands behind the name.
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

static void play_signals(int fd, int number, const void *detail) {
    (void)number;
    uint8_t body[4096];
    pid_t program = *(const pid_t *)detail;
    welcome(fd);
    hear(fd, body, sizeof body);
    for (int turn = 0; turn < 3; turn++) {
        // It waits for the answer.
        while (!is_asleep(program)) usleep(1000);
        kill(program, SIGUSR1);
    }
    say(fd, 132, body + 1, STATUS, sizeof STATUS);
    hear(fd, body, sizeof body);
}

// A signal that the program handles ends no call.
static void interrupted(void) {
    // Whoever started this program may have blocked it.
    sigset_t signal_set;
    sigemptyset(&signal_set);
    sigaddset(&signal_set, SIGUSR1);
    CHECK(signal(SIGUSR1, count_signal) != SIG_ERR && !sigprocmask(SIG_UNBLOCK, &signal_set, 0));
    pid_t program = getpid(), daemon = started(path, getuid(), 1, play_signals, &program);
    thumbturn *t = opened(0);
    EXPECT(THUMBTURN_OK, status(t));
    CHECK(signals > 0);
    thumbturn_close(t);
    ended(daemon);
    CHECK(signal(SIGUSR1, SIG_DFL) != SIG_ERR);
}

static void ignore(int number) { (void)number; }

// Signals don't make a daemon that says nothing look as if it might still answer.
static void interrupted_silence(void) {
    // Whoever started this program may have blocked it.
    sigset_t alarm_set;
    sigemptyset(&alarm_set);
    sigaddset(&alarm_set, SIGALRM);
    CHECK(signal(SIGALRM, ignore) != SIG_ERR && !sigprocmask(SIG_UNBLOCK, &alarm_set, 0));
    struct itimerval often = {.it_interval = {.tv_usec = 50000}, .it_value = {.tv_usec = 50000}}, never = {0};
    pid_t daemon = started(path, getuid(), 1, play_silent_question, NULL);
    thumbturn *t = opened(0.3);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    EXPECT(THUMBTURN_SILENT, status(t));
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0 && signal(SIGALRM, SIG_DFL) != SIG_ERR);
    thumbturn_close(t);
    killed(daemon);
}

static void play_greetings(int fd, int number, const void *detail) {
    uint8_t body[4096];
    size_t size = hear(fd, body, sizeof body);
    bool is_said = memmem(body, size, detail, strlen(detail)) != NULL;
    if (body[0] != 1 || is_said != (number == 1)) _exit(17);
    say(fd, 128, body + 1, "\0\1\3", 3);
    hear(fd, body, sizeof body);
    say(fd, 132, body + 1, STATUS, sizeof STATUS);
    if (hear(fd, body, sizeof body) != 0) _exit(18);
}

// The daemon hears in a greeting why the program wants face recognition, so a later word takes a new one.
static void face_usage(void) {
    static const char why[] = "see who is there";
    pid_t daemon = started(path, getuid(), 2, play_greetings, why);
    thumbturn *t = opened(20);
    EXPECT(THUMBTURN_OK, status(t));
    EXPECT(THUMBTURN_OK, thumbturn_set_face_usage(t, why));
    EXPECT(THUMBTURN_OK, status(t));
    thumbturn_close(t);
    ended(daemon);
}

// A daemon that went away between two calls is found again. One that goes while it is asked isn't asked twice.
static void deaths(void) {
    pid_t daemon = started(path, getuid(), 1, play_once, NULL);
    thumbturn *t = opened(20);
    EXPECT(THUMBTURN_OK, status(t));
    ended(daemon);
    EXPECT(THUMBTURN_NO_DAEMON, status(t));
    CHECK(strstr(thumbturn_advice(t), "$THUMBTURN_SOCKET"));
    daemon = started(path, getuid(), 1, play_once, NULL);
    EXPECT(THUMBTURN_OK, status(t));
    ended(daemon);
    daemon = started(path, getuid(), 1, play_once, NULL);
    EXPECT(THUMBTURN_OK, status(t));
    thumbturn_close(t);
    ended(daemon);
    static const struct raw nothing = {"nothing", THUMBTURN_CONNECTION_LOST, (const uint8_t *)"", 0};
    daemon = started(path, getuid(), 1, play_raw, &nothing);
    t = opened(20);
    EXPECT(THUMBTURN_CONNECTION_LOST, status(t));
    thumbturn_close(t);
    ended(daemon);
}

// Nobody can be asked here: there is no terminal and no display. The daemon hears that, with its own ticket.
static void play_question(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096], call[4], ticket[36] = {0, 0, 0, 32, 7, 7, 7};
    welcome(fd);
    hear(fd, body, sizeof body);
    if (body[0] != 11) _exit(11);
    memcpy(call, body + 1, 4);
    say(fd, 137, call, ticket, sizeof ticket);
    if (hear(fd, body, sizeof body) != 41 || body[0] != 15 || memcmp(body + 5, ticket, 36) != 0) _exit(12);
    if (memcmp(body + 1, call, 4) != 0) _exit(13);
    say(fd, 134, call, "\1\14\0\0", 4);
    hear(fd, body, sizeof body);
}

static void nobody_to_ask(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
    pid_t daemon = started(path, getuid(), 1, play_question, NULL);
    thumbturn *t = opened(20);
    EXPECT(THUMBTURN_NOT_INTERACTIVE, thumbturn_verify(t, THUMBTURN_OWNER, &asking, NULL));
    thumbturn_close(t);
    ended(daemon);
    daemon = started(path, getuid(), 1, play_question, NULL);
    t = opened(20);
    thumbturn_question *question;
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    int error = THUMBTURN_PENDING;
    while (error == THUMBTURN_PENDING) {
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        CHECK(poll(&wait, 1, 30000) == 1);
        error = thumbturn_question_finish(&question, NULL);
    }
    EXPECT(THUMBTURN_NOT_INTERACTIVE, error);
    thumbturn_close(t);
    ended(daemon);
}

// A question that is taken back is forgotten with its context, whether that is the question's own or the program's.
static void play_taken_back(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096], context[8];
    welcome(fd);
    if (hear(fd, body, sizeof body) < 13 || body[0] != TT_EVALUATE) _exit(19);
    memcpy(context, body + 5, sizeof context);
    if (hear(fd, body, sizeof body) != 13 || body[0] != TT_RELEASE || memcmp(body + 5, context, sizeof context) != 0) _exit(20);
    hear(fd, body, sizeof body);
}

static void taken_back(void) {
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        pid_t daemon = started(path, getuid(), 1, play_taken_back, NULL);
        thumbturn *t = opened(20);
        thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
        if (is_shared) asking.context = thumbturn_new_context(t);
        thumbturn_question *question;
        EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
        thumbturn_question_cancel(&question);
        thumbturn_close(t);
        ended(daemon);
    }
}

static void play_vanishing(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096];
    welcome(fd);
    hear(fd, body, sizeof body);
}

static void vanishing(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
    thumbturn_question *question;
    pid_t daemon = started(path, getuid(), 1, play_vanishing, NULL);
    thumbturn *t = opened(0);
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
    CHECK(poll(&wait, 1, 30000) == 1);
    EXPECT(THUMBTURN_CONNECTION_LOST, thumbturn_question_finish(&question, NULL));
    thumbturn_close(t);
    ended(daemon);
}

// A program that this one starts has none of the library's descriptors.
static void descriptors(void) {
    enum { MOST = 256 };
    thumbturn_asking asking = THUMBTURN_ASKING("ask nobody");
    thumbturn_question *question;
    bool were_open[MOST];
    int greets = 1, own = 0;
    pid_t daemon = started(path, getuid(), 1, play_silence, &greets);
    for (int fd = 0; fd < MOST; fd++) were_open[fd] = fcntl(fd, F_GETFD) >= 0;
    thumbturn *t = opened(0);
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    for (int fd = 0; fd < MOST; fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (were_open[fd] || flags < 0) continue;
        CHECK(flags & FD_CLOEXEC);
        own++;
    }
    // The connection, the epoll and the two clocks.
    CHECK(own == 4);
    thumbturn_question_cancel(&question);
    thumbturn_close(t);
    killed(daemon);
}

static void play_impostor(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    char byte;
    // Nothing is said to it.
    if (recv(fd, &byte, 1, 0) != 0) _exit(14);
}

static void impostor(void) {
    if (getuid() != 0) return;
    pid_t daemon = started(path, 65534, 1, play_impostor, NULL);
    thumbturn *t = opened(20);
    EXPECT(THUMBTURN_IMPOSTOR, status(t));
    thumbturn_close(t);
    ended(daemon);
}

// A thumbturnd whose start hangs holds nobody up for longer than they have patience, and is no child of theirs afterwards.
static void hanging_start(const char *folder) {
    char place[220], program[240];
    snprintf(place, sizeof place, "%s/hanging", folder);
    snprintf(program, sizeof program, "%s/thumbturnd", place);
    CHECK(mkdir(place, 0700) == 0);
    int fd = open(program, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
    static const char script[] = "#!/bin/sh\nexec sleep 600\n";
    CHECK(write(fd, script, strlen(script)) == (ssize_t)strlen(script) && close(fd) == 0);
    CHECK(unsetenv("THUMBTURN_SOCKET") == 0 && setenv("THUMBTURN_LIBEXEC", place, 1) == 0);
    CHECK(setenv("XDG_RUNTIME_DIR", place, 1) == 0 && setenv("THUMBTURN_STATE", place, 1) == 0);
    thumbturn *t = opened(0.3);
    double begin = now();
    EXPECT(THUMBTURN_SILENT, status(t));
    CHECK(now() - begin < 300 && strstr(thumbturn_advice(t), "doesn't listen yet"));
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    thumbturn_close(t);
    CHECK(setenv("THUMBTURN_SOCKET", path, 1) == 0);
}

int main(int count, char **words) {
    CHECK(count == 2);
    snprintf(path, sizeof path, "%s/socket", words[1]);
    CHECK(setenv("THUMBTURN_SOCKET", path, 1) == 0);
    signal(SIGPIPE, SIG_DFL);
    // In a session without a terminal.
    pid_t child = fork();
    if (child > 0) {
        int status;
        CHECK(waitpid(child, &status, 0) == child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    }
    CHECK(child == 0 && setsid() >= 0);
    lies();
    secrets();
    signatures();
    refusals();
    greetings();
    slowness();
    silence();
    out_of_reach();
    full();
    questions();
    without_descriptors();
    thinking();
    interrupted();
    interrupted_silence();
    face_usage();
    deaths();
    taken_back();
    vanishing();
    descriptors();
    impostor();
    nobody_to_ask();
    hanging_start(words[1]);
    puts("every fault is known");
    return 0;
}
