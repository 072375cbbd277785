import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("What a daemon acknowledged")
struct LossTests {
    @Test("kill -9 during a stream of additions loses nothing that was acknowledged")
    func killed() async throws {
        let home = try Home()
        let (acknowledged, last, lost) = try await onThread {
            let client = try home.client()
            client.type("stream item 100000\n")
            var acknowledged = 0
            var last: String?
            while let answer = try client.answer() {
                guard answer == "added item\(acknowledged)" else {
                    last = answer
                    break
                }
                acknowledged += 1
                // A kill between two calls loses nothing at all: the client starts the daemon anew and goes on. So until one hits a call.
                if acknowledged % 50 == 0, let daemon = home.daemon { kill(daemon, SIGKILL) }
            }
            var lost: [Int] = []
            for number in 0..<acknowledged where try client.ask("read item\(number)") != "secret secret \(number)" {
                lost.append(number)
            }
            return (acknowledged, last, lost)
        }
        #expect(acknowledged >= 50 && acknowledged < 100_000)
        #expect(last == "failed deviceUnreachable")
        #expect(lost.isEmpty)
    }

    @Test("a store with a file cut in half is refused and left as it is, and is whole again when that is put back")
    func cut() async throws {
        let home = try Home()
        let added = try await onThread { try home.ask("add one first") }
        #expect(added == "added one")
        home.endDaemon()
        let whole = try home.files()
        // A daemon that ends leaves no log beside its items.
        #expect(Set(whole.keys) == ["keybag", "items.db"])
        for (name, data) in whole {
            let file = home.state.appending(path: name)
            try data.prefix(data.count / 2).write(to: file)
            let damaged = try home.files()
            let answers = try await onThread { (try home.ask("read one"), try home.ask("add two second")) }
            home.endDaemon()
            #expect(answers.0 == "failed storeUnavailable", "\(name)")
            #expect(answers.1 == "failed storeUnavailable", "\(name)")
            #expect(try home.files()[name] == damaged[name], "\(name)")
            for (name, data) in whole { try data.write(to: home.state.appending(path: name)) }
        }
        let read = try await onThread { try home.ask("read one") }
        #expect(read == "secret first")
    }

    @Test("a store with a file gone is refused, and no empty one takes its place")
    func gone() async throws {
        let home = try Home()
        _ = try await onThread { try home.ask("add one first") }
        home.endDaemon()
        let whole = try home.files()
        for name in whole.keys {
            try FileManager.default.removeItem(at: home.state.appending(path: name))
            let answers = try await onThread { (try home.ask("read one"), try home.ask("add two second")) }
            home.endDaemon()
            #expect(answers.0 == "failed storeUnavailable", "\(name)")
            #expect(answers.1 == "failed storeUnavailable", "\(name)")
            #expect(try home.files()[name] == nil, "\(name)")
            for (name, data) in whole { try data.write(to: home.state.appending(path: name)) }
        }
        let read = try await onThread { try home.ask("read one") }
        #expect(read == "secret first")
    }

    private func mount(_ words: String...) throws {
        let status = try Program(["/bin/mount"] + words, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]).status()
        try #require(status == 0, "mounting needs root")
    }

    private func unmount(_ home: Home) {
        home.endDaemon()
        _ = try? Program(["/bin/umount", "-l", home.state.path], environment: [:]).status()
    }

    @Test(
        "a full disk is said clearly, and everything acknowledged is there, then and after a restart",
        .enabled(if: geteuid() == 0, "takes root, to mount a small disk"))
    func full() async throws {
        let home = try Home()
        try mount("-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", home.state.path)
        defer { unmount(home) }
        func lost(_ count: Int) async throws -> [Int] {
            try await onThread {
                let client = try home.client()
                return try (0..<count).filter { try client.ask("read item\($0)") != "secret secret \($0)" }
            }
        }
        let (acknowledged, last) = try await onThread {
            let client = try home.client()
            client.type("stream item 100000\n")
            var acknowledged = 0
            while let answer = try client.answer() {
                guard answer == "added item\(acknowledged)" else { return (acknowledged, answer) }
                acknowledged += 1
            }
            return (acknowledged, "")
        }
        #expect(acknowledged > 0 && last == "failed storeUnavailable")
        #expect(try await lost(acknowledged) == [])
        home.endDaemon()
        #expect(try await lost(acknowledged) == [])
    }

    @Test(
        "a state folder that can't be written is said clearly, and what is there stays",
        .enabled(if: geteuid() == 0, "takes root, to mount a disk that is only read"))
    func readOnly() async throws {
        let home = try Home()
        try mount("-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", home.state.path)
        defer { unmount(home) }
        #expect(try await onThread { try home.ask("add one first") } == "added one")
        home.endDaemon()
        let before = try home.files()
        try mount("-o", "remount,ro", home.state.path)
        let answers = try await onThread { (try home.ask("add two second"), try home.ask("read one")) }
        #expect(answers.0 == "failed storeUnavailable" && answers.1 == "failed storeUnavailable")
        home.endDaemon()
        #expect(try home.files() == before)
        try mount("-o", "remount,rw", home.state.path)
        #expect(try await onThread { try home.ask("read one") } == "secret first")
    }
}
