import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_daemon
import thumbturn_test_programs

@testable import ThumbIdentities
@testable import ThumbPeers

/// Programs of the user that want to pass for one which the owner agreed to.
@Suite("Attacks on a reader's identity", .enabled(if: getuid() == 0, "takes folders of root's"), .serialized)
struct IdentityAttackTests {
    private static let waits = "import sys\nprint('in', flush=True)\nsys.stdin.readline()\n"

    @Test("no script passes for another: beside it, as its copy, in its place, over a descriptor, or as an option's value")
    func scripts() throws {
        let folder = try Folder()
        let good = try folder.write("good.py", Self.waits)
        let evil = try folder.write("evil.py", Self.waits + "# evil\n")
        let running = try Running(["/usr/bin/python3", good])
        try running.line()
        let identity = try #require(running.identity)
        func attempt(_ name: String, _ words: [String], in place: String? = nil) throws {
            let attacker = try Running(words, in: place)
            try attacker.line()
            let found = attacker.identity
            #expect(found != identity, "\(name)")
            Tally.attack("a script that is taken for another: \(name)", succeeded: found == identity)
        }
        try attempt("a second one of the same interpreter", ["/usr/bin/python3", evil])
        try attempt("the same under another name", ["/usr/bin/python3", folder.write("copy.py", Self.waits)])
        try attempt("the good one as an argument", ["/usr/bin/python3", evil, good])
        try attempt("the good one as an option's value", ["/usr/bin/python3", "-W", good, evil])
        try attempt("the good one, and then what is typed", ["/usr/bin/python3", "-i", good])
        try attempt("over a descriptor", ["/bin/bash", "-c", "exec 7<\(evil); exec /usr/bin/python3 /dev/fd/7 \(good)"])
        let text = "import sys; print('in', flush=True); sys.stdin.readline()"
        try attempt("as a text", ["/usr/bin/python3", "-c", text, good])
        // In its place while it starts, and the good one put back.
        let aside = folder.path + "/aside.py"
        rename(good, aside)
        try folder.write("good.py", Self.waits + "# evil\n")
        let replaced = try Running(["/usr/bin/python3", good])
        try replaced.line()
        usleep(50_000)
        rename(aside, good)
        let found = replaced.identity
        #expect(found != identity)
        Tally.attack("a script that is taken for another: in its place until it runs", succeeded: found == identity)
    }

    @Test("a shell's other options don't make a script pass for a text")
    func shells() throws {
        let folder = try Folder()
        let good = "echo in; read x"
        let evil = try folder.write("evil", "echo in; read x; read y\n")
        let running = try Running(["/bin/bash", "-c", good])
        try running.line()
        let identity = try #require(running.identity)
        for words in [["-rcfile", good, evil], ["--rcfile", good, evil], ["-O", "extglob", evil, "-c", good]] {
            let attacker = try Running(["/bin/bash"] + words)
            try attacker.line()
            let found = attacker.identity
            #expect(found != identity, "\(words)")
            Tally.attack("a script that is taken for a text: bash \(words[0])", succeeded: found == identity)
        }
    }

    @Test("no program passes for another: as a copy, in a path that reads like its identity, or in a view of its own")
    func programs() throws {
        let roots = try Folder("/opt")
        let folder = try Folder()
        let good = try roots.copy("/bin/sleep", "app")
        let copy = try Running([folder.copy("/bin/sleep", "app"), "600"])
        #expect(copy.identity != good)
        Tally.attack("a program that is taken for another: its copy", succeeded: copy.identity == good)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/python3 /home/ada", withIntermediateDirectories: true)
        let posing = try Running([folder.copy("/bin/sleep", "python3 /home/ada/a.py"), "600"])
        #expect(posing.identity == nil)
        Tally.attack("a program whose path reads like an identity", succeeded: posing.identity != nil)
        let view = try Running(
            ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount --bind /bin/cat \(good) && echo in && exec \(good)"])
        try view.line()
        usleep(200_000)
        #expect(view.identity != good)
        Tally.attack("a program that is taken for another: in a view of its own", succeeded: view.identity == good)
    }

    @Test("a connection's program can't become another, nor another process have its number")
    func later() throws {
        let facts = ReaderFacts()
        let app = try Running(["/bin/sh", "-c", "echo in; read x; exec /bin/sh -c 'echo in; read x; read y'"])
        try app.line()
        let mark = try #require(app.found(facts)?.mark)
        app.say("")
        try app.line()
        let isStill = facts.isStill(mark)
        #expect(!isStill)
        Tally.attack("a program that is put in a reader's place by exec", succeeded: isStill)
        let reused = ReaderMark(
            pid: getpid(), start: mark.start, places: mark.places, file: mark.file, arguments: mark.arguments,
            script: mark.script)
        #expect(!facts.isStill(reused))
        Tally.check("a process that has a reader's number", succeeded: facts.isStill(reused))
    }

    @Test("a script that puts another's contents in its own place as soon as it runs isn't that other one")
    func selfReplaced() throws {
        let folder = try Folder()
        let good = try folder.write("good", "echo in; read x\n")
        let posing = try folder.write("tool.sh", "cat \(good) > \(folder.path)/tool.sh; echo in; read x; exit\n")
        let run = try Running(["/bin/sh", posing])
        try run.line()
        #expect(run.identity == nil)
        Tally.attack("a script that is taken for another: it replaced itself", succeeded: run.identity != nil)
    }

    @Test("a digest counts only for the file as it was when the process was looked at")
    func swapped() throws {
        let folder = try Folder()
        let path = try folder.write("tool.sh", "echo evil\n")
        let digests = FileDigests()
        func digest(_ between: () throws -> Void) throws -> [UInt8]? {
            let place = open(path, O_RDONLY | O_CLOEXEC)
            guard let stamp = FileStamp(of: place) else { throw CannotStart(program: path) }
            let file = PeerFacts.File(path: ExactName(path), place: .changeable, stamp: stamp.bytes, isName: true)
            let contents = PeerContents()
            contents.put(.run, place)
            try between()
            let facts = digests.complete(PeerFacts(file: nil, confinement: .none, run: .script(file)), with: contents)
            guard case .script(let script)? = facts.run else { return nil }
            return script.digest
        }
        #expect(try digest {}?.count == 32)
        let swapped = try digest {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: Data("echo good\n".utf8))
            try file.close()
        }
        #expect(swapped == [])
        Tally.attack("a script that is put right between the look and the digest", succeeded: swapped != [])
    }

    @Test("no user learns by an argument what is in a file that only root can read")
    func oracle() throws {
        let folder = try Folder()
        let secret = try folder.write("secret", "1234")
        chmod(secret, 0o600)
        let digests = FileDigests()
        func digest(for uid: UInt32) throws -> [UInt8]? {
            guard let file = RunningFile.named(secret) else { throw CannotStart(program: secret) }
            return digests.digest(of: file, for: uid)
        }
        #expect(try digest(for: 0) != nil)
        let found = try digest(for: 61_000)
        #expect(found == nil)
        Tally.attack("the digest of a file that its user can't read", succeeded: found != nil)
        chmod(secret, 0o604)
        #expect(try digest(for: 61_000) != nil)
        chmod(folder.path, 0o700)
        #expect(try digest(for: 61_000) == nil)
    }
}
