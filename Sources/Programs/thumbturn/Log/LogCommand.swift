import ThumbAccess
import ThumbCommands

/// `thumbturn log`
enum LogCommand {
    static let command = Command(
        "log", "show which program got which secret, and which was refused",
        discussion: [
            "Lists what each program got, added, changed and removed, what you showed for it, and what was refused. The latest "
                + "entry is last. A secret is never shown. An item is named if this program may see it; otherwise you see the "
                + "beginning of its number.",
            "Seeing what every program did takes the passcode, if one is set, and is recorded in the log. With --own you see "
                + "only what thumbturn itself did, and you aren't asked.",
            "Each record is sealed to the one before it. With --verify all of the log is read, and the command fails if a record "
                + "was altered or removed. It also counts, for each program, the records that were dropped. Without a TPM nobody "
                + "notices if an old copy of the whole store is put back.",
        ],
        options: [verify, own, last],
        exits: [
            ExitStatus(0, "the log was shown; with --verify, it is intact"),
            ExitStatus(1, "with --verify, it was changed"),
        ],
        examples: [
            Example(
                "See the last things that happened, and check that the log is intact", "thumbturn log --last 10",
                "thumbturn log --verify")
        ]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let scope: AuditScope = invocation.has(own) ? .own : .whole
        if invocation.has(verify) { return try AuditCheck.outcome(scope) }
        return try AuditLog.outcome(scope, last: invocation.number(last) ?? usualCount)
    }

    private static let usualCount = 50
    private static let verify = Option("verify", "check that nothing was altered or removed")
    private static let own = Option("own", "only what thumbturn itself did; takes no passcode")
    private static let last = Option("last", "show at most this many; \(usualCount) by default", .number("NUMBER", 1...65_536))
}
