import ThumbCustody

/// Which TPM, if any, holds keys that must not leave. One setting is one TPM, for however many devices.
public struct TPMSetting: Sendable {
    /// Nothing is sent to it before something is asked.
    let chip: (any TPM)?

    /// None: such keys are refused, until the owner allows software in its place.
    public static let none = TPMSetting(chip: nil)
    /// The machine's own if this user may use it when first asked, else none.
    public static let found = TPMSetting(chip: TPMRoute.found.map { TPMChip($0) })

    /// Reads `none`, `device`, `tabrmd` or `swtpm:/PATH`; nil for anything else.
    public init?(_ word: String) {
        if word == "none" { self = .none } else if let route = TPMRoute(word) { chip = TPMChip(route) } else { return nil }
    }

    /// A device's of system mode, behind the TPM's keeper. It is looked for once, now, as `found` is: nil then means that the machine has
    /// none, and later that the keeper can't be reached.
    ///
    /// - Parameter reach: makes a connection on which the keeper knows whom it serves, which the setting takes over.
    public init(reach: @escaping @Sendable () -> Int32?) { chip = reach().map { RemoteTPM(connected: $0, reach: reach) } }

    private init(chip: (any TPM)?) { self.chip = chip }
}
