import CThumbLinux
import ThumbClient
import ThumbCommands
import ThumbSystem

// The command line program. Commands return what to print and how they ended; only this code prints and exits.

StandardDescriptors.fill()
PipeSignal.ignore()
// Secrets pass through here, so a crash must leave nothing of them on the disk.
CoreFiles.forbid()
DeviceClient.shared.introduce(as: "thumbturn")
// A person is waiting: a daemon that is stopped or hangs is to be told from one that works.
Silence.watch()

let words = HelperName.words(of: CommandLine.arguments)
// Determined even if the line can't be understood, so that its error is printed in the wanted form.
let wantsJSON = words.prefix { $0 != "--" }.contains(Option.json.flag)

do throws(Failure) {
    // Swift would repair it, and then it would name another file.
    for word in 0..<Int(CommandLine.argc) {
        guard let bytes = unsafe CommandLine.unsafeArgv[word], unsafe String(validatingCString: bytes) != nil else {
            throw .wordsNotText
        }
    }
    let outcome = try Thumbturn.run(words)
    let result = wantsJSON && !outcome.isForTool ? outcome.json.printed() : outcome.text
    if let lost = outcome.lost {
        // First of all: what is said of it besides holds only for what was shown.
        do throws(Failure) { try Output.write(result) } catch { throw lost }
    }
    for aside in outcome.asides { Output.say(aside.text) }
    if let failure = outcome.failure { failure.words.lines.forEach(Output.say) }
    if let status = outcome.handedOn { exit(status) }
    // The work is done. If whoever reads the result has read enough, this program ends like any other of a pipeline: without a word.
    PipeSignal.treatAsBefore()
    if outcome.lost == nil { try Output.write(result) }
    exit(outcome.toolStatus ?? outcome.exit.rawValue)
} catch {
    // Whatever failed: if the daemon fell silent, that is why.
    let told = Silence.noticed.map(\.words) ?? error.words
    // There is nowhere left to report that this could not be written either.
    if wantsJSON { try? Output.write(told.json.printed()) } else { told.lines.forEach(Output.say) }
    exit(told.exit.rawValue)
}
