import Testing
import ThumbLedgers
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_programs

/// A ledger in which something is done just before a device is registered, as by somebody who came first.
private struct OvertakenLedger: Ledger {
    let ledger: SQLiteLedger
    /// What that is; nil once it is done.
    let first: Locked<Deed?>

    func settle(_ deeds: [Deed], at now: Moment) throws(LedgerFailure) -> [DeedOutcome] {
        let registers = deeds.contains { deed in
            if case .register = deed { true } else { false }
        }
        if registers {
            let deed = first.withLock { deed in
                defer { deed = nil }
                return deed
            }
            if let deed { _ = try ledger.settle([deed], at: now) }
        }
        return try ledger.settle(deeds, at: now)
    }
}

@Suite("Requests that are overtaken")
struct OvertakenTests {
    @Test("A session that ends between the look at it and the registration registers no device")
    func registration() async throws {
        let (reply, isOvertaken, devices) = try await onThread {
            let first = Locked<Deed?>(nil)
            let house = try HouseServer(through: { OvertakenLedger(ledger: $0, first: first) })
            let wire = try house.wire()
            let token = try house.newAccount(wire, "anna")
            let anna = AccountName("anna")!  // A name by its looks.
            first.withLock { $0 = Deed.endSessions(anna, nil) }
            let reply = try house.register(wire, TestDevice(), "anna", token: token)
            return (reply, first.withLock { $0 == nil }, try house.settle(.readDevices(anna)))
        }
        #expect(isOvertaken)
        #expect(reply.status == 401 && reply.error == "session", "\(reply.text)")
        #expect(devices == .devices([]))
    }
}
