// Holds the library's codec to the frames that the house's own codec wrote: `frames FOLDER`, a folder of files in hexadecimal.
// It says the same bytes, understands each answer that an app can get, and refuses everything that is malformed.
#define _GNU_SOURCE
#include <dirent.h>

#include "check.h"
#include "connection.h"
#include "words.h"

static uint8_t file[1 << 16];

// Reads a file: hexadecimal digits, with comments from `#` to the line's end.
static size_t read_file(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "r");
    if (!stream) fprintf(stderr, "%s isn't there\n", path);
    CHECK(stream);
    size_t digits = 0;
    int letter, is_comment = 0;
    while ((letter = getc(stream)) != EOF) {
        if (letter == '#') is_comment = 1;
        if (letter == '\n') is_comment = 0;
        const char *digit = strchr("0123456789abcdef", letter);
        if (is_comment || letter == 0 || !digit) continue;
        CHECK(digits / 2 < sizeof file);
        uint8_t value = (uint8_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
        file[digits / 2] = (uint8_t)(digits % 2 ? file[digits / 2] | value : value << 4);
        digits++;
    }
    fclose(stream);
    CHECK(digits % 2 == 0);
    return digits / 2;
}

static const thumbturn_asking ASKING = {sizeof(thumbturn_asking), "r", "", "c", 7, THUMBTURN_FAIL_INSTEAD, 1.5};
static const struct tt_names NAMED = {.service = "mail", .account = "anna"}, KEY = {.tag = "k", .label = "k"};
static const struct tt_rule PRESENCE = {1, TT_USER_PRESENCE}, FOR_KEY = {4, TT_BIOMETRY_CURRENT | TT_PRIVATE_KEY_USAGE};
static const uint8_t REFERENCE[] = {1, 2, 3};
static uint8_t ticket[TT_TICKET_BYTES];

// Writes the request of that name; false if the library never says it.
static bool write_request(struct tt_out *out, const char *name) {
    const struct tt_names labelled = {.service = "mail", .account = "anna", .label = "Mail"}, tagged = {.tag = "k"}, none = {0};
    struct tt_key_use use = {.reference = REFERENCE, .reference_size = 3, .bytes = "\x9\x8", .size = 2, .derives_nonce = -1};
    thumbturn_asking bare = THUMBTURN_ASKING("r");
    if (strcmp(name, "status") == 0) tt_write_status(out);
    else if (strcmp(name, "hello") == 0) tt_write_hello(out, "abc", NULL);
    else if (strcmp(name, "hello-face") == 0) tt_write_hello(out, NULL, "why");
    else if (strcmp(name, "capability") == 0) tt_write_capability(out, 0, 1);
    else if (strcmp(name, "evaluate") == 0) tt_write_evaluate(out, 7, 2, &ASKING);
    else if (strcmp(name, "evaluate-bare") == 0) tt_write_evaluate(out, 1, 1, &bare);
    else if (strcmp(name, "invalidate") == 0) tt_write_invalidate(out, 7);
    else if (strcmp(name, "release") == 0) tt_write_release(out, 7);
    else if (strcmp(name, "prompt-unavailable") == 0) tt_write_prompt_unavailable(out, 1, ticket);
    else if (strcmp(name, "add") == 0) tt_write_add(out, &labelled, &PRESENCE, "tulips", 6, &ASKING);
    else if (strcmp(name, "find-secret") == 0) tt_write_find(out, TT_CLASS_PASSWORD, &NAMED, 1, TT_SHAPE_DATA, &ASKING);
    else if (strcmp(name, "find-all") == 0) tt_write_find(out, TT_CLASS_PASSWORD, &none, 0, TT_SHAPE_ATTRIBUTES, NULL);
    else if (strcmp(name, "find-key") == 0) tt_write_find(out, TT_CLASS_KEY, &tagged, 0,
        TT_SHAPE_ATTRIBUTES | TT_SHAPE_REFERENCE, NULL);
    else if (strcmp(name, "update") == 0) tt_write_update(out, &NAMED, "Mail", &PRESENCE, "tulips", 6, &ASKING);
    else if (strcmp(name, "update-empty") == 0) tt_write_update(out, &NAMED, NULL, &PRESENCE, "", 0, NULL);
    else if (strcmp(name, "remove") == 0) tt_write_remove(out, TT_CLASS_PASSWORD, &NAMED, NULL, 0);
    else if (strcmp(name, "remove-key") == 0) tt_write_remove(out, TT_CLASS_KEY, &none, REFERENCE, 3);
    else if (strcmp(name, "make-key") == 0) tt_write_make_key(out, &(struct tt_key_kind){1, 256}, true, &KEY, &FOR_KEY, &ASKING);
    else if (strcmp(name, "sign") == 0) {
        use.operation = 1, use.scheme = 2, use.hash = 3;
        tt_write_use_key(out, &use, NULL);
    } else if (strcmp(name, "agree") == 0) {
        use.operation = 2, use.scheme = 1, use.bytes = "\4\1";
        tt_write_use_key(out, &use, &ASKING);
    } else if (strcmp(name, "decrypt") == 0) {
        use.operation = 3, use.scheme = 5, use.hash = 3, use.derives_nonce = 1, use.bytes = "\5\5";
        tt_write_use_key(out, &use, NULL);
    } else return false;
    return true;
}

