import ThumbAccess
import ThumbConversation
import ThumbSecrets

@testable import ThumbInside

// What the daemon's other peers say and hear: prompts, the system's login, helpers, the front, the brokers.

enum PromptFrames {
    static let target = FuzzTarget(
        "frames-prompt",
        sources: [
            "Sources/Wire/Conversation/Words/Prompts.swift", "Sources/Wire/Conversation/Roles.swift#FromPrompt",
            "Sources/Wire/Conversation/Roles.swift#ToPrompt", "Sources/Wire/Conversation/Roles.swift#FromAgent",
        ], seeds: { words.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(FromPrompt.init), taking(ToPrompt.init), taking(FromAgent.init)],
        alone: { kind in
            switch kind {
            case .promptNeeded: PromptNeeded.self
            case .windowNeeded: WindowNeeded.self
            case .promptWanted: PromptWanted.self
            default: nil
            }
        },
        field: { word in (word as? PromptContent)?.program.path.map { Array($0.utf8) } })

    private static var words: [any Word] {
        let program = ProgramWords(
            kind: .protected, name: "vault", path: "/usr/bin/vault", place: .system, claim: "org.example", process: 9)
        let notices: [PromptNotice?] = [
            nil, .missed(attemptsLeft: 2), .retry(.centre), .wrongPasscode, .passcodeUnchecked, .biometryLocked, .passcodesDiffer,
            .passcodeTooShort(least: 4), .question(AccountQuestion(text: "Code", isHidden: true)), .accountPasswordChanged,
            .accountPasswordExpired, .accountLocked, .passcodeWaits,
        ]
        let contents = notices.map {
            PromptContent(
                purpose: .repeatPasscode, program: program, words: PromptWords(reason: "why", fallbackTitle: "PIN"),
                listening: .touchID, acceptsPasscode: true, notice: $0, passcodeWait: 2.5)
        }
        let signIn = PromptContent(
            program: ProgramWords(name: "bank"), words: PromptWords(ours: "make a recovery code"),
            signIn: SignInWords(origin: "https://a.example", account: "anna", purpose: .register))
        let polkit = PromptContent(
            purpose: .systemPassword, program: program, words: PromptWords(ours: "run id"), polkit: PolkitFrames.words,
            acceptsPasscode: true)
        return contents.map { $0 as any Word } + [
            signIn, polkit, WaitBehind(programs: 3), PromptEnding.success, Shown(), Here(acts: true), Typed(secret("2580")),
            Cancelled(),
            Fallback(), DismissProgram(), PromptNeeded(ticket: [1, 2]), WindowNeeded(ticket: [1, 2]),
            PromptWanted(ticket: [1, 2]),
            PromptUnavailable(ticket: [1, 2]),
        ]
    }
}

enum LoginFrames {
    static let target = FuzzTarget(
        "frames-login",
        sources: [
            "Sources/Wire/Conversation/Roles.swift#FromLogin", "Sources/Wire/Conversation/Words/Login.swift#OfferPasscode",
            "Sources/Wire/Conversation/Words/Login.swift#AskOwner", "Sources/Wire/Conversation/Words/Login.swift#LoginDeed",
            "Sources/Wire/Conversation/Words/Prompts.swift#PromptUnavailable",
            "Sources/Wire/Conversation/Words/Front.swift#Whose", "Sources/Wire/Conversation/Words/Greeting.swift#Hello",
            "Sources/Wire/Conversation/Words/Greeting.swift#PromptSurface",
        ], seeds: { words.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(FromLogin.init)],
        alone: { kind in
            switch kind {
            case .hello: Hello.self
            case .whose: Whose.self
            default: nil
            }
        },
        field: { word in (word as? OfferPasscode)?.password.plain })

    private static var words: [any Word] {
        [
            Whose(uid: 1000), Hello(role: .login), OfferPasscode(uid: 1000, secret("hunter22"), isNew: true),
            OfferPasscode(uid: 0, secret(""), isNew: false), PromptUnavailable(ticket: [1, 2]),
            AskOwner(
                uid: 1000,
                LoginDeed(service: "sudo", command: "sudo ls", person: "ada", becomes: "root", terminal: "tty2")),
            AskOwner(uid: 0, LoginDeed(service: "")), LoginStands(), Hello(role: .prompt, ticket: [1, 2], surface: .terminal),
            Hello(role: .prompt, surface: .x11(display: ":0")), Hello(role: .agent, surface: .wayland(compositor: 4711)),
            Hello(role: .app, label: "org.example", faceUsage: "why"),
        ]
    }
}

