import CThumbLinux
import ThumbLoop

// The command line's link to this user's session bus: it has none itself. Writes what it finds to standard output, in records whose form is
// described in docs/users/moving-in.md.
//
// Without words, or with `--no-secrets`, it writes the contents of the Secret Service, for `thumbturn import --from secret-service`. The
// others are for `thumbturn secrets-service` and `thumbturn doctor`.

let words = Array(CommandLine.arguments.dropFirst())
let work: @OnLoop (RecordWriter) async throws(Failure) -> Void
switch (words.first, words.count) {
case (nil, _):
    work = { (records) throws(Failure) in try await KeyringReading(wantsSecrets: true, records).run() }
case ("--no-secrets", 1):
    work = { (records) throws(Failure) in try await KeyringReading(wantsSecrets: false, records).run() }
case ("--who", 1): work = { (records) throws(Failure) in try await Providers().tell(records) }
case ("--start", 2): work = { (_) throws(Failure) in try await Providers().start(words[1]) }
case ("--restart", 2): work = { (_) throws(Failure) in try await Providers().restart(words[1]) }
case ("--end", 2): work = { (_) throws(Failure) in try await Providers().end(words[1]) }
case ("--move", 3):
    work = { (records) throws(Failure) in try await KeyringMove(from: words[1], to: words[2], records).run() }
default: exit(64)
}
// Only root may read this process, because every secret of the keyring passes through it. While it moves items, Thumbturn's provider has to
// see which program stores them, and the provider has no more rights than the user. What moves can be read by every program of the user
// anyway, in the keyring where it comes from or goes to.
if words.first != "--move" { _ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) }
var none = rlimit(rlim_cur: 0, rlim_max: 0)
unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
// The program that started us may be gone. A write finds that out.
thumb_ignore_signal(SIGPIPE)
EventLoop.shared.spawn {
    let records = RecordWriter(1)
    do throws(Failure) {
        try await work(records)
        records.end()
    } catch {
        records.failed(error)
    }
    exit(0)
}
while true { pause() }
