import Foundation
import Testing
import thumbturn_test_programs

/// The real git, asking our helper. git's own tests of helpers are in scripts/judges/git-own.
@Suite("git-credential-thumbturn", .serialized)
struct GitHelperTests {
    private static let setup = """
        git config --global credential.helper "thumbturn $HELPER_OPTIONS"
        export GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=
        fill() { printf 'protocol=https\\nhost=%s\\n\\n' "$1" | git credential fill; }
        approve() { printf 'protocol=https\\nhost=%s\\nusername=%s\\npassword=%s\\n\\n' "$@" | git credential approve; }
        reject() { printf 'protocol=https\\nhost=%s\\nusername=%s\\npassword=%s\\n\\n' "$@" | git credential reject; }

        """

    private func run(_ lines: String, answers: String? = nil) async throws -> (output: String, status: Int32) {
        try await onThread { try HelperStage().run(Self.setup + lines, answers: answers) }
    }

    @Test("What git keeps is a secret like any other, asks the owner when git wants it, and not when git keeps it again")
    func whole() async throws {
        let (output, status) = try await run(
            """
            approve example.com anna p=w
            fill example.com
            approve example.com anna p=w
            thumbturn secret list
            thumbturn secret get git:https://example.com --account anna
            """, answers: "match,match")
        #expect(status == 0)
        #expect(output.contains("protocol=https\nhost=example.com\nusername=anna\npassword=p=w\n"))
        #expect(output.contains("git:https://example.com  anna     presence    when-unlocked"), "\(output)")
        #expect(output.hasSuffix("p=w"), "\(output)")
    }

    @Test("Without the owner git gets nothing, and hears what happened")
    func cancelled() async throws {
        let (output, status) = try await run("approve example.com anna hidden-word; fill example.com", answers: "cancel")
        #expect(status != 0)
        #expect(!output.contains("hidden-word"))
        #expect(output.contains("thumbturn: "), "\(output)")
    }

    @Test("The protection is the one that the option names, or else the variable; what is replaced keeps its own")
    func protection() async throws {
        let (output, status) = try await run(
            """
            approve variable.tld anna one
            git config --global credential.helper 'thumbturn --protect biometry'
            approve option.tld anna one
            git config --global credential.helper thumbturn
            unset THUMBTURN_PROTECT
            approve option.tld anna two
            thumbturn secret list
            """.replacingOccurrences(of: "approve variable", with: "export THUMBTURN_PROTECT=none; approve variable"))
        #expect(status == 0)
        #expect(output.contains("git:https://option.tld    anna     biometry"), "\(output)")
        #expect(output.contains("git:https://variable.tld  anna     none"), "\(output)")
        let wrong = try await run("THUMBTURN_PROTECT=nobody approve example.com anna one; thumbturn secret list")
        #expect(wrong.output.contains("THUMBTURN_PROTECT must be one of: presence, "), "\(wrong.output)")
        #expect(wrong.output.contains("There are no secrets yet."))
    }

    @Test("A refused password is erased without a question, and one that is kept anew has its owner's label")
    func unasked() async throws {
        let (output, _) = try await run(
            """
            printf one | thumbturn secret add git:https://example.com --account anna --label 'At work' >/dev/null
            approve example.com anna two
            thumbturn secret list --json | grep label
            reject example.com anna two
            thumbturn secret list
            """, answers: "cancel")
        #expect(output.contains("\"label\": \"At work\""), "\(output)")
        #expect(output.hasSuffix("There are no secrets yet. Run 'thumbturn secret add NAME' to add one.\n"), "\(output)")
    }

    @Test("A refused password is erased, and not another one that was kept meanwhile")
    func erased() async throws {
        let (output, status) = try await run(
            """
            export THUMBTURN_PROTECT=none
            approve example.com anna new
            reject example.com anna old
            fill example.com
            reject example.com anna new
            thumbturn secret list
            """)
        #expect(status == 0)
        #expect(output.contains("password=new\n"))
        #expect(output.hasSuffix("There are no secrets yet. Run 'thumbturn secret add NAME' to add one.\n"), "\(output)")
    }

    @Test("A secret of two lines can't say anything in git's protocol")
    func twoLines() async throws {
        let (output, _) = try await run(
            """
            printf 'one\\nhost=evil.tld\\n' | thumbturn secret add git:https://example.com --account anna --protect none
            fill example.com
            """)
        #expect(!output.contains("evil.tld"))
        #expect(output.contains("isn't one line of text, which is all that git can take"), "\(output)")
    }

    @Test("What isn't git's protocol is refused, and an operation of a later git does nothing")
    func strangers() async throws {
        let (output, status) = try await run(
            """
            git-credential-thumbturn capability </dev/null
            echo "status $?"
            printf 'protocol=https\\nhost=a/../b\\n' | git-credential-thumbturn get
            """)
        #expect(output.hasPrefix("status 0\nthumbturn: What git sent has characters that its protocol has no place for.\n"))
        #expect(status == 65, "\(output)")
    }
}
