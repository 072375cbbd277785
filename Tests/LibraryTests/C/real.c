// Against a real daemon of the user's own: `real WORD …`.
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <thumbturn.h>
#include <unistd.h>

#include "check.h"

static thumbturn *t;

static thumbturn_status state(void) {
    thumbturn_status status = {.size = sizeof status};
    EXPECT(THUMBTURN_OK, thumbturn_get_status(t, &status));
    return status;
}

// Nothing of this program's environment is the daemon's: it could name a library that is loaded there.
static void check_environment(int process) {
    // To look into a process that keeps others out takes root.
    if (getuid() != 0) return;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", process);
    FILE *file = fopen(path, "r");
    CHECK(file && getc(file) == EOF && fclose(file) == 0);
}

// The first call starts it, and the next one finds it, also after somebody killed it.
static void started(void) {
    thumbturn_status status = state();
    check_environment((int)status.process);
    CHECK(status.mode == 1 && status.process > 1 && !status.is_passcode_set && status.sensor == THUMBTURN_SENSOR_NONE);
    EXPECT(THUMBTURN_OK, thumbturn_store(t, "kept", "a", "over a death", 12, NULL, THUMBTURN_RULE_NONE, THUMBTURN_ALWAYS, NULL));
    CHECK(state().process == status.process);
    CHECK(kill((pid_t)status.process, SIGKILL) == 0);
    for (int turn = 0; turn < 1000 && kill((pid_t)status.process, 0) == 0; turn++) usleep(10000);
    thumbturn_secret *secret;
    int error = thumbturn_read(t, "kept", "a", NULL, &secret);
    // The kernel may not have closed its end yet; then the call is lost, and the next one isn't.
    if (error == THUMBTURN_CONNECTION_LOST) error = thumbturn_read(t, "kept", "a", NULL, &secret);
    EXPECT(THUMBTURN_OK, error);
    CHECK(thumbturn_secret_size(secret) == 12 && memcmp(thumbturn_secret_bytes(secret), "over a death", 12) == 0);
    thumbturn_secret_free(secret);
    CHECK(state().process != status.process);
}

// What a machine without a passcode, a reader and a TPM can't do.
static void lacking(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("try");
    EXPECT(THUMBTURN_NO_PASSCODE, thumbturn_capability(t, THUMBTURN_OWNER, NULL, NULL, 0, NULL));
    EXPECT(THUMBTURN_NO_PASSCODE, thumbturn_verify(t, THUMBTURN_OWNER, &asking, NULL));
    EXPECT(THUMBTURN_NO_SENSOR_USABLE, thumbturn_verify(t, THUMBTURN_SENSOR, &asking, NULL));
    EXPECT(THUMBTURN_NO_COMPANION, thumbturn_verify(t, THUMBTURN_COMPANION, &asking, NULL));
    thumbturn_key *key;
    EXPECT(THUMBTURN_NO_CUSTODIAN, thumbturn_key_make(t, "k", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, &key));
    CHECK(strstr(thumbturn_advice(t), "thumbturn allow software-keys"));
}

// The prompt comes on this program's terminal, and is gone when the call returns.
static void verified(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("open the cellar");
    thumbturn_factor factor;
    EXPECT(THUMBTURN_OK, thumbturn_verify(t, THUMBTURN_OWNER, &asking, &factor));
    CHECK(factor == THUMBTURN_BY_PASSCODE);
    puts("it was the owner");
}

static void verified_meanwhile(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("open the attic");
    thumbturn_question *question;
    thumbturn_factor factor;
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    int error;
    do {
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        CHECK(poll(&wait, 1, 100000) == 1);
        error = thumbturn_question_finish(&question, &factor);
    } while (error == THUMBTURN_PENDING);
    EXPECT(THUMBTURN_OK, error);
    CHECK(factor == THUMBTURN_BY_PASSCODE);
    puts("it was the owner again");
}

// Takes the question back while the prompt is on the screen. The terminal is the program's again then.
static void taken_back(void) {
    thumbturn_asking asking = THUMBTURN_ASKING("open the shed");
    thumbturn_question *question;
    EXPECT(THUMBTURN_OK, thumbturn_verify_begin(t, THUMBTURN_OWNER, &asking, &question));
    for (int turn = 0; turn < 10; turn++) {
        struct pollfd wait = {.fd = thumbturn_question_fd(question), .events = POLLIN};
        if (poll(&wait, 1, 200) == 1) EXPECT(THUMBTURN_PENDING, thumbturn_question_finish(&question, NULL));
    }
    thumbturn_question_cancel(&question);
    CHECK(state().mode == 1);
    puts("it was taken back");
}

// Ends the daemon, so that nothing is left of the test.
static void ended(void) { CHECK(kill((pid_t)state().process, SIGTERM) == 0); }

int main(int count, char **words) {
    EXPECT(THUMBTURN_OK, thumbturn_open("org.example.test", &t));
    for (int index = 1; index < count; index++) {
        if (strcmp(words[index], "started") == 0) started();
        else if (strcmp(words[index], "lacking") == 0) lacking();
        else if (strcmp(words[index], "verified") == 0) verified();
        else if (strcmp(words[index], "meanwhile") == 0) verified_meanwhile();
        else if (strcmp(words[index], "back") == 0) taken_back();
        else if (strcmp(words[index], "ended") == 0) ended();
        else CHECK(!"a word that is known");
    }
    thumbturn_close(t);
    puts("the daemon did its part");
    return 0;
}
