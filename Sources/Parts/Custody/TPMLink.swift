import CThumbTSS

/// One connection to a TPM, with what the TPM holds for us: a storage key to make keys under, one salted session, and at most one loaded
/// key. That is three objects at most, all that the smallest TPM has room for.
@safe final class TPMLink {
    // Both the stack's and the TPM's names for a parent. One thread uses a link.
    struct Parent {
        let handle: ESYS_TR
        let name: [UInt8]
        let isPersistent: Bool
    }

    /// Where machines keep the storage root, according to TCG's provisioning guidance.
    static let persistentRoot: UInt32 = 0x8100_0001

    let tcti: TCTI
    let context: OpaquePointer
    private(set) var parents: [Parent] = []
    private(set) var session = ESYS_TR_NONE
    private var loaded: (key: TPMSeal, handle: ESYS_TR)?
    /// The stack's handles of counters that were read and are ours.
    var counters: [UInt32: ESYS_TR] = [:]
    /// The TPM doesn't answer any more, so nothing can be flushed.
    var isLost = false

    /// Opens the link. Fails with `absent` if the TPM has no storage key that we can use, and as commands do.
    init(_ tcti: TCTI) throws(TPMError) {
        self.tcti = tcti
        // The stack uses libcrypto's defaults. Ours is set up first, so that it doesn't read the machine's configuration.
        _ = try TPMError.hash([], "setting libcrypto up")
        var version = TSS2_ABI_VERSION(tssCreator: 1, tssFamily: 2, tssLevel: 1, tssVersion: 108)
        var made: OpaquePointer?
        let result = unsafe Esys_Initialize(&made, tcti.context, &version)
        guard result == 0, let made = unsafe made else { throw TPMError(number: result, "starting the TPM stack") }
        unsafe context = made
        do throws(TPMError) {
            if tcti.isDirect { try takeOver() }
            try findParent()
            try startSession()
        } catch {
            isLost = error.code == .lost
            throw error
        }
    }

    deinit {
        if !isLost {
            unload()
            flush(session)
            for parent in parents where !parent.isPersistent { flush(parent.handle) }
        }
        unsafe thumb_tss_forget(context)
        var closing: OpaquePointer? = unsafe context
        unsafe Esys_Finalize(&closing)
    }

    func check(_ result: UInt32, _ text: StaticString) throws(TPMError) {
        if result != 0 { throw TPMError(number: result, text) }
    }

    func flush(_ handle: ESYS_TR) {
        if handle != ESYS_TR_NONE { _ = unsafe Esys_FlushContext(context, handle) }
    }

    // MARK: Opening

    /// For a TPM that nobody else uses: starts it if necessary, and clears what a predecessor left behind.
    private func takeOver() throws(TPMError) {
        let result = unsafe Esys_Startup(context, TPM2_SU(TPM2_SU_CLEAR))
        let wasStarted: UInt32 = 0x100
        if result != 0 && result != wasStarted { throw TPMError(number: result, "starting the TPM") }
        for first: UInt32 in [0x8000_0000, 0x0200_0000, 0x0300_0000] {
            for handle in try handles(from: first) {
                var system: OpaquePointer?
                try check(unsafe Esys_GetSysContext(context, &system), "reaching below the stack")
                let result = unsafe Tss2_Sys_FlushContext(system, handle)
                if result != 0 { throw TPMError(number: result, "clearing the TPM") }
            }
        }
    }

