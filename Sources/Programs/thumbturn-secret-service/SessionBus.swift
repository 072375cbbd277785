import CThumbLinux
import ThumbBus
import ThumbLoop

/// Why this program doesn't do what it was asked to do.
enum Failure: UInt8, Error {
    case noBus = 1, noService, stopped
    /// The provider that the items go to can't be had.
    case noReceiver
    /// A provider that was to end is still there.
    case notEnded
}

/// This user's session bus.
enum SessionBus {
    /// How many values a message may have. A collection lists the paths of all its items at once.
    private static let valueLimit = 200_000

    @OnLoop static func connect() throws(Failure) -> Bus {
        guard let address else { throw .noBus }
        do throws(BusError) {
            return try Bus(address: address, valueLimit: valueLimit)
        } catch {
            throw .noBus
        }
    }

    /// The bus that the environment names, else the one where systemd has it. It must be a Unix socket, because an address may also name a
    /// program to start.
    private static var address: String? {
        func variable(_ name: String) -> String? {
            guard let value = unsafe getenv(name) else { return nil }
            return unsafe String(cString: value)
        }
        if let named = variable("DBUS_SESSION_BUS_ADDRESS"), !named.isEmpty {
            return named.split(separator: ";").map(String.init).first { $0.hasPrefix("unix:") }
        }
        return variable("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    }
}
