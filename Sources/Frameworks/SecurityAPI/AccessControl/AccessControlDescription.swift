import ThumbAccess

// An access control as text, in the form that Apple's newer systems print: the class, then each operation with what it needs. Programs look
// for `DeviceOwnerAuthentication`, `cbio` and the like in it. The letters are the names of Apple's own tables.

extension AccessRule {
    /// - Parameter isWritten: whether an app made it with flags. An item without an access control shows its class alone.
    func described(isWritten: Bool) -> String {
        var parts = [accessibility.code] + operations(isWritten: isWritten)
        if constraints.contains(.applicationPassword) { parts.append("prp(true)") }
        // Thumbturn's own flags, spelled out so that nobody takes them for Apple's.
        if constraints.contains(.strongBiometry) { parts.append("strongBiometry(true)") }
        if constraints.contains(.signIn) { parts.append("signIn(true)") }
        return "<SecAccessControlRef: \(parts.joined(separator: ";"))>"
    }

    private func operations(isWritten: Bool) -> [String] {
        let needed = wanted
        if constraints.contains(.privateKeyUsage) {
            // Computing a key, deleting, signing, attesting, decapsulating.
            let use = needed ?? "true"
            return ["ock(\(use))", "odel(true)", "osgn(\(use))", "oa(true)", "okd(\(use))"]
        }
        // Decrypting, deleting, encrypting.
        if let needed { return ["od(\(needed))", "odel(true)", "oe(true)"] }
        return isWritten || !constraints.isEmpty ? ["dacl(true)"] : []
    }

    /// What the owner must show; nil if nothing. If there are several constraints, `pkofn` says how many of them are needed.
    private var wanted: String? {
        if constraints.contains(.userPresence) { return "cpo(DeviceOwnerAuthentication)" }
        var all: [String] = []
        if constraints.contains(.devicePasscode) { all.append("cup(true)") }
        if constraints.contains(.biometryAny) { all.append("cbio(pbioc())") }
        if constraints.contains(.biometryCurrentSet) { all.append("cbio(pbioc()pbioh())") }
        if constraints.contains(.companion) { all.append("cwtch(true)") }
        if all.count > 1 { all.insert("pkofn(\(constraints.contains(.or) ? 1 : all.count))", at: 1) }
        return all.isEmpty ? nil : all.joined()
    }
}
