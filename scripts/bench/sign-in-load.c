// Whole sign-ins, as fast as a server gives them or at a rate: a challenge, a signature, the sign-in, over connections that stay.
//
//   sign-in-load keys COUNT FILE
//   sign-in-load run FILE COUNT ORIGIN PORT[,PORT...] CONNECTIONS SECONDS RATE
//
// keys  writes COUNT device keys, 129 bytes each: the private number, the device (SHA-256 of the key's SubjectPublicKeyInfo), the point.
//       Number n is that of account-n@bank.example.
// run   signs in accounts drawn at random, for SECONDS after one that isn't counted; RATE 0 is as fast as it goes, each connection
//       beginning when it has ended. With a rate a sign-in's time counts from the moment it was due, whether or not a
//       connection was free then. Prints one line of JSON; times are microseconds.
//
// One thread: it takes what the servers under test leave of the machine, the same for each of them.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { record_bytes = 129, buffer_bytes = 8192, most_connections = 1024, most_due = 1 << 16, nonces = 256 };

static void fail(const char *what) {
    fprintf(stderr, "sign-in-load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t base64url(const uint8_t *bytes, size_t count, char *text) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = 0;
    uint32_t bits = 0;
    int waiting = 0;
    for (size_t i = 0; i < count; i++) {
        bits = bits << 8 | bytes[i];
        for (waiting += 8; waiting >= 6; waiting -= 6) text[length++] = alphabet[bits >> (waiting - 6) & 63];
    }
    if (waiting > 0) text[length++] = alphabet[bits << (6 - waiting) & 63];
    text[length] = 0;
    return length;
}

// Keys

static void write_keys(long count, const char *path) {
    // A P-256 key's SubjectPublicKeyInfo up to its point.
    static const uint8_t head[26] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
                                     0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
    FILE *file = fopen(path, "w");
    if (!file) fail(path);
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *number = BN_new();
    for (long i = 0; i < count; i++) {
        uint8_t record[record_bytes], spki[26 + 65];
        char seed[64];
        int length = snprintf(seed, sizeof seed, "thumbturn bench %ld", i);
        SHA256((uint8_t *)seed, (size_t)length, record);
        BN_bin2bn(record, 32, number);
        EC_POINT_mul(group, point, number, NULL, NULL, NULL);
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, record + 64, 65, NULL);
        memcpy(spki, head, sizeof head);
        memcpy(spki + sizeof head, record + 64, 65);
        SHA256(spki, sizeof spki, record + 32);
        if (fwrite(record, record_bytes, 1, file) != 1) fail(path);
    }
    if (fclose(file) != 0) fail(path);
}

// Load

typedef struct {
    int socket;
    long account;
    int is_signing_in;
    int64_t due;
    size_t filled;
    char buffer[buffer_bytes];
} line;

static uint8_t *keys;
static const char *origin;
static long accounts;
static EC_KEY *signer;
static BIGNUM *number;
// A signature's dear half, made before it counts and used in turn: what the load spends, the servers lack. Keys that sign so are known to
// whoever sees two signatures; these are anybody's anyway.
static BIGNUM *nonce[nonces], *nonce_point[nonces];
static unsigned nonce_turn;
static uint64_t dice = 0x9e3779b97f4a7c15;
static line *lines[most_connections];
// In turn: a connection that nobody uses for long is closed by its server.
static line *idle[most_connections];
static long idle_first, idle_end;
static int line_count;
static int64_t waiting[most_due];
static long waiting_first, waiting_end;
static int64_t count_from, count_until;
static float *times;
static long time_count, time_room, refused, dropped;

static uint64_t roll(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    return dice ^= dice << 17;
}

static void ask(line *one, const char *path, const char *body, int length) {
    char request[4096];
    int count = snprintf(request, sizeof request,
                         "POST %s HTTP/1.1\r\nHost: bank.example\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%.*s", path,
                         length, length, body);
    // A request is shorter than any socket's buffer, and the last one was answered.
    if (send(one->socket, request, (size_t)count, MSG_NOSIGNAL) != count) fail("sending");
    one->filled = 0;
}

static void begin(line *one, int64_t due) {
    char body[256];
    one->due = due;
    one->account = (long)(roll() % (uint64_t)accounts);
    one->is_signing_in = 0;
    ask(one, "/v1/challenges", body,
        snprintf(body, sizeof body, "{\"account\":\"account-%ld@bank.example\",\"purpose\":\"sign-in\"}", one->account));
}

static void sign_in(line *one, const char *challenge) {
    const uint8_t *key = keys + one->account * record_bytes;
    char device[64], statement[1024], body[2048], text[256];
    uint8_t digest[32], signature[128];
    unsigned signature_length = sizeof signature;
    base64url(key + 32, 32, device);
    int length = snprintf(statement, sizeof statement,
                          "thumbturn sign-in 1\norigin %s\naccount account-%ld@bank.example\npurpose sign-in\nchallenge %.43s\ndevice %s\n",
                          origin, one->account, challenge, device);
    SHA256((uint8_t *)statement, (size_t)length, digest);
    BN_bin2bn(key, 32, number);
    EC_KEY_set_private_key(signer, number);
    unsigned turn = nonce_turn++ % nonces;
    if (ECDSA_sign_ex(0, digest, 32, signature, &signature_length, nonce[turn], nonce_point[turn], signer) != 1) fail("signing");
    base64url(signature, signature_length, text);
    length = snprintf(body, sizeof body,
                      "{\"statement\":\"thumbturn sign-in 1\\norigin %s\\naccount account-%ld@bank.example\\npurpose sign-in\\n"
                      "challenge %.43s\\ndevice %s\\n\",\"signature\":\"%s\"}",
                      origin, one->account, challenge, device, text);
    one->is_signing_in = 1;
    ask(one, "/v1/sign-ins", body, length);
}

