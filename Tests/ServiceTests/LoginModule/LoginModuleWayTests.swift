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
            let script = """
                printf 'password required pam_unix.so\\npassword optional %s\\n' "$1" >>/etc/pam.d/typed &&
                exec /usr/bin/pamtester typed owner authenticate chauthtok open_session
                """
            let (offers, _) = try Self.offers(least: 2, ends: 3, answersOffers: true) { stage in
                let applicant = try stage.start(["/bin/sh", "-c", script, "sh", stage.module.path])
                try applicant.wait(for: "Password: ")
                applicant.type(LoginStage.password + "\n")
                for prompt in ["New password: ", "Retype new password: "] {
                    try applicant.wait(for: prompt)
                    applicant.type("another horse 1377\n")
                }
                #expect(try applicant.end() == 0, "\(applicant.said)")
            }
            #expect(offers.map(\.isNew) == [true, false])
            #expect(offers.map(\.password) == [secret("another horse 1377"), secret("another horse 1377")])
        }
    }

    /// In each round the module looks for the answer, then at what its prompt is told, and then for the password. It is stopped at the
    /// second of these.
    @Test("a finger that was answered before the password was typed counts, wherever the module just is")
    func inBetween() async throws {
        try await onThread {
            let arrived = Notes<Int32>()
            let stage = try LoginStage(.serves { arrived.add($0) })
            let applicant = try stage.su()
            let fds = arrived.wait { !$0.isEmpty }
            let asked = Peer(try #require(fds.first))
            let question = try Self.greets(asked)
            try asked.send(PromptNeeded(ticket: [UInt8](repeating: 7, count: WireLimit.ticketBytes)), call: question)
            let prompt = Peer(try #require(arrived.wait { $0.count == 2 }.last))
            var content = PromptContent(program: ProgramWords(), words: PromptWords(ours: "log in"), listening: .touchID)
            try prompt.send(content, call: try Self.greets(prompt, thenHears: false))
            #expect(try prompt.nextFrame()?.kind == .shown)
            try applicant.wait(for: "Password: ")
            // It is busy with these for some hundred milliseconds.
            content.notice = .missed(attemptsLeft: 2)
            let many = [[UInt8]](repeating: content.frame(call: 1).bytes, count: 20_000).flatMap { $0 }
            let fd = prompt.fd
            Thread.detachNewThread { _ = many.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }
            try applicant.wait(for: "Not recognized")
            kill(applicant.pid, SIGSTOP)
            try asked.send(EvaluationReply(result: .success(.biometry), kind: .touchID), call: question)
            applicant.type("wrong\n")
            // Whoever asks for the password ends when it has been passed on.
            #expect(applicant.isAlone())
            kill(applicant.pid, SIGCONT)
            #expect(try applicant.end() == 0, "\(applicant.said.suffix(200))")
        }
    }

    /// Greets a login as a daemon does. The number of its hello, or of the word that comes next.
    private static func greets(_ peer: Peer, thenHears: Bool = true) throws -> UInt32 {
        let hello = try #require(try peer.nextFrame()).call
        try peer.send(Welcome(mode: .system), call: hello)
        return thenHears ? try #require(try peer.nextFrame()).call : hello
    }
}
