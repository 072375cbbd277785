import CThumbTSS
import ThumbSecrets

// Secrets that come out only after a start of the machine like the one at which they were sealed.
extension TPMLink {
    /// The register into which firmware measures whom it trusts to start the machine: whether Secure Boot is on, and its keys.
    private static let register = 7
    private static let hashBytes = 32

    /// The policy that this start of the machine meets; nil if nobody has measured it.
    func policyOfStart() throws(TPMError) -> [UInt8]? {
        guard let value = try startMeasured() else { return nil }
        // TPM2_PolicyPCR extends an empty policy by its own number, the selection, and a hash of the registers' values.
        let command: [UInt8] = [0x00, 0x00, 0x01, 0x7F]
        let selection: [UInt8] = [0x00, 0x00, 0x00, 0x01, 0x00, 0x0B, 0x03, 1 << UInt8(Self.register), 0x00, 0x00]
        let values = try TPMError.hash(value, "hashing a register")
        return try TPMError.hash(
            [UInt8](repeating: 0, count: Self.hashBytes) + command + selection + values, "calculating a policy")
    }

    /// What the register holds; nil if it holds what it has after a reset, or if the TPM has no such register.
    private func startMeasured() throws(TPMError) -> [UInt8]? {
        var selection = Self.selection
        var values: UnsafeMutablePointer<TPML_DIGEST>?
        try check(
            unsafe Esys_PCR_Read(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &selection, nil, nil, &values),
            "reading how the machine was started")
        guard let values = unsafe values else { throw TPMError(.refused, "reading how the machine was started") }
        defer { unsafe Esys_Free(values) }
        guard unsafe values.pointee.count == 1, unsafe values.pointee.digests.0.size == Self.hashBytes else { return nil }
        let value = unsafe withUnsafeBytes(of: &values.pointee.digests.0.buffer) { unsafe Array($0.prefix(Self.hashBytes)) }
        return value.allSatisfy { $0 == 0 } || value.allSatisfy { $0 == 0xFF } ? nil : value
    }

    private static var selection: TPML_PCR_SELECTION {
        var selection = TPML_PCR_SELECTION()
        selection.count = 1
        selection.pcrSelections.0.hash = 0x000B
        selection.pcrSelections.0.sizeofSelect = 3
        selection.pcrSelections.0.pcrSelect.0 = 1 << UInt8(register)
        return selection
    }

    /// Runs a command in a session that has shown the TPM how the machine was started. The command's answer is sent encrypted.
    ///
    /// The TPM forgets what the session has shown as soon as anybody measures anything, into whichever register. Then it is shown again.
    func afterThisStart(_ command: (ESYS_TR) throws(TPMError) -> Void) throws(TPMError) {
        for _ in 1..<Self.showings {
            do throws(TPMError) { return try inPolicySession(command) } catch  where error.wasMeasuredMeanwhile { continue }
        }
        try inPolicySession(command)
    }

    /// While a machine starts, something is measured every few moments.
    private static let showings = 5

    private func inPolicySession(_ command: (ESYS_TR) throws(TPMError) -> Void) throws(TPMError) {
        var policy = ESYS_TR_NONE
        defer { flush(policy) }
        try start(&policy, salt: parents[0].handle, kind: .policy)
        // An empty hash: whatever the register holds now.
        var (selection, any) = (Self.selection, TPM2B_DIGEST())
        try check(
            unsafe Esys_PolicyPCR(context, policy, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &any, &selection),
            "showing how the machine was started")
        try use(policy, encrypting: Encrypting.response)
        try command(policy)
    }
}
