import Testing
import ThumbAccess
import ThumbKeychain

/// Programs that claim a bundle identifier, by the rules alone: files, folders and their changes are what the test says.
@Suite("Which program may go on under a bundle identifier") struct TieTests {
    private static let claim: ExactName = "com.example.bank"
    private let tables = ListTables()
    private let consents: Consents
    private let ties: Ties

    init() {
        consents = Consents(tables: tables) { 0 }
        ties = Ties(consents: consents)
    }

    /// A program of that path that claims the identifier.
    private func program(
        _ path: ExactName?, _ place: ProgramPlace = .changeable, file: UInt8 = 1, claim: ExactName = claim
    ) -> Caller {
        Caller(
            uid: 1, pid: 1, kind: .consented, name: "x", groups: [claim], mayShare: true,
            program: ProgramWords(path: path, place: place, claim: claim), file: [file])
    }

    /// A script that an interpreter of root's runs, and that claims the identifier. The place is the script's.
    private func script(_ path: ExactName, _ place: ProgramPlace = .changeable, file: UInt8 = 1) -> Caller {
        let words = ProgramWords(path: "/usr/bin/python3.11", place: place, claim: Self.claim, runs: .named(path))
        return Caller(
            uid: 1, pid: 1, kind: .consented, name: "x", groups: [Self.claim], mayShare: true, program: words, file: [file])
    }

    private func standing(_ caller: Caller) throws -> Ties.Standing { try ties.standing(of: caller, notes: true) }

    @Test("The first program that uses an identifier is noted without a question, and shown; a look alone notes nothing")
    func first() throws {
        let bank = program("/usr/bin/bank", .system)
        #expect(try ties.standing(of: bank, notes: false) == .open)
        #expect(try consents.all().isEmpty)
        #expect(try standing(bank) == .open)
        let noted = try consents.all()
        #expect(noted.map(\.wish) == [.program("/usr/bin/bank")] && noted.map(\.verdict) == [.noted])
        #expect(noted.first?.app == Self.claim && noted.first?.name == "/usr/bin/bank")
    }

