import ThumbAccess
import ThumbCarrying
import ThumbSecrets

@testable import ThumbCompanion

/// What another machine sends: parcels between carriers, the frames of a pairing, and a question once its box is open. An input's first byte
/// says which of them the rest is.
enum CompanionTarget {
    static let target = FuzzTarget(
        "companions", longest: 400,
        sources: [
            "Sources/Parts/Carrying/Parcel.swift", "Sources/Rules/Companion/CompanionForms.swift",
            "Sources/Rules/Companion/QuestionForm.swift", "Sources/Rules/Companion/PairingStates.swift#PairingOffered.answered",
            "Sources/Rules/Companion/PairingStates.swift#PairingAnswered.init",
            "Sources/Rules/Companion/PairingStates.swift#PairingAnswered.opened",
        ],
        seeds: { try seeds() },
        parse: { input in
            let rest = Array(input.dropFirst())
            switch input.first {
            case 0: try parcels(rest)
            case 1: return try question(rest)
            case 2: return try name(taken { () throws(CompanionRefusal) in try offered().answered(rest) })
            case 3: return try name(taken { () throws(CompanionRefusal) in try answered(commitment).opened(rest) })
            case 4:
                let state = try taken { () throws(CompanionRefusal) in try answered(rest) }
                try must(state == nil || rest.count == commitment.count, "a commitment has \(rest.count) bytes")
            default: break
            }
            return nil
        })

    private static func taken<Value>(_ read: () throws(CompanionRefusal) -> Value) throws(Wrong) -> Value? {
        try accepted(read) { $0 != .failed }
    }

    // MARK: Forms

    /// Read at once and byte by byte, and written again.
    private static func parcels(_ bytes: [UInt8]) throws {
        var (whole, piecewise) = (ParcelReader(), ParcelReader())
        let read = try accepted { () throws(ParcelReader.Malformed) in
            try whole.take(bytes)
        } or: { _ in
            true
        }
        let pieces = try accepted { () throws(ParcelReader.Malformed) -> [Parcel] in
            var all: [Parcel] = []
            for byte in bytes { all += try piecewise.take([byte]) }
            return all
        } or: { _ in
            true
        }
        try must(read == pieces, "a stream's pieces are other parcels")
        let written = (read ?? []).flatMap(\.bytes)
        try must(bytes.starts(with: written), "a parcel is another than its bytes")
    }

    private static func question(_ bytes: [UInt8]) throws -> [UInt8]? {
        let read = try taken { () throws(CompanionRefusal) in try QuestionForm(bytes) }
        guard let read else { return nil }
        let again = try QuestionForm(read.question, challenge: Array(bytes.prefix(FormBytes.nonce)))
        try must(again.bytes == bytes && again.question == read.question, "a question isn't read as it is written")
        return Array(read.question.reason.utf8)
    }

    private static func name(_ compared: PairingCompared?) throws(Wrong) -> [UInt8]? {
        guard let compared else { return nil }
        try must(compared.code.count == 6 && compared.code.allSatisfy(\.isNumber), "a code is '\(compared.code)'")
        try must(compared.id.count == FormBytes.pairing && compared.link.count == FormBytes.point, "a pairing is too short")
        try must(PairingWish.isName(compared.name), "a machine's name is no name")
        return Array(compared.name.utf8)
    }

    private static func offered() throws(CompanionRefusal) -> PairingOffered {
        try PairingOffered(OpenCrypto(), link: [UInt8](repeating: 4, count: FormBytes.point), name: "desk")
    }

    private static func answered(_ commitment: [UInt8]) throws(CompanionRefusal) -> PairingAnswered {
        let point = [UInt8](repeating: 4, count: FormBytes.point)
        return try PairingAnswered(OpenCrypto(), commitment, link: point, yes: point, name: "laptop")
    }

    /// What every opening opens.
    private static let commitment: [UInt8] = [1, 1] + [UInt8](repeating: 0, count: FormBytes.hash)

    /// Every hash is the same, so that a commitment isn't in the way.
    private struct OpenCrypto: CompanionCrypto {
        func random(_ count: Int) throws(CompanionRefusal) -> [UInt8] { [UInt8](repeating: 5, count: count) }
        func hash(_ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8] { [UInt8](repeating: 0, count: FormBytes.hash) }
        func makeFreshKey() throws(CompanionRefusal) -> any FreshKey { throw .failed }
        func derive(
            _ secrets: [SecretBytes], salt: [UInt8], info: String
        ) throws(CompanionRefusal) -> (asking: SecretBytes, companion: SecretBytes) { throw .failed }
        func seal(_ bytes: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] { throw .failed }
        func open(_ box: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] { throw .failed }
        func isSignature(_ signature: [UInt8], of digest: [UInt8], by publicKey: [UInt8]) throws(CompanionRefusal) -> Bool {
            false
        }
    }

    // MARK: Seeds

    private static func seeds() throws -> [[UInt8]] {
        let id = [UInt8](repeating: 9, count: FormBytes.pairing)
        let parcels = [Parcel(id), Parcel(id, [1, 2, 3])].flatMap(\.bytes)
        let program = ProgramWords(
            kind: .protected, name: "vault", path: "/usr/bin/vault", place: .system, claim: "org.example.vault", process: 77)
        let rule = try AccessRule(.whenUnlocked, [.biometryAny, .or, .companion])
        let signIn = SignInWords(origin: "https://bank.example", account: "anna", purpose: .signIn)
        let questions = [
            CompanionQuestion(program: program, reason: "open the vault", signIn: nil, subject: .policy(.companion)),
            CompanionQuestion(program: ProgramWords(), reason: "", signIn: signIn, subject: .rule(rule, .signWithKey)),
        ]
        let challenge = [UInt8](repeating: 3, count: FormBytes.nonce)
        return [
            [0] + parcels, [0] + parcels + [0, 0, 0, 15, 1], [0, 0, 0, 64],
            try [2] + answered(commitment).frame,
            [3, 3] + [UInt8](repeating: 5, count: FormBytes.nonce) + [UInt8](repeating: 4, count: FormBytes.point) + [0, 4]
                + Array("desk".utf8),
            [4] + commitment, [4, 1, 2],
        ] + (try questions.map { try [1] + QuestionForm($0, challenge: challenge).bytes })
    }
}
