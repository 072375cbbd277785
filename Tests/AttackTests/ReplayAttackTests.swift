import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite("Attacks by replaying a conversation", .timeLimit(.minutes(5))) struct ReplayAttackTests {
    /// Stands between a program and the device, and keeps what the program says.
    private final class Listener: Sendable {
        let socket: String
        private let fd: Int32
        private let device: String
        let said = Locked<[UInt8]>([])

        init(in folder: Scratch, before device: String) throws {
            socket = folder.path + "/between"
            self.device = device
            fd = try UnixSocket.listen(at: socket).get()
        }

        /// Passes one connection on until it ends.
        func serve() {
            guard let mine = UnixSocket.accept(fd), case .success(let its) = UnixSocket.connect(to: device) else { return }
            var waits = [mine, its].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var room = [UInt8](repeating: 0, count: 65536)
            while poll(&waits, 2, 60_000) > 0 {
                let from = waits[0].revents != 0 ? mine : its
                let count = recv(from, &room, room.count, 0)
                guard count > 0 else { break }
                if from == mine { said.withLock { $0 += room[..<count] } }
                let other = from == mine ? its : mine
                var sent = 0
                while sent < count {
                    let more = room[sent..<count].withUnsafeBytes { send(other, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                    if more <= 0 { break }
                    sent += more
                }
            }
            close(mine)
            close(its)
        }

        deinit { close(fd) }
    }

    @Test("a recorded conversation that released a secret asks the owner again, and releases nothing without them")
    func replay() async throws {
        let marker = "MARKER-replayed"
        let device = SimulatedDevice(biometry: .touchID, enrolled: ["me"], passcode: "1234")
        defer { device.uninstall() }
        let folder = try Scratch()
        let socket = folder.path + "/socket"
        try #require(device.listen(at: socket))
        let (released, answers) = try await onThread {
            let client = DeviceClient { try? UnixSocket.connect(to: socket).get() }
            let item = NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("s")],
                rule: try AccessRule(.whenUnlocked, [.biometryCurrentSet]),
                secret: try SecretBytes(copying: Array(marker.utf8)))
            _ = try client.add(item)
            let listener = try Listener(in: folder, before: socket)
            Thread.detachNewThread { listener.serve() }
            let between = listener.socket
            var query = Query(itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("s")])
            query.shape = [.data]
            device.answer(.match)
            let heard = DeviceClient { try? UnixSocket.connect(to: between).get() }
            let released = try heard.find(query).first?.secret == item.secret
            // The same words again, on a connection of the attacker's own. The owner says no this time.
            device.answer(.cancel)
            let fd = try UnixSocket.connect(to: socket).get()
            defer { close(fd) }
            let talk = Talk(fd)
            let said = listener.said.withLock { $0 }
            // Nothing is heard before the welcome.
            let hello = 4 + said[..<4].reduce(0) { $0 << 8 | Int($1) }
            try talk.say(Array(said[..<hello]))
            let welcome = try talk.frame()
            try talk.say(Array(said[hello...]))
            return (released, [welcome, try talk.frame()])
        }
        #expect(released)
        #expect(device.prompts.count == 2)
        let isReplayed = answers.contains { $0.range(of: Data(marker.utf8)) != nil }
        #expect(!isReplayed)
        Tally.check("a recorded conversation releases its secret again", succeeded: isReplayed)
    }
}
