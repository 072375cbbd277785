import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

@testable import ThumbIdentities

/// Real processes, and who they are. Root makes folders that only root can change.
@Suite("Who a reader is", .enabled(if: getuid() == 0, "takes folders of root's"), .serialized)
struct ReaderFactsTests {
    private static let python = "/usr/bin/python3.11"
    /// Says that it runs, and waits.
    private static let waits = "import sys\nprint('in', flush=True)\nsys.stdin.readline()\n"

    @Test("a program that only root can change is its path, and a copy of it is another program")
    func plain() throws {
        let sleeper = try Running(["/bin/sleep", "600"])
        #expect(sleeper.identity == "/usr/bin/sleep")
        let folder = try Folder()
        let copy = try Running([folder.copy("/bin/sleep", "sleep"), "600"])
        #expect(copy.identity == (try folder.changeable(folder.path + "/sleep")))
        let other = try Running([folder.copy("/bin/cat", "cat")])
        #expect(other.identity == (try folder.changeable(folder.path + "/cat")))
        // The same path with other contents.
        try FileManager.default.removeItem(atPath: folder.path + "/sleep")
        let later = try Running([folder.copy("/bin/cat", "sleep")])
        #expect(later.identity == (try folder.changeable(folder.path + "/sleep")) && later.identity != copy.identity)
        // Its file is gone: the one that is there now is another.
        #expect(copy.identity == nil)
    }

    @Test(
        "a script counts, by its path and its contents: another script, the same under another name, and a changed one are others"
    )
    func scripts() throws {
        let folder = try Folder()
        let one = try folder.write("one.py", Self.waits)
        let two = try folder.write("two.py", Self.waits)
        func identity(_ words: [String], in place: String? = nil) throws -> String? {
            let running = try Running(words, in: place)
            try running.line()
            return running.identity
        }
        let first = try identity(["/usr/bin/python3", "-I", "-E", one])
        #expect(first == "\(Self.python) \(try folder.changeable(one))")
        #expect(try identity(["/usr/bin/python3", "one.py"], in: folder.path) == first)
        let second = try identity(["/usr/bin/python3", two])
        #expect(second == "\(Self.python) \(try folder.changeable(two))" && second != first)
        try folder.write("one.py", Self.waits + "# changed\n")
        let changed = try identity(["/usr/bin/python3", one])
        #expect(changed == "\(Self.python) \(try folder.changeable(one))" && changed != first)
        // A link is the file that it leads to.
        symlink(one, folder.path + "/link.py")
        #expect(try identity(["/usr/bin/python3", folder.path + "/link.py"]) == changed)
        let roots = try Folder("/opt")
        let system = try roots.write("one.py", Self.waits)
        #expect(try identity(["/usr/bin/python3", system]) == "\(Self.python) \(system)")
    }

    @Test("by its first line a script is run like by hand, and an interpreter in somebody's folder counts by its contents too")
    func firstLines() throws {
        let folder = try Folder()
        let script = try folder.write("a", "#!/usr/bin/python3 -I\n" + Self.waits)
        let running = try Running([script])
        try running.line()
        #expect(running.identity == "\(Self.python) \(try folder.changeable(script))")
        let found = try #require(running.found())
        #expect(found.reader.program.path?.text == Self.python && found.reader.program.runs == .named(ExactName(script)))
        let own = try folder.copy(Self.python, "python3.11")
        let other = try Running([own, "-S", script], ["PYTHONHOME": "/usr"])
        try other.line()
        #expect(other.identity == "\(try folder.changeable(own)) \(try folder.changeable(script))")
    }

    @Test("a text, a module and what is typed are what an interpreter runs too")
    func texts() throws {
        func identity(_ words: [String]) throws -> String? {
            let running = try Running(words)
            if words.count > 1 { try running.line() } else { usleep(200_000) }
            return running.identity
        }
        let text = "print('in', flush=True); input()"
        let sum = try Folder()
        let digest = try sum.changeable(try sum.write("text", text)).suffix(64)
        #expect(try identity(["/usr/bin/python3", "-c", text]) == "\(Self.python) text sha256:\(digest)")
        #expect(try identity(["/usr/bin/python3", "-Ic" + text, "argument"]) == "\(Self.python) text sha256:\(digest)")
        #expect(try identity(["/usr/bin/python3", "-c", text + " "]) != "\(Self.python) text sha256:\(digest)")
        #expect(try identity(["/usr/bin/python3"]) == "\(Self.python) interactive")
        let module = try Running(["/usr/bin/python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"])
        try module.line()
        #expect(module.identity == "\(Self.python) module http.server")
        let shell = try Running(["/bin/bash", "-c", "echo in; read x; read y"])
        try shell.line()
        #expect(shell.identity?.hasPrefix("/usr/bin/bash text sha256:") == true)
    }

