import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// Programs of one user that call themselves what another is called, or nearly so, against a daemon of that user's.
@Suite("Attacks by a name", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes several users"))
struct NameAttackTests {
    /// Names that are equal to Swift's `String`, and other bytes.
    private static let alike: [(victim: String, thief: String)] = [
        ("org.example.Keys", "org.example.\u{212A}eys"),
        ("org.example.caf\u{E9}", "org.example.cafe\u{301}"),
        ("org.example.\u{C5}ngstrom", "org.example.\u{212B}ngstrom"),
        ("org.example.\u{3A9}", "org.example.\u{2126}"),
        ("org.example.\u{1E69}", "org.example.s\u{307}\u{323}"),
        ("org.example.\u{AC00}", "org.example.\u{1100}\u{1161}"),
        ("\u{212A}", "K"),
    ]

    /// What such a program tries beside reading by a reference.
    private static let otherDeeds = [
        "updates an item by its reference", "removes an item by its reference", "finds an item by its own search",
        "removes an item by its own search", "reads in the group",
    ]

    /// The words for a line: spaces and everything beyond ASCII are percent-encoded there.
    private static func word(_ text: String) -> String {
        text.utf8.map { $0 > 0x20 && $0 < 0x7f && $0 != 0x25 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
    }

    @Test(
        "a label that looks like another's opens nothing of its: not by reference, by group or by its own search",
        arguments: alike)
    func lookAlike(_ names: (victim: String, thief: String)) async throws {
        let (before, tried, after) = try await onThread {
            let machine = try ProtectedMachine()
            let victim = try machine.speaker("other")
            _ = try victim.say("introduce \(Self.word(names.victim))")
            let before = try victim.say("in - add a ours")
            let reference = String(try victim.say("in - reference a").dropFirst("reference ".count))
            let thief = try machine.speaker("other")
            _ = try thief.say("introduce \(Self.word(names.thief))")
            let lines = [
                "by \(reference) read", "by \(reference) update theirs", "by \(reference) remove", "in - read a", "in - remove a",
                "in \(Self.word(names.victim)) read a",
            ]
            let tried = try lines.map { try thief.say($0) }
            return (before, tried, try victim.say("in - read a"))
        }
        #expect(before == "added to \(names.victim)" && after == "secret ours")
        #expect(tried == Array(repeating: "failed itemNotFound", count: 5) + ["failed missingEntitlement"])
        let alike = "a program called \(Self.word(names.thief))"
        Tally.attack(
            "\(alike) reads an item of \(Self.word(names.victim)) by its reference", succeeded: !tried[0].hasPrefix("failed"))
        for (deed, answer) in zip(Self.otherDeeds, tried.dropFirst()) {
            Tally.check("\(alike) \(deed) of \(Self.word(names.victim))", succeeded: !answer.hasPrefix("failed"))
        }
    }

    private static let label = "org.example.bank"
    private static let denied = "failed missingEntitlement"

    /// A machine on which `other` keeps something under a bundle identifier, and that item's reference.
    private static func bank() throws -> (machine: ProtectedMachine, reference: String) {
        let machine = try ProtectedMachine()
        let bank = try machine.speaker("other")
        _ = try bank.say("introduce \(label)")
        guard try bank.say("in - add a ours") == "added to \(label)" else { throw CannotStart(program: "the bank") }
        return (machine, String(try bank.say("in - reference a").dropFirst("reference ".count)))
    }

    /// What a program that claims the identifier gets out of it, way by way.
    private static func claim(_ thief: Speaker, _ reference: String) throws -> [String] {
        _ = try thief.say("introduce \(label)")
        return try [
            "in - read a", "in \(label) read a", "by \(reference) read", "in - update a theirs", "in - add b theirs",
            "in - remove a", "by \(reference) remove",
        ].map { try thief.say($0) }
    }

    /// Notes what became of all ways together: whoever claims the identifier had all of them, or none.
    private static func note(_ claimer: String, _ answers: [String]) {
        Tally.attack("\(claimer) has what is kept under a bundle identifier", succeeded: isAny(answers))
    }

    private static func isAny(_ answers: [String]) -> Bool { answers.contains { !$0.hasPrefix("failed") } }

    private static func isWhole(_ machine: ProtectedMachine) throws -> Bool {
        let bank = try machine.speaker("other")
        _ = try bank.say("introduce \(label)")
        return try bank.say("in - read a") == "secret ours"
    }

    @Test("another executable that claims a bundle identifier gets nothing before the owner's word, also after a restart")
    func anotherExecutable() async throws {
        let (tried, again, isWhole) = try await onThread {
            let (machine, reference) = try Self.bank()
            try machine.install("thumbturn-test-client", as: "thief")
            let tried = try Self.claim(try machine.speaker("thief"), reference)
            try machine.start()
            return (tried, try Self.claim(try machine.speaker("thief"), reference), try Self.isWhole(machine))
        }
        #expect(tried == Array(repeating: Self.denied, count: 7) && again == tried && isWhole)
        Self.note("another executable", tried + again)
    }

    @Test("a file put in place of the one that was tied is another program, where its user can put it there")
    func replaced() async throws {
        let (tried, isWhole) = try await onThread {
            let (machine, reference) = try Self.bank()
            try machine.install("thumbturn-test-client", as: "other")
            let tried = try Self.claim(try machine.speaker("other"), reference)
            return (tried, try Self.isWhole(machine))
        }
        #expect(tried == Array(repeating: Self.denied, count: 7) && !isWhole)
        Self.note("a file put in the tied one's place", tried)
    }

    @Test("a link of the tied name, and a second name of the tied file, are the programs that the kernel says")
    func links() async throws {
        let (soft, hard, through) = try await onThread {
            let (machine, reference) = try Self.bank()
            try machine.install("thumbturn-test-client", as: "thief")
            let bin = machine.root.path + "/usr/bin/"
            try FileManager.default.createSymbolicLink(atPath: bin + "other-link", withDestinationPath: bin + "thief")
            let soft = try Self.claim(try machine.speaker("other-link"), reference)
            try FileManager.default.createSymbolicLink(atPath: bin + "way", withDestinationPath: bin + "other")
            let own = try machine.speaker("way")
            _ = try own.say("introduce \(Self.label)")
            let through = try own.say("in - read a")
            try FileManager.default.linkItem(atPath: bin + "other", toPath: bin + "second")
            return (soft, try Self.claim(try machine.speaker("second"), reference), through)
        }
        #expect(soft == Array(repeating: Self.denied, count: 7) && hard == soft && through == "secret ours")
        Self.note("a program behind a link of the tied one's folder", soft)
        Self.note("a second name of the tied file", hard)
    }

    @Test("a file that is laid over a program's path, where only its own process sees it, is not that program")
    func laidOver() async throws {
        let (before, tried, byPath, isWhole) = try await onThread {
            let (machine, reference) = try Self.bank()
            let path = machine.root.path + "/usr/bin/other"
            let before = try machine.speaker("other").say("in - add p ours")
            try machine.install("thumbturn-test-client", as: "thief")
            func posing() throws -> Speaker {
                let words = [
                    "/usr/bin/bwrap", "--unshare-user", "--die-with-parent", "--dev-bind", "/", "/", "--bind",
                    machine.root.path + "/usr/bin/thief", path, path,
                ]
                return try Speaker(words, as: machine.uid)
            }
            let tried = try Self.claim(try posing(), reference)
            let thief = try posing()
            let byPath = try ["in - read p", "in \(path) read p", "in - remove p", "in - add q theirs"].map { try thief.say($0) }
            return (before, tried, byPath, try Self.isWhole(machine))
        }
        #expect(before.hasPrefix("added to /") && isWhole)
        #expect(tried == Array(repeating: Self.denied, count: 7) && byPath == Array(repeating: Self.denied, count: 4))
        Self.note("a file laid over the tied one's path", tried)
        Tally.attack("a file laid over a program's path has the items of that path", succeeded: Self.isAny(byPath))
    }

    @Test("what a program sent before it became another one isn't heard as that one's")
    func became() async throws {
        let marker = "MARKER-became"
        let (before, outcome) = try await onThread {
            let machine = try ProtectedMachine()
            let victim = machine.root.path + "/usr/bin/other"
            let before = try machine.speaker("other").say("in - add p \(marker)")
            try machine.install("thumbturn-test-attacker", as: "thief")
            var query = Query(itemClass: .genericPassword, attributes: [.account: .text("p"), .service: .text("tests")])
            query.shape = [.data]
            let words = Talk.hex(.hello(Hello(role: .app)), 1) + Talk.hex(.find(query), 2)
            var ends: [Int32] = [-1, -1]
            guard let daemon = machine.daemon, thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
            defer { close(ends[0]) }
            // Nobody looks before it has become the other one.
            kill(daemon.pid, SIGSTOP)
            let thief = try Child(
                "/usr/bin/setpriv",
                [
                    "--reuid", "\(machine.uid)", "--regid", "\(machine.uid)", "--clear-groups",
                    machine.root.path + "/usr/bin/thief", "become", "/tmp/thumbturn-\(machine.uid)/socket", words, marker, victim,
                ], passing: ends[1])
            defer { thief.killed() }
            close(ends[1])
            var said: [UInt8] = [0, 0]
            guard read(ends[0], &said, 1) == 1 else { throw CannotStart(program: "thumbturn-test-attacker") }
            kill(daemon.pid, SIGCONT)
            guard read(ends[0], &said[1], 1) == 1 else { throw CannotStart(program: "thumbturn-test-attacker") }
            return (before, String(decoding: said, as: UTF8.self))
        }
        #expect(before.hasPrefix("added to /") && outcome == "rn")
        Tally.attack("a program becomes another one after it has sent its words", succeeded: outcome != "rn")
    }

    @Test("a program whose file was removed is no program of that path, and none of a file that is called so")
    func removed() async throws {
        let (before, tried, byPath) = try await onThread {
            let (machine, reference) = try Self.bank()
            for name in ["victim (deleted)", "victim", "gone"] { try machine.install("thumbturn-test-client", as: name) }
            let before = try machine.speaker("victim (deleted)").say("in - add p ours")
            let (thief, gone) = (try machine.speaker("victim"), try machine.speaker("gone"))
            // Their processes are the file's own once they answer a line.
            _ = (try thief.say("introduce "), try gone.say("introduce "))
            for name in ["victim", "gone"] { try FileManager.default.removeItem(atPath: machine.root.path + "/usr/bin/" + name) }
            return (before, try Self.claim(gone, reference), try ["in - read p", "in - remove p"].map { try thief.say($0) })
        }
        #expect(before.hasSuffix("/victim (deleted)"))
        #expect(tried == Array(repeating: Self.denied, count: 7) && byPath == [Self.denied, Self.denied])
        Self.note("a program whose file was removed", tried)
        Tally.attack(
            "a removed program has the items of a file that is called as removed ones are", succeeded: Self.isAny(byPath))
    }

    @Test("a program that lets nobody look isn't the tied one, and nobody else is what such programs are called")
    func hidden() async throws {
        let (tried, added, posing, isWhole) = try await onThread {
            let (machine, reference) = try Self.bank()
            try machine.install("thumbturn-test-client", as: "hiding")
            func hiding() throws -> Speaker {
                let speaker = try machine.speaker("hiding")
                guard try speaker.say("hide") == "hidden" else { throw CannotStart(program: "a program that hides") }
                return speaker
            }
            let tried = try Self.claim(try hiding(), reference)
            let added = try hiding().say("in - add h ours")
            let thief = try machine.speaker("other")
            _ = try thief.say("introduce process")
            let posing = try ["in - read h", "in process read h", "in - remove h"].map { try thief.say($0) }
            return (tried, added, posing, try Self.isWhole(machine))
        }
        #expect(tried == Array(repeating: Self.denied, count: 7) && isWhole && added == "added to process")
        #expect(posing == ["failed itemNotFound", Self.denied, "failed itemNotFound"])
        Self.note("a program that lets nobody look", tried)
        Tally.check("a program that claims to be hidden has what hidden programs keep", succeeded: Self.isAny(posing))
    }

    @Test("what is there before the first tie is the first program's, noted and shown; the next is asked about")
    func upgrade() async throws {
        let (first, apps, second) = try await onThread {
            let (machine, reference) = try Self.bank()
            let bank = try machine.speaker("other")
            _ = try bank.say("introduce \(Self.label)")
            let first = try bank.say("in - read a")
            let apps = try bank.say("apps")
            try machine.install("thumbturn-test-client", as: "thief")
            return (first, apps, try Self.claim(try machine.speaker("thief"), reference))
        }
        #expect(first == "secret ours" && second == Array(repeating: Self.denied, count: 7))
        #expect(apps.hasPrefix("apps org.example.bank program /") && apps.hasSuffix("/usr/bin/other noted"))
        Tally.check("the second program has what an identifier kept before the first tie", succeeded: Self.isAny(second))
    }

    @Test("the system's daemon sees a program that hides from its user, and names it by its path")
    func hidingFromTheSystem() async throws {
        let (plain, hiding, posing) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let plain = try machine.speaker(machine.ada).say("in - add a ours")
            let hiding = try machine.speaker(machine.ada)
            _ = try hiding.say("hide")
            let thief = try machine.speaker(machine.ada)
            _ = (try thief.say("hide"), try thief.say("introduce process"))
            return (plain, try hiding.say("in - read a"), try thief.say("in - add h theirs"))
        }
        #expect(plain.hasSuffix("/thumbturn-test-client") && hiding == "secret ours" && posing == plain)
        Tally.check(
            "a program that hides from its user is hidden from the system's daemon", succeeded: posing == "added to process")
    }
}
