import CThumbTSS

/// One open connection to a TPM, in the stack's form.
@safe final class TCTI: @unchecked Sendable {
    // @unchecked: only the link uses this, and one thread uses the link.
    let context: OpaquePointer
    let isDirect: Bool
    private let end: () -> Void

    /// Takes over a context that is already open; `end` closes it.
    @unsafe init(context: OpaquePointer, isDirect: Bool, end: @escaping () -> Void) {
        unsafe self.context = context
        self.isDirect = isDirect
        self.end = end
    }

    /// Opens it; fails with `absent`.
    convenience init(_ route: TPMRoute) throws(TPMError) {
        switch route {
        case .device:
            unsafe try self.init(route, TPMRoute.devicePath) { unsafe Tss2_Tcti_Device_Init($0, $1, $2) }
        case .swtpm(let path):
            unsafe try self.init(route, "path=" + path) { unsafe Tss2_Tcti_Swtpm_Init($0, $1, $2) }
        case .tabrmd:
            // The library depends on GLib, so it isn't linked. The loader only ever gets our own fixed name.
            var opened: OpaquePointer?
            let result = unsafe Tss2_TctiLdr_Initialize("tabrmd", &opened)
            guard result == 0, let opened = unsafe opened else {
                throw TPMError(.absent, "reaching the TPM's broker", number: result)
            }
            unsafe self.init(context: opened, isDirect: false) {
                var closing: OpaquePointer? = unsafe opened
                unsafe Tss2_TctiLdr_Finalize(&closing)
            }
        }
    }

    private convenience init(
        _ route: TPMRoute, _ configuration: String,
        _ start: (OpaquePointer?, UnsafeMutablePointer<Int>?, UnsafePointer<CChar>?) -> UInt32
    ) throws(TPMError) {
        // Called without a context, it returns how much room it needs.
        var size = 0
        var result = unsafe start(nil, &size, nil)
        guard result == 0, size > 0 else { throw TPMError(.absent, "preparing the way to the TPM", number: result) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let opened = OpaquePointer(memory)
        result = unsafe configuration.withCString { unsafe start(opened, &size, $0) }
        guard result == 0 else {
            unsafe memory.deallocate()
            throw TPMError(.absent, "reaching the TPM", number: result)
        }
        unsafe self.init(context: opened, isDirect: route.isDirect) {
            unsafe thumb_tcti_finalize(opened)
            unsafe memory.deallocate()
        }
    }

    deinit { end() }
}
