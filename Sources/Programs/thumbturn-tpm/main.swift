import CThumbLinux
import ThumbBrokers
import ThumbCustody
import ThumbDaemonProcess
import ThumbLoop
import ThumbSystem

// The TPM's keeper of system mode: reads its arguments, hardens itself, and asks the TPM for every user's device.

/// Prints what is wrong and ends.
func end(_ status: Int32, _ message: String) -> Never {
    Output.error("thumbturn-tpm: \(message)")
    exit(status)
}

let arguments = ProcessLine.read(Arguments.Line.program)
let manager = ServiceManager.taken()
Hardening.apply(.givenUp)
TPMKeeper.ownsProcess()
let log = Log(state: nil, isJournal: manager.isPresent, form: arguments.settings.logForm)
guard let state = arguments.state ?? manager.stateFolder else {
    end(78, "There is no folder for the ledger; name one with --state.")
}

/// Opens its own folder. systemd leaves a link there if the unit didn't have a user of its own before.
func opened(_ path: String) -> Descriptor {
    do throws(PrivateFolder.Problem) {
        return try PrivateFolder.open(path, of: getuid(), .fromReaders, follows: true)
    } catch {
        end(73, "The folder of the ledger \(error).")
    }
}

let signals = Signals.block()
let folder = opened(state).released()
EventLoop.shared.post {
    let keeper: TPMKeeper
    do throws(SystemError) {
        keeper = try TPMKeeper(arguments.route, peer: arguments.settings.peer, folder: Descriptor(owning: folder)) {
            log.write(.notice, $0)
        }
    } catch {
        end(74, "The ledger can't be read (error \(error.number)).")
    }
    BrokerProcess.run(keeper.broker, arguments.settings, manager, log, signals: signals) { keeper.shutDown($0) }
}
// The loop's thread does everything. This thread only keeps the process alive.
while true { pause() }
