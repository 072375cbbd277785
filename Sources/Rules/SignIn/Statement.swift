/// What a device signs: who wants what, from which server, over which challenge, with which key (docs/developers/sign-in.md, The
/// statement).
public struct Statement: Sendable, Hashable {
    public var origin: Origin
    public var account: AccountName
    public var purpose: Purpose
    public var challenge: Challenge
    public var device: DeviceID

    public init(origin: Origin, account: AccountName, purpose: Purpose, challenge: Challenge, device: DeviceID) {
        self.origin = origin
        self.account = account
        self.purpose = purpose
        self.challenge = challenge
        self.device = device
    }

    /// No other kind of signature by Thumbturn begins like this.
    static let domain = "thumbturn sign-in 1"

    /// The longest possible statement. Longer ones aren't looked at.
    public static let longest =
        domain.utf8.count + Line.allCases.reduce(0) { $0 + $1.start.utf8.count } + Origin.longest + AccountName.longest
        + Purpose.longest + 2 * Digest32.textBytes + 1 + Line.allCases.count

    /// The six lines.
    public var text: String {
        let values = [origin.text, account.text, purpose.rawValue, challenge.text, device.text]
        return zip(Line.allCases, values).reduce(Self.domain + "\n") { $0 + $1.0.start + $1.1 + "\n" }
    }

    /// What is signed.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// Reads a statement in its one form.
    /// - Throws: `.statementMalformed` for everything else, so that what was read encodes to exactly the bytes it was read from.
    public init(_ bytes: [UInt8]) throws(SignInRefusal) {
        guard bytes.count <= Self.longest else { throw .statementMalformed }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(Self.domain.utf8) == true else { throw .statementMalformed }
        func value(_ line: Line) -> String? {
            guard let bytes = lines.popFirst(), bytes.starts(with: line.start.utf8) else { return nil }
            return String(validating: bytes.dropFirst(line.start.utf8.count), as: UTF8.self)
        }
        // An empty piece after the last line feed shows that nothing else follows.
        guard let origin = value(.origin).flatMap({ Origin($0) }), let account = value(.account).flatMap({ AccountName($0) }),
            let purpose = value(.purpose).flatMap({ Purpose(rawValue: $0) }),
            let challenge = value(.challenge).flatMap({ Challenge(text: $0) }),
            let device = value(.device).flatMap({ DeviceID(text: $0) }), lines.count == 1, lines.first?.isEmpty == true
        else { throw .statementMalformed }
        self.init(origin: origin, account: account, purpose: purpose, challenge: challenge, device: device)
    }

    /// The lines after the domain word, in order.
    private enum Line: String, CaseIterable {
        case origin
        case account
        case purpose
        case challenge
        case device

        var start: String { rawValue + " " }
    }
}

/// What a device is asked to sign: a statement without the device's line, which only the device itself adds.
public struct StatementRequest: Sendable, Hashable {
    public var origin: Origin
    public var account: AccountName
    public var purpose: Purpose
    public var challenge: Challenge

    public init(origin: Origin, account: AccountName, purpose: Purpose, challenge: Challenge) {
        self.origin = origin
        self.account = account
        self.purpose = purpose
        self.challenge = challenge
    }

    /// The complete statement for the device that is asked.
    public func statement(of device: DeviceID) -> Statement {
        Statement(origin: origin, account: account, purpose: purpose, challenge: challenge, device: device)
    }
}
