import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbClient

@Suite("Which processes count as a user's daemon")
struct DaemonProcessesTests {
    /// A program that waits, under a name of somebody's choice. Ends with this value.
    private final class Waiting {
        let pid: pid_t
        private let folder: URL

        init(named name: String) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "waiting-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let program = folder.appending(path: name).path
            try copyProgram(at: "/bin/sleep", to: program)
            var (pid, words) = (pid_t(0), [strdup(name), strdup("600"), nil])
            defer { for word in words { free(word) } }
            var variables: [UnsafeMutablePointer<CChar>?] = [nil]
            try #require(posix_spawn(&pid, program, nil, nil, &words, &variables) == 0)
            self.pid = pid
        }

        /// Whether the kernel says so of it, soon.
        func becomes(_ wanted: (ProcessLine) -> Bool) -> Bool {
            for _ in 0..<1000 {
                if let line = ProcessLine(of: pid), wanted(line) { return true }
                usleep(10_000)
            }
            return false
        }

        deinit {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test(
        "Any program that is called as system mode's are, and is stopped, stands for none of them",
        arguments: [
            "thumbturn-front", "thumbturnd",
        ])
    func impostor(_ name: String) throws {
        let waiting = try Waiting(named: name)
        #expect(waiting.becomes { $0.name == name })
        kill(waiting.pid, SIGSTOP)
        #expect(waiting.becomes(\.isStopped))
        #expect(!DaemonProcesses.managed(for: getuid(), isRoots: true).contains(waiting.pid))
    }

    @Test("A user's own daemon is the user's, and no other user's")
    func own() throws {
        let waiting = try Waiting(named: "thumbturnd")
        #expect(waiting.becomes { $0.name == "thumbturnd" && $0.owner == getuid() })
        #expect(DaemonProcesses.managed(for: getuid(), isRoots: false).contains(waiting.pid))
        #expect(!DaemonProcesses.managed(for: getuid() + 1, isRoots: false).contains(waiting.pid))
        let other = try Waiting(named: "thumbturn-prompt")
        #expect(other.becomes { $0.name == "thumbturn-promp" })
        #expect(!DaemonProcesses.managed(for: getuid(), isRoots: false).contains(other.pid))
    }

    @Test("Only the very control group of a system's service counts, and none whose name a user has chosen")
    func controlGroups() throws {
        let device = try #require(DaemonProcesses.service(named: "thumbturnd", for: 1000))
        let front = try #require(DaemonProcesses.service(named: "thumbturn-front", for: 1000))
        #expect(device == #"/system.slice/system-thumbturn\x2ddevice.slice/thumbturn-device@1000.service"#)
        #expect(DaemonProcesses.service(named: "sleep", for: 1000) == nil)
        for service in [device, front] {
            #expect(DaemonProcesses.isIn(service, "0::\(service)\n"))
            #expect(DaemonProcesses.isIn(service, "4:memory:/\n1:name=systemd:\(service)\n0::/\n"))
            for forged in [
                "0::/user.slice/user-1001.slice/user@1001.service/app.slice\(service)\n", "0::\(service)/more\n",
                "0::/system.slice/other.service\(service)\n", "3:cpu:\(service)\n", "0::\(service)x\n", "\(service)\n", "",
                "0::/user.slice/user-1001.slice/user@1001.service/x:name=systemd:\(service)\n", "7::\(service)\n",
            ] {
                #expect(!DaemonProcesses.isIn(service, forged), "\(forged)")
            }
        }
        #expect(!DaemonProcesses.isIn(device, "0::\(device.replacing("1000", with: "1001"))\n"))
    }
}