    @Test("who can't be told has no identity: an unknown option, a script that is no file, is gone, or came after the process")
    func none() throws {
        let folder = try Folder()
        let script = try folder.write("a.py", Self.waits)
        let inspecting = try Running(["/usr/bin/python3", "-i", script])
        try inspecting.line()
        #expect(inspecting.identity == nil)
        let piped = try Running(["/bin/bash", "-c", "exec /usr/bin/python3 <(cat \(script))"])
        try piped.line()
        #expect(piped.identity == nil)
        let descriptor = try Running(["/bin/bash", "-c", "exec 7<\(script); exec /usr/bin/python3 /dev/fd/7"])
        try descriptor.line()
        #expect(descriptor.identity == nil)
        let running = try Running(["/usr/bin/python3", script])
        try running.line()
        #expect(running.identity != nil)
        // Put there after it began: what it runs may be something else.
        try folder.write("a.py", Self.waits)
        #expect(running.identity == nil)
        try FileManager.default.removeItem(atPath: script)
        #expect(running.identity == nil)
        #expect(ReaderFacts().of(pid: running.pid, uid: getuid() + 1, groups: []) == nil)
        #expect(ReaderFacts().of(pid: 0, uid: getuid(), groups: []) == nil)
    }

    @Test("a process of another user's is nobody, even where the bus says truly whose it is")
    func anothers() throws {
        let user = FreshUser.next
        let other = try Running([
            "/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", "--", "/bin/sh", "-c",
            "echo in; read x",
        ])
        try other.line()
        // Without this it would be refused for its owner, and prove nothing.
        let owner = try FileManager.default.attributesOfItem(atPath: "/proc/\(other.pid)")[.ownerAccountID] as? NSNumber
        try #require(owner?.uint32Value == user)
        #expect(ReaderFacts().of(pid: other.pid, uid: user, groups: []) == nil)
        withExtendedLifetime(other) {}
    }

    @Test("a program in a view of the folders of its own, with another file at a known path, has none")
    func views() throws {
        let roots = try Folder("/opt")
        let app = try roots.copy("/bin/sleep", "app")
        let evil = try roots.copy("/bin/cat", "evil")
        let running = try Running([
            "/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount --bind \(evil) \(app) && echo in && exec \(app)",
        ])
        try running.line()
        usleep(200_000)
        #expect(running.identity == nil)
        let script = try roots.write("a.py", Self.waits)
        let other = try roots.write("b.py", Self.waits)
        let scripted = try Running(
            ["/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount --bind \(other) \(script) && exec /usr/bin/python3 \(script)"])
        try scripted.line()
        // What it runs is the file of the other name, for it and for everybody: never the one that the path means to others.
        #expect(scripted.identity != "\(Self.python) \(script)")
    }

    @Test("a protected program is known by the group that the bus reports")
    func protected() throws {
        let program = try #require(ProtectedProgram(gid: 990, name: "vault", path: "/usr/bin/vault"))
        let other = try #require(ProtectedProgram(gid: 991, name: "other", path: "/usr/bin/other"))
        let facts = ReaderFacts { [990: program, 991: other][$0] }
        let sleeper = try Running(["/bin/sleep", "600"])
        func found(_ groups: [UInt32]) -> Reader? { facts.of(pid: sleeper.pid, uid: getuid(), groups: groups)?.reader }
        #expect(found([1, 990])?.identity == "protected:vault" && found([990])?.program.kind == .protected)
        #expect(found([1])?.identity == "/usr/bin/sleep")
        // Nobody can say which.
        #expect(found([990, 991]) == nil)
    }

    @Test("a library that the user had loaded into a program doesn't show: it has the program's identity")
    func preloaded() throws {
        let folder = try Folder()
        try Data("int thumbturn_inside;\n".utf8).write(to: URL(filePath: folder.path + "/in.c"))
        let compiler = try spawn(
            ["/usr/bin/gcc", "-shared", "-fPIC", "-o", folder.path + "/in.so", folder.path + "/in.c"], ["PATH": "/usr/bin"], [])
        try #require(waited(for: compiler) == 0)
        let sleeper = try Running(["/bin/sleep", "600"], ["LD_PRELOAD": folder.path + "/in.so"])
        usleep(100_000)
        let maps = try String(contentsOfFile: "/proc/\(sleeper.pid)/maps", encoding: .utf8)
        // docs/contributors/threat-model.md says so under what isn't kept out.
        #expect(maps.contains("/in.so") && sleeper.identity == "/usr/bin/sleep")
    }

    @Test("a program that acts with the rights of two users has no identity, whichever of them is the reader's")
    func twoUsers() throws {
        // The real, the effective and the saved user; the one for files follows the effective one.
        for (users, isKnown) in [("0, 0, 0", true), ("0, 61000, 0", false), ("0, 0, 61000", false)] {
            let text = "import os; os.setresuid(\(users)); print('in', flush=True); os.read(0, 1)"
            let running = try Running(["/usr/bin/python3", "-c", text])
            try running.line()
            #expect((running.identity != nil) == isKnown, "\(users)")
        }
    }
}
