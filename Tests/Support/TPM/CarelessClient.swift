import CThumbTSS

/// A TPM's user without our manners: it sends secrets in clear, leaves objects behind, and guesses.
public final class CarelessClient {
    public struct Refused: Error { public let number: UInt32 }

    private let way: RecordingTCTI
    public private(set) var context: OpaquePointer!

    public init(_ way: RecordingTCTI) throws {
        self.way = way
        var version = TSS2_ABI_VERSION(tssCreator: 1, tssFamily: 2, tssLevel: 1, tssVersion: 108)
        try check(Esys_Initialize(&context, way.context, &version))
        let result = Esys_Startup(context, TPM2_SU(0))
        if result != 0x100 { try check(result) }
    }

    deinit { leave() }

    /// Goes, leaving everything in the TPM as it is.
    public func leave() {
        guard context != nil else { return }
        Esys_Finalize(&context)
        context = nil
        way.close()
    }

    public func check(_ result: UInt32) throws {
        if result != 0 { throw Refused(number: result) }
    }

    /// How many objects and sessions the TPM holds.
    public func held() throws -> [UInt32] {
        var all: [UInt32] = []
        for first: UInt32 in [0x8000_0000, 0x0200_0000, 0x0300_0000] { all += try handles(from: first) }
        return all
    }

    /// The owner's NV indexes.
    public func indexes() throws -> [UInt32] { try handles(from: 0x0180_0000).filter { $0 < 0x01C0_0000 } }

    /// Takes an index away, as the owner may.
    public func undefine(_ index: UInt32) throws {
        var handle = ESYS_TR_NONE
        try check(Esys_TR_FromTPMPublic(context, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle))
        try check(
            Esys_NV_UndefineSpace(
                context, ESYS_TR(ESYS_TR_RH_OWNER), handle, ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE))
    }

    /// Makes an index of eight bytes with these attributes, as the owner may.
    public func define(_ index: UInt32, attributes: UInt32, authorization: [UInt8]) throws {
        var value = TPM2B_AUTH()
        value.size = UInt16(authorization.count)
        withUnsafeMutableBytes(of: &value.buffer) { $0.copyBytes(from: authorization) }
        var area = TPM2B_NV_PUBLIC()
        area.nvPublic.nvIndex = index
        area.nvPublic.nameAlg = 0x000B
        area.nvPublic.attributes = attributes
        area.nvPublic.dataSize = 8
        var handle = ESYS_TR_NONE
        try check(
            Esys_NV_DefineSpace(
                context, ESYS_TR(ESYS_TR_RH_OWNER), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, &value, &area, &handle)
        )
    }

    /// Measures something into the register that stands for the machine's start.
    public func measure(_ digest: [UInt8]) throws {
        var values = TPML_DIGEST_VALUES()
        values.count = 1
        values.digests.0.hashAlg = 0x000B
        withUnsafeMutableBytes(of: &values.digests.0.digest.sha256) { $0.copyBytes(from: digest) }
        try check(Esys_PCR_Extend(context, 7, ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, &values))
    }

