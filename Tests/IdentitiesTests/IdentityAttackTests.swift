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

    private static func execute(_ words: String...) throws {
        let pid = try spawn(words, ["PATH": "/usr/bin:/bin"], [.nothing, .descriptor(2), .descriptor(2)])
        guard waited(for: pid) == 0 else { throw CannotStart(program: words.joined(separator: " ")) }
    }

    @Test("a program on a file system of its user's own isn't the one at its path, though both files have the same number")
    func sameNumber() throws {
        let roots = try Folder("/opt")
        let good = roots.path + "/app"
        // A fresh one numbers its files from the same number on.
        let mount = "mount -t tmpfs -o mode=755 tmpfs \(roots.path)"
        try Self.execute("/bin/sh", "-c", mount)
        defer { try? Self.execute("/bin/umount", "-l", roots.path) }
        try roots.copy("/bin/sleep", "app")
        let sleeper = try Running([good, "600"])
        #expect(sleeper.identity == good)
        let script = "\(mount) && cp /bin/cat \(good) && echo in && exec \(good)"
        let view = try Running(["/usr/bin/unshare", "-m", "/bin/sh", "-c", script])
        try view.line()
        let link = "/proc/\(view.pid)/exe"
        for _ in 0..<1000 where (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != good { usleep(10_000) }
        var (own, others) = (stat(), stat())
        try #require(stat(link, &own) == 0)
        try #require(stat(good, &others) == 0)
        try #require(own.st_ino == others.st_ino && own.st_dev != others.st_dev)
        guard let folder = ProcessFolder(of: view.pid), let file = RunningFile.of(folder.number) else {
            throw CannotStart(program: "a program in a view of its own")
        }
        #expect(file.path.text == good && file.place == .elsewhere)
        #expect(view.identity == nil)
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

    /// A file system of the user's own, over a folder in a view of the user's own. It has one program, which nobody but the user may look at,
    /// not even root. `view.py FOLDER NAME PROGRAM` runs PROGRAM there as NAME.
    private static let view = """
        import ctypes, os, struct, sys
        folder, name, program = sys.argv[1:]
        libc, uid, gid = ctypes.CDLL(None, use_errno=True), os.getuid(), os.getgid()
        NEWNS, NEWUSER = 0x20000, 0x10000000
        if libc.unshare(NEWUSER | NEWNS): sys.exit("no view of its own")
        for file, text in [("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")]:
            open("/proc/self/" + file, "w").write(text)
        fuse = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={fuse},rootmode=40000,user_id=0,group_id=0"
        if libc.mount(b"own", folder.encode(), b"fuse", 6, options.encode()): sys.exit("no file system of its own")
        data = open(program, "rb").read()

        def attributes(node):
            mode, size = (0o40755, 0) if node == 1 else (0o100755, len(data))
            return struct.pack("<6Q10I", node, size, 0, 1, 1, 1, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

        def answer(kind, node, body):
            if kind == 26: return 0, struct.pack("<4I2H2I2H6I", 7, 31, 65536, 0, 12, 12, 65536, 1, 0, 0, 0, 0, 0, 0, 0, 0)
            if kind == 1 and body.rstrip(b"\\0") == name.encode():
                return 0, struct.pack("<4Q2I", 2, 0, 100, 100, 0, 0) + attributes(2)
            if kind == 1: return -2, b""
            if kind == 3: return 0, struct.pack("<Q2I", 100, 0, 0) + attributes(node)
            if kind in (14, 27): return 0, struct.pack("<Q2I", 0, 0, 0)
            if kind == 15:
                _, start, count = struct.unpack("<2QI", body[:20])
                return 0, data[start:start + count]
            return (0, b"") if kind in (18, 25, 29) else (-38, b"")

        if os.fork() == 0:
            while request := os.read(fuse, 1 << 17):
                _, kind, number, node = struct.unpack("<2I2Q", request[:24])
                if kind in (2, 42): continue
                error, body = answer(kind, node, request[40:])
                os.write(fuse, struct.pack("<IiQ", 16 + len(body), error, number) + body)
        os.execv(f"{folder}/{name}", [name, "-c", "echo in; read x"])
        """

    @Test("a program on a file system that only its user can look at isn't the one that others find at its path")
    func unseen() throws {
        let (scripts, roots) = (try Folder(), try Folder("/opt"))
        try roots.copy("/usr/bin/dash", "victim")
        let view = try scripts.write("view.py", Self.view)
        let user = ["/usr/bin/setpriv", "--reuid", "61003", "--regid", "61003", "--clear-groups", "--"]
        let run = try Running(user + ["/usr/bin/python3", view, roots.path, "victim", "/usr/bin/dash"])
        try #require(try run.line() == "in")
        guard let folder = ProcessFolder(of: run.pid), let file = RunningFile.of(folder.number) else {
            throw CannotStart(program: "a program in a view of its own")
        }
        #expect(file.path.text == roots.path + "/victim" && file.place == .unseen)
        #expect(ProgramIdentity.path(of: file) == nil)
        Tally.attack("a program is named by a path where nobody else may look", succeeded: ProgramIdentity.path(of: file) != nil)
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

    @Test("a file is read for its owner by the owner's rights, and by no others")
    func ownersRights() throws {
        let folder = try Folder()
        let own = try folder.write("own", "1234")
        // Nothing is kept from one question to the next.
        func isRead(for uid: UInt32, _ mode: mode_t) throws -> Bool {
            chmod(own, mode)
            guard let file = RunningFile.named(own) else { throw CannotStart(program: own) }
            return FileDigests().digest(of: file, for: uid) != nil
        }
        try #require(chown(own, 61_000, 61_000) == 0)
        #expect(try isRead(for: 61_000, 0o600))
        #expect(try !isRead(for: 61_001, 0o600))
        #expect(try !isRead(for: 61_000, 0o044))
        try #require(chown(folder.path, 61_000, 61_000) == 0)
        chmod(folder.path, 0o700)
        #expect(try isRead(for: 61_000, 0o600))
        #expect(try !isRead(for: 61_001, 0o604))
    }
}
