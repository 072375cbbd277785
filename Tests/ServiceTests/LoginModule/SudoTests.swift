import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_daemon
import thumbturn_test_programs

/// The real sudo, run by a user without rights.
@Suite("Real sudo", .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "takes root"))
struct SudoTests {
    /// A user who is on every machine.
    private static let user: UInt32 = 1

    private static func sudo(_ stage: LoginStage, _ words: [String]) throws -> Applicant {
        try stage.start(
            ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", "/usr/bin/sudo"] + words)
    }

    @Test("a finger gives root, and so does the password; the question says which command, for whom and as whom")
    func both() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let touched = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try touched.wait(for: "assword")
            let question = "Touch the sensor to let sudo run 'sudo /usr/bin/id -u' as root, or type the password."
            #expect(touched.said.contains(question))
            #expect(stand.see(owner: true))
            #expect(try touched.end() == 0, "\(touched.said)")
            #expect(touched.said.hasSuffix("0\r\n"))
            #expect(touched.isAlone() && touched.echoes)
            let typed = try Self.sudo(stage, ["--user=other", "/usr/bin/id", "-un"])
            try typed.wait(for: "assword")
            #expect(typed.said.contains("as other,"))
            typed.type(LoginStage.password + "\n")
            #expect(try typed.end() == 0, "\(typed.said)")
            #expect(typed.said.hasSuffix("other\r\n"))
        }
    }

    @Test("a wrong password is asked again, and the finger counts at the second question too")
    func again() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try applicant.wait(for: "assword")
            applicant.type("no such word\n")
            try applicant.wait(for: "try again")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(applicant.said.hasSuffix("0\r\n"))
        }
    }

    @Test("a password from elsewhere than the terminal is taken from there, and no finger is asked for")
    func elsewhere() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let become = "setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups"
            let applicant = try stage.start([
                "/bin/sh", "-c", "echo '\(LoginStage.password)' | \(become) sudo -S /usr/bin/id -u",
            ])
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(applicant.said.hasSuffix("0\r\n") && !applicant.said.contains("Touch"))
        }
    }

    @Test("interrupted or stopped by its keys, it does as it always does, and nothing is left")
    func keys() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let interrupted = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try interrupted.wait(for: "assword")
            interrupted.type("\u{3}")
            #expect(try interrupted.end() != 0)
            #expect(interrupted.isAlone() && interrupted.echoes)
            // A shell with jobs of its own, in which sudo is stopped and goes on.
            let shell = try stage.start([
                "/usr/bin/setpriv", "--reuid", "1", "--regid", "1", "--clear-groups", "/bin/bash", "--norc", "--noprofile", "-i",
            ])
            shell.type("PS1='$ '; sudo /usr/bin/id -u; echo stopped=$?\n")
            try shell.wait(for: "assword")
            shell.type("\u{1A}")
            try shell.wait(for: "stopped=1")
            shell.type("fg\n")
            try shell.wait(for: "for owner: ", times: 2)
            shell.type(LoginStage.password + "\n")
            try shell.wait(for: "\r\n0\r\n")
            shell.type("exit\n")
            _ = try shell.end()
        }
    }

    @Test("a command line with a terminal's escape sequences is shown without them")
    func escapes() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, ["/bin/echo", "\u{1B}[2J\u{1B}]0;x\u{7}\n\u{9B}2Jas nobody, or"])
            try applicant.wait(for: "assword")
            let shown = applicant.said.unicodeScalars.filter { $0.value < 0x20 && $0 != "\r" && $0 != "\n" || $0.value == 0x9B }
            Tally.check("a command's escape sequences reach the terminal", succeeded: !shown.isEmpty)
            #expect(shown.isEmpty, "\(applicant.said)")
            applicant.type("\u{3}")
            _ = try applicant.end()
        }
    }
}
