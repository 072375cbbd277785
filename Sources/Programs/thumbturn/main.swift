internal import CThumbLinux
internal import ThumbClient

// The command line program. Commands say what is to be printed and how it ended; printing and exiting happen here alone.

thumb_ignore_signal(SIGPIPE)
// Secrets pass through here: a crash leaves nothing of them on the disk.
CoreFiles.forbid()
DeviceClient.shared.introduce(as: "thumbturn")

let words = Array(CommandLine.arguments.dropFirst())
let wantsJSON = Arguments.wantJSON(words)

do throws(Failure) {
    let outcome = try Program.run(words)
    for notice in outcome.notices { Output.say(notice) }
    if let status = outcome.handedOn { exit(status) }
    try Output.write(wantsJSON ? outcome.json.printed() : outcome.text)
    exit(outcome.exit.rawValue)
} catch {
    if wantsJSON { try? Output.write(error.json.printed()) } else { error.lines.forEach(Output.say) }
    exit(error.exit.rawValue)
}
