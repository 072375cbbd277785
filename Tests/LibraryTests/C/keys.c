// Private keys, on a device that needs no TPM for them. `keys FOLDER` leaves there what openssl is to judge.
#define _GNU_SOURCE
#include <thumbturn.h>

#include "check.h"

static void write_file(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void sign(thumbturn *t, const char *folder, const char *name, thumbturn_kind kind, unsigned options, size_t longest) {
    thumbturn_asking asking = THUMBTURN_ASKING("sign a digest");
    thumbturn_key *key, *found;
    EXPECT(THUMBTURN_OK, thumbturn_key_make(t, name, kind, THUMBTURN_RULE_PRESENCE, options, &asking, &key));
    CHECK(thumbturn_key_kind(key) == kind && thumbturn_key_holder(key) == (options & THUMBTURN_IN_STORE ? 0 : 1));
    EXPECT(THUMBTURN_OK, thumbturn_key_find(t, name, &found));
    unsigned char public[1024], other[1024], digest[64], signature[1024];
    size_t size, other_size, needed;
    EXPECT(THUMBTURN_BUFFER_TOO_SMALL, thumbturn_key_public(key, NULL, 0, &size));
    EXPECT(THUMBTURN_BUFFER_TOO_SMALL, thumbturn_key_public(key, public, size - 1, &size));
    EXPECT(THUMBTURN_OK, thumbturn_key_public(key, public, size, &size));
    EXPECT(THUMBTURN_OK, thumbturn_key_public(found, other, sizeof other, &other_size));
    CHECK(size == other_size && memcmp(public, other, size) == 0);
    for (size_t index = 0; index < sizeof digest; index++) digest[index] = (unsigned char)index;
    // Sizes first: nobody is asked, so the script of the owner's answers isn't used up.
    EXPECT(THUMBTURN_BUFFER_TOO_SMALL, thumbturn_key_sign(t, key, THUMBTURN_SHA256, digest, 32, &asking, NULL, 0, &needed));
    CHECK(needed == longest);
    EXPECT(THUMBTURN_BUFFER_TOO_SMALL,
        thumbturn_key_sign(t, key, THUMBTURN_SHA256, digest, 32, &asking, signature, longest - 1, &needed));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_key_sign(t, key, THUMBTURN_SHA256, digest, 31, &asking, signature, longest, &needed));
    EXPECT(THUMBTURN_OK, thumbturn_key_sign(t, found, THUMBTURN_SHA256, digest, 32, &asking, signature, longest, &needed));
    CHECK(needed > 0 && needed <= longest);
    char file[64];
    snprintf(file, sizeof file, "%s.public", name);
    write_file(folder, file, public, size);
    snprintf(file, sizeof file, "%s.signature", name);
    write_file(folder, file, signature, needed);
    write_file(folder, "digest", digest, 32);
    EXPECT(THUMBTURN_OK, thumbturn_key_sign(t, found, THUMBTURN_SHA512, digest, 64, &asking, signature, sizeof signature,
        &needed));
    CHECK(needed <= longest);
    thumbturn_key_free(found);
    thumbturn_key_free(key);
}

// What two keys share is the same from both sides.
static void agree(thumbturn *t) {
    thumbturn_key *one, *other, *rsa;
    EXPECT(THUMBTURN_OK, thumbturn_key_make(t, "one", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, &one));
    EXPECT(THUMBTURN_OK, thumbturn_key_make(t, "other", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, &other));
    unsigned char first[65], second[65];
    size_t size;
    EXPECT(THUMBTURN_OK, thumbturn_key_public(one, first, sizeof first, &size));
    EXPECT(THUMBTURN_OK, thumbturn_key_public(other, second, sizeof second, &size));
    thumbturn_secret *shared, *same;
    EXPECT(THUMBTURN_OK, thumbturn_key_agree(t, one, second, 65, NULL, &shared));
    EXPECT(THUMBTURN_OK, thumbturn_key_agree(t, other, first, 65, NULL, &same));
    CHECK(thumbturn_secret_size(shared) == 32 && memcmp(thumbturn_secret_bytes(shared), thumbturn_secret_bytes(same), 32) == 0);
    thumbturn_secret_free(same);
    CHECK(thumbturn_key_agree(t, one, second, 64, NULL, &same) != THUMBTURN_OK && !same);
    EXPECT(THUMBTURN_OK, thumbturn_key_find(t, "rsa", &rsa));
    EXPECT(THUMBTURN_UNSUPPORTED, thumbturn_key_agree(t, rsa, second, 65, NULL, &same));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_key_agree(t, one, NULL, 65, NULL, &same));
    CHECK(thumbturn_key_decrypt(t, one, second, 65, NULL, &same) != THUMBTURN_OK && !same);
    thumbturn_secret_free(shared);
    thumbturn_key_free(one);
    thumbturn_key_free(other);
    thumbturn_key_free(rsa);
}

