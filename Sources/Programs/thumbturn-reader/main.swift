import CThumbLinux
import ThumbAccess
import ThumbBrokers
import ThumbCommands
import ThumbCrypto
import ThumbDaemonProcess
import ThumbLoop
import ThumbSensors

// The reader's broker of system mode: reads its arguments, hardens itself, and speaks with fprintd for every user's device.

/// Ends with what is wrong with the command line.
func refuse(_ message: String) -> Never {
    Output.error("thumbturn-reader: \(message)")
    Output.error("  " + Misuse.advice(["thumbturn-reader"]))
    exit(64)
}

let arguments: Arguments
do throws(Misuse) {
    switch try Arguments.Line.program.read(Array(CommandLine.arguments.dropFirst())) {
    case .about(let about):
        Output.write(Arguments.Line.program.overview.text(about), to: 1)
        exit(0)
    case .work(let action, let given):
        do throws(Arguments.Problem) { arguments = try action(given) } catch { refuse(error.message) }
    }
} catch {
    refuse(error.message)
}

let manager = ServiceManager.taken()
Hardening.apply()
CryptoProcess.needsNoErrorTexts()
let log = Log(state: nil, isJournal: manager.isPresent)
let signals = Signals.block()
EventLoop.shared.post {
    let reader = ReaderBroker(
        arguments.place, peer: arguments.peer, name: { LocalUsers.name(of: $0) },
        // Where no digest can be made there is no enrolment to compare: nil, and it is as unknown.
        hash: { try? HashFunction.sha256.hash($0) }, log: { log.write(.notice, $0) })
    BrokerProcess.run(reader.broker, arguments.settings, manager, log, signals: signals) { done in
        reader.shutDown()
        done()
    }
}
// The loop's thread does everything; this one only lives as long as the process.
while true { pause() }
