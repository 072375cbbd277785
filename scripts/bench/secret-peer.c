/* The bench's peer: an app on libsecret, as its authors mean one to be written, on whatever session bus it is started on.
 *
 * Reads `add ACCOUNT` and `lookup ACCOUNT` a line from standard input and does it with libsecret's own blocking call. What no store can
 * be quicker than: `trip`, a call to the service that does nothing, and `sync FILE`, a page written to that file and flushed. Answers
 * with the nanoseconds the call took, measured here, so that the pipe to the bench is in nobody's figure.
 *
 * `secret-peer keyring` gives gnome-keyring's keyring a password first. `secret-peer fill COUNT` adds so many items, and ends. */

#include <fcntl.h>
#include <inttypes.h>
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const SecretSchema schema = {
    "thumbturn.bench", SECRET_SCHEMA_NONE,
    {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}},
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void stop(const char *what, GError *error) {
    fprintf(stderr, "secret-peer: %s: %s\n", what, error ? error->message : "nothing came back");
    exit(1);
}

static void appeared(GDBusConnection *bus, const char *name, const char *owner, gpointer loop) { g_main_loop_quit(loop); }

/* The keyring daemon is started beside us: a call made too early would start a second one. */
static void wait_for_service(void) {
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    guint watch = g_bus_watch_name(
        G_BUS_TYPE_SESSION, "org.freedesktop.secrets", G_BUS_NAME_WATCHER_FLAGS_NONE, appeared, NULL, loop, NULL);
    g_main_loop_run(loop);
    g_bus_unwatch_name(watch);
    g_main_loop_unref(loop);
}

static GVariant *call(GDBusConnection *bus, const char *interface, const char *method, GVariant *words, const char *type) {
    GError *error = NULL;
    GVariant *answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.secrets", "/org/freedesktop/secrets", interface, method, words, G_VARIANT_TYPE(type),
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    if (!answer) stop(method, error);
    return answer;
}

static GVariant *as_secret(const char *session, const char *text) {
    return g_variant_new(
        "(o@ay@ays)", session, g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, "", 0, 1),
        g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, text, strlen(text), 1), "text/plain");
}

/* Gives the keyring that was put there in clear a password, so that the daemon encrypts it as it does everybody's. */
static void give_password(void) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    const char *secrets = "org.freedesktop.Secret.Service", *passwords = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface";
    const char *password = "a password of the bench", *session, *keyring;
    GVariant *opened =
        call(bus, secrets, "OpenSession", g_variant_new("(sv)", "plain", g_variant_new_string("")), "(vo)");
    g_variant_get(opened, "(v&o)", NULL, &session);
    GVariant *found = call(bus, secrets, "ReadAlias", g_variant_new("(s)", "default"), "(o)");
    g_variant_get(found, "(&o)", &keyring);
    g_variant_unref(call(
        bus, passwords, "ChangeWithMasterPassword",
        g_variant_new("(o@(oayays)@(oayays))", keyring, as_secret(session, ""), as_secret(session, password)), "()"));
    g_variant_unref(call(
        bus, passwords, "UnlockWithMasterPassword", g_variant_new("(o@(oayays))", keyring, as_secret(session, password)), "()"));
    g_variant_unref(found);
    g_variant_unref(opened);
    g_object_unref(bus);
}

static int64_t add(const char *account, const char *secret) {
    GError *error = NULL;
    int64_t start = now();
    gboolean is_kept = secret_password_store_sync(
        &schema, SECRET_COLLECTION_DEFAULT, account, secret, NULL, &error, "service", "bench", "account", account, NULL);
    int64_t end = now();
    if (!is_kept) stop("store", error);
    return end - start;
}

static int64_t lookup(const char *account, size_t size) {
    GError *error = NULL;
    int64_t start = now();
    char *found = secret_password_lookup_sync(&schema, NULL, &error, "service", "bench", "account", account, NULL);
    int64_t end = now();
    if (!found || strlen(found) != size) stop("lookup", error);
    secret_password_free(found);
    return end - start;
}

static int64_t trip(GDBusConnection *bus) {
    int64_t start = now();
    g_variant_unref(call(bus, "org.freedesktop.DBus.Peer", "Ping", NULL, "()"));
    return now() - start;
}

static int64_t sync_page(const char *path) {
    static const char page[4096];
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) stop(path, NULL);
    int64_t start = now();
    if (write(file, page, sizeof page) != sizeof page || fdatasync(file)) stop("sync", NULL);
    int64_t end = now();
    close(file);
    return end - start;
}

/* So many stores are under way at once: filling a store one by one takes several times as long. */
enum { UNDER_WAY = 16 };
static long to_start, to_end;
static char filler[33];

static void fill_one(GMainLoop *loop);
static void filled(GObject *source, GAsyncResult *result, gpointer loop) {
    GError *error = NULL;
    if (!secret_password_store_finish(result, &error)) stop("fill", error);
    if (--to_end == 0) g_main_loop_quit(loop);
    else fill_one(loop);
}
static void fill_one(GMainLoop *loop) {
    char account[32];
    if (to_start == 0) return;
    snprintf(account, sizeof account, "account-%ld", --to_start);
    secret_password_store(
        &schema, SECRET_COLLECTION_DEFAULT, account, filler, NULL, filled, loop, "service", "bench", "account", account, NULL);
}
static void fill(long count, const char *secret) {
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    to_start = to_end = count;
    strcpy(filler, secret);
    for (int number = 0; number < UNDER_WAY; number++) fill_one(loop);
    if (count > 0) g_main_loop_run(loop);
    g_main_loop_unref(loop);
}

int main(int count, char **words) {
    char line[256], account[200];
    char secret[33] = "";
    memset(secret, '9', sizeof secret - 1);
    wait_for_service();
    if (count > 1 && strcmp(words[1], "keyring") == 0) give_password();
    if (count > 2 && strcmp(words[1], "fill") == 0) {
        fill(atol(words[2]), secret);
        return 0;
    }
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    /* Where secret-tool finds the same bus. */
    printf("%s\n", getenv("DBUS_SESSION_BUS_ADDRESS"));
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        int64_t time;
        if (sscanf(line, "add %199s", account) == 1) time = add(account, secret);
        else if (sscanf(line, "lookup %199s", account) == 1) time = lookup(account, strlen(secret));
        else if (sscanf(line, "sync %199s", account) == 1) time = sync_page(account);
        else if (strcmp(line, "trip\n") == 0) time = trip(bus);
        else return 2;
        printf("%" PRId64 "\n", time);
        fflush(stdout);
    }
    return 0;
}