static bool check_request(const char *name, size_t size) {
    struct tt_out out = {0};
    if (!write_request(&out, name)) return false;
    CHECK(tt_out_end(&out));
    // The calls of the files have number 1; what has no answer has 0 here.
    out.bytes[8] = 1;
    size_t all = out.count + out.secret_size, place = out.secret ? out.secret_place : out.count;
    uint8_t *whole = malloc(all);
    memcpy(whole, out.bytes, place);
    if (out.secret) memcpy(whole + place, out.secret, out.secret_size);
    memcpy(whole + place + out.secret_size, out.bytes + place, out.count - place);
    bool is_same = all == size + 4 && memcmp(whole + 4, file, size) == 0;
    if (!is_same) {
        fprintf(stderr, "request-%s is said differently:", name);
        for (size_t index = 4; index < all; index++) fprintf(stderr, " %02x", whole[index]);
        fputc('\n', stderr);
    }
    CHECK(is_same);
    CHECK(whole[0] == 0 && whole[1] == 0 && (size_t)(whole[2] << 8 | whole[3]) == size);
    free(whole);
    tt_out_free(&out);
    return true;
}

static int count_items(const struct tt_item *item, void *into) {
    (void)item;
    ++*(size_t *)into;
    return THUMBTURN_OK;
}

// Whether an answer is understood: 1 or 0; -1 if it is none of those that an app waits for here.
static int read_answer(const uint8_t *bytes, size_t size) {
    struct tt_in in = {.bytes = bytes, .count = size};
    uint8_t kind = tt_get_u8(&in);
    tt_get_u32(&in);
    if (in.is_bad) return 0;
    thumbturn_status status;
    struct tt_capability capability;
    uint8_t factor, read[TT_TICKET_BYTES];
    const uint8_t *product;
    size_t count = 0;
    int mode;
    bool is_last;
    switch (kind) {
    case TT_WELCOME: return tt_read_welcome(&in, &mode);
    case TT_REFUSED: return tt_read_refusal(&in) != 0;
    case TT_DONE: return tt_in_end(&in);
    case TT_STATUS: return tt_read_status(&in, &status);
    case TT_CAPABILITY: return tt_read_capability(&in, &capability);
    case TT_EVALUATED: return tt_read_evaluated(&in, &factor) != TT_NOT_UNDERSTOOD;
    case TT_FAILED: return tt_read_failed(&in) != TT_NOT_UNDERSTOOD;
    case TT_ITEM_PAGE: return tt_read_page(&in, count_items, &count, &is_last) == THUMBTURN_OK;
    case TT_PROMPT_NEEDED:
    case TT_WINDOW_NEEDED: return tt_read_ticket(&in, read) && memcmp(read, ticket, sizeof read) == 0;
    case TT_KEY: return tt_read_key(&in, count_items, &count) == THUMBTURN_OK && count == 1;
    case TT_KEY_USED: return tt_read_key_used(&in, &product, &count);
    default: return -1;
    }
}

