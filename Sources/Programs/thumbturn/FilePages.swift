import ThumbCommands

/// The man pages of the files that Thumbturn reads and writes, for people who find one of these files. docs/STORE.md describes every byte
/// of them.
enum FilePages {
    static let all = [store, backup, protected, pam, faceModels]

    private static let store = FurtherPage(
        "thumbturn-store", section: 5, "what Thumbturn keeps of a user",
        synopsis: ["~/.local/share/thumbturn/", "/var/lib/thumbturn/UID/"],
        paragraphs: [
            "A user's store is a folder: in the user's data folder where they have a daemon of their own, in root's where the system's daemon "
                + "serves them. One daemon at a time has it, and holds a lock on it.",
            "Items are sealed, their names included. The keys are in `keybag`, each in slots that may hold it: one that opens on this machine, one "
                + "that takes the passcode, one that takes the recovery code. Where there is a TPM it holds a part of the first two, so that a copy "
                + "of the folder is of no use elsewhere.",
            "A copy of the folder isn't a backup, because the TPM isn't in it; `thumbturn export` makes one. Take away or alter a file, and the "
                + "store says so when it opens, and leaves the rest as it is. `thumbturn store` mends what can be mended.",
        ],
        lists: [
            (
                "FILES",
                [
                    ("keybag", "The keys of the items' classes, in their slots."),
                    ("items.db", "The items, what the owner said about apps, counters of misses and the log, in SQLite."),
                    ("items.db-wal", "What isn't in items.db yet. It belongs to it."),
                    ("keybag.new, items.new", "A write that was not finished. It is never read."),
                ]
            )
        ],
        seeAlso: ["thumbturn-store(1)", "thumbturn-backup(5)", "thumbturnd(8)"])

    private static let backup = FurtherPage(
        "thumbturn-backup", section: 5, "a backup of what Thumbturn keeps",
        paragraphs: [
            "`thumbturn export` writes a backup and `thumbturn import` reads it, on this machine or another. It is one file, "
                + "sealed under a passphrase that goes through Argon2id. Anybody who has the file can guess at the passphrase "
                + "without delays, so make it a long one.",
            "The file begins with `THUMBBAK` and its format, which is 1; then come the costs of a guess, a salt, a check of the passphrase, and "
                + "the items in sealed chunks of 256 KiB or more. No chunk can be taken out, added or moved unnoticed.",
            "What belongs to this machine or these fingers alone stays behind, and so do private keys that are never handed out. The export says "
                + "how many items that were, and why.",
        ],
        examples: [
            Example("Make one, and see what is in it", "thumbturn export vault.backup", "thumbturn import --dry-run vault.backup")
        ],
        seeAlso: ["thumbturn-export(1)", "thumbturn-import(1)", "thumbturn-store(5)"])

    private static let protected = FurtherPage(
        "thumbturn-protected", section: 5, "the registry of protected programs",
        synopsis: ["/etc/thumbturn/protected"],
        paragraphs: [
            "The registry says which system group is which program's own, so that the daemon knows the program by its group. "
                + "`thumbturn protect` writes it; root alone may.",
            "Each line has a group's number, the program's name and its whole path, with a space between them. Lines that begin "
                + "with `#` are remarks. If one line isn't understood, or a user other than root could have written the file, no "
                + "program is protected.",
            "Programs with the names `prompt` and `window` show Thumbturn's questions. The access group of the others is `protected:` and "
                + "their name. `secrets` is Thumbturn's own thumbturn-secrets, which keeps the passwords of other programs.",
        ],
        examples: [Example("A registry with one program", "997 vault /usr/bin/vault")],
        seeAlso: ["thumbturn-protect(1)", "thumbturn-system-mode(1)"])

    private static let pam = FurtherPage(
        "thumbturn-pam", section: 5, "the files by which PAM judges passwords and faces for Thumbturn",
        synopsis: ["/etc/pam.d/thumbturn", "/etc/pam.d/thumbturn-face", "pam_thumbturn.so [login | password]"],
        paragraphs: [
            "By `/etc/pam.d/thumbturn` the system says whether a password is that of the owner's account. Put modules there that judge passwords, "
                + "and no other: a finger or a card would be taken for the password. Put none there that count wrong guesses; Thumbturn counts "
                + "and delays them itself.",
            "By `/etc/pam.d/thumbturn-face`, where it exists, a module that looks at a camera becomes the machine's sensor. A face is a weaker proof "
                + "than a finger, and an item can refuse it. An example is in /usr/local/share/doc/thumbturn.",
            "Name the files in which that module keeps faces in /etc/thumbturn/face-models, so that a new face is noticed.",
            "pam_thumbturn.so is a module of its own, for other services. An `auth` line without a word asks for a finger beside the password in "
                + "sudo, su and polkit, and one with `login` in logins and screen locks on a text console. In gdm-fingerprint it asks for the "
                + "finger alone.",
            "An `auth` line with `password`, a `session` line and a `password` line give the daemon the password of a login, or a new one. That "
                + "helps users whose passcode is their account's password. pam-auth-update(8) writes all of these lines, by the profiles "
                + "thumbturn-sudo, thumbturn-login and thumbturn-password.",
        ],
        seeAlso: [
            "pam.d(5)", "pam-auth-update(8)", "thumbturn-face-models(5)", "thumbturn-login(1)", "thumbturn-passcode(1)",
            "thumbturn-passcode(8)", "thumbturn-sudo(1)",
        ])

    private static let faceModels = FurtherPage(
        "thumbturn-face-models", section: 5, "where a camera's module keeps the faces that it knows",
        synopsis: ["/etc/thumbturn/face-models"],
        paragraphs: [
            "PAM's module for a camera says whether it knows a face, and not which faces it knows. It keeps those in files, its models. "
                + "This file of the administrator's says where. Thumbturn then reads the models before and after each match: a face that is "
                + "added, removed or replaced is noticed, and a secret can be bound to the present faces.",
            "Each line is the absolute path of a file or a folder. `%u` stands for the user's name, `%U` for the user's number and `%%` for a "
                + "percent sign. A folder counts with all that is in it. Empty lines, and lines that begin with `#`, say nothing.",
            "Name only files that change when a face is enrolled or removed, and never otherwise. If the module writes there at each match, no match counts.",
            "The models, this file and all folders on the way must belong to root or, for a user's own daemon, to that user; nobody else may "
                + "write them. None of them may be a link; name the place that it leads to. If a link is among the models, or others own or "
                + "can write one of them, the camera doesn't "
                + "count, because somebody might have added a face. If the models can't be read for another reason, it counts as it does "
                + "without this file. A user has at most 128 files and folders, 3 folders deep, a file at most 8 MiB, and all of them 32 MiB.",
            "In system mode thumbturn-reader reads the models. A user's own daemon reads them as that user, who mostly may not. "
                + "`thumbturn doctor` says what is wrong, and the log names the file.",
        ],
        examples: [
            Example("Howdy's models", "/etc/howdy/models/%u.dat"),
            Example("A module with a folder for each user", "/var/lib/faces/%U"),
        ],
        seeAlso: ["thumbturn-pam(5)", "thumbturn-reader(8)", "thumbturn-doctor(1)"])
}
