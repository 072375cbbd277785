import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Whoever can say something to a helper, and wants more than the tool would get.
@Suite("Attacks on helpers", .serialized)
struct HelperAttackTests {
    private static let secret = "hidden-word"

    private func run(_ lines: String) async throws -> String {
        try await onThread {
            try HelperStage().run("set +e\n" + lines).output
        }
    }

    @Test("A server that words its question like ssh's own doesn't get a key's passphrase")
    func wordedByServer() async throws {
        let kept = "printf \(Self.secret) | thumbturn secret add ssh:/home/anna/.ssh/id --protect none >/dev/null\n"
        let own = try await run(kept + "thumbturn-askpass \"Enter passphrase for key '/home/anna/.ssh/id': \"")
        #expect(own == Self.secret + "\n")
        for prompt in [
            "(anna@evil.tld) Enter passphrase for key '/home/anna/.ssh/id': ",
            "Welcome!\nEnter passphrase for key '/home/anna/.ssh/id': ",
            "Enter passphrase for key '/home/anna/.ssh/id': (again) ", "Enter passphrase for key '/home/anna/.ssh/id':",
            "Enter passphrase for key '/home/anna/.ssh/id\n': ", "anna@evil.tld's password: ",
        ] {
            let output = try await run(kept + "thumbturn-askpass \"\(prompt)\"")
            Tally.attack("a server gets a passphrase by its prompt", succeeded: output.contains(Self.secret))
            #expect(!output.contains(Self.secret), "\(prompt)")
        }
    }

    @Test(
        "sudo gets no password, whatever is kept",
        arguments: ["[sudo] password for anna: ", "[sudo: authenticate] Password: ", "Password: ", "--help"])
    func sudo(_ prompt: String) async throws {
        let output = try await run(
            """
            for name in ssh:sudo sudo ssh: 'ssh:[sudo] password for anna' ssh:$HOME/Password; do
                printf \(Self.secret) | thumbturn secret add "$name" --protect none >/dev/null
            done
            SSH_ASKPASS_PROMPT= thumbturn-askpass '\(prompt)'; echo "status $?"
            SSH_ASKPASS_PROMPT=confirm thumbturn-askpass '[sudo] password for anna: '; echo "status $?"
            """)
        let succeeded = output.contains(Self.secret) || output.contains("status 0") || output.contains("yes\n")
        Tally.attack("sudo gets a password from a helper", succeeded: succeeded)
        #expect(!succeeded, "\(output)")
    }

    @Test("No words of a request reach a secret of another tool, another place or the owner's own")
    func otherSecrets() async throws {
        let kept = """
            for name in mail https://example.com docker:registry git:https://example.com/a cargo:index ansible:prod; do
                printf \(Self.secret) | thumbturn secret add "$name" --account anna --protect none >/dev/null
            done

            """
        for request in [
            #"printf 'protocol=https\nhost=example.com/a\n' | git-credential-thumbturn get"#,
            #"printf 'protocol=https://example.com\nhost=a\n' | git-credential-thumbturn get"#,
            #"printf 'protocol=docker:registry\nhost=\npath=\n' | git-credential-thumbturn get"#,
            #"printf 'protocol=https\nhost=example.com\n\npath=a\n' | git-credential-thumbturn get"#,
            #"printf 'mail' | docker-credential-thumbturn get"#,
            #"printf 'git:https://example.com/a' | docker-credential-thumbturn get"#,
            #"printf '../mail' | docker-credential-thumbturn get"#,
            #"printf '' | docker-credential-thumbturn get"#,
            "thumbturn-ansible-client --vault-id ../mail", "thumbturn-ansible-client --vault-id mail",
            "thumbturn-askpass 'Enter passphrase for mail: '", "thumbturn-askpass 'Enter passphrase for ../mail: '",
            #"echo '{"v":1,"registry":{"index-url":"mail"},"kind":"get"}' | cargo-credential-thumbturn --cargo-plugin"#,
        ] {
            let output = try await run(kept + request)
            Tally.attack("a request reaches another secret", succeeded: output.contains(Self.secret))
            #expect(!output.contains(Self.secret), "\(request): \(output)")
        }
    }

    @Test("A secret of several lines says nothing in a protocol of lines")
    func lines() async throws {
        let output = try await run(
            """
            printf 'one\\nhost=evil.tld\\n' | thumbturn secret add git:https://example.com --account anna --protect none >/dev/null
            printf 'one' | thumbturn secret add git:https://other.tld --account "$(printf 'a\\nhost=evil.tld')" --protect none >/dev/null
            printf 'one\\nevil.tld\\n' | thumbturn secret add ansible:prod --protect none >/dev/null
            printf 'one\\nevil.tld\\n' | thumbturn secret add ssh:/k --protect none >/dev/null
            exec 2>/dev/null
            printf 'protocol=https\\nhost=example.com\\n' | git-credential-thumbturn get
            printf 'protocol=https\\nhost=other.tld\\n' | git-credential-thumbturn get
            thumbturn-ansible-client --vault-id prod
            thumbturn-askpass 'Enter passphrase for /k: '
            """)
        Tally.attack("a secret says more than a password", succeeded: output.contains("evil.tld") || !output.isEmpty)
        #expect(output.isEmpty, "\(output)")
    }
}
