import CThumbTSS
import ThumbSecrets

// A counter in the TPM: an NV index that only goes up.
extension TPMLink {
    /// Where the owner's indexes begin, and how many bits of a name choose among them.
    private static let firstIndex: UInt32 = 0x0180_0000
    private static let nameBits: UInt32 = 22
    private static let bytes: UInt16 = 8
    /// As many as users that come and go on one machine.
    private static let countersRemembered = 64
    /// A counter; read and written by its own authorization; under no dictionary-attack protection.
    private static let attributes: UInt32 = 0x0000_0010 | 0x0000_0004 | 0x0004_0000 | 0x0200_0000

    /// The TPM's number for the counter of a name.
    static func index(_ name: [UInt8]) -> UInt32 {
        firstIndex + name.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } >> (32 - nameBits)
    }

    /// The counter's value; nil if there is no counter of this name, or one that never counted.
    func count(_ name: [UInt8], _ authorization: SecretBytes) throws(TPMError) -> UInt64? {
        let index = Self.index(name)
        if let known = counters[index] {
            // If anything is wrong, it may be another counter by now: it is looked up and compared again. Whoever put somebody else's index
            // there has cost us one wrong authorization at most.
            do throws(TPMError) {
                if let value = try read(known, authorization) { return value }
            } catch  where error.code != .lost {
            }
            forgetCounter(index)
        }
        guard var handle = try openCounter(index) else { return nil }
        do throws(TPMError) {
            guard let value = try read(handle, authorization) else {
                _ = unsafe Esys_TR_Close(context, &handle)
                return nil
            }
            rememberCounter(index, handle)
            return value
        } catch {
            _ = unsafe Esys_TR_Close(context, &handle)
            throw error
        }
    }

    /// A device reads its counter at each start. What the TPM says about an index needn't be asked and compared each time.
    private func rememberCounter(_ index: UInt32, _ handle: ESYS_TR) {
        if counters.count >= Self.countersRemembered { for index in counters.keys { forgetCounter(index) } }
        counters[index] = handle
    }

    private func forgetCounter(_ index: UInt32) {
        guard var handle = counters.removeValue(forKey: index) else { return }
        _ = unsafe Esys_TR_Close(context, &handle)
    }

    /// Whether we have a counter under that number.
    func hasCounter(_ index: UInt32) throws(TPMError) -> Bool {
        guard var handle = try openCounter(index) else { return false }
        _ = unsafe Esys_TR_Close(context, &handle)
        return true
    }

    /// Raises the counter by one and returns its value. Makes the counter if it doesn't exist.
    func countUp(_ name: [UInt8], _ authorization: SecretBytes) throws(TPMError) -> UInt64 {
        var handle = try openCounter(Self.index(name)) ?? ESYS_TR_NONE
        if handle == ESYS_TR_NONE { handle = try makeCounter(name, authorization) }
        defer { _ = unsafe Esys_TR_Close(context, &handle) }
        try use(session, encrypting: 0)
        try authorized(handle, by: authorization) { () throws(TPMError) in
            try check(unsafe Esys_NV_Increment(context, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE), "counting")
        }
        guard let count = try read(handle, authorization) else { throw TPMError(.refused, "reading a counter") }
        return count
    }

    private func openCounter(_ index: UInt32) throws(TPMError) -> ESYS_TR? {
        var handle = ESYS_TR_NONE
        let result = unsafe Esys_TR_FromTPMPublic(context, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        // The TPM says that the first handle names nothing.
        let isNothing: UInt32 = 0x18B
        guard result & 0xFFFF != isNothing else { return nil }
        try check(result, "looking for a counter")
        do throws(TPMError) {
            try checkForm(of: handle, index)
        } catch {
            _ = unsafe Esys_TR_Close(context, &handle)
            throw error
        }
        return handle
    }

    /// Checks that the index is ours. A wrong authorization for somebody else's might be counted as a guess.
    ///
    /// An index's name is the hash of what it is, and the stack read it when it looked the index up. So nothing more is asked of the TPM.
    private func checkForm(of handle: ESYS_TR, _ index: UInt32) throws(TPMError) {
        let found = try name(of: handle)
        for area in [Self.area(index), Self.area(index, isWritten: true)] where try TPMTemplate.name(area) == found { return }
        throw TPMError(.damaged, "comparing a counter's form")
    }

    /// A counter of ours as the TPM describes it: number, hash of its name, attributes, no policy, size.
    private static func area(_ index: UInt32, isWritten: Bool = false) -> [UInt8] {
        let written: UInt32 = isWritten ? 0x2000_0000 : 0
        return word(index) + [0x00, 0x0B] + word(attributes | written) + [0, 0] + [UInt8(bytes >> 8), UInt8(bytes & 0xFF)]
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    /// Makes a counter. Its authorization is sent encrypted.
    private func makeCounter(_ name: [UInt8], _ authorization: SecretBytes) throws(TPMError) -> ESYS_TR {
        var area = TPM2B_NV_PUBLIC()
        area.nvPublic.nvIndex = Self.index(name)
        area.nvPublic.nameAlg = 0x000B
        area.nvPublic.attributes = Self.attributes
        area.nvPublic.dataSize = Self.bytes
        var handle = ESYS_TR_NONE
        try use(session, encrypting: Encrypting.command)
        defer {
            unsafe thumb_tss_forget(context)
            forgetCopies(of: authorization)
            thumb_tss_forget_stack()
        }
        let result = try unsafe withAuthorization(authorization) {
            unsafe Esys_NV_DefineSpace(
                context, ESYS_TR(ESYS_TR_RH_OWNER), session, ESYS_TR_NONE, ESYS_TR_NONE, $0, &area, &handle)
        }
        try check(result, "making a counter")
        return handle
    }

    private func read(_ handle: ESYS_TR, _ authorization: SecretBytes) throws(TPMError) -> UInt64? {
        var data: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try use(session, encrypting: 0)
        var result: UInt32 = 0
        try authorized(handle, by: authorization) { () throws(TPMError) in
            result = unsafe Esys_NV_Read(
                context, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, Self.bytes, 0, &data)
            let neverCounted: UInt32 = 0x14A
            if result & 0xFFFF != neverCounted { try check(result, "reading a counter") }
        }
        guard result == 0, let data = unsafe data else { return nil }
        defer { unsafe Esys_Free(data) }
        guard unsafe data.pointee.size == Self.bytes else { throw TPMError(.refused, "reading a counter") }
        return unsafe withUnsafeBytes(of: &data.pointee.buffer) {
            unsafe $0.prefix(Int(Self.bytes)).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