static void done(line *one, int is_good, int64_t end, int is_paced) {
    if (end >= count_from && end < count_until) {
        if (!is_good) refused++;
        else if (time_count < time_room) times[time_count++] = (float)(end - one->due) / 1000;
    }
    if (!is_paced) begin(one, end);
    else if (waiting_first < waiting_end) begin(one, waiting[waiting_first++ % most_due]);
    else idle[idle_end++ % most_connections] = one;
}

// Takes what has arrived; an answer that is whole moves its line on.
static void hear(line *one, int is_paced) {
    ssize_t count = recv(one->socket, one->buffer + one->filled, buffer_bytes - 1 - one->filled, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) fail("a server closed");
    one->filled += (size_t)count;
    one->buffer[one->filled] = 0;
    char *end = strstr(one->buffer, "\r\n\r\n");
    if (!end) return;
    *end = 0;
    char *length = strcasestr(one->buffer, "content-length:");
    *end = '\r';
    size_t body = length ? (size_t)atol(length + 15) : 0;
    if (one->filled < (size_t)(end + 4 - one->buffer) + body) return;
    int is_good = strncmp(one->buffer + 9, "201", 3) == 0;
    char *challenge = one->is_signing_in ? NULL : strstr(end, "\"challenge\"");
    if (challenge) challenge = strchr(challenge + 11, '"');
    if (is_good && challenge) sign_in(one, challenge + 1);
    else done(one, is_good && one->is_signing_in, now(), is_paced);
}

static line *opened(int port, int poll) {
    line *one = calloc(1, sizeof *one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    one->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(one->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connecting");
    setsockopt(one->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = one};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, one->socket, &event) != 0) fail("epoll");
    return one;
}

static int ascending(const void *left, const void *right) {
    float difference = *(const float *)left - *(const float *)right;
    return (difference > 0) - (difference < 0);
}

static double at(double part) {
    long place = (long)((double)time_count * part);
    return time_count ? times[place < time_count ? place : time_count - 1] : 0;
}

static void run(char *ports, int connections, double seconds, double rate) {
    int poll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    int port[16], port_count = 0;
    for (char *word = strtok(ports, ","); word && port_count < 16; word = strtok(NULL, ",")) port[port_count++] = atoi(word);
    if (connections > most_connections || port_count == 0) fail("too many connections, or no port");
    time_room = 4000000;
    times = malloc(sizeof *times * (size_t)time_room);
    signer = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    number = BN_new();
    // It wants a private key for this, though it doesn't use it.
    BN_one(number);
    EC_KEY_set_private_key(signer, number);
    for (int i = 0; i < nonces; i++) {
        if (ECDSA_sign_setup(signer, NULL, &nonce[i], &nonce_point[i]) != 1) fail("making nonces");
    }
    for (; line_count < connections; line_count++) lines[line_count] = opened(port[line_count % port_count], poll);
    int64_t start = now(), next = start, gap = rate > 0 ? (int64_t)(1e9 / rate) : 0;
    count_from = start + 1000000000;
    count_until = count_from + (int64_t)(seconds * 1e9);
    if (rate > 0) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
        struct itimerspec every = {{gap / 1000000000, gap % 1000000000}, {0, 1}};
        epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
        timerfd_settime(timer, 0, &every, NULL);
        for (int i = 0; i < line_count; i++) idle[idle_end++] = lines[i];
    } else {
        for (int i = 0; i < line_count; i++) begin(lines[i], now());
    }
    struct epoll_event events[64];
    while (now() < count_until) {
        int count = epoll_wait(poll, events, 64, 100);
        for (int i = 0; i < count; i++) {
            line *one = events[i].data.ptr;
            if (one) {
                hear(one, rate > 0);
                continue;
            }
            uint64_t ticks;
            if (read(timer, &ticks, sizeof ticks) < 0) continue;
            for (int64_t moment = now(); next <= moment; next += gap) {
                if (idle_first < idle_end) begin(idle[idle_first++ % most_connections], next);
                else if (waiting_end - waiting_first < most_due) waiting[waiting_end++ % most_due] = next;
                else dropped++;
            }
        }
    }
    qsort(times, (size_t)time_count, sizeof *times, ascending);
    printf("{\"done\": %ld, \"refused\": %ld, \"dropped\": %ld, \"rate\": %.1f, \"p50\": %.1f, \"p99\": %.1f, \"most\": %.1f}\n", time_count,
           refused, dropped, (double)time_count / seconds, at(0.5), at(0.99), at(1));
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "keys") == 0) {
        write_keys(atol(words[2]), words[3]);
    } else if (count == 9 && strcmp(words[1], "run") == 0) {
        accounts = atol(words[3]);
        keys = malloc((size_t)accounts * record_bytes);
        FILE *file = fopen(words[2], "r");
        if (!file || fread(keys, record_bytes, (size_t)accounts, file) != (size_t)accounts) fail(words[2]);
        origin = words[4];
        run(words[5], atoi(words[6]), atof(words[7]), atof(words[8]));
    } else {
        fputs("sign-in-load: see the head of its source\n", stderr);
        return 64;
    }
    return 0;
}
