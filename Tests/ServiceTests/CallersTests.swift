import Testing
import ThumbAccess
import ThumbLoop

@testable import ThumbService

/// What a program's connection makes it, from what the kernel and /proc say. What it says itself is a label at most.
@Suite("Who a caller is")
struct CallersTests {
    private static let path: ExactName = "/usr/bin/app"

    private func caller(
        _ facts: PeerFacts?, label: String? = nil, groups: [String]? = nil, protected: ProtectedProgram? = nil
    ) throws -> Caller? {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer {
            UnixSocket.close(mine)
            UnixSocket.close(theirs)
        }
        let peer = try #require(UnixSocket.peer(of: mine))
        return Callers.caller(
            peer, { facts }, label: label, faceUsage: nil, groups: groups, protected: protected, place: { _, _ in .remote })
    }

    private func facts(
        _ confinement: PeerFacts.Confinement = .none, isName: Bool = true, place: ProgramPlace = .system
    ) -> PeerFacts {
        PeerFacts(file: PeerFacts.File(path: Self.path, place: place, stamp: [1, 2], isName: isName), confinement: confinement)
    }

    @Test("a program is its path, or the bundle identifier that it claims, and sits where its user does")
    func consented() throws {
        let own = try #require(try caller(facts()))
        #expect(own.kind == .consented && own.groups == [Self.path] && own.mayShare && own.name == "app")
        #expect(own.program.path == Self.path && own.program.place == .system && own.program.claim == nil)
        #expect(own.file == [1, 2] && own.place == .remote)
        let claiming = try #require(try caller(facts(), label: "org.example.app"))
        #expect(claiming.groups == ["org.example.app"] && claiming.program.claim == "org.example.app")
        #expect(claiming.program.path == Self.path && claiming.name == "app")
        // A name that says more than a program may say of itself is no claim.
        for label in ["protected:vault", "/usr/bin/vault", "process", ""] {
            #expect(try caller(facts(), label: label)?.groups == [Self.path], "\(label)")
        }
    }

    @Test("in a sandbox a program is what the sandbox calls it, whatever it claims")
    func sandboxed() throws {
        let app = try #require(try caller(facts(.sandbox(.flatpak("org.example.Vault"))), label: "org.example.bank"))
        #expect(app.kind == .sandboxed && app.groups == ["flatpak:org.example.Vault"])
        #expect(app.program.claim == nil && app.program.path == nil && app.program.name == "org.example.Vault")
    }

    @Test("in a sandbox that can't be identified it has no group, and shares none")
    func unnamed() throws {
        let app = try #require(try caller(facts(.unnamed), label: "org.example.bank"))
        #expect(app.kind == .sandboxed && app.groups.isEmpty && !app.mayShare && app.name == "process")
    }

    @Test("a program at whose path others see another file isn't named by it, and one that hides is one with all that do")
    func otherFolders() throws {
        let other = try #require(try caller(facts(isName: false, place: .elsewhere)))
        #expect(other.groups.isEmpty && !other.mayShare)
        let hiding = try #require(try caller(PeerFacts(file: nil, confinement: .none)))
        #expect(hiding.groups == [GroupName.hidden] && hiding.file.isEmpty && hiding.program.place == .unseen)
    }

