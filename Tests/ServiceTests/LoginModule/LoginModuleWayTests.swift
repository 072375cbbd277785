import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_login
import thumbturn_test_programs
import thumbturn_test_wire

/// Ways to log in on which there is more, or less, than one question and one answer.
extension LoginModuleTests {
    /// Somebody who connects waits for room there unless they say that they don't.
    @Test("where as many wait for the daemon as can, and it takes none of them, the password works at once")
    func full() async throws {
        try await onThread {
            let folder = try Scratch(inMemory: false)
            let path = folder.path + "/login"
            let listener = try UnixSocket.listen(at: path).get()
            defer { UnixSocket.close(listener) }
            try #require(CThumbLinux.listen(listener, 0) == 0)
            // Whoever waited stays in the line, also after they are gone.
            while case .success(let fd) = UnixSocket.connect(to: path, waiting: false) { UnixSocket.close(fd) }
            let stage = try LoginStage(.folder(folder.path))
            let typed = ["/usr/bin/pamtester", "typed", "owner", "authenticate", "open_session"]
            for words in [LoginStage.asking(), typed] {
                let applicant = try stage.start(words)
                try applicant.wait(for: "Password: ")
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
            }
        }
    }

    @Test("a password that comes from elsewhere than the terminal is taken from there, and no finger is asked for")
    func elsewhere() async throws {
        try await onThread {
            let stand = try Stand()
            let asking = LoginStage.asking().joined(separator: " ")
            let applicant = try LoginStage(.service(stand))
                .start(["/bin/sh", "-c", "echo '\(LoginStage.password)' | \(asking)"])
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(!applicant.said.contains("Touch"), "\(applicant.said)")
        }
    }

    @Test("a greeter's question that the daemon takes back before it is shown is asked again")
    func greeterTakenBack() async throws {
        try await onThread {
            let asked = Notes<UInt32>()
            let daemon = LoginStage.Daemon.judges { call in
                asked.add(call)
                // The machine slept at the first.
                let result: Result<Factor, EvaluationFailure> =
                    asked.all.count == 1 ? .failure(.systemCancel) : .success(.biometry)
                return EvaluationReply(result: result, kind: .touchID).frame(call: call).bytes
            }
            let applicant = try Self.greeter(LoginStage(daemon))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(asked.all.count == 2)
        }
    }

    @Test("a login that has its password changed on the way opens its session with the new one")
    func changed() async throws {
        try await onThread {
            let offers = Notes<OfferPasscode>()
            let daemon = LoginStage.Daemon.answers { _, frame in
                guard let frame else { return [] }
                if let offer = try? frame.word(OfferPasscode.self) { offers.add(offer) }
                // An answer to an offer ends the waiting for one.
                return [.whose, .offerPasscode].contains(frame.kind) ? Done().frame(call: frame.call).bytes : []
            }
            let stage = try LoginStage(daemon)
            let script = """
                printf 'password required pam_unix.so\\npassword optional %s\\n' "$1" >>/etc/pam.d/typed &&
                exec /usr/bin/pamtester typed owner authenticate chauthtok open_session
                """
            let applicant = try stage.start(["/bin/sh", "-c", script, "sh", stage.module.path])
            try applicant.wait(for: "Password: ")
            applicant.type(LoginStage.password + "\n")
            for prompt in ["New password: ", "Retype new password: "] {
                try applicant.wait(for: prompt)
                applicant.type("another horse 1377\n")
            }
            #expect(try applicant.end() == 0, "\(applicant.said)")
            let all = offers.wait { $0.count >= 2 }
            #expect(all.map(\.isNew) == [true, false])
            #expect(all.map(\.password) == [secret("another horse 1377"), secret("another horse 1377")])
        }
    }
}
