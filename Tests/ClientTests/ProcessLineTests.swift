import CThumbLinux
import Testing

@testable import ThumbClient

@Suite("What the kernel says of a process")
struct ProcessLineTests {
    @Test("A running process isn't stopped; stopped it is, and going on it isn't any more")
    func real() throws {
        let own = try #require(ProcessLine(of: getpid()))
        #expect(!own.isStopped && own.began > 0)
        var pid: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
        defer { for word in words { free(word) } }
        var variables: [UnsafeMutablePointer<CChar>?] = [nil]
        try #require(posix_spawn(&pid, "/bin/sleep", nil, nil, &words, &variables) == 0)
        defer {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        func becomes(_ isStopped: Bool) -> Bool {
            for _ in 0..<1000 {
                if ProcessLine(of: pid)?.isStopped == isStopped { return true }
                usleep(10_000)
            }
            return false
        }
        #expect(becomes(false))
        kill(pid, SIGSTOP)
        #expect(becomes(true))
        kill(pid, SIGCONT)
        #expect(becomes(false))
        #expect(try #require(ProcessLine(of: pid)).began >= own.began)
    }

    @Test("A name may have blanks and brackets; a line that is cut short says nothing")
    func names() throws {
        let rest = " T 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4200 1 1"
        let line = try #require(ProcessLine("12 (a) b (c)" + rest))
        #expect(line.name == "a) b (c" && line.isStopped && line.began == 42)
        #expect(ProcessLine("12 (sleep) S" + rest.dropFirst(2))?.isStopped == false)
        for cut in ["", "12", "12 (sleep", "12 (sleep)", "12 (sleep) T 1 1", ")("] { #expect(ProcessLine(cut) == nil) }
    }

    @Test("A process that isn't there has no line")
    func none() {
        #expect(ProcessLine(of: -1) == nil)
        #expect(ProcessLine(of: .max) == nil)
    }
}
