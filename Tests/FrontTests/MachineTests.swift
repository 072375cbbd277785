import CThumbLinux
import Testing
import ThumbConversation
import ThumbInside
import ThumbLoop

@testable import ThumbFront

/// What a device heard over its line, in its order.
@OnLoop private final class Heard {
    private(set) var words: [String] = []
    /// Whether the machine may go on to sleep.
    var isReadyToSleep = false
    /// Its line for wants, which the front would replace if it were closed.
    var wants: WantsLine?
    nonisolated init() {}
    func add(_ word: String) { words.append(word) }
}

@Suite("What the front tells a device", .timeLimit(.minutes(5)))
struct MachineTests {
    /// An entry with a device that is connected.
    private func connected(_ places: Places) -> LoopBox<DeviceEntry> {
        EventLoop.shared.sync {
            let entry = DeviceEntry(1001, places, idleSeconds: 600, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
    }

    @Test("What the machine does reaches the device as it is, in its order, and the front's word that it is to end after that")
    func machine() {
        let (places, heard) = (Places(), Heard())
        let entry = connected(places)
        defer { EventLoop.shared.sync { entry.value.end() } }
        let line = EventLoop.shared.sync {
            DeviceLine(
                dup(places.device),
                DeviceLine.Hearing(
                    peer: { descriptor, _, _ in UnixSocket.close(descriptor) }, wantsLine: { heard.wants = $0 },
                    sleeps: { heard.add("sleeps") }, wakes: { heard.add("wakes") }, lid: { heard.add("lid \($0)") },
                    lock: { heard.add("lock \($0)") }, front: { heard.add("front \($0)") },
                    machineKnown: { heard.add("known") }, end: { heard.add("end") }, lost: { heard.add("lost") }))
        }
        EventLoop.shared.sync {
            let machine = places.still
            for isSo in [true, false] {
                machine.onLid(isSo)
                machine.onLock(isSo)
                machine.onFront(!isSo)
            }
            machine.onSleep(true) { heard.isReadyToSleep = true }
            machine.onSleep(false) {}
        }
        #expect(comes { heard.isReadyToSleep && heard.words.last == "wakes" })
        EventLoop.shared.sync { entry.value.retire() }
        #expect(comes { heard.words.last == "lost" })
        let words = EventLoop.shared.sync { heard.words }
        #expect(
            words == [
                "known", "lid true", "lock true", "front false", "lid false", "lock false", "front true", "sleeps", "wakes",
                "end", "lost",
            ])
        withExtendedLifetime(line) {}
    }

    /// Passes a client on in the turn of the loop in which the device is found unused.
    @OnLoop private static func take(_ client: Int32, onceUnused entry: LoopBox<DeviceEntry>) {
        guard entry.value.isUnused else { return EventLoop.shared.post { take(client, onceUnused: entry) } }
        entry.value.take(client, .login)
    }

    @Test("A device whose store didn't open is told to end after its second, though another client came meanwhile")
    func refusing() throws {
        let places = Places()
        let entry = connected(places)
        defer { EventLoop.shared.sync { entry.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        let (client, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(client) }
        EventLoop.shared.post { Self.take(theirs, onceUnused: entry) }
        let unused = Unused(peers: 0, isSoon: true).frame(call: 0).plain
        #expect(PacketSocket.send(unused, passing: nil, to: line, waiting: true) == .sent)
        // A line for wants that were closed would be replaced.
        var passed: [Int32] = []
        defer { for fd in passed { UnixSocket.close(fd) } }
        var kinds: [UInt8] = []
        while true {
            var wait = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { break }
            guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true) else { break }
            if let descriptor { passed.append(descriptor) }
            kinds.append(bytes[4])
        }
        #expect(kinds.last == WordKind.endNow.rawValue && kinds.contains(WordKind.peerArrived.rawValue))
    }
}