    private func handles(from first: UInt32) throws -> [UInt32] {
        var more = TPMI_YES_NO(0)
        var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>!
        try check(Esys_GetCapability(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, 1, first, 64, &more, &data))
        defer { Esys_Free(data) }
        let count = Int(data.pointee.data.handles.count)
        return withUnsafeBytes(of: &data.pointee.data.handles.handle) { bytes in
            (0..<count).map { bytes.load(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
    }

    /// Makes a primary key from a template, with an authorization that crosses in clear, and leaves it in the TPM.
    public func makePrimary(_ template: [UInt8], authorization: [UInt8] = []) throws -> ESYS_TR {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        sensitive.sensitive.userAuth.size = UInt16(authorization.count)
        withUnsafeMutableBytes(of: &sensitive.sensitive.userAuth.buffer) { $0.copyBytes(from: authorization) }
        let sized = [UInt8(template.count >> 8), UInt8(template.count & 0xFF)] + template
        var area = TPM2B_PUBLIC()
        var place = 0
        try check(Tss2_MU_TPM2B_PUBLIC_Unmarshal(sized, sized.count, &place, &area))
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var handle = ESYS_TR_NONE
        try check(
            Esys_CreatePrimary(
                context, ESYS_TR(ESYS_TR_RH_OWNER), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &area,
                &outside, &registers, &handle, nil, nil, nil, nil))
        return handle
    }

    /// Brings a key in from outside, with its scalar or without: one that may sign and agree.
    public func load(point: [UInt8], scalar: [UInt8]? = nil) throws -> ESYS_TR {
        var area = TPM2B_PUBLIC()
        area.publicArea.type = 0x0023
        area.publicArea.nameAlg = 0x000B
        // Authorized by its value, no dictionary-attack protection, decrypts and signs; not fixed to anything.
        area.publicArea.objectAttributes = 0x0006_0440
        area.publicArea.parameters.eccDetail.symmetric.algorithm = 0x0010
        area.publicArea.parameters.eccDetail.scheme.scheme = 0x0010
        area.publicArea.parameters.eccDetail.curveID = 0x0003
        area.publicArea.parameters.eccDetail.kdf.scheme = 0x0010
        Self.set(&area.publicArea.unique.ecc.x, Array(point[1...32]))
        Self.set(&area.publicArea.unique.ecc.y, Array(point[33...]))
        var handle = ESYS_TR_NONE
        // The null hierarchy: what is brought in with its private half has no other.
        let hierarchy = ESYS_TR(ESYS_TR_RH_NULL)
        guard let scalar else {
            try check(
                Esys_LoadExternal(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil, &area, hierarchy, &handle))
            return handle
        }
        var sensitive = TPM2B_SENSITIVE()
        sensitive.sensitiveArea.sensitiveType = 0x0023
        Self.set(&sensitive.sensitiveArea.sensitive.ecc, scalar)
        try check(
            Esys_LoadExternal(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &area, hierarchy, &handle))
        return handle
    }

    public func flush(_ handle: ESYS_TR) { _ = Esys_FlushContext(context, handle) }

    /// Whether an ECDSA signature over 32 bytes is a key's; fails where the TPM can't say.
    public func verify(_ handle: ESYS_TR, _ digest: [UInt8], r: [UInt8], s: [UInt8]) throws -> Bool {
        var input = TPM2B_DIGEST()
        input.size = UInt16(digest.count)
        withUnsafeMutableBytes(of: &input.buffer) { $0.copyBytes(from: digest) }
        var signature = TPMT_SIGNATURE()
        signature.sigAlg = 0x0018
        signature.signature.ecdsa.hash = 0x000B
        Self.set(&signature.signature.ecdsa.signatureR, r)
        Self.set(&signature.signature.ecdsa.signatureS, s)
        let result = Esys_VerifySignature(
            context, handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &input, &signature, nil)
        // TPM_RC_SIGNATURE, for the second parameter.
        if result == 0x2DB { return false }
        try check(result)
        return true
    }

    private static func set(_ number: inout TPM2B_ECC_PARAMETER, _ bytes: [UInt8]) {
        number.size = UInt16(bytes.count)
        withUnsafeMutableBytes(of: &number.buffer) { $0.copyBytes(from: bytes) }
    }

    public func setAuthorization(_ handle: ESYS_TR, _ authorization: [UInt8]) throws {
        var value = TPM2B_AUTH()
        value.size = UInt16(authorization.count)
        withUnsafeMutableBytes(of: &value.buffer) { $0.copyBytes(from: authorization) }
        try check(Esys_TR_SetAuth(context, handle, &value))
    }

    /// What a key and a peer's point share, asked for in clear.
    public func agree(_ handle: ESYS_TR, x: [UInt8], y: [UInt8]) throws -> [UInt8] {
        var point = TPM2B_ECC_POINT()
        Self.set(&point.point.x, x)
        Self.set(&point.point.y, y)
        var shared: UnsafeMutablePointer<TPM2B_ECC_POINT>!
        try check(
            Esys_ECDH_ZGen(context, handle, ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, &point, &shared))
        defer { Esys_Free(shared) }
        let size = Int(shared.pointee.point.x.size)
        return withUnsafeBytes(of: &shared.pointee.point.x.buffer) { Array($0.prefix(size)) }
    }

    /// Puts a primary key where machines keep their storage root.
    public func keep(_ handle: ESYS_TR, at place: UInt32) throws {
        var kept = ESYS_TR_NONE
        try check(
            Esys_EvictControl(
                context, ESYS_TR(ESYS_TR_RH_OWNER), handle, ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, place, &kept))
    }

    /// Has the TPM forget the wrong authorizations that it counts, as its owner may.
    public func forgetGuesses() throws {
        try check(
            Esys_DictionaryAttackLockReset(
                context, ESYS_TR(ESYS_TR_RH_LOCKOUT), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE))
    }

    /// Lets the TPM lock itself after so many wrong authorizations, for a long time.
    public func lockAfter(_ tries: UInt32) throws {
        try check(
            Esys_DictionaryAttackParameters(
                context, ESYS_TR(ESYS_TR_RH_LOCKOUT), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, tries, 100_000,
                100_000))
    }
}
