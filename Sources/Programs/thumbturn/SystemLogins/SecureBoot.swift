import ThumbSystem

/// Whether this machine's firmware starts only what its owner's keys have signed.
enum SecureBoot {
    /// The variable that says so, as the kernel shows it: four bytes of attributes, then 1 for on.
    private static let variable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

    static var isOn: Bool { Transfer.file(variable, atMost: 16).map { $0.count == 5 && $0[4] == 1 } ?? false }
}
