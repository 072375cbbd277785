import ThumbCustody

/// Which TPM, if any, holds keys that must not leave. One setting is one TPM, for however many devices.
public struct TPMSetting: Sendable {
    /// Nothing is sent to it before something is asked.
    let chip: TPMChip?

    /// None: such keys are refused, until the owner allows software in its place.
    public static let none = TPMSetting(chip: nil)
    /// The machine's own if this user may use it when first asked, else none.
    public static let found = TPMSetting(chip: TPMRoute.found.map { TPMChip($0) })

    /// Reads `none`, `device`, `tabrmd` or `swtpm:/PATH`; nil for anything else.
    public init?(_ word: String) {
        if word == "none" { self = .none } else if let route = TPMRoute(word) { chip = TPMChip(route) } else { return nil }
    }

    private init(chip: TPMChip?) { self.chip = chip }
}
