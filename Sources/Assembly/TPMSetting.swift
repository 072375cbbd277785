import ThumbCustody

/// Which TPM, if any, holds keys that must not leave. One setting is one TPM, whatever the number of devices.
public struct TPMSetting: Sendable {
    /// Nothing is sent to it before the first call.
    let chip: (any TPM)?

    /// No TPM: such keys are refused, until the owner allows software instead.
    public static let none = TPMSetting(chip: nil)
    /// The machine's own TPM, if this user may use it at the first call; otherwise none.
    public static let found = TPMSetting(chip: TPMRoute.found.map { TPMChip($0) })

    /// Reads `none`, `device`, `tabrmd` or `swtpm:/PATH`; nil for anything else.
    public init?(_ word: String) {
        if word == "none" { self = .none } else if let route = TPMRoute(word) { chip = TPMChip(route) } else { return nil }
    }

    /// The TPM of a device in system mode, behind the TPM's keeper. It is looked for once, now, like `found`. If there is nothing now, the
    /// machine has no TPM; if there is nothing later, the keeper can't be reached.
    ///
    /// - Parameter reach: makes a connection on which the keeper knows which user it serves, and which the setting takes over.
    public init(reach: @escaping @Sendable () -> Int32?) { chip = reach().map { RemoteTPM(connected: $0, reach: reach) } }

    private init(chip: (any TPM)?) { self.chip = chip }
}
