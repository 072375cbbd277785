import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_login
import thumbturn_test_programs

@testable import ThumbService

/// A login that a finger let in tells the daemon whether it went on.
extension LoginModuleTests {
    /// Has somebody log in by finger, with what PAM is to do then.
    private func logIn(_ stand: Stand, _ kind: BuiltModule.Kind, andThen more: [String]) throws {
        let applicant = try LoginStage(.service(stand), module: kind).login(andThen: more)
        try applicant.wait(for: "Touch the sensor to let owner log in")
        #expect(stand.see(owner: true))
        #expect(try applicant.end() == 0, "\(applicant.said)")
        settles(stand) { $0.service.population.total == 0 }
    }

    @Test(
        "a login that ends before its credentials are set has opened nothing, and one that goes on has",
        arguments: BuiltModule.Kind.allCases)
    func goesOn(kind: BuiltModule.Kind) async throws {
        try await onThread {
            for (more, isOpen) in [
                ([], false), (["acct_mgmt"], false),
                (["acct_mgmt", "setcred(PAM_ESTABLISH_CRED)"], true), (["setcred", "setcred(PAM_REINITIALIZE_CRED)"], true),
            ] {
                let stand = try Stand.started(.opens, at: "tty2")
                try logIn(stand, kind, andThen: more)
                #expect(stand.onLoop { $0.passcode.tries } == 1)
                let isSo = stand.onLoop {
                    $0.passcode.wasOpenedAtLogin == isOpen && $0.device.session.wasUnlockedByBiometry(within: 300) == isOpen
                }
                #expect(isSo, "\(more)")
            }
        }
    }

    @Test(
        "a login that was refused after the finger isn't the next one of the same application, which gets in by password",
        arguments: BuiltModule.Kind.allCases)
    func again(kind: BuiltModule.Kind) async throws {
        try await onThread {
            let stand = try Stand.started(.opens, at: "tty2")
            let stage = try LoginStage(.service(stand), module: kind)
            let applicant = try stage.login(andThen: ["authenticate", "setcred(PAM_ESTABLISH_CRED)"])
            // A finger that comes before the password is asked for leaves that question out.
            try applicant.wait(for: "Password: ")
            #expect(stand.see(owner: true))
            try applicant.wait(for: "Password: ", times: 2)
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
            settles(stand) { $0.service.population.total == 0 }
            let isOpen = stand.onLoop { $0.passcode.wasOpenedAtLogin || $0.device.session.wasUnlockedByBiometry(within: 300) }
            Tally.check("a refused login's finger counts for the next login", succeeded: isOpen)
            #expect(!isOpen)
        }
    }

    @Test("a login that goes on with another account than the finger was for opens nothing of its owner's")
    func goesOnElsewhere() async throws {
        try await onThread {
            let stand = try Stand.started(.opens, at: "tty2")
            // Whether the account may log in is asked of a module that makes it another account.
            let script = """
                sed -i "s|^account .*|account required $(ls /usr/lib/*/pam_wrapper/pam_set_items.so)|" /etc/pam.d/login &&
                exec env PAM_USER=other /usr/bin/pamtester -I tty=/dev/tty2 login owner authenticate acct_mgmt "$1"
                """
            let applicant = try LoginStage(.service(stand))
                .start(["/bin/sh", "-c", script, "sh", "setcred(PAM_ESTABLISH_CRED)"])
            try applicant.wait(for: "Touch the sensor to let owner log in")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            settles(stand) { $0.service.population.total == 0 }
            #expect(stand.onLoop { $0.passcode.tries } == 1)
            let isOpen = stand.onLoop { $0.passcode.wasOpenedAtLogin || $0.device.session.wasUnlockedByBiometry(within: 300) }
            #expect(!isOpen)
        }
    }

    @Test("nobody has another account's daemon asked, as su and polkit's helper would")
    func own() async throws {
        try await onThread {
            for (real, isAsked) in [(1, false), (0, true), (2, true)] {
                let asked = Notes<AskOwner>()
                let stage = try LoginStage(Self.notes(asked), owner: 2)
                let applicant = try stage.start([
                    "/usr/bin/setpriv", "--ruid", "\(real)", "/usr/bin/pamtester", "su", "owner", "authenticate",
                ])
                try applicant.wait(for: "Password: ")
                // A password would end a question that the daemon hasn't heard yet.
                if isAsked { _ = asked.wait { !$0.isEmpty } }
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
                Tally.check("a user has another account's daemon started", succeeded: real == 1 && !asked.all.isEmpty)
                #expect(asked.all.isEmpty != isAsked, "\(real)")
            }
        }
    }

    /// Leaves the signal to a main loop that never comes to it, as GDM's process does while PAM is at work.
    private static let deaf = """
        #include <signal.h>
        static void note(int number) { (void)number; }
        __attribute__((constructor)) static void begin(void) { signal(SIGTERM, note); }

        """

    @Test("GDM ends its process with a signal when somebody came in by password; that frees the reader at once")
    func ended() async throws {
        try await onThread {
            let folder = try Scratch(inMemory: false)
            let library = try Self.library(Self.deaf, in: folder)
            try self.endBySignal(with: library)
        }
    }

    private func endBySignal(with library: String) throws {
        let stand = try Stand()
        let applicant = try Self.greeter(LoginStage(.service(stand)), environment: ["LD_PRELOAD=\(library)"])
        try applicant.wait(for: "Touch the sensor to let owner in")
        settles(stand) { $0.sensor.isListening }
        kill(applicant.pid, SIGTERM)
        #expect(try applicant.end() == 128 + SIGTERM, "\(applicant.said)")
        settles(stand) { !$0.sensor.isListening }
    }
}
