import Testing
import ThumbAccess

@Suite("What callers are called") struct CallerNameTests {
    @Test("A group's name tells whose it is where nobody could have given it to himself")
    func owners() {
        #expect(GroupName.owner(of: "/usr/bin/vault") == .program("vault", .consented))
        #expect(GroupName.owner(of: "/") == .program("process", .consented))
        #expect(GroupName.owner(of: "protected:vault") == .program("vault", .protected))
        #expect(GroupName.owner(of: "flatpak:org.example.Vault") == .program("org.example.Vault", .sandboxed))
        #expect(GroupName.owner(of: "snap:vault") == .program("vault", .sandboxed))
        for name: ExactName in ["org.example.vault", "protected", "Protected:vault", "", "*"] {
            #expect(GroupName.owner(of: name) == .nobody)
        }
    }

    @Test("A label may be any name but those, and not nothing")
    func labels() {
        #expect(GroupName.own(label: "org.example.vault") == "org.example.vault")
        #expect(GroupName.own(label: "a\u{1}b") == "a\u{fffd}b")
        for label: ExactName in ["", "process", "/usr/bin/vault", "protected:vault", "flatpak:a.b", "snap:a"] {
            #expect(GroupName.own(label: label) == nil)
        }
    }

    @Test("A name that can be made has 200 bytes at most, and shows as it is")
    func plain() {
        #expect(
            GroupName.isPlain(ExactName(String(repeating: "x", count: 200)))
                && !GroupName.isPlain(ExactName(String(repeating: "x", count: 201))))
        // Bytes count, and not letters.
        #expect(!GroupName.isPlain(ExactName(String(repeating: "ä", count: 101))))
        for name: ExactName in ["", "\u{1}consents", "a\nb", "a\u{202e}b"] { #expect(!GroupName.isPlain(name)) }
    }

    @Test("A snap is what its label says while it is enforced, and nothing else")
    func snaps() {
        func snap(_ label: String) -> Sandbox? { Sandbox.snap(label: Array(label.utf8)) }
        #expect(snap("snap.firefox.firefox (enforce)\n") == .snap("firefox"))
        #expect(snap("snap.vault_two.hook.configure (enforce)\0") == .snap("vault_two"))
        for label in [
            "unconfined\n", "snap.code.code (complain)", "snap.code (enforce)", "snap..x (enforce)", "snap.A.x (enforce)",
            "/usr/bin/vault (enforce)", "snap.a/b.x (enforce)", "",
        ] { #expect(snap(label) == nil, "\(label)") }
        let longest = String(repeating: "a", count: 60)
        #expect(snap("snap.\(longest).x (enforce)") == .snap(longest) && snap("snap.\(longest)a.x (enforce)") == nil)
    }

    @Test("A Flatpak app is what its description says, once")
    func flatpaks() {
        func app(_ info: String) -> Sandbox? { Sandbox.flatpak(info: Array(info.utf8)) }
        #expect(app("[Instance]\nname=a.b\n[Application]\n name = org.example.Vault \n") == .flatpak("org.example.Vault"))
        for info in [
            "", "name=org.a", "[Application]\nname=", "[Application]\nname=org..a", "[Application]\nname=org.a\nname=org.a",
        ] {
            #expect(app(info) == nil, "\(info)")
        }
    }

    @Test("A Flatpak app's name has at least two parts, plain letters, and 190 bytes at most")
    func flatpakNames() {
        func app(_ name: String) -> Sandbox? { Sandbox.flatpak(info: Array("[Application]\nname=\(name)\n".utf8)) }
        for name in ["a.b", "org.example_2.Vault-3", "a." + String(repeating: "b", count: 188)] {
            #expect(app(name) == .flatpak(name))
        }
        for name in ["vault", ".a", "a.", "a.b/c", "a.b c", "a.caf\u{e9}", "a.b:c", "a." + String(repeating: "b", count: 189)] {
            #expect(app(name) == nil, "\(name)")
        }
        // Another section's name is another thing's.
        #expect(Sandbox.flatpak(info: Array("[Application]\n[Instance]\nname=a.b\n".utf8)) == nil)
    }

    @Test("The Flatpak app that a control group is of is read from its name; one that isn't understood has no name, and is none")
    func controlGroups() {
        func apps(_ groups: String) -> Set<ExactName> { Sandbox.flatpaks(cgroup: Array(groups.utf8)) }
        #expect(apps("0::/user.slice/app-flatpak-org.a-12.scope\n") == ["org.a"])
        #expect(apps("0::/app.slice/app-flatpak-org.a\\x2db.c-12.scope/sub\n") == ["org.a-b.c"])
        #expect(apps("0::/user.slice/app-org.a-12.scope\n") == [] && apps("") == [])
        #expect(
            apps("0::/app-flatpak-.scope\n") == [""]
                && apps("1:a:/app-flatpak-a.b-1.scope\n0::/app-flatpak-c.d-2.scope\n").count == 2)
    }
}