// What is right stays wrong without its last bytes, and with one more.
static void check_cuts(const char *name, size_t size) {
    uint8_t *cut = malloc(size + 1);
    for (size_t less = 5; less < size; less++) {
        memcpy(cut, file, less);
        if (read_answer(cut, less) == 1) fprintf(stderr, "%s is understood with %zu bytes\n", name, less);
        CHECK(read_answer(cut, less) == 0);
    }
    memcpy(cut, file, size);
    cut[size] = 0;
    CHECK(read_answer(cut, size + 1) == 0);
    free(cut);
}

// That what was understood is what was said.
static void check_values(const char *folder) {
    size_t size = read_file(folder, "answer-status.hex");
    struct tt_in in = {.bytes = file, .count = size, .next = 5};
    thumbturn_status status;
    CHECK(tt_read_status(&in, &status));
    CHECK(status.mode == 1 && status.sensor == 1 && status.is_enrolled && !status.is_sensor_locked && status.is_passcode_set);
    CHECK(status.was_passcode_given && status.is_session_locked && status.items == 3 && status.holds_keys == 2);
    CHECK(status.process == 4321);
    size = read_file(folder, "answer-capability.hex");
    in = (struct tt_in){.bytes = file, .count = size, .next = 5};
    struct tt_capability capability;
    CHECK(tt_read_capability(&in, &capability) && !capability.failure && capability.sensor == 1);
    CHECK(capability.state_size == 3 && memcmp(capability.state, REFERENCE, 3) == 0);
    size = read_file(folder, "answer-evaluated-unplugged.hex");
    in = (struct tt_in){.bytes = file, .count = size, .next = 5};
    uint8_t factor;
    CHECK(tt_read_evaluated(&in, &factor) == THUMBTURN_SENSOR_UNPLUGGED && factor == 0);
    size = read_file(folder, "answer-page.hex");
    in = (struct tt_in){.bytes = file, .count = size, .next = 5};
    CHECK(!tt_get_bool(&in) && tt_get_count(&in) == 2);
    struct tt_item item;
    bool is_out_of_memory = false;
    CHECK(tt_get_item(&in, &item, &is_out_of_memory) && item.class == 1 && item.attribute_count == 5);
    const struct tt_attribute *attribute = tt_item_attribute(&item, TT_ATTR_ACCOUNT);
    CHECK(attribute && attribute->form == 2 && attribute->size == 2 && attribute->bytes[1] == 255);
    attribute = tt_item_attribute(&item, TT_ATTR_CREATED);
    CHECK(attribute && attribute->date == -0.5 && !tt_item_attribute(&item, TT_ATTR_LABEL));
    CHECK(item.has_secret && item.secret_size == 6 && memcmp(item.secret, "tulips", 6) == 0 && item.reference_size == 2);
    CHECK(tt_rule_named(&item.rule) == THUMBTURN_RULE_PRESENCE);
    tt_item_free(&item);
    CHECK(tt_get_item(&in, &item, &is_out_of_memory) && !item.has_secret && tt_in_end(&in));
    CHECK(tt_rule_named(&item.rule) == THUMBTURN_RULE_CURRENT_FINGERS && item.rule.accessibility == 4);
    tt_item_free(&item);
}

int main(int count, char **words) {
    CHECK(count == 2);
    for (uint8_t index = 0; index < TT_TICKET_BYTES; index++) ticket[index] = index;
    DIR *folder = opendir(words[1]);
    CHECK(folder);
    int said = 0, understood = 0, refused = 0;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        char name[256];
        snprintf(name, sizeof name, "%s", entry->d_name);
        char *end = strstr(name, ".hex");
        if (!end) continue;
        *end = 0;
        size_t size = read_file(words[1], entry->d_name);
        int read = size >= 5 ? read_answer(file, size) : 0;
        if (strncmp(name, "request-", 8) == 0) {
            said += check_request(name + 8, size);
            CHECK(read == -1);
        } else if (strncmp(name, "answer-", 7) == 0) {
            if (read == 0) fprintf(stderr, "%s isn't understood\n", name);
            CHECK(read != 0);
            if (read != 1) continue;
            understood++;
            check_cuts(name, size);
        } else {
            // Some are right but for a request's kind, which no answer has.
            if (read == 1) fprintf(stderr, "%s is understood\n", name);
            CHECK(read != 1);
            refused += read == 0;
        }
    }
    closedir(folder);
    check_values(words[1]);
    printf("%d said, %d understood, %d refused\n", said, understood, refused);
    return 0;
}
