import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbSSHAgent

@Suite("Requests to an agent")
struct RequestTests {
    @Test("The requests that are known are read")
    func known() throws {
        #expect(try AgentRequest.read([11]) == .identities)
        #expect(try AgentRequest.read(Wire.sign([1, 2], flags: 4)) == .sign(key: Wire.key, data: [1, 2], flags: 4))
        guard case .bind(let binding) = try AgentRequest.read(Wire.binding(isForwarding: true)) else {
            Issue.record("a binding is read as something else")
            return
        }
        #expect(binding.host == Wire.host(1) && binding.session == Wire.session && binding.isForwarding)
    }

    @Test(
        "Adding, removing, locking, smart cards, other extensions: known to exist, and not done",
        arguments: [1, 7, 9, 17, 18, 19, 20, 21, 22, 23, 25, 26, 0, 255] as [UInt8])
    func others(kind: UInt8) throws {
        #expect(try AgentRequest.read([kind, 1, 2, 3]) == .other(kind))
        #expect(try AgentRequest.read([27] + Wire.string("query")) == .other(27))
    }

    @Test("A request that is cut anywhere, or has a byte left over, is malformed")
    func cut() {
        for whole in [[11], Wire.sign(Wire.signIn()), Wire.binding()] {
            for count in 0..<whole.count {
                #expect(refusal { () throws(AgentRefusal) in try AgentRequest.read(Array(whole.prefix(count))) } == .malformed)
            }
            #expect(refusal { () throws(AgentRefusal) in try AgentRequest.read(whole + [0]) } == .malformed)
        }
    }

    @Test("A length of four gigabytes is malformed, not memory")
    func huge() {
        for kind in [13, 27] as [UInt8] {
            #expect(
                refusal { () throws(AgentRefusal) in try AgentRequest.read([kind, 0xff, 0xff, 0xff, 0xff] + Wire.key) }
                    == .malformed)
        }
    }

    @Test("Replies have the protocol's form")
    func replies() {
        #expect(AgentReply.failure.frame == [0, 0, 0, 1, 5])
        #expect(AgentReply.success.frame == [0, 0, 0, 1, 6])
        #expect(AgentReply.signature([1, 2]).frame == [0, 0, 0, 7, 14, 0, 0, 0, 2, 1, 2])
        let identity = SSHIdentity(blob: [1], comment: "a")
        #expect(
            AgentReply.identities([identity]).frame == [0, 0, 0, 15, 12, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 97])
    }

    @Test("A list has as many keys as it says, and no more than it may")
    func most() {
        for (count, told) in [(AgentLimit.identities, 256), (AgentLimit.identities + 1, 256)] {
            let frame = AgentReply.identities(
                [SSHIdentity](repeating: SSHIdentity(blob: [1], comment: ""), count: count)
            ).frame
            #expect(Array(frame[5..<9]) == Wire.number(told))
            #expect(frame.count == 9 + told * 9)
        }
    }

    @Test("The corpus is read as its names say, all of it")
    func corpus() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "hex" }.sorted { $0.path < $1.path }
        #expect(files.count == 10)
        for file in files {
            let body = try Self.bytes(String(contentsOf: file, encoding: .utf8))
            let name = file.deletingPathExtension().lastPathComponent
            let found = refusal { () throws(AgentRefusal) in try AgentRequest.read(body) }
            switch name.split(separator: "-").first {
            case "request": #expect(found == nil, "\(name)")
            case "malformed": #expect(found == .malformed, "\(name)")
            case "data":
                #expect(refusal { () throws(AgentRefusal) in try SignedData.read(body) } == .unknownForm, "\(name)")
            default: Issue.record("\(name) says nothing about what it is")
            }
            Self.read(body)
        }
    }

    @Test("No reader traps on random bytes, nor on real requests with some bytes changed", arguments: 0..<4)
    func random(part: Int) {
        var random = Dice(for: "requests to the SSH agent, part \(part)", usually: UInt64(part))
        let seeds = [
            [11], Wire.sign(Wire.signIn()), Wire.sign(Wire.message()), Wire.binding(), Wire.signIn(host: Wire.host(1)),
            Wire.message(), Wire.host(1), Wire.hostSignature,
        ]
        for _ in 0..<25_000 {
            var body = seeds.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                case 1: body.remove(at: place)
                case 2: body.insert([0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)!, at: place)
                default: body.removeSubrange(place...)
                }
            }
            Self.read(body)
        }
    }

    /// Reads the bytes as all that they could be.
    private static func read(_ body: [UInt8]) {
        if case .bind(let binding)? = try? AgentRequest.read(body) {
            var session = AgentSession()
            try? session.bind(binding) { _ in true }
        }
        _ = try? SignedData.read(body)
        _ = try? HostKey(body)
        _ = SSHForms.signature(body)
        _ = KnownHosts(String(decoding: body, as: UTF8.self)).name(of: body, candidates: ["a"]) { salt, _ in salt }
    }

    private static func bytes(_ text: String) throws -> [UInt8] {
        let digits = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }.joined().filter { !$0.isWhitespace }
        try #require(digits.count.isMultiple(of: 2))
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            let start = digits.index(digits.startIndex, offsetBy: place)
            return try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16))
        }
    }
}