    /// The TPM's handles of one kind: 80… objects, 02… sessions, 03… sessions whose context was saved.
    func handles(from first: UInt32) throws(TPMError) -> [UInt32] {
        var more = TPMI_YES_NO(0)
        var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try check(
            unsafe Esys_GetCapability(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP(TPM2_CAP_HANDLES), first, 64, &more, &data),
            "asking what the TPM holds")
        guard let data = unsafe data else { return [] }
        defer { unsafe Esys_Free(data) }
        let count = unsafe Int(data.pointee.data.handles.count)
        return unsafe withUnsafeBytes(of: &data.pointee.data.handles.handle) { bytes in
            (0..<min(count, bytes.count / 4)).map { unsafe bytes.load(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
    }

    /// How many wrong guesses the TPM counts, and at which count it refuses more.
    func guesses() throws(TPMError) -> (counted: Int, most: Int) {
        // TPM2_PT_LOCKOUT_COUNTER, followed by TPM2_PT_MAX_AUTH_FAIL.
        let (counter, most): (UInt32, UInt32) = (0x20E, 0x20F)
        var more = TPMI_YES_NO(0)
        var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try check(
            unsafe Esys_GetCapability(
                context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP(TPM2_CAP_TPM_PROPERTIES), counter, 2, &more, &data),
            "asking what the TPM counts")
        guard let data = unsafe data else { throw TPMError(.refused, "asking what the TPM counts") }
        defer { unsafe Esys_Free(data) }
        let (first, second) = unsafe (
            data.pointee.data.tpmProperties.tpmProperty.0, data.pointee.data.tpmProperties.tpmProperty.1
        )
        guard unsafe data.pointee.data.tpmProperties.count == 2, first.property == counter, second.property == most else {
            throw TPMError(.refused, "asking what the TPM counts")
        }
        return (Int(first.value), Int(second.value))
    }

    private func findParent() throws(TPMError) {
        var handle = ESYS_TR_NONE
        let result = unsafe Esys_TR_FromTPMPublic(
            context, Self.persistentRoot, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
        // The TPM finds fault with the handle: nothing is there. Anything else says nothing about it, and keys made below another parent
        // would be a stranger's the next time.
        if Self.isAboutHandle(result) { return try makeParent() }
        try check(result, "looking for a storage key")
        let area = try publicArea(handle)
        guard area.starts(with: TPMTemplate.storageRoot) else {
            _ = unsafe Esys_TR_Close(context, &handle)
            return try makeParent()
        }
        parents.append(Parent(handle: handle, name: try TPMTemplate.name(area), isPersistent: true))
    }

    /// Whether the TPM refuses a handle, or another argument. Its warnings, and what the stack reports itself, don't have this bit.
    private static func isAboutHandle(_ result: UInt32) -> Bool { result & 0x80 != 0 }

    /// Creates the storage root. It is the same key each time, until the TPM is cleared.
    private func makeParent() throws(TPMError) {
        var owner = ESYS_TR_NONE
        // There is no key yet to salt the session with. The owner's authorization is empty, so the session carries no secret.
        try start(&owner, salt: ESYS_TR_NONE)
        defer { flush(owner) }
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = try Self.publicArea(TPMTemplate.storageRoot + TPMTemplate.empty)
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var handle = ESYS_TR_NONE
        let result = unsafe Esys_CreatePrimary(
            context, ESYS_TR(ESYS_TR_RH_OWNER), owner, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template, &outside, &registers,
            &handle, nil, nil, nil, nil)
        // The owner's hierarchy has a password (told of the session) or is switched off (told of the handle), and there is no storage key in
        // the persistent place.
        let isRefused = [0x8A2, 0x88E, 0x085].contains(result & ~0x700)
        guard !isRefused else { throw TPMError(.absent, "the owner's authorization isn't empty", number: result) }
        try check(result, "making the storage key")
        do throws(TPMError) {
            let area = try publicArea(handle)
            guard area.starts(with: TPMTemplate.storageRoot) else { throw TPMError(.refused, "making the storage key") }
            parents.append(Parent(handle: handle, name: try TPMTemplate.name(area), isPersistent: false))
        } catch {
            flush(handle)
            throw error
        }
    }

    private func startSession() throws(TPMError) { try start(&session, salt: parents[0].handle) }

    /// What authorizes a session's commands.
    enum SessionKind: UInt8 { case value = 0, policy = 1 }

    func start(_ session: inout ESYS_TR, salt: ESYS_TR, kind: SessionKind = .value) throws(TPMError) {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = 0x0006
        unsafe cipher.keyBits.aes = 128
        unsafe cipher.mode.aes = 0x0043
        try check(
            unsafe Esys_StartAuthSession(
                context, salt, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil, TPM2_SE(kind.rawValue), &cipher,
                0x000B,
                &session),
            "starting a session")
        try use(session, encrypting: 0)
    }

    /// What a session does in the next command besides authorizing it.
    enum Encrypting {
        static let command = UInt8(TPMA_SESSION_DECRYPT)
        static let response = UInt8(TPMA_SESSION_ENCRYPT)
    }

    func use(_ session: ESYS_TR, encrypting: UInt8) throws(TPMError) {
        let flags = UInt8(TPMA_SESSION_CONTINUESESSION) | encrypting
        try check(unsafe Esys_TRSess_SetAttributes(context, session, flags, 0xFF), "setting a session")
    }

    /// The parent of that name; fails with `foreign` if this TPM has none.
    func parent(named name: [UInt8]) throws(TPMError) -> Parent {
        if let parent = parents.first(where: { $0.name == name }) { return parent }
        // The key was made before somebody put another storage key in the persistent place.
        if parents.count == 1, parents[0].isPersistent {
            do throws(TPMError) {
                try makeParent()
            } catch  where error.code == .absent {
                // The TPM's owner doesn't let us, so there is no such parent here.
            }
            if let parent = parents.first(where: { $0.name == name }) { return parent }
        }
        throw TPMError(.foreign, "looking for a key's parent")
    }

    // MARK: Public areas

    static func publicArea(_ area: [UInt8]) throws(TPMError) -> TPM2B_PUBLIC {
        let sized = [UInt8(area.count >> 8), UInt8(area.count & 0xFF)] + area
        var result = TPM2B_PUBLIC()
        var place = 0
        let code = unsafe Tss2_MU_TPM2B_PUBLIC_Unmarshal(sized, sized.count, &place, &result)
        guard code == 0, place == sized.count else { throw TPMError(.damaged, "reading a public area", number: code) }
        return result
    }

    static func bytes(_ area: UnsafePointer<TPM2B_PUBLIC>) throws(TPMError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var place = 0
        let code = unsafe Tss2_MU_TPM2B_PUBLIC_Marshal(area, &bytes, bytes.count, &place)
        guard code == 0, place >= 2 else { throw TPMError(.refused, "writing a public area", number: code) }
        return Array(bytes[2..<place])
    }

    /// Reads an object's public area, and checks that the stack means the same object.
    private func publicArea(_ handle: ESYS_TR) throws(TPMError) -> [UInt8] {
        var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try check(
            unsafe Esys_ReadPublic(context, handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &area, nil, nil),
            "reading a public area")
        guard let area = unsafe area else { throw TPMError(.refused, "reading a public area") }
        defer { unsafe Esys_Free(area) }
        let bytes = try unsafe Self.bytes(area)
        guard try name(of: handle) == TPMTemplate.name(bytes) else { throw TPMError(.refused, "comparing names") }
        return bytes
    }

    func name(of handle: ESYS_TR) throws(TPMError) -> [UInt8] {
        var name: UnsafeMutablePointer<TPM2B_NAME>?
        try check(unsafe Esys_TR_GetName(context, handle, &name), "asking for a name")
        guard let name = unsafe name else { throw TPMError(.refused, "asking for a name") }
        defer { unsafe Esys_Free(name) }
        let size = unsafe Int(name.pointee.size)
        return unsafe withUnsafeBytes(of: &name.pointee.name) { unsafe Array($0.prefix(size)) }
    }

    // MARK: The loaded key

    /// The TPM's handle of a key. The key is loaded in place of another one, unless it is loaded already.
    func handle(of key: TPMKeyMaterial) throws(TPMError) -> ESYS_TR {
        // All parts are compared, so that another object that shares one part with this key isn't taken for it.
        let asked = TPMSeal(key)
        if let loaded, loaded.key == asked { return loaded.handle }
        let parent = try parent(named: key.parent)
        unload()
        var area = try Self.publicArea(key.area)
        var wrapped = TPM2B_PRIVATE()
        let room = unsafe withUnsafeMutableBytes(of: &wrapped.buffer) { buffer in
            guard key.wrapped.count <= buffer.count else { return false }
            unsafe buffer.copyBytes(from: key.wrapped)
            return true
        }
        guard room else { throw TPMError(.damaged, "reading a wrapped key") }
        wrapped.size = UInt16(key.wrapped.count)
        try use(session, encrypting: Encrypting.command)
        var handle = ESYS_TR_NONE
        try check(
            unsafe Esys_Load(context, parent.handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &wrapped, &area, &handle),
            "loading a key")
        loaded = (asked, handle)
        guard try name(of: handle) == TPMTemplate.name(key.area) else {
            unload()
            throw TPMError(.damaged, "comparing a key's name")
        }
        return handle
    }

    func unload() {
        guard let loaded else { return }
        self.loaded = nil
        flush(loaded.handle)
    }
}
