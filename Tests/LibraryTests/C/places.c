// Where the library looks for the daemon. `places system`, as root in a mount namespace where /etc has the marker of system mode and /run
// is empty: only what is root's alone counts. `places secure`, with more rights than its caller: no variable of the caller's counts.
#define _GNU_SOURCE
#include <sys/auxv.h>
#include <sys/mount.h>
#include <thumbturn.h>

#include "daemon.h"

static const uint8_t STATUS[75] = {2, [24] = 1, [30] = 2, 1};

static void play_once(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    uint8_t body[4096];
    welcome(fd);
    hear(fd, body, sizeof body);
    if (body[0] == 3) say(fd, 132, body + 1, STATUS, sizeof STATUS);
    hear(fd, body, sizeof body);
}

static void play_impostor(int fd, int number, const void *detail) {
    (void)number, (void)detail;
    char byte;
    if (recv(fd, &byte, 1, 0) != 0) _exit(14);
}

static int status(thumbturn *t) {
    thumbturn_status status = {.size = sizeof status};
    return thumbturn_get_status(t, &status);
}

static void system_mode(void) {
    static const char folder[] = "/run/thumbturn", socket[] = "/run/thumbturn/socket", marker[] = "/etc/thumbturn/system-mode";
    thumbturn *t;
    EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
    // A socket where the user's own daemon would be isn't looked at.
    EXPECT(THUMBTURN_NO_DAEMON, status(t));
    CHECK(strstr(thumbturn_advice(t), "systemctl start thumbturn.socket"));
    CHECK(mkdir(folder, 0755) == 0);
    EXPECT(THUMBTURN_NO_DAEMON, status(t));
    pid_t daemon = started(socket, 0, 1, play_once, NULL);
    EXPECT(THUMBTURN_OK, status(t));
    thumbturn_close(t);
    ended(daemon);
    // It is root's, whoever asks for it.
    daemon = started(socket, 0, 1, play_once, NULL);
    CHECK(chmod(socket, 0666) == 0);
    fflush(NULL);
    pid_t other = fork();
    CHECK(other >= 0);
    if (other == 0) {
        CHECK(setresuid(65534, 65534, 65534) == 0);
        EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
        EXPECT(THUMBTURN_OK, status(t));
        _exit(0);
    }
    ended(other);
    ended(daemon);
    // Each of these could be somebody else's doing; nobody is spoken to.
    daemon = started(socket, 0, 1, play_impostor, NULL);
    EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
    CHECK(chmod(folder, 0775) == 0);
    EXPECT(THUMBTURN_IMPOSTOR, status(t));
    CHECK(chmod(folder, 0755) == 0 && chown(folder, 65534, 65534) == 0);
    EXPECT(THUMBTURN_IMPOSTOR, status(t));
    CHECK(chown(folder, 0, 0) == 0 && rename(folder, "/run/elsewhere") == 0 && symlink("/run/elsewhere", folder) == 0);
    EXPECT(THUMBTURN_IMPOSTOR, status(t));
    CHECK(unlink(folder) == 0 && rename("/run/elsewhere", folder) == 0);
    killed(daemon);
    CHECK(unlink(socket) == 0 && chmod(folder, 0777) == 0);
    daemon = started(socket, 65534, 1, play_impostor, NULL);
    CHECK(chmod(folder, 0755) == 0);
    EXPECT(THUMBTURN_IMPOSTOR, status(t));
    ended(daemon);
    // A marker that can't be looked at counts as well: this one is a link to itself.
    CHECK(unlink(marker) == 0 && symlink("system-mode", marker) == 0);
    EXPECT(THUMBTURN_NO_DAEMON, status(t));
    CHECK(strstr(thumbturn_advice(t), "systemctl start thumbturn.socket"));
    thumbturn_close(t);
}

static void secure(void) {
    CHECK(getauxval(AT_SECURE) != 0);
    thumbturn *t;
    EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
    EXPECT(THUMBTURN_NO_DAEMON, status(t));
    // Neither the socket nor the folder of programs that the caller named.
    CHECK(!strstr(thumbturn_advice(t), "THUMBTURN_SOCKET") && !strstr(thumbturn_advice(t), "status 9"));
    puts(thumbturn_advice(t));
    thumbturn_close(t);
}

int main(int count, char **words) {
    CHECK(count == 2);
    if (strcmp(words[1], "system") == 0) system_mode();
    else secure();
    puts("the right places");
    return 0;
}
