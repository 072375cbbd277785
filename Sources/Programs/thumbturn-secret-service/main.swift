import CThumbLinux
import ThumbLoop

// Writes the contents of this user's Secret Service to standard output, for `thumbturn import --from secret-service`. The form of the
// records is described in docs/users/moving-in.md. With `--no-secrets` it asks for no secrets.

let wantsSecrets: Bool
switch Array(CommandLine.arguments.dropFirst()) {
case []: wantsSecrets = true
case ["--no-secrets"]: wantsSecrets = false
default: exit(64)
}
// Only root may read this process, because every secret of the keyring passes through it.
_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
// The program that started us may be gone. A write finds that out.
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
