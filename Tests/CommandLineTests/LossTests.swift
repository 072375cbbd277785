import Foundation
import Testing
import thumbturn_test_programs

@testable import thumbturn

@Suite("What a command doesn't lose, and doesn't call done")
struct LossTests {
    private func run(_ lines: String) async throws -> String {
        try await onThread { try HelperStage().run(lines).output }
    }

    @Test("A result that nobody gets is a failure, and the recovery code that was made isn't passed over")
    func nobody() async throws {
        let said = try await run(
            """
            printf x | thumbturn secret add s --protect none >/dev/null 2>&1
            thumbturn secret get s >&- 2>/dev/null || echo $?
            thumbturn passcode recovery >&- 2>/dev/null || echo $?
            thumbturn passcode status | tail -n 1
            thumbturn passcode recovery 2>&1 >/dev/full || echo $?
            """)
        #expect(
            said == """
                74
                74
                There is no recovery code.
                thumbturn: The new code could not be shown, and earlier ones no longer work.
                  Run 'thumbturn passcode recovery' again.
                74

                """)
    }

    @Test("An export replaces a file, and nothing else that has its name")
    func noFile() async throws {
        let said = try await run(
            """
            printf x | thumbturn secret add s >/dev/null 2>&1
            mkfifo pipe; : >file; ln -s file link
            for name in pipe link; do thumbturn export --force $name </dev/null 2>&1 | head -n 1; done
            ls -l pipe link | cut -c1
            """)
        let line = "thumbturn: Something else than a file has that name, and stays as it is.\n"
        #expect(said == line + line + "l\np\n", "\(said)")
    }

    @Test("A word that isn't text names no other file, and one input isn't read twice")
    func words() async throws {
        let said = try await run(
            #"""
            printf x | thumbturn secret add s --protect none >/dev/null 2>&1
            thumbturn secret get s --output "$(printf 'o\376')" 2>/dev/null || echo $?
            thumbturn key create k >/dev/null
            echo x | thumbturn key verify k - 2>/dev/null || echo $?
            echo x | thumbturn key verify k - - 2>/dev/null || echo $?
            ls
            """#)
        // The lines lie there, and nothing else.
        #expect(said == "64\n64\n64\nscript\n", "\(said)")
    }

    @Test("Fields that several commands set at once are all there, or their command says that they aren't")
    func fields() async throws {
        let said = try await run(
            """
            printf 0 | thumbturn secret add m --protect none --field base >/dev/null
            for i in 1 2 3 4 5 6 7 8; do
                (printf $i | thumbturn secret add m --replace --field f$i >/dev/null 2>&1 && touch done-$i) &
            done
            wait
            for file in done-*; do i=${file#done-}; test "$(thumbturn secret get m --field f$i)" = $i || echo "$i is lost"; done
            ls done-* | wc -l
            """)
        // Somebody is first, whoever it is.
        #expect(!said.contains("lost") && Int(said.trimmingCharacters(in: .newlines)) ?? 0 > 0, "\(said)")
    }

    @Test("A password in the place of one that ended after a time doesn't end with it")
    func timed() async throws {
        let said = try await run(
            #"""
            printf 'protocol=https\nhost=a.example\nusername=anna\npassword=one\n' | git-credential-thumbturn --timeout=1 store
            printf two | thumbturn secret add git:https://a.example --account anna --replace >/dev/null 2>&1
            sleep 2.1
            printf 'protocol=https\nhost=a.example\n' | git-credential-thumbturn get
            """#)
        #expect(said == "username=anna\npassword=two\n", "\(said)")
    }
}
