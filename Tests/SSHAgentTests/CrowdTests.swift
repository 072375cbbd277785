import CThumbLinux
import Testing
import ThumbSSHAgent
import thumbturn_test_daemon

@testable import thumbturn

extension OnDevice {
    @Suite("A crowd at the agent's socket") struct CrowdTests {
        /// How many of them the agent has closed, once it has closed one.
        private func closed(_ peers: [Peer]) async throws -> Int {
            try await until("none was closed") {
                var byte: UInt8 = 0
                return peers.contains { recv($0.fd, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
            }
            var closed = 0
            for peer in peers where await peer.ask([11]) == nil { closed += 1 }
            return closed
        }

        @Test("A crowd of silent connections keeps no other program out, and loses one of its own")
        func crowd() async throws {
            try await withAgent { stand in
                var peers: [Peer] = []
                for _ in 0..<AgentLimit.connections {
                    peers.append(try Peer(stand))
                    try #require(await peers.last?.ask([11]) != nil)
                }
                let other = try await stand.run("ssh-add", "-l")
                let isServed = other.output == "The agent has no identities.\n"
                Tally.attack("a machine that the SSH agent is forwarded to keeps the owner from it", succeeded: !isServed)
                try #require(isServed)
                #expect(try await closed(peers) == 1)
            }
        }

        @Test("A connection that waits for a finger isn't closed for another one, however long it has been silent")
        func crowdAmidSignature() async throws {
            try await withAgent { stand in
                let key = try stand.key("asking")
                stand.device.answer(.nothing)
                let asking = try Peer(stand)
                asking.send(Wire.string(Wire.sign(Wire.message(), key: key.blob)))
                try await until("nobody was asked") { !stand.device.prompts.isEmpty }
                var peers: [Peer] = []
                for _ in 0..<AgentLimit.connections {
                    peers.append(try Peer(stand))
                    try #require(await peers.last?.ask([11]) != nil)
                }
                #expect(try await closed(peers) == 1)
                stand.device.answer(.match)
                #expect(await asking.answer()?.first == 14)
            }
        }
    }
}
