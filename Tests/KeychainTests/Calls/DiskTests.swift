import Foundation
import Security
import Testing
import ThumbAssembly
import ThumbClient
import ThumbLoop
import ThumbService
import ThumbSimulation
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_store

/// A simulated device whose items lie on a disk that fails where it is told to.
private final class DeviceOnDisk {
    @OnLoop private final class Graph {
        let service: Service
        private let store: Store

        init(state: String, items: String, disk: String) throws {
            store = try Store(in: StateFolder(path: items, disk: disk))
            let sensor = SimulatedBiometry(kind: .none, enrolled: [])
            let prompts = SimulatedPrompts(biometry: sensor) { $0() }
            var parts = try Assembly.simulatedDevice(
                state: state, biometry: sensor, prompts: prompts, clock: SimulatedClock(), log: { _ in }
            ).parts
            (parts.store, parts.tables, parts.audit, parts.ledger) = (store.items, store.items, store.items, store.items)
            let device = Device(parts)
            device.asksConsent = false
            service = Service(device, onlyUser: getuid())
            service.callerGroups = ["tests"]
        }
    }

    let disk = Disk()
    private let scratch: [Scratch]
    private let graph: Graph

    init() throws {
        // The store's files are closed when the loop lets go of it, which may be after the test: so the disk stays.
        _ = Unmanaged.passRetained(disk)
        scratch = [try Scratch(), try Scratch()]
        let (state, items, name) = (scratch[0].path, scratch[1].path, disk.name)
        graph = try EventLoop.shared.sync { Result { try Graph(state: state, items: items, disk: name) } }.get()
    }

    /// Makes this the device of the whole process for the length of `body`.
    func installed(_ body: () throws -> Void) rethrows {
        DeviceClient.shared.install { [graph] in
            guard case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
            EventLoop.shared.post { graph.service.serve(theirs) }
            return mine
        }
        defer {
            DeviceClient.shared.install(nil)
            EventLoop.shared.sync { [graph] in graph.service.stop() }
        }
        try body()
    }
}

extension OnDevice {
    /// What the store says, as an app hears it.
    @Suite("Disks") struct DiskTests {
        @Test(
            "186: a full or broken disk is -25291, one that is only read -25292, and nothing changed; no device at all is -25291",
            arguments: [
                (Disk.Fault.full, errSecNotAvailable), (.broken, errSecNotAvailable), (.readOnly, errSecReadOnly),
            ])
        func faults(_ fault: Disk.Fault, _ status: OSStatus) throws {
            let device = try DeviceOnDisk()
            device.installed {
                #expect(Item().add() == nil)
                device.disk.fail(at: 0, fault, lasting: true)
                #expect(Item(account: "two").add() == status)
                #expect(Item().update([kSecAttrLabel: "changed", kSecValueData: Data("changed".utf8)]) == status)
                #expect(Item().delete() == status)
                // What needs no writing goes on, and a name that is taken is said to be.
                #expect(Item().secret() == .ours && Item().add() == errSecDuplicateItem)
                #expect(device.disk.failures >= 3)

                device.disk.mend()
                #expect(Item.search() == .accounts(["one"]) && Item().secret() == .ours)
                #expect(Item().attributes()?[kSecAttrLabel as String] == nil)
                #expect(Item(account: "two").add() == nil)
                #expect(Item().update([kSecAttrLabel: "changed"]) == nil)
                #expect(Item().delete() == nil)
                #expect(Item.search() == .accounts(["two"]))

                DeviceClient.shared.install { nil }
                #expect(Item(account: "two").secret() == .refused(errSecNotAvailable))
                #expect(Item(account: "three").add() == errSecNotAvailable)
            }
        }
    }
}