static void names(thumbturn *t) {
    thumbturn_key *key;
    thumbturn_items *items;
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_key_make(t, "", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, &key));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_key_make(t, "thumbturn.ssh", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, &key));
    EXPECT(THUMBTURN_ARGUMENT, thumbturn_key_make(t, "k", THUMBTURN_OTHER_KIND, THUMBTURN_RULE_NONE, 0, NULL, &key));
    // The TPM's kind is one; the daemon says so.
    EXPECT(THUMBTURN_NOT_UNDERSTOOD, thumbturn_key_make(t, "k", THUMBTURN_P384, THUMBTURN_RULE_NONE, 0, NULL, &key));
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_key_find(t, "k", &key));
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_key_remove(t, "k"));
    EXPECT(THUMBTURN_OK, thumbturn_key_list(t, &items));
    CHECK(thumbturn_items_count(items) == 4);
    int rules[16] = {0};
    for (size_t index = 0; index < 4; index++) {
        CHECK(thumbturn_items_text(items, index, THUMBTURN_NAME, NULL));
        rules[thumbturn_items_rule(items, index)]++;
    }
    CHECK(rules[THUMBTURN_RULE_PRESENCE] == 2 && rules[THUMBTURN_RULE_NONE] == 2);
    thumbturn_items_free(items);
    EXPECT(THUMBTURN_OK, thumbturn_key_remove(t, "one"));
    EXPECT(THUMBTURN_NOT_FOUND, thumbturn_key_find(t, "one", &key));
}

// Of two keys of one name nobody can tell which is meant, so neither is found, and neither removed.
static void twins(thumbturn *t) {
    thumbturn_key *key;
    thumbturn_items *items;
    for (int turn = 0; turn < 2; turn++) {
        EXPECT(THUMBTURN_OK, thumbturn_key_make(t, "twin", THUMBTURN_P256, THUMBTURN_RULE_NONE, 0, NULL, NULL));
    }
    EXPECT(THUMBTURN_AMBIGUOUS, thumbturn_key_find(t, "twin", &key));
    CHECK(!key);
    EXPECT(THUMBTURN_AMBIGUOUS, thumbturn_key_remove(t, "twin"));
    EXPECT(THUMBTURN_OK, thumbturn_key_list(t, &items));
    CHECK(thumbturn_items_count(items) == 5);
    thumbturn_items_free(items);
}

// Decrypts the file that somebody encrypted with `thumbturn key encrypt`.
static void decrypt(const char *name, const char *path) {
    thumbturn *t;
    thumbturn_key *key;
    thumbturn_secret *plain;
    static unsigned char bytes[65536];
    FILE *file = fopen(path, "rb");
    CHECK(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    EXPECT(THUMBTURN_OK, thumbturn_open(NULL, &t));
    EXPECT(THUMBTURN_OK, thumbturn_key_find(t, name, &key));
    thumbturn_asking asking = THUMBTURN_ASKING("decrypt");
    EXPECT(THUMBTURN_OK, thumbturn_key_decrypt(t, key, bytes, size, &asking, &plain));
    fwrite(thumbturn_secret_bytes(plain), 1, thumbturn_secret_size(plain), stdout);
    thumbturn_secret_free(plain);
    bytes[size - 1] ^= 1;
    CHECK(thumbturn_key_decrypt(t, key, bytes, size, &asking, &plain) != THUMBTURN_OK && !plain);
    thumbturn_key_free(key);
    thumbturn_close(t);
}

int main(int count, char **words) {
    thumbturn *t;
    if (count == 4) {
        CHECK(strcmp(words[1], "decrypt") == 0);
        decrypt(words[2], words[3]);
        return 0;
    }
    CHECK(count == 2);
    EXPECT(THUMBTURN_OK, thumbturn_open("org.example.test", &t));
    sign(t, words[1], "elliptic", THUMBTURN_P256, 0, 72);
    sign(t, words[1], "rsa", THUMBTURN_RSA2048, THUMBTURN_IN_STORE, 256);
    agree(t);
    names(t);
    twins(t);
    thumbturn_close(t);
    puts("all keys are right");
    return 0;
}
