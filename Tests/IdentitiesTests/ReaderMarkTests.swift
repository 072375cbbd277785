import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

@testable import ThumbIdentities
@testable import ThumbPeers

/// What a reader may become after it connected.
@Suite("Whether a reader is still the same", .enabled(if: getuid() == 0, "takes folders of root's"), .serialized)
struct ReaderMarkTests {
    private static let waits = "import sys\nprint('in', flush=True)\nsys.stdin.readline()\n"

    @Test("a process that goes on is the same; one that ended, and another with its number, isn't")
    func numbers() throws {
        let facts = ReaderFacts()
        let sleeper = try Running(["/bin/sleep", "600"])
        let mark = try #require(sleeper.found(facts)?.mark)
        #expect(facts.isStill(mark))
        // The number given out again: everything is equal but the start.
        let reused = ReaderMark(
            pid: mark.pid, start: mark.start - 1, places: mark.places, file: mark.file, arguments: mark.arguments,
            script: mark.script)
        #expect(!facts.isStill(reused))
        let elsewhere = ReaderMark(
            pid: getpid(), start: mark.start, places: mark.places, file: mark.file, arguments: mark.arguments, script: mark.script
        )
        #expect(!facts.isStill(elsewhere))
        kill(sleeper.pid, SIGKILL)
        var status = siginfo_t()
        waitid(P_PID, id_t(sleeper.pid), &status, WEXITED | WNOWAIT)
        #expect(!facts.isStill(mark))
    }

    @Test("a process that became another program, the same program anew, or the same interpreter with another script, isn't")
    func executed() throws {
        let folder = try Folder()
        let good = try folder.write(
            "good.py",
            "import os, sys\nprint('in', flush=True)\nwords = sys.stdin.readline().split()\nos.execv(words[0], words)\n")
        let evil = try folder.write("evil.py", Self.waits)
        let facts = ReaderFacts()
        for words in ["/bin/sleep 600", "/usr/bin/python3 \(evil)", "/usr/bin/python3 \(good)"] {
            let running = try Running(["/usr/bin/python3", good])
            try running.line()
            let mark = try #require(running.found(facts)?.mark)
            #expect(facts.isStill(mark), "\(words)")
            running.say(words)
            if words.contains("python") { try running.line() } else { usleep(200_000) }
            #expect(!facts.isStill(mark), "\(words)")
        }
        let sleeper = try Running(["/bin/sh", "-c", "echo in; read x; exec sleep 600"])
        try sleeper.line()
        let mark = try #require(sleeper.found(facts)?.mark)
        sleeper.say("")
        usleep(200_000)
        #expect(!facts.isStill(mark) && sleeper.identity == "/usr/bin/sleep")
    }

    @Test("a process that writes other arguments over its own isn't the same any more")
    func rewritten() throws {
        let folder = try Folder()
        let script = try folder.write(
            "own.py",
            """
            import sys
            print('in', flush=True)
            sys.stdin.readline()
            start = int(open('/proc/self/stat').read().rsplit(')', 1)[1].split()[45])
            with open('/proc/self/mem', 'r+b', 0) as memory:
                memory.seek(start)
                memory.write(b'-')
            print('done', flush=True)
            sys.stdin.readline()

            """)
        let facts = ReaderFacts()
        let running = try Running(["/usr/bin/python3", script])
        try running.line()
        let mark = try #require(running.found(facts)?.mark)
        #expect(facts.isStill(mark))
        running.say("on")
        try running.line()
        #expect(!facts.isStill(mark))
    }

    @Test("a script that was changed, touched or removed under it isn't the same any more")
    func changedScript() throws {
        let folder = try Folder()
        let facts = ReaderFacts()
        let changes: [(String) throws -> Void] = [
            { _ in try folder.write("a.py", Self.waits + "#") }, { chmod($0, 0o700) }, { unlink($0) },
        ]
        for change in changes {
            let script = try folder.write("a.py", Self.waits)
            let running = try Running(["/usr/bin/python3", script])
            try running.line()
            let mark = try #require(running.found(facts)?.mark)
            #expect(facts.isStill(mark))
            try change(script)
            #expect(!facts.isStill(mark))
        }
    }

    @Test("a young stamp isn't enough: what was changed within the same tick is found by its contents")
    func sameTick() throws {
        let folder = try Folder()
        let facts = ReaderFacts()
        let running = try Running(["/usr/bin/python3", folder.write("b.py", Self.waits)])
        try running.line()
        let mark = try #require(running.found(facts)?.mark)
        /// A mark of the present stamp, and contents from before, as both are after two changes in one tick.
        func changed(_ digest: [UInt8], isYoung: Bool) throws -> ReaderMark {
            let script = try #require(mark.script)
            return ReaderMark(
                pid: mark.pid, start: mark.start, places: mark.places, file: mark.file, arguments: mark.arguments,
                script: ReaderMark.Script(path: script.path, stamp: script.stamp, isYoung: isYoung, digest: digest))
        }
        let digest = try #require(mark.script?.digest)
        #expect(facts.isStill(mark))
        #expect(facts.isStill(try changed(digest, isYoung: true)))
        #expect(!facts.isStill(try changed(digest.reversed(), isYoung: true)))
        // This is what the two seconds are for: such a mark would be believed.
        #expect(facts.isStill(try changed(digest.reversed(), isYoung: false)))
    }

    @Test("nothing is kept of a young file, and of an older one its digest is")
    func kept() throws {
        let folder = try Folder()
        let path = try folder.write("a", "one")
        let digests = FileDigests()
        func digest() throws -> [UInt8]? {
            guard let file = RunningFile.named(path) else { throw CannotStart(program: path) }
            return digests.digest(of: file, for: 0)
        }
        let first = try #require(try digest())
        #expect(digests.count == 0)
        sleep(2)
        #expect(try digest() == first && digests.count == 1)
        try folder.write("a", "two")
        #expect(try digest() != first)
    }

    @Test("a stamp is young for two seconds, and so is one of a time to come")
    func young() {
        func isYoung(_ seconds: Int, _ nanoseconds: Int) -> Bool {
            FileStamp.isYoung(changed: (100, 500_000_000), now: (seconds, nanoseconds))
        }
        #expect(isYoung(100, 500_000_000) && isYoung(102, 499_999_999) && !isYoung(102, 500_000_000) && isYoung(99, 0))
    }
}
