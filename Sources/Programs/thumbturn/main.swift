internal import CThumbLinux
internal import ThumbClient

// The command line program. Commands say what is to be printed and how it ended; printing and exiting happen here alone.

thumb_ignore_signal(SIGPIPE)
// Secrets pass through here: a crash leaves nothing of them on the disk.
var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
_ = unsafe setrlimit(__rlimit_resource_t(UInt32(thumb_RLIMIT_CORE)), &noCore)
DeviceClient.shared.introduce(as: "thumbturn")

let words = Array(CommandLine.arguments.dropFirst())
let wantsJSON = Arguments.wantJSON(words)

do throws(Failure) {
    let outcome = try Program.run(words)
    for notice in outcome.notices { Output.say(notice) }
    try Output.write(wantsJSON ? outcome.json.printed() : outcome.text)
    exit(outcome.exit.rawValue)
} catch {
    if wantsJSON { try? Output.write(error.json.printed()) } else { error.lines.forEach(Output.say) }
    exit(error.exit.rawValue)
}
