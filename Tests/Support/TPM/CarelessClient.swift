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
        for first: UInt32 in [0x8000_0000, 0x0200_0000, 0x0300_0000] {
            var more = TPMI_YES_NO(0)
            var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>!
            try check(Esys_GetCapability(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, 1, first, 64, &more, &data))
            defer { Esys_Free(data) }
            let count = Int(data.pointee.data.handles.count)
            withUnsafeBytes(of: &data.pointee.data.handles.handle) { bytes in
                all += (0..<count).map { bytes.load(fromByteOffset: 4 * $0, as: UInt32.self) }
            }
        }
        return all
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

    public func setAuthorization(_ handle: ESYS_TR, _ authorization: [UInt8]) throws {
        var value = TPM2B_AUTH()
        value.size = UInt16(authorization.count)
        withUnsafeMutableBytes(of: &value.buffer) { $0.copyBytes(from: authorization) }
        try check(Esys_TR_SetAuth(context, handle, &value))
    }

    /// What a key and a peer's point share, asked for in clear.
    public func agree(_ handle: ESYS_TR, x: [UInt8], y: [UInt8]) throws -> [UInt8] {
        var point = TPM2B_ECC_POINT()
        for (bytes, part) in [(x, \TPMS_ECC_POINT.x), (y, \TPMS_ECC_POINT.y)] {
            point.point[keyPath: part].size = UInt16(bytes.count)
            withUnsafeMutableBytes(of: &point.point[keyPath: part].buffer) { $0.copyBytes(from: bytes) }
        }
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

    /// Lets the TPM lock itself after so many wrong authorizations, for a long time.
    public func lockAfter(_ tries: UInt32) throws {
        try check(
            Esys_DictionaryAttackParameters(
                context, ESYS_TR(ESYS_TR_RH_LOCKOUT), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR_NONE, ESYS_TR_NONE, tries, 100_000,
                100_000))
    }
}
