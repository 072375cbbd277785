import Testing

@testable import ThumbConversation

/// The words of one role, as the module reads them and as docs/PROTOCOL.md has them.
struct Role: Sendable, CustomTestStringConvertible {
    static let peers = [app, prompt, agent, login, polkitAgent]
    static let ofHelpers = [toHelper, fromHelper]
    static let ofFront = [toDevice, fromDevice, fromWantsLine]
    static let all = peers + [toPrompt, toPolkitAgent] + ofHelpers + ofFront + ofBrokers

    static let app = Role(
        "an app",
        [
            2, 3, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
            40,
            41,
            50,
            51, 52, 53, 54, 55,
            56, 57, 58, 70, 71, 72, 73, 80, 81, 82, 83, 84, 85, 86, 87,
        ], FromApp.init)
    static let prompt = Role("a prompt", [60, 61, 62, 64, 65, 66], FromPrompt.init)
    static let agent = Role("an agent", [15], FromAgent.init)
    static let login = Role("the system's login", [15, 63, 67, 74], FromLogin.init)
    static let polkitAgent = Role("polkit's agent", [15, 68, 69, 190, 191], FromPolkitAgent.init)
    static let toPolkitAgent = Role("the daemon to polkit's agent", [90, 92, 134, 137, 139, 164], ToPolkitAgent.init)
    static let toPrompt = Role("the daemon to a prompt", [160, 161, 165], ToPrompt.init)
    static let toHelper = Role("the daemon to a helper", Kinds.toHelper, ToHelper.init)
    static let fromHelper = Role("a helper", Kinds.fromHelper, FromHelper.init)

    static let toDevice = Role("the front to a device", [202, 203, 204, 205, 206, 207, 208, 210, 213, 214], ToDevice.init)
    static let fromDevice = Role("a device to the front", [130, 209], FromDevice.init)
    static let fromWantsLine = Role("a device that wants something", [211], FromWantsLine.init)

    let testDescription: String
    /// The page's numbers of what it may say after its hello.
    let numbers: Set<UInt8>
    /// The word in a frame, as the role's set takes it.
    let read: @Sendable (Frame) throws(Refusal) -> any Word

    init<Words>(
        _ name: String, _ numbers: Set<UInt8>, _ take: @escaping @Sendable (Frame) throws(Refusal) -> Words
    ) {
        testDescription = name
        self.numbers = numbers
        read = { (frame: Frame) throws(Refusal) -> any Word in
            // Every case of a set has its word, and nothing else.
            Mirror(reflecting: try take(frame)).children.first!.value as! any Word
        }
    }

    /// Whether its set refuses a frame for the frame's kind.
    func isOutOfPlace(_ frame: Frame) -> Bool {
        let why = whyUnreadable { () throws(Refusal) in try read(frame) }
        return why == .notAllowedInThisRole || why == .unknownKind
    }

    /// Why the page has it refuse each word of a kind; nil if it may be said.
    func refusal(of kind: WordKind) -> Refusal? {
        if numbers.contains(kind.rawValue) { return nil }
        return Kinds.requests.contains(kind.rawValue) ? .notAllowedInThisRole : .unknownKind
    }
}
