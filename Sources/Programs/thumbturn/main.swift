import CThumbLinux
import ThumbClient
import ThumbCommands
import ThumbSystem

// The command line program. Commands say what is to be printed and how it ended; printing and exiting happen here alone.

StandardDescriptors.fill()
thumb_ignore_signal(SIGPIPE)
// Secrets pass through here: a crash leaves nothing of them on the disk.
CoreFiles.forbid()
DeviceClient.shared.introduce(as: "thumbturn")

let words = Array(CommandLine.arguments.dropFirst())
// Known even of a line that can't be understood, so that its error is told as it was wanted.
let wantsJSON = words.prefix { $0 != "--" }.contains(Option.json.flag)

do throws(Failure) {
    let outcome = try Thumbturn.run(words)
    for aside in outcome.asides { Output.say(aside.text) }
    if let status = outcome.handedOn { exit(status) }
    try Output.write(wantsJSON ? outcome.json.printed() : outcome.text)
    exit(outcome.exit.rawValue)
} catch {
    let told = error.words
    // There is nowhere left to say that this could not be written either.
    if wantsJSON { try? Output.write(told.json.printed()) } else { told.lines.forEach(Output.say) }
    exit(told.exit.rawValue)
}
