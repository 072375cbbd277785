import CThumbLinux
import ThumbLoop

// Writes what this user's Secret Service holds to standard output, for `thumbturn import --from secret-service`. The records are
// those of docs/users/moving-in.md. With `--no-secrets` none is asked for.

let wantsSecrets: Bool
switch Array(CommandLine.arguments.dropFirst()) {
case []: wantsSecrets = true
case ["--no-secrets"]: wantsSecrets = false
default: exit(64)
}
// Nobody but root reads this process: every secret of the keyring passes through it.
_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
// Who started us may be gone, which a write then tells.
thumb_ignore_signal(SIGPIPE)
EventLoop.shared.spawn {
    let records = RecordWriter(1)
    do throws(KeyringReading.Failure) {
        try await KeyringReading(wantsSecrets: wantsSecrets, records).run()
        records.end()
    } catch {
        records.failed(error)
    }
    exit(0)
}
while true { pause() }
