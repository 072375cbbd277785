internal import ThumbCustody

/// Which TPM, if any, holds keys that must not leave.
public struct TPMSetting: Sendable {
    private enum Choice: Sendable {
        case none, found
        case at(TPMRoute)
    }

    private let choice: Choice

    /// None: such keys are refused, until the owner allows software in its place.
    public static let none = TPMSetting(choice: .none)
    /// The machine's own if this user may use it, else none.
    public static let found = TPMSetting(choice: .found)

    /// Reads `none`, `device`, `tabrmd` or `swtpm:/PATH`; nil for anything else.
    public init?(_ word: String) {
        if word == "none" { self = .none } else if let route = TPMRoute(word) { choice = .at(route) } else { return nil }
    }

    private init(choice: Choice) { self.choice = choice }

    var route: TPMRoute? {
        switch choice {
        case .none: return nil
        case .at(let route): return route
        case .found: return .found
        }
    }
}