    @Test("A look by one program before anybody used an identifier doesn't make it that one's")
    func looks() throws {
        let thief = program("/home/eve/bank")
        for _ in 0..<2 { #expect(try ties.standing(of: thief, notes: false) == .open) }
        #expect(try standing(program("/usr/bin/bank", .system)) == .open)
        #expect(try ties.standing(of: thief, notes: false) != .open && standing(thief) != .open)
    }

    @Test("What was found once is found again without the tables, until a word changes")
    func remembered() throws {
        let bank = program("/usr/bin/bank", .system)
        for _ in 0..<2 { #expect(try standing(bank) == .open) }
        let kept = tables.rows
        tables.rows = []
        #expect(try standing(bank) == .open && tables.rows.isEmpty)
        tables.rows = kept
        // The same path under another file, where its user can change it, isn't what was found.
        #expect(try standing(program("/usr/bin/bank", .changeable, file: 9)) != .open)
        try ties.keep(.denied, on: .program("/usr/bin/bank"), of: bank)
        #expect(try standing(bank) == .refused)
    }

    @Test("What was found once is looked at again when it lies elsewhere: a file that is gone has no place to be found by")
    func rememberedPlace() throws {
        // The first time notes it, and the second remembers it.
        for _ in 0..<2 { #expect(try standing(program("/usr/bin/bank", .system)) == .open) }
        #expect(try standing(program("/usr/bin/bank", .gone)) == .refused)
    }

    @Test("Another executable that claims the same is asked about, by both paths, until the owner has said so")
    func another() throws {
        _ = try standing(program("/usr/bin/bank", .system))
        let thief = program("/home/eve/bank")
        for _ in 0..<2 { #expect(try standing(thief) == .ask(.program("/home/eve/bank"), insteadOf: "/usr/bin/bank")) }
        #expect(try ties.standing(of: thief, notes: false) != .open)
        try ties.keep(.allowed, on: .program("/home/eve/bank"), of: thief)
        #expect(try standing(thief) == .open)
        #expect(try standing(program("/usr/bin/bank", .system)) == .open)
        #expect(try standing(program("/home/eve/other")) != .open)
    }

    @Test("A no lasts, and so does forgetting it: then the owner is asked again")
    func denied() throws {
        _ = try standing(program("/usr/bin/bank", .system))
        let thief = program("/home/eve/bank")
        try ties.keep(.denied, on: .program("/home/eve/bank"), of: thief)
        for _ in 0..<2 { #expect(try standing(thief) == .refused) }
        try consents.forget(Self.claim, .program("/home/eve/bank"))
        #expect(try standing(thief) == .ask(.program("/home/eve/bank"), insteadOf: "/usr/bin/bank"))
    }

    @Test("What the owner is shown as an identifier's program is none that was refused it, even if that one came first")
    func shown() throws {
        let (thief, bank) = (program("/home/eve/bank"), program("/usr/bin/bank", .system))
        try ties.keep(.denied, on: .program("/home/eve/bank"), of: thief)
        try ties.keep(.allowed, on: .program("/usr/bin/bank"), of: bank)
        let another = try standing(program("/home/ada/bank"))
        #expect(another == .ask(.program("/home/ada/bank"), insteadOf: "/usr/bin/bank"))
    }

    @Test("A package's successor passes: the same path, root's all the way, whatever the file is now")
    func package() throws {
        _ = try standing(program("/usr/bin/bank", .system, file: 1))
        #expect(try standing(program("/usr/bin/bank", .system, file: 2)) == .open)
        // What was root's and isn't any more is not that package's.
        #expect(
            try standing(program("/usr/bin/bank", .changeable, file: 3)) == .ask(.folder("/usr/bin"), insteadOf: "/usr/bin/bank"))
    }

    @Test("A rebuilt program is asked about once, by its folder, and what is built there from then on passes")
    func rebuilt() throws {
        let path: ExactName = "/home/ada/app/build/bank"
        _ = try standing(program(path, file: 1))
        #expect(try standing(program(path, file: 1)) == .open)
        let rebuilt = program(path, file: 2)
        #expect(try standing(rebuilt) == .ask(.folder("/home/ada/app/build"), insteadOf: path))
        try ties.keep(.allowed, on: .folder("/home/ada/app/build"), of: rebuilt)
        #expect(try standing(rebuilt) == .open && standing(program(path, file: 3)) == .open)
        #expect(try standing(program("/home/ada/app/build/bank-2", file: 4)) == .open)
        #expect(try standing(program(path, .gone, file: 3)) == .open)
        // Neither a folder below or above it, nor one whose name begins so, nor root's programs there.
        for other: ExactName in ["/home/ada/app/build/x/bank", "/home/ada/app/bank", "/home/ada/app/build2/bank"] {
            #expect(try standing(program(other)) == .ask(.program(other), insteadOf: path), "\(other)")
        }
        #expect(try standing(program("/home/ada/app/build/sh", .system)) != .open)
    }

    @Test("A yes about a changed script is about the script's folder, not about its interpreter's, from which all scripts run")
    func scriptsFolder() throws {
        let path: ExactName = "/home/ada/app/a.py"
        let own: ExactName = "/usr/bin/python3.11 /home/ada/app/a.py"
        _ = try standing(script(path))
        let changed = script(path, file: 2)
        #expect(try standing(changed) == .ask(.folder("/home/ada/app"), insteadOf: own))
        try ties.keep(.allowed, on: .folder("/home/ada/app"), of: changed)
        #expect(try standing(changed) == .open && standing(script("/home/ada/app/b.py", file: 3)) == .open)
        let other = try standing(script("/home/eve/b.py", file: 4))
        #expect(other == .ask(.program("/usr/bin/python3.11 /home/eve/b.py"), insteadOf: own))
    }

    @Test("A changed text of an interpreter's command line is refused: no folder stands for it")
    func texts() throws {
        func text(_ file: UInt8) -> Caller {
            let words = ProgramWords(path: "/usr/bin/python3.11", place: .changeable, claim: Self.claim, runs: .commands)
            return Caller(
                uid: 1, pid: 1, kind: .consented, name: "x", groups: [Self.claim], mayShare: true, program: words, file: [file])
        }
        #expect(try standing(text(1)) == .open)
        #expect(try standing(text(2)) == .refused)
        try consents.keep(.allowed, on: Self.claim, .folder("/usr/bin"), named: "x", .consented)
        #expect(try standing(text(2)) == .refused)
    }

    @Test("A script of root's isn't another one that the same interpreter runs")
    func scripts() throws {
        _ = try standing(script("/usr/bin/bank", .system))
        #expect(try standing(script("/usr/bin/bank", .system, file: 2)) == .open)
        let other = try standing(script("/usr/bin/any", .system))
        #expect(other == .ask(.program("/usr/bin/python3.11 /usr/bin/any"), insteadOf: "/usr/bin/python3.11 /usr/bin/bank"))
    }

    @Test("A folder that the owner refused is refused, for each program in it")
    func refusedFolder() throws {
        _ = try standing(program("/home/ada/bank", file: 1))
        let changed = program("/home/ada/bank", file: 2)
        try ties.keep(.denied, on: .folder("/home/ada"), of: changed)
        #expect(try standing(changed) == .refused && standing(program("/home/ada/other")) == .refused)
        #expect(try standing(program("/home/ada/bank", file: 1)) == .open)
    }

    @Test("A program whose file is gone isn't the one that was tied by its path, and can't be asked about")
    func gone() throws {
        _ = try standing(program("/usr/bin/bank", .system))
        #expect(try standing(program("/usr/bin/bank", .gone)) == .refused)
        #expect(try standing(program("/home/eve/bank", .gone)) == .refused)
    }

    @Test("A program that sees other folders isn't the one at that path for everybody")
    func elsewhere() throws {
        _ = try standing(program("/usr/bin/bank", .system))
        #expect(
            try standing(program("/usr/bin/bank", .elsewhere))
                == .ask(.program("elsewhere /usr/bin/bank"), insteadOf: "/usr/bin/bank"))
    }

    @Test("A program that hides isn't the one that was tied by its path")
    func hiding() throws {
        _ = try standing(program("/usr/bin/bank", .system))
        #expect(try standing(program(nil)) == .ask(.program("hidden"), insteadOf: "/usr/bin/bank"))
    }

    @Test(
        "Paths and identifiers that look alike are others",
        arguments: [
            ("/opt/\u{212B}/bank", "/opt/\u{C5}/bank"), ("/opt/caf\u{E9}/bank", "/opt/cafe\u{301}/bank"),
            ("/opt/\u{212A}", "/opt/K"),
        ] as [(ExactName, ExactName)])
    func alike(_ one: ExactName, _ other: ExactName) throws {
        _ = try standing(program(one))
        #expect(try standing(program(other)) == .ask(.program(other), insteadOf: one))
        try ties.keep(.denied, on: .program(other), of: program(other))
        #expect(try standing(program(one)) == .open)
        // The other identifier is nobody's yet, and its first program is noted as that one's.
        #expect(try standing(program("/home/eve/x", claim: "com.example.\u{212A}")) == .open)
        #expect(try standing(program("/home/eve/y", claim: "com.example.K")) == .open)
    }

    @Test("A program that claims nothing, one in a sandbox and a protected one are tied to nothing")
    func untied() throws {
        for kind: CallerClass in [.consented, .sandboxed, .protected] {
            let caller = Caller(
                uid: 1, pid: 1, kind: kind, name: "x", groups: ["/usr/bin/x"], mayShare: true,
                program: ProgramWords(kind: kind, name: "x", path: "/usr/bin/x"))
            #expect(try standing(caller) == .open)
        }
        #expect(tables.rows.isEmpty)
    }

    @Test("A program is noted for 64 identifiers, and no more")
    func limitPerProgram() throws {
        for number in 1...Ties.limitPerProgram {
            #expect(try standing(program("/home/eve/x", claim: ExactName("squatted.\(number)"))) == .open)
        }
        #expect(throws: KeychainFailure.storeUnavailable) { try standing(program("/home/eve/x", claim: "squatted.65")) }
        #expect(try standing(program("/home/eve/y", claim: "squatted.65")) == .open)
    }

    @Test("5,000 ties are noted, and no more; there is room left for the owner's words")
    func limit() throws {
        tables.rows = (1..<Ties.limit).map { number in
            let path = ExactName("/p\(number)")
            let known = KnownApp(app: ExactName("app.\(number)"), name: path.text, wish: .program(path), verdict: .noted, date: 0)
            return .consent(Consent(known, tie: Consent.Tie(program: path, file: [])))
        }
        #expect(try standing(program("/usr/bin/bank", .system)) == .open)
        #expect(throws: KeychainFailure.storeUnavailable) { try standing(program("/usr/bin/other", claim: "com.example.other")) }
        try consents.keep(.allowed, on: "com.example.other", .face, named: "other", .consented)
    }
}
