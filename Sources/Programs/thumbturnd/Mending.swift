import CThumbLinux
import ThumbAssembly
import ThumbDaemonProcess
import ThumbSecrets
import ThumbSystem

/// Repairs a store that doesn't open. No daemon runs then: this is one job with an exit status.
enum Mending {
    /// Longest typed recovery code: its symbols and anything in between.
    private static let codeBytes = 256

    static func run(_ arguments: Arguments, _ user: UserPlaces) -> Int32 {
        let given: String
        do throws(DataFolder.Problem) { given = try Places.stateFolder(arguments, user) } catch {
            return failed(78, "There is no place for the store: \(error).")
        }
        // In system mode the store belongs to a user that systemd made for it. Root becomes that user here.
        guard let state = StoreOwner.become(given) else { return failed(73, "Can't switch to the user who owns the store.") }
        guard Places.makeStateFolder(state) else {
            return failed(73, "The state folder can't be made, or others could write to it.")
        }
        // The program that started this has its own words for it.
        guard Instance.becomesAlone(state) else { return 75 }
        let tpm = arguments.tpm.flatMap(TPMSetting.init) ?? .found
        do throws(AssemblyError) {
            if arguments.job == .acceptLosses {
                try StoreMending.acceptLosses(state: state, tpm: tpm)
                return 0
            }
            guard let code = code() else { return failed(66, "Standard input has no recovery code.") }
            return try StoreMending.recover(state: state, tpm: tpm, code: code) ? 0 : 1
        } catch {
            return failed(error.isMistyped ? 65 : 70, error.reason)
        }
    }

    /// One line of standard input; nil if it is empty or too long.
    private static func code() -> SecretBytes? {
        let line = try? unsafe SecretBytes(filling: codeBytes) { memory in
            var used = try unsafe Transfer.fill(memory, from: 0)
            while unsafe used > 0 && memory[used - 1] == 0x0a { used -= 1 }
            return used
        }
        guard let line, (1..<codeBytes).contains(line.count) else { return nil }
        return line
    }

    private static func failed(_ status: Int32, _ message: String) -> Int32 {
        Output.error("thumbturnd: \(message)")
        return status
    }
}