@Suite("The registry of protected programs") struct ProtectedProgramsTests {
    private func read(_ text: String) -> ProtectedPrograms? { ProtectedPrograms(Array(text.utf8)) }

    @Test("What is written is what is read")
    func roundTrip() throws {
        var programs = ProtectedPrograms()
        for number: UInt32 in 1...3 {
            let program = try #require(
                ProtectedProgram(gid: 900 + number, name: "vault-\(number)", path: ExactName("/usr/bin/a vault \(number)")))
            let isAdded = programs.add(program)
            #expect(isAdded)
        }
        #expect(read(programs.text) == programs && programs[902]?.name == "vault-2" && programs[1] == nil)
        #expect(read("") == ProtectedPrograms() && read("# nothing\n") == ProtectedPrograms())
    }

    @Test(
        "A line that isn't one, or that stands twice, makes all of it void",
        arguments: [
            "900 vault /usr/bin/vault", "900 vault\n", "0900 vault /a\n", "+900 vault /a\n", " 900 vault /a\n", "0 vault /a\n",
            "65534 vault /a\n", "4294967295 vault /a\n", "4294967296 vault /a\n", "900 Vault /a\n", "900 -vault /a\n",
            "900  /a\n",
            "900 vault a\n", "900 vault /a/../b\n", "900 vault /a/./b\n", "900 vault /a//b\n", "900 vault /a/\n",
            "900 vault /a\u{1}\n",
            "900 vault /a\r\n",
            "900 a /a\n900 b /b\n", "900 a /a\n901 a /b\n", "900 a /a\n901 b /a\n", "900 a /a\nx\n",
            "900 a23456789012345678901234 /a\n",
        ])
    func malformed(_ text: String) { #expect(read(text) == nil) }

    @Test("It takes 256 programs and no more, and no bytes that aren't text")
    func limits() {
        func lines(_ count: UInt32) -> String { (1...count).map { "\(1000 + $0) p\($0) /bin/p\($0)\n" }.joined() }
        #expect(read(lines(256))?.programs.count == 256 && read(lines(257)) == nil)
        #expect(ProtectedPrograms(Array("900 a /".utf8) + [0xff, 0x0a]) == nil)
        #expect(read(String(repeating: "#\n", count: 32_768)) != nil && read(String(repeating: "#\n", count: 32_769)) == nil)
    }

    @Test("A name has 22 letters at most, and a path 4,095 bytes")
    func lengths() {
        func program(_ name: Int, _ path: Int) -> ProtectedProgram? {
            ProtectedProgram(
                gid: 900, name: String(repeating: "n", count: name),
                path: ExactName("/" + String(repeating: "p", count: path - 1)))
        }
        #expect(program(22, 4095) != nil)
        #expect(program(23, 10) == nil && program(0, 10) == nil && program(1, 4096) == nil)
    }

    @Test("The two programs that show prompts are known by their names, and no other is one of them")
    func prompts() {
        func shows(_ name: String) -> Bool? { ProtectedProgram(gid: 900, name: name, path: "/usr/bin/x")?.showsPrompts }
        #expect(shows("prompt") == true && shows("window") == true)
        for name in ["vault", "prompt-2", "thumbturn-prompt", "secrets"] { #expect(shows(name) == false) }
        func isOwn(_ name: String) -> Bool? { ProtectedProgram(gid: 900, name: name, path: "/usr/bin/x")?.isOwn }
        for name in ["prompt", "window", "secrets"] { #expect(isOwn(name) == true) }
        for name in ["vault", "secret", "thumbturn-secrets"] { #expect(isOwn(name) == false) }
    }

    @Test("Whatever is changed in it, what is still taken is what it would be written as")
    func damaged() throws {
        let whole = Array("900 vault /usr/bin/vault\n901 bank /opt/a bank\n".utf8)
        var taken = 0
        for place in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var damaged = whole
                damaged[place] = byte
                guard let programs = ProtectedPrograms(damaged) else { continue }
                taken += 1
                #expect(ProtectedPrograms(Array(programs.text.utf8)) == programs)
            }
        }
        #expect(taken > 256)
    }
}
