import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// A program that runs with a group of its own, as the provider of system mode does, looks at its user's other programs.
@Suite("A provider with a group of its own", .enabled(if: getuid() == 0, "takes several users"), .serialized)
struct OwnGroupTests {
    private let folder: Folder
    private let program: String
    private let uid = FreshUser.next

    init() throws {
        folder = try Folder("/opt")
        program = folder.path + "/identity"
        try copyProgram("thumbturn-test-identity", to: program)
        chown(program, 0, 990)
        chmod(program, 0o2755)
    }

    private func run(_ words: [String], as uid: UInt32? = nil) throws -> Running {
        let uid = uid ?? self.uid
        let user = ["/usr/bin/setpriv", "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "--"]
        return try Running(user + words)
    }

    @Test("it knows them in spite of its group, while they live and stay what they are, and none of another user's")
    func groups() throws {
        let provider = try run([program])
        provider.say("groups")
        // Without this the test would prove nothing: the kernel refuses by the group.
        #expect(try provider.line() == "\(uid) 990")
        let app = try run(["/bin/sh", "-c", "echo in; read x; exec sleep 600"])
        try app.line()
        provider.say("\(app.pid)")
        #expect(try provider.line().hasPrefix("/usr/bin/dash text sha256:"))
        provider.say("still")
        #expect(try provider.line() == "yes")
        app.say("")
        usleep(200_000)
        provider.say("still")
        #expect(try provider.line() == "no")
        provider.say("\(app.pid)")
        #expect(try provider.line() == "/usr/bin/sleep")
        let other = try run(["/bin/sh", "-c", "echo in; read x"], as: FreshUser.next)
        try other.line()
        provider.say("\(other.pid)")
        #expect(try provider.line() == "-")
        provider.say("groups")
        #expect(try provider.line() == "\(uid) 990")
    }

    @Test("hardened, the provider keeps its group, by which root vouches for it; the others give it up")
    func hardened() throws {
        for (words, group) in [("harden", 990), ("give up", uid)] as [(String, UInt32)] {
            let provider = try run([program])
            provider.say(words)
            #expect(try provider.line() == "\(uid) \(group)", "\(words)")
            let app = try run(["/bin/sleep", "600"])
            usleep(200_000)
            provider.say("\(app.pid)")
            #expect(try provider.line() == "/usr/bin/sleep", "\(words)")
        }
    }

    @Test("a program that lets nobody look has no identity")
    func hidden() throws {
        let provider = try run([program])
        // Another such program is hidden from it, as it is from the user's others.
        let other = try run([program])
        other.say("groups")
        try other.line()
        provider.say("\(other.pid)")
        #expect(try provider.line() == "-")
    }
}
