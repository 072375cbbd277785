/* The bench's floor: a Secret Service that has one item, keeps nothing, asks nobody and encrypts nothing. What a lookup takes here, the bus
 * and libsecret take alone, and no provider can be quicker.
 *
 * Answers at org.freedesktop.secrets on the session's bus until it is killed. */

#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char session[] = "/org/freedesktop/secrets/session/1", item[] = "/org/freedesktop/secrets/collection/login/1";
static char secret[32];

static int open_session(sd_bus_message *call, void *data, sd_bus_error *error) {
    const char *algorithm;
    int status = sd_bus_message_read(call, "s", &algorithm);
    if (status < 0) return status;
    if (strcmp(algorithm, "plain") != 0) return sd_bus_error_set(error, "org.freedesktop.DBus.Error.NotSupported", "Plain alone.");
    return sd_bus_reply_method_return(call, "vo", "s", "", session);
}

static int search_items(sd_bus_message *call, void *data, sd_bus_error *error) {
    return sd_bus_reply_method_return(call, "aoao", 1, item, 0);
}

static int get_secrets(sd_bus_message *call, void *data, sd_bus_error *error) {
    sd_bus_message *answer = NULL;
    int status = sd_bus_message_new_method_return(call, &answer);
    if (status >= 0) status = sd_bus_message_open_container(answer, 'a', "{o(oayays)}");
    if (status >= 0) status = sd_bus_message_open_container(answer, 'e', "o(oayays)");
    if (status >= 0) status = sd_bus_message_append(answer, "o", item);
    if (status >= 0) status = sd_bus_message_open_container(answer, 'r', "oayays");
    if (status >= 0) status = sd_bus_message_append(answer, "o", session);
    if (status >= 0) status = sd_bus_message_append_array(answer, 'y', NULL, 0);
    if (status >= 0) status = sd_bus_message_append_array(answer, 'y', secret, sizeof secret);
    if (status >= 0) status = sd_bus_message_append(answer, "s", "text/plain");
    for (int container = 0; container < 3 && status >= 0; container++) status = sd_bus_message_close_container(answer);
    if (status >= 0) status = sd_bus_message_send(answer);
    sd_bus_message_unref(answer);
    return status;
}

static int collections(
    sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *answer, void *data,
    sd_bus_error *error) {
    return sd_bus_message_append(answer, "ao", 0);
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("OpenSession", "sv", "vo", open_session, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("SearchItems", "a{ss}", "aoao", search_items, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("GetSecrets", "aoo", "a{o(oayays)}", get_secrets, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("Collections", "ao", collections, 0, 0),
    SD_BUS_VTABLE_END,
};

static int failed(const char *what, int status) {
    fprintf(stderr, "secret-bare: %s: %s\n", what, strerror(-status));
    return 1;
}

int main(void) {
    sd_bus *bus = NULL;
    memset(secret, '9', sizeof secret);
    int status = sd_bus_open_user(&bus);
    if (status < 0) return failed("no bus", status);
    status = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", methods, NULL);
    if (status >= 0) status = sd_bus_request_name(bus, "org.freedesktop.secrets", 0);
    if (status < 0) return failed("no name", status);
    for (;;) {
        status = sd_bus_process(bus, NULL);
        if (status == 0) status = sd_bus_wait(bus, UINT64_MAX);
        if (status < 0) return failed("the bus ended", status);
    }
}