enum PolkitFrames {
    static let target = FuzzTarget(
        "frames-polkit",
        sources: [
            "Sources/Wire/Conversation/Roles.swift#FromPolkitAgent", "Sources/Wire/Conversation/Roles.swift#ToPolkitAgent",
            "Sources/Wire/Conversation/Words/Polkit.swift", "Sources/Rules/Access/Owner/PolkitWords.swift",
        ], seeds: { said.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(FromPolkitAgent.init), taking(ToPolkitAgent.init)],
        alone: { $0 == .hello ? Hello.self : nil },
        field: { word in (word as? CheckPassword)?.password.plain ?? (word as? HelperReply)?.typed.plain })

    static let words = PolkitWords(
        action: "org.freedesktop.policykit.exec", message: "run id", vendor: "polkit", icon: "dialog-password",
        command: "pkexec id", asker: "sh", details: [PolkitWords.Detail("user", "root")], account: "ada", isKept: true)

    private static var said: [any Word] {
        [
            Hello(role: .polkit), AskForPolkit(uid: 1000, words, takesFinger: true), LendTouch(to: 4711),
            AskForPolkit(uid: 0, PolkitWords(action: "", message: "", account: ""), takesFinger: false),
            AccountQuestion(text: "Code", isHidden: true), HelperVerdict(.right, delay: 0), PromptUnavailable(ticket: [1, 2]),
            PromptNeeded(ticket: [1, 2]), WindowNeeded(ticket: [1, 2]), CheckPassword(uid: 1000, secret("hunter22")),
            HelperReply(secret("123456")), EvaluationReply(result: .success(.biometry), kind: .touchID), Flag(true),
        ]
    }
}

enum HelperFrames {
    static let target = FuzzTarget(
        "frames-helper",
        sources: [
            "Sources/Wire/Conversation/Words/Helpers.swift", "Sources/Wire/Conversation/Words/Serve.swift",
            "Sources/Wire/Conversation/Roles.swift#ToHelper", "Sources/Wire/Conversation/Roles.swift#FromHelper",
        ], seeds: { words.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(ToHelper.init), taking(FromHelper.init)], alone: { _ in nil },
        field: { word in (word as? AccountQuestion).map { Array($0.text.utf8) } })

    private static var words: [any Word] {
        [
            Serve(uid: 1000), CheckPassword(uid: 1000, secret("hunter22")), Look(uid: 1000), HelperReply(secret("4711")),
            AccountQuestion(text: "Code: ", isHidden: false), HelperVerdict(.right, delay: 2.5),
            HelperVerdict(.unavailable, delay: 0),
        ]
    }
}

enum FrontFrames {
    static let target = FuzzTarget(
        "frames-front",
        sources: [
            "Sources/Wire/Conversation/Words/Front.swift", "Sources/Wire/Conversation/Roles.swift#ToDevice",
            "Sources/Wire/Conversation/Roles.swift#FromDevice", "Sources/Wire/Conversation/Roles.swift#FromWantsLine",
            "Sources/Wire/Inside/PacketLine.swift#Frame",
        ], seeds: { words.seeds }, parse: { try read($0) })

    private static let reading = FrameReading(
        roles: [taking(ToDevice.init), taking(FromDevice.init), taking(FromWantsLine.init)],
        alone: { kind in
            switch kind {
            case .whose: Whose.self
            case .given: Given.self
            default: nil
            }
        },
        field: { word in
            guard case .program(let facts)? = word as? PeerArrived else { return nil }
            return facts.file?.stamp
        })

    /// Between these processes a frame is a packet of its own, which says how long it is.
    private static func read(_ input: [UInt8]) throws(Wrong) -> [UInt8]? {
        let whole = bigEndian(input.count, bytes: 4) + input
        try must(
            try kind(whole) == kind(of: secret(input)), "a packet is read as another frame than the bytes in it")
        if let frame = try packet(input) {
            try must(frame.count == input.count - 4, "a packet of \(input.count) bytes has a frame of \(frame.count)")
        }
        return try reading.read(input)
    }

    private static func packet(_ bytes: [UInt8]) throws(Wrong) -> Frame? {
        try accepted { () throws(Refusal) -> Frame in
            try Frame(packet: bytes)
        } or: {
            $0 == .malformed || $0 == .unknownKind
        }
    }

    private static func kind(_ packet: [UInt8]) throws(Wrong) -> WordKind? { try self.packet(packet)?.kind }

    private static func kind(of body: SecretBytes) -> WordKind? { (try? Frame(body))?.kind }

