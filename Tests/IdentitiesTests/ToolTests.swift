import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

@testable import ThumbIdentities
@testable import ThumbPeers

/// Tools that others start, the processes above a reader, programs on disk, and the limits.
@Suite("Tools, the processes above them, and limits", .enabled(if: getuid() == 0, "takes folders of root's"), .serialized)
struct ToolTests {
    /// A folder of root's with something that is called like a tool. It says its number, because it isn't the process that the test starts.
    private static func tools() throws -> Folder {
        let folder = try Folder("/opt")
        try folder.copy("/bin/sleep", "secret-tool")
        return folder
    }

    private func found(_ running: Running) throws -> Reader? {
        let pid = try #require(Int32(try running.line()))
        usleep(100_000)
        return ReaderFacts().of(pid: pid, uid: getuid(), groups: [])?.reader
    }

    @Test("a tool is known for the program above it, through shells without a script and wrappers")
    func above() throws {
        let folder = try Self.tools()
        let tool = folder.path + "/secret-tool"
        let script = try folder.write(
            "app", "#!/bin/sh\n/usr/bin/timeout --foreground 600 sh -c 'echo $$; exec \(tool) 600'\ntrue\n")
        let reader = try #require(try found(try Running([script])))
        #expect(reader.identity.text == "\(tool) for /usr/bin/dash \(script)")
        #expect(Array(reader.above.prefix(2)) == ["timeout", "app"])
        let shell = try Running(["/bin/bash", "-c", "bash -c 'echo $$; exec \(tool) 600'; true"])
        let own = try #require(try found(shell))
        // Above the shells are the tests.
        #expect(own.identity.text.hasPrefix("\(tool) for ") && !own.identity.text.contains("bash"))
    }

