import CThumbLinux
import ThumbAccess
import ThumbBrokers
import ThumbCrypto
import ThumbDaemonProcess
import ThumbLoop
import ThumbSensors

// The reader's broker of system mode: reads its arguments, hardens itself, and speaks with fprintd for every user's device.

let arguments = ProcessLine.read(Arguments.Line.program)
let manager = ServiceManager.taken()
Hardening.apply(.givenUp)
CryptoProcess.needsNoErrorTexts()
let log = Log(state: nil, isJournal: manager.isPresent, form: arguments.settings.logForm)
let signals = Signals.block()
EventLoop.shared.post {
    let reader = ReaderBroker(
        arguments.place, peer: arguments.settings.peer, name: { LocalUsers.name(of: $0) },
        // If no digest can be made there is no enrolment to compare; with nil it counts as unknown.
        hash: { try? HashFunction.sha256.hash($0) }, log: { log.write(.notice, $0) })
    BrokerProcess.run(reader.broker, arguments.settings, manager, log, signals: signals) { done in
        reader.shutDown()
        done()
    }
}
// The loop's thread does everything. This thread only keeps the process alive.
while true { pause() }
