import CThumbLinux
import ThumbBrokers
import ThumbCustody
import ThumbDaemonProcess
import ThumbLoop
import ThumbSystem

// The TPM's keeper of system mode: reads its arguments, hardens itself, and asks the TPM for every user's device.

/// Ends with what is wrong.
func end(_ status: Int32, _ message: String) -> Never {
    Output.error("thumbturn-tpm: \(message)")
    exit(status)
}

let arguments = ProcessLine.read(Arguments.Line.program)
let manager = ServiceManager.taken()
Hardening.apply()
TPMKeeper.ownsProcess()
let log = Log(state: nil, isJournal: manager.isPresent)
guard let state = arguments.state ?? manager.stateFolder else {
    end(78, "There is no folder for the ledger; name one with --state.")
}

/// Its own folder: systemd puts a link where it was before its user was a user of its own.
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
// The loop's thread does everything; this one only lives as long as the process.
while true { pause() }