    @Test("a tool that nobody is above is known by itself alone")
    func alone() throws {
        let folder = try Self.tools()
        let shell = try Running(["/bin/sh", "-c", "(setsid sh -c 'echo $$; exec \(folder.path)/secret-tool 600' &)"])
        let pid = try #require(Int32(try shell.line()))
        defer { kill(pid, SIGKILL) }
        usleep(300_000)
        let parent = try #require(ProcessFolder(of: pid)?.stat()?.parent)
        let reader = ReaderFacts().of(pid: pid, uid: getuid(), groups: [])?.reader
        if parent == 1 { #expect(reader?.identity.text == folder.path + "/secret-tool") }
        #expect(reader?.identity.text.contains("dash") != true)
    }

    @Test("a tool that a program without an identity has started has none either")
    func unknownAbove() throws {
        let (tools, folder) = (try Self.tools(), try Folder())
        let tool = tools.path + "/secret-tool"
        let commands = "sh -c 'echo $$; exec \(tool) 600'"
        let script = try folder.write("app", "#!/bin/sh\n\(commands)\ntrue\n")
        let program = try folder.copy("/bin/dash", "program")
        let starts: [(words: [String], identity: String, change: () throws -> Void)] = [
            ([script], "/usr/bin/dash \(try folder.changeable(script))", { try folder.write("app", "#!/bin/sh\n") }),
            ([program, "-c", "\(commands); true"], try folder.changeable(program), { unlink(program) }),
        ]
        for start in starts {
            let running = try Running(start.words)
            let pid = try #require(Int32(try running.line()))
            func reader() -> Reader? { ReaderFacts().of(pid: pid, uid: getuid(), groups: [])?.reader }
            // Until it is the tool it is a shell.
            for _ in 0..<1000 where reader()?.identity.text.hasPrefix(tool) != true { usleep(10_000) }
            #expect(reader()?.identity.text == "\(tool) for \(start.identity)")
            try start.change()
            #expect(reader() == nil)
        }
    }

    @Test("a tool that is too far below its program has no identity: nobody knows who wants its secret")
    func tooFar() throws {
        let folder = try Self.tools()
        let tool = folder.path + "/secret-tool"
        // Each shell starts the next one, and stays above it.
        let text = "if [ $1 = 0 ]; then echo $$; exec \(tool) 600; fi; sh -c \"$0\" \"$0\" $(($1 - 1)); true"
        for (depth, isKnown) in [(4, true), (40, false)] {
            let running = try Running(["/bin/sh", "-c", text, text, "\(depth)"])
            let pid = try #require(Int32(try running.line()))
            // Until it is the tool it is a shell.
            let link = "/proc/\(pid)/exe"
            for _ in 0..<1000 where (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != tool { usleep(10_000) }
            let reader = ReaderFacts().of(pid: pid, uid: getuid(), groups: [])?.reader
            // Known by the tool's path alone, it would be anybody's.
            #expect((reader != nil) == isKnown, "\(depth)")
            #expect((reader?.identity.text.hasPrefix(tool + " for ") == true) == isKnown, "\(depth)")
            withExtendedLifetime(running) {}
        }
    }

    @Test("at most 8 processes above are named, innermost first, and their names are safe to show")
    func names() throws {
        let folder = try Self.tools()
        let script = try folder.write(
            "nest\u{1b}x", "#!/bin/sh\nif [ $1 = 0 ]; then echo $$; exec sleep 600; fi\n\"$0\" $(($1 - 1))\ntrue\n")
        let running = try Running([script, "12"])
        let reader = try #require(try found(running))
        #expect(reader.above == Array(repeating: "nest\u{fffd}x", count: Reader.aboveLimit))
    }

    @Test("a program on disk has the identity that its process has")
    func onDisk() throws {
        let folder = try Folder()
        let waits = "import sys\nprint('in', flush=True)\nsys.stdin.readline()\n"
        let programs = [
            try folder.write("a", "#!/usr/bin/python3 -I\n" + waits),
            try folder.write("b", "#!/usr/bin/env python3\n" + waits),
            try folder.write("c", "#!/usr/bin/env -S python3 -I -E\n" + waits),
            try folder.write("d", "#!/bin/sh\necho in; read x\n"),
        ]
        for program in programs {
            let running = try Running([program])
            try running.line()
            let identity = try #require(running.identity)
            #expect(InterpreterLine(Array("/usr/bin/env python3".utf8), path: "/usr/bin")?.program == "/usr/bin/python3")
            #expect(ProgramOnDisk.identity(of: program, path: "/usr/bin:/bin")?.text == identity, "\(program)")
        }
        #expect(ProgramOnDisk.identity(of: "/bin/sleep") == "/usr/bin/sleep")
        #expect(ProgramOnDisk.identity(of: "/usr/bin/python3") == "/usr/bin/python3.11 interactive")
        let copy = try folder.copy("/bin/sleep", "sleep")
        #expect(ProgramOnDisk.identity(of: copy)?.text == (try folder.changeable(copy)))
        for text in ["#!/nowhere/python3\n", "#!/usr/bin/env -S python3 \"-I\"\n", "#!/usr/bin/python3 -c\n", "#!a\n", "#!\n"] {
            #expect(ProgramOnDisk.identity(of: try folder.write("e", text + waits)) == nil, "\(text)")
        }
        #expect(ProgramOnDisk.identity(of: folder.path) == nil && ProgramOnDisk.identity(of: folder.path + "/none") == nil)
    }

    @Test("a file of the limit has a digest, and one byte more has none")
    func largest() throws {
        let folder = try Folder()
        for (size, isThere) in [(4096, true), (4097, false)] {
            let path = folder.path + "/\(size)"
            try Data(repeating: 7, count: size).write(to: URL(filePath: path))
            guard let file = RunningFile.named(path) else { throw CannotStart(program: path) }
            #expect((FileDigests(mostBytes: 4096).digest(of: file, for: 0) != nil) == isThere)
        }
        #expect(FileDigests.mostBytes == 256 << 20)
    }

    @Test("the digests of 256 files are kept, and the next takes the place of the first")
    func most() throws {
        let folder = try Folder()
        let digests = FileDigests()
        let paths = (0...FileDigests.kept).map { folder.path + "/\($0)" }
        for path in paths { try Data(path.utf8).write(to: URL(filePath: path)) }
        sleep(3)
        for (place, path) in paths.enumerated() {
            guard let file = RunningFile.named(path) else { throw CannotStart(program: path) }
            #expect(digests.digest(of: file, for: 0) != nil)
            #expect(digests.count == min(place + 1, 256))
        }
    }

    @Test("arguments of 256 KiB are read, and with one byte more nobody knows what runs")
    func longArguments() throws {
        let text = "print('in', flush=True); input()"
        let taken = ["/usr/bin/python3", "-c", text].reduce(0) { $0 + $1.utf8.count + 1 }
        for (more, isThere) in [(0, true), (1, false)] {
            let rest = ProcessFolder.argumentBytes - taken + more
            let words = [rest / 3, rest / 3, rest - 2 * (rest / 3)].map { String(repeating: "a", count: $0 - 1) }
            let running = try Running(["/usr/bin/python3", "-c", text] + words)
            try running.line()
            #expect((running.identity != nil) == isThere)
        }
    }
}
