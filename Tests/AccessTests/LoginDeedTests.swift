import Testing
import ThumbAccess

@Suite("What a login wants to do") struct LoginDeedTests {
    private func reason(
        _ service: String, _ command: String? = nil, person: String? = nil, becomes: String? = nil, terminal: String? = nil
    ) -> String {
        LoginDeed(service: service, command: command, person: person, becomes: becomes, terminal: terminal).reason
    }

    @Test("is said with whatever the login knows")
    func words() {
        #expect(
            reason("sudo", "sudo ls /root", person: "ada", becomes: "root", terminal: "tty2")
                == "run ‘sudo ls /root’ as ‘root’, asked in ‘tty2’, and for some minutes whatever else sudo is given there")
        for last in ["-k", "-Ek", "-E --reset-timestamp"] {
            #expect(reason("sudo", "sudo \(last) ls -k") == "run ‘sudo \(last) ls -k’")
        }
        for kept in ["ls -k", "--background ls", "-E ls"] {
            #expect(reason("sudo-i", "sudo \(kept)").hasSuffix(", and for some minutes whatever else sudo is given there"))
        }
        #expect(reason("su", person: "ada", becomes: "root", terminal: "pts/1") == "let ‘ada’ become ‘root’, asked in ‘pts/1’")
        #expect(reason("su", person: "ada") == "let ‘ada’ become another user")
        #expect(reason("login", person: "ada", becomes: "ada", terminal: "tty1") == "let ‘ada’ log in, asked in ‘tty1’")
        #expect(reason("login", becomes: "ada") == "let ‘ada’ log in")
        #expect(reason("login") == "let the owner log in")
        #expect(reason("gdm-fingerprint", becomes: "ada") == "let ‘ada’ log in")
        #expect(reason("vlock", becomes: "ada", terminal: "tty1") == "unlock the session of ‘ada’, asked in ‘tty1’")
        #expect(reason("gdm-fingerprint", person: "ada", becomes: "ada") == "unlock the session of ‘ada’")
        #expect(reason("vlock", person: "eve", becomes: "ada") == "let ‘eve’ become ‘ada’")
    }

    @Test("a login is one that gives nobody another's rights: at a console, or at a greeter")
    func logins() {
        for service in ["login", "gdm-fingerprint"] {
            #expect(LoginDeed(service: service, becomes: "ada").isLogin)
            #expect(!LoginDeed(service: service, person: "eve", becomes: "ada").isLogin)
            #expect(!LoginDeed(service: service, command: "sudo id", becomes: "ada").isLogin)
        }
        for service in ["vlock", "sudo", "su", "polkit-1"] { #expect(!LoginDeed(service: service, becomes: "ada").isLogin) }
    }

    @Test("a command with a line's end, marks, runs of blanks, or what no screen shows, isn't shown exactly")
    func exact() {
        func isExact(_ command: String) -> Bool { LoginDeed(service: "sudo", command: command).isShownExactly }
        for exact in ["sudo id", "sudo sh -c \"echo hi; ls\" \"\"", "sudo ls ä/日本"] { #expect(isExact(exact), "\(exact)") }
        for other in ["echo hi\n/tmp/x", "a\tb", "a  b", "a`b`", "a’b", "a\u{202E}b", "a\u{A0}b", "a\u{2028}b", "\u{1B}[2J"] {
            #expect(!isExact("sudo \(other)"), "\(other)")
        }
        #expect(LoginDeed(service: "su").isShownExactly)
    }

    @Test("nothing in a command or a name ends the quotation, starts a line or is obeyed by a terminal")
    func quoted() {
        let odd = "sudo sh -c ’ as ‘nobody’\u{1B}[2J\n\u{202E}gnirts"
        let said = reason("sudo", odd, becomes: "ro\not’", terminal: "tty2\u{9B}2J")
        #expect(said.filter { $0 == "‘" || $0 == "’" } == "‘’‘’‘’")
        #expect(said.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B && $0.value != 0x202E })
        #expect(said.hasSuffix(" as ‘ro ot'’, asked in ‘tty2\u{FFFD}2J’, and for some minutes whatever else sudo is given there"))
    }

    @Test("a long command is cut off, and what is said behind it isn't")
    func long() {
        let said = reason("sudo", "sudo " + String(repeating: "x", count: 5000), becomes: "root", terminal: "tty2")
        #expect(said.hasSuffix("x…’ as ‘root’, asked in ‘tty2’, and for some minutes whatever else sudo is given there"))
        #expect(said.count < 300)
    }
}
