// What the errors mean, and what to do about each: for a person.
#include "thumbturn.h"

struct error_words {
    int error;
    const char *text, *advice;
};

static const char OPEN_TOO_MUCH[] = "This user has too much open at once; close some of it and try again.";
static const char OTHER_VERSION[] = "The library and the daemon are of different versions; install both from one version.";

static const struct error_words ERRORS[] = {
    {THUMBTURN_OK, "It was done.", ""},
    {THUMBTURN_PENDING, "The owner hasn't answered yet.", "Poll the question's descriptor, and finish it again."},
    {THUMBTURN_DUPLICATE, "There is one of that name already.", "Choose another name, or replace it (THUMBTURN_REPLACE)."},
    {THUMBTURN_NOT_FOUND, "There is none of that name.",
     "Run 'thumbturn secret list' or 'thumbturn key list' to see what there is."},
    {THUMBTURN_NOT_UNDERSTOOD, "The daemon doesn't take these values.", "Check the rule, the kind of key and the sizes."},
    {THUMBTURN_NO_SUCH_ATTRIBUTE, "The daemon doesn't know such an attribute.", OTHER_VERSION},
    {THUMBTURN_NO_SUCH_CLASS, "The daemon doesn't know such an item.", OTHER_VERSION},
    {THUMBTURN_NOT_AUTHENTICATED, "The rule can't be met as things are.", "Run 'thumbturn doctor' to see what is missing."},
    {THUMBTURN_MAY_NOT_ASK, "The owner has to be asked, and may not or can't be.",
     "Let the owner be asked, and run the program in a desktop session or a terminal."},
    {THUMBTURN_CANCELED, "The owner canceled.", ""},
    {THUMBTURN_NOT_ALLOWED, "This program may not do that.", "Run 'thumbturn apps' to see what the owner decided about it."},
    {THUMBTURN_UNSUPPORTED, "This key can't do that.", "Use another kind of key, or another operation."},
    {THUMBTURN_STORE_UNAVAILABLE, "The store can't be opened, or can't be written.", "Run 'thumbturn doctor' to see why."},
    {THUMBTURN_READ_ONLY, "That can't be changed.", ""},
    {THUMBTURN_TOO_LARGE, "That is more than can be stored at once.", "Store at most 1 MiB under one name."},
    {THUMBTURN_DAMAGED, "The item is damaged and was left as it is.", "Take it from a backup ('thumbturn import')."},
    {THUMBTURN_UNREACHABLE, "The device couldn't be reached.", "Run 'thumbturn doctor' to see why."},
    {THUMBTURN_INTERNAL, "The daemon failed.", "Its log says more ('journalctl --user -u thumbturn')."},
    {THUMBTURN_DAEMON_OUT_OF_MEMORY, "The daemon has no memory left for this.", OPEN_TOO_MUCH},
    {THUMBTURN_NO_CUSTODIAN, "Nothing here can hold such a key: there is no TPM.",
     "Run 'thumbturn allow software-keys' to have software hold it instead."},
    {THUMBTURN_CUSTODIAN_LOST, "The TPM went away.", "Try again."},
    {THUMBTURN_CUSTODIAN_LOCKED, "The TPM refuses for a while, after wrong passcodes.", "Wait some minutes and try again."},
    {THUMBTURN_CUSTODIAN_FOREIGN, "Another TPM made this key, and only that one can use it.", "Make a new key."},
    {THUMBTURN_NO_AGREEMENT, "The two keys don't agree.", "Give the public half of a key of the same kind, as 04 ‖ X ‖ Y."},
    {THUMBTURN_QUOTA, "The store holds as much as it may.", "Remove what isn't needed any more."},
    {THUMBTURN_NOT_THE_OWNER, "Nobody proved to be the owner.", "Try again."},
    {THUMBTURN_OWNER_CANCELED, "The owner canceled.", ""},
    {THUMBTURN_OWNER_CHOSE_FALLBACK, "The owner chose another way.", "Offer your own, or ask with THUMBTURN_OWNER."},
    {THUMBTURN_SYSTEM_CANCELED, "The system ended the question.", "Try again."},
    {THUMBTURN_NO_PASSCODE, "No passcode is set.", "Run 'thumbturn passcode set' to choose one."},
    {THUMBTURN_NO_SENSOR_USABLE, "There is no sensor that can be used.", "Ask with THUMBTURN_OWNER, or run 'thumbturn doctor'."},
    {THUMBTURN_NOT_ENROLLED, "The sensor knows no finger or face.", "Run 'thumbturn fingers enroll' to teach it one."},
    {THUMBTURN_SENSOR_LOCKED, "The sensor is locked, after too many misses.",
     "Ask with THUMBTURN_OWNER: the passcode unlocks it."},
    {THUMBTURN_PROGRAM_CANCELED, "This program canceled the question.", ""},
    {THUMBTURN_CONTEXT_ENDED, "The context has ended.", "Make a new one."},
    {THUMBTURN_NO_COMPANION, "No paired machine is near.", "Run 'thumbturn companion list' to see which there are."},
    {THUMBTURN_NOT_INTERACTIVE, "The owner can't be asked from here.", "Run the program in a desktop session or a terminal."},
    {THUMBTURN_UNKNOWN_POLICY, "The device doesn't know that policy.", "Ask with one of thumbturn_policy."},
    {THUMBTURN_DEVICE_FAILED, "The device failed.", "Run 'thumbturn doctor' to see why."},
    {THUMBTURN_SENSOR_UNPLUGGED, "The sensor that knows the owner isn't plugged in.", "Plug it in."},
    {THUMBTURN_NO_DAEMON, "There is no daemon, and none could be started.",
     "Install Thumbturn, or run 'thumbturn doctor' to see why."},
    {THUMBTURN_CONNECTION_LOST, "The daemon went away before it answered.", "Try again: the next call starts or finds it."},
    {THUMBTURN_IMPOSTOR, "Somebody else listens on Thumbturn's socket; nothing was sent to them.",
     "Find out who made that socket, and remove it."},
    {THUMBTURN_PROTOCOL, "The daemon said something that this library doesn't understand.", OTHER_VERSION},
    {THUMBTURN_SILENT, "The daemon is there and says nothing.", "Run 'thumbturn doctor': somebody stopped it, or it hangs."},
    {THUMBTURN_REFUSED_MALFORMED, "The daemon didn't understand this library.", OTHER_VERSION},
    {THUMBTURN_REFUSED_TOO_LARGE, "That is more than can be sent at once.", "Store at most 1 MiB under one name."},
    {THUMBTURN_REFUSED_VERSION, "The daemon doesn't speak this library's version.", OTHER_VERSION},
    {THUMBTURN_REFUSED_HELLO_EXPECTED, "The daemon expected a greeting.", OTHER_VERSION},
    {THUMBTURN_REFUSED_CONNECTIONS, "The daemon has too many connections.", OPEN_TOO_MUCH},
    {THUMBTURN_REFUSED_CALLS, "Too many calls are under way.", OPEN_TOO_MUCH},
    {THUMBTURN_REFUSED_UNKNOWN_KIND, "The daemon doesn't know that call.", OTHER_VERSION},
    {THUMBTURN_REFUSED_ROLE, "The daemon doesn't let a program say that.", OTHER_VERSION},
    {THUMBTURN_REFUSED_TICKET, "The daemon doesn't know that ticket.", OTHER_VERSION},
    {THUMBTURN_REFUSED_CONTEXTS, "There are too many contexts.", "End contexts that aren't needed any more."},
    {THUMBTURN_REFUSED_STORE, "The store can't be opened, and was left as it is.", "The daemon's log says why."},
    {THUMBTURN_REFUSED_CUSTODIAN, "The store opens with a TPM that isn't there, isn't the same, or was cleared.",
     "Run 'thumbturn store recover' to open it with the recovery code."},
    {THUMBTURN_REFUSED_OLD_COPY, "An old copy of the store was put back, or the TPM lost count of it.",
     "Run 'thumbturn store accept-losses' to go on with it."},
    {THUMBTURN_REFUSED_STORE_INCOMPLETE, "What was written last is missing from the store.",
     "Run 'thumbturn store accept-losses' to go on without it."},
    {THUMBTURN_REFUSED_NO_ROOM, "This user's programs hold all the memory that the daemon has for them.",
     "End some and try again."},
    {THUMBTURN_ARGUMENT, "The program called the library with something that it doesn't take.",
     "Check that texts are UTF-8 and not too long, that sizes are set, and that no pointer is NULL."},
    {THUMBTURN_OUT_OF_MEMORY, "There is no memory left.", ""},
    {THUMBTURN_NO_LOCKED_MEMORY, "No more memory may be locked.", "Raise the limit (ulimit -l), or free secrets."},
    {THUMBTURN_FORKED, "The connection belongs to the process that this one was forked from.", "Open one of your own."},
    {THUMBTURN_BUSY, "A question to the owner is under way on this connection.",
     "Finish or cancel it, or open another connection."},
    {THUMBTURN_BUFFER_TOO_SMALL, "The buffer is too small.", "Make it as large as '*needed' says."},
    {THUMBTURN_AMBIGUOUS, "There are several of that name.", "Remove all but one."},
};

static const struct error_words UNKNOWN = {-1, "That is an error of a later version.", ""};

static const struct error_words *words(int error) {
    for (size_t index = 0; index < sizeof ERRORS / sizeof *ERRORS; index++) {
        if (ERRORS[index].error == error) return &ERRORS[index];
    }
    return &UNKNOWN;
}

const char *thumbturn_error_text(int error) { return words(error)->text; }
const char *thumbturn_error_advice(int error) { return words(error)->advice; }
const char *thumbturn_version(void) { return "0.1.0"; }