    @Test("an interpreter's group is the identity of what it runs, and it has none if nobody can tell")
    func interpreters() throws {
        let python = PeerFacts.File(path: "/usr/bin/python3.11", place: .system, stamp: [1], isName: true)
        func script(_ path: ExactName, _ digest: UInt8) -> PeerFacts.Run {
            let digest = [UInt8](repeating: digest, count: 32)
            return .script(PeerFacts.File(path: path, place: .changeable, stamp: [2], isName: true, digest: digest))
        }
        func caller(_ run: PeerFacts.Run?, label: String? = nil) throws -> Caller {
            try #require(try self.caller(PeerFacts(file: python, confinement: .none, run: run), label: label))
        }
        let runs: [PeerFacts.Run] = [
            script("/home/ada/a.py", 1), script("/home/ada/a.py", 2), script("/home/ada/b.py", 1), .module("keyring"),
            .text(digest: [UInt8](repeating: 1, count: 32)), .text(digest: [UInt8](repeating: 2, count: 32)), .interactive,
        ]
        let groups = try runs.map { try caller($0).groups }
        #expect(groups.allSatisfy { $0.count == 1 && $0[0] != python.path } && Set(groups).count == runs.count)
        let sum = String(repeating: "01", count: 32)
        #expect(groups[0] == [ExactName("/usr/bin/python3.11 /home/ada/a.py sha256:\(sum)")])
        let own = try caller(runs[0])
        #expect(own.name == "a.py" && own.program.runs == .named("/home/ada/a.py") && own.program.place == .changeable)
        #expect(own.program.path == python.path && own.file == [1, 2])
        // Only root can change the interpreter, but anybody can choose a module, a text, or what is typed.
        for run in runs.dropFirst(3) { #expect(try caller(run).program.place == .changeable, "\(run)") }
        // A bundle identifier is tied to these bytes. They tell one text from another, as they tell one script from another.
        for label in [nil, "org.example.app"] {
            for (run, digest) in [(runs[4], 1), (runs[5], 2)] as [(PeerFacts.Run, UInt8)] {
                let bytes: [UInt8] = [1] + Array(repeating: digest, count: 32)
                #expect(try caller(run, label: label).file == bytes)
            }
        }
        for run in [nil, .unknown, .text(digest: []), script("/home/ada/a.py", 1)] as [PeerFacts.Run?] {
            var facts = PeerFacts(file: python, confinement: .none, run: run)
            if case .script(var file)? = run {
                file.digest = []
                facts.run = .script(file)
            }
            let unknown = try #require(try self.caller(facts))
            #expect(unknown.groups.isEmpty && !unknown.mayShare)
        }
        // A bundle identifier would be everybody's who runs something with that interpreter.
        for run in [nil, .unknown, .text(digest: [])] as [PeerFacts.Run?] {
            let untold = try caller(run, label: "org.example.app")
            #expect(untold.groups.isEmpty && !untold.mayShare && untold.program.claim == "org.example.app")
        }
        #expect(try caller(.unknown).program.place == .changeable)
        // With a bundle identifier it is known by that, and asked about it by what it runs.
        #expect(try caller(runs[0], label: "org.example.app").groups == ["org.example.app"])
    }

    @Test("a path that reads like the identity of an interpreter's script names nothing")
    func likeIdentity() throws {
        let digest = String(repeating: "a", count: 64)
        for path in [
            "/home/u/python3 sha256:\(digest) /home/u/w.py sha256:\(digest)", "/home/u/node sha256:\(digest) interactive",
        ] {
            let file = PeerFacts.File(path: ExactName(path), place: .changeable, stamp: [1], isName: true)
            #expect(try caller(PeerFacts(file: file, confinement: .none))?.groups == [], "\(path)")
        }
    }

    @Test("a protected program is known by its group, and nothing else of it counts")
    func protected() throws {
        let program = try #require(ProtectedProgram(gid: 900, name: "vault", path: "/usr/bin/vault"))
        let vault = try #require(try caller(nil, label: "org.example.bank", protected: program))
        #expect(vault.kind == .protected && vault.groups == ["protected:vault"] && !vault.mayShare)
        #expect(vault.program.claim == nil && vault.program.path == "/usr/bin/vault" && vault.name == "vault")
    }

    @Test("a program whose process is gone is nobody")
    func gone() throws { #expect(try caller(nil, label: "org.example.bank") == nil) }

    @Test("groups that are given for all are made safe to show, and none is shared")
    func given() throws {
        let app = try #require(try caller(facts(), label: "org.example.app", groups: ["tests", "\u{1}consents"]))
        #expect(app.groups == ["tests", "\u{fffd}consents"] && !app.mayShare)
    }
}
