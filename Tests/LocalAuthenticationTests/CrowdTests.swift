import LocalAuthentication
import Testing
import ThumbClient
import ThumbLocalAuthenticationAPI
import ThumbLoop
import ThumbSecrets
import ThumbturnSimulator

extension DeviceTests {
    /// Many programs at one device.
    @Suite struct CrowdTests {
        static let clients = 50
        static let each = 20

        /// Clients with connections of their own to a device that listens at a socket.
        private func withClients(_ body: (SimulatedDevice, [DeviceClient]) async throws -> Void) async throws {
            let folder = NSTemporaryDirectory() + "/thumbturn-crowd-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await withDevice { device in
                let path = folder + "/s"
                try #require(device.listen(at: path))
                let clients = (0..<Self.clients).map { _ in
                    DeviceClient {
                        guard case .success(let fd) = UnixSocket.connect(to: path) else { return nil }
                        return fd
                    }
                }
                try await body(device, clients)
                device.answerAlways(nil)
            }
        }

        /// Begins an evaluation on a context of its own for each client, many times over, all at once, and hands each to `then`.
        private func evaluations(
            _ clients: [DeviceClient], then: @escaping @Sendable (Int, LAContext) -> Void = { _, _ in }
        ) async -> [(code: Code?, count: Int)] {
            await withTaskGroup(of: (Code?, Int).self) { group in
                for number in 0..<clients.count * Self.each {
                    let client = clients[number % clients.count]
                    group.addTask {
                        let context = LAContext(device: client)
                        let pending = Pending(
                            context,
                            number.isMultiple(of: 2) ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics)
                        then(number, context)
                        let code = await pending.code
                        return (code, withExtendedLifetime(context) { pending.count })
                    }
                }
                return await group.reduce(into: []) { $0.append(($1.0, $1.1)) }
            }
        }

        @Test("17, 27: 1,000 evaluations at once from 50 clients: each has exactly one reply, and none hangs")
        func thousand() async throws {
            try await withClients { device, clients in
                device.answerAlways(.match)
                let replies = await evaluations(clients)
                #expect(replies.count == 1000)
                #expect(replies.allSatisfy { $0.count == 1 })
                // One that is up gives way to the next one; whoever isn't replaced in time succeeds.
                #expect(replies.allSatisfy { $0.code == nil || $0.code == .systemCancel })
                #expect(replies.contains { $0.code == nil })
                #expect(device.prompts.allSatisfy { $0.outcome != nil })
            }
        }

        @Test("20, 27: 1,000 at once of which every third is invalidated: each still has exactly one reply")
        func invalidated() async throws {
            try await withClients { device, clients in
                device.answerAlways(.match)
                let replies = await evaluations(clients) { number, context in
                    if number.isMultiple(of: 3) { context.invalidate() }
                }
                #expect(replies.count == 1000 && replies.allSatisfy { $0.count == 1 })
                #expect(replies.allSatisfy { [nil, .systemCancel, .appCancel].contains($0.code) })
            }
        }

        @Test("a device that goes away under 1,000 evaluations leaves none without its reply")
        func deviceGone() async throws {
            try await withClients { device, clients in
                device.answerAlways(.nothing)
                let begun = Locked(0)
                let replies = await evaluations(clients) { _, _ in
                    let isLast = begun.withLock { count in
                        count += 1
                        return count == 1000
                    }
                    if isLast { device.restart() }
                }
                #expect(replies.count == 1000 && replies.allSatisfy { $0.count == 1 && $0.code == .systemCancel })
            }
        }
    }
}