    private static var words: [any Word] {
        let file = PeerFacts.File(path: "/usr/bin/app", place: .system, stamp: Array(1...8), isName: true)
        let confinements: [PeerFacts.Confinement] = [
            .none, .unnamed, .sandbox(.flatpak("org.example")), .sandbox(.snap("example")),
        ]
        return confinements.map { PeerArrived.program(PeerFacts(file: file, confinement: $0)) as any Word } + [
            PeerArrived.program(PeerFacts(file: file, confinement: .none, run: .script(file))),
            PeerArrived.program(PeerFacts(file: file, confinement: .none, run: .module("keyring"))),
            PeerContentsGiven(.run),
            PeerArrived.program(PeerFacts(file: nil, confinement: .none)), PeerArrived.login, Whose(uid: 1000), WantsLineGiven(),
            Sleeps(), Wakes(), LidMoved(isClosed: true), SessionLocked(isLocked: true), SessionInFront(isInFront: false),
            MachineKnown(),
            Unused(peers: 3, isSoon: true), EndNow(), Want(.tpm), Want(.face), Given(isThere: true), Done(),
        ]
    }
}

enum TPMFrames {
    static let target = FuzzTarget(
        "frames-tpm",
        sources: [
            "Sources/Wire/Conversation/Words/TPM.swift", "Sources/Wire/Conversation/BrokerRoles.swift#ToTPMKeeper",
            "Sources/Wire/Conversation/BrokerRoles.swift#FromTPMKeeper",
        ], seeds: { words.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(ToTPMKeeper.init), taking(FromTPMKeeper.init)], alone: { _ in nil },
        field: { word in (word as? UnsealInTPM)?.seal })

    private static var words: [any Word] {
        [
            MakeTPMKey(), SignWithTPM(Array(0..<32), secret("material")), AgreeWithTPM([4, 1], secret("material")),
            SealInTPM(secret("kept"), under: secret("by"), guardedBy: .guesses),
            UnsealInTPM(Array(1...8), under: secret("by"), guardedBy: .guesses), ReadTPMCounter([1, 2], under: secret("by")),
            RaiseTPMCounter([1, 2], under: secret("by")), TPMKeyMade(secret("material")), TPMSignature([0x30]),
            TPMAgreement(secret("x")), TPMSealed([1]), TPMUnsealed(secret("kept")), TPMUnsealed(nil), TPMCount(7), TPMCount(nil),
            TPMFailed(.custodianLocked, number: 0x921),
        ]
    }
}

enum ReaderFrames {
    static let target = FuzzTarget(
        "frames-reader",
        sources: [
            "Sources/Wire/Conversation/Words/Reader.swift", "Sources/Wire/Conversation/Words/FaceModels.swift",
            "Sources/Wire/Conversation/Words/Device.swift#SensorFacts",
            "Sources/Wire/Conversation/BrokerRoles.swift#ToReader", "Sources/Wire/Conversation/BrokerRoles.swift#FromReader",
        ], seeds: { words.seeds }, parse: { try reading.read($0) })

    private static let reading = FrameReading(
        roles: [taking(ToReader.init), taking(FromReader.init)], alone: { _ in nil },
        field: { word in (word as? ReaderSnapshot).map { Array($0.facts.name.utf8) } })

    private static var words: [any Word] {
        let facts = SensorFacts(name: "A reader", hindrance: .notPermitted, tellsEnrolments: true, tellsFingers: false)
        let enrolments: [ReaderEnrolment] = [.known([1, 2, 3]), .empty, .unknown]
        let snapshots = enrolments.map {
            ReaderSnapshot(isThere: true, isEnrolled: false, enrolment: $0, facts: facts) as any Word
        }
        return snapshots + [
            PrepareReader(isCasual: true, allowsWeakEnrolment: false), WatchFinger(allowsWeakEnrolment: true), StopWatching(),
            StopEnrolling(), ReaderAway(isAsleep: true, isLidClosed: false), ListFingers(), EnrollFinger(.leftThumb),
            ForgetFinger(nil), FingerReport.match(.known([7])), FingerReport.miss, FingerReport.retry(.again),
            FingerReport.failed, FingerReport.disconnected, ReadFaceModels(),
            FaceModelsRead(enrolment: .known([1, 2, 3]), stamp: [4, 5], problem: nil),
            FaceModelsRead(enrolment: .unknown, stamp: [], problem: .modelsLink),
            EnrolledFingers(fingers: [.leftThumb], isSwipe: true), EnrollingProgress(done: 1, stages: 5), EnrollingEnded(.busy),
        ]
    }
}
