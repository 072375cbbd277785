import ThumbLoop

/// What became of asking for a name.
public enum BusNameAnswer: Sendable {
    /// It is ours.
    case owned
    /// It is somebody else's, and ours when they let go of it.
    case queued
    /// It is somebody else's.
    case taken
}

/// Who is behind a connection, from the kernel by way of the bus: fixed when it connected.
public struct BusCredentials: Sendable {
    /// Its process's number. The process may have ended since, and the number be another's.
    public let process: Int32
    /// Its effective user.
    public let user: UInt32
    /// Its groups, its own and the supplementary ones; nil if the bus doesn't say.
    public let groups: [UInt32]?
}

extension Bus {
    private static let driverPath = "/org/freedesktop/DBus"

    /// Asks for a name.
    ///
    /// - Parameters:
    ///   - replace: takes it from an owner that allowed it.
    ///   - allowReplacement: lets others take it from us.
    ///   - queue: waits for it if it can't be had now.
    public func requestName(
        _ name: String, replace: Bool = false, allowReplacement: Bool = false, queue: Bool = false
    ) async throws(BusError) -> BusNameAnswer {
        let flags: UInt32 = (allowReplacement ? 1 : 0) | (replace ? 2 : 0) | (queue ? 0 : 4)
        switch try await askDriver("RequestName", [.string(name), .uint32(flags)]).number {
        case 1, 4: return .owned
        case 2: return .queued
        case 3: return .taken
        default: throw BusError(.malformed)
        }
    }

    /// Lets go of a name, or leaves its queue.
    public func releaseName(_ name: String) async throws(BusError) { _ = try await askDriver("ReleaseName", [.string(name)]) }

    /// Hears of names that have become ours, and of those that are ours no longer.
    public func listenForOwnNames(_ handler: @escaping (_ name: String, _ isOurs: Bool) -> Void) -> [BusSubscription] {
        ["NameAcquired", "NameLost"].map { member in
            listen(BusRule(Self.driver, member, path: Self.driverPath, from: Self.driver)) { signal in
                // Anybody can send us a signal of this name. The bus's own name is only the bus's.
                guard signal.sender == Self.driver, let name = signal.values.first?.text else { return }
                handler(name, member == "NameAcquired")
            }
        }
    }

    /// Hears which connections have left the bus, by their own names. The bus is asked once for all of them, and only for those that leave.
    public func listenForDepartures(_ handler: @escaping (_ connection: String) -> Void) -> BusSubscription {
        listen(BusRule(Self.driver, "NameOwnerChanged", path: Self.driverPath, third: "", from: Self.driver)) { signal in
            guard signal.sender == Self.driver, let name = signal.values.first?.text, name.hasPrefix(":") else { return }
            handler(name)
        }
    }

    /// Who is behind a connection, by its own name. Fails with `noOwner` if it has left.
    public func credentials(of connection: String) async throws(BusError) -> BusCredentials {
        let answer = try await askDriver("GetConnectionCredentials", [.string(connection)])
        guard let user = answer["UnixUserID"]?.number.flatMap({ UInt32(exactly: $0) }),
            let process = answer["ProcessID"]?.number.flatMap({ Int32(exactly: $0) })
        else { throw BusError(.malformed) }
        let groups = answer["UnixGroupIDs"]?.list?.compactMap { $0.number.flatMap { UInt32(exactly: $0) } }
        return BusCredentials(process: process, user: user, groups: groups)
    }

    private func askDriver(_ member: String, _ values: [BusValue]) async throws(BusError) -> BusValue {
        let reply = try await call(BusCall(Self.driver, Self.driverPath, Self.driver, member, values), within: 30)
        guard reply.sender == Self.driver, let value = reply.values.first else { throw BusError(.malformed) }
        return value
    }
}
