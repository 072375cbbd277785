import LocalAuthentication

// What an app can notice of its device, one call a line: what a test types, and what the call gave. A test has the same lines answered on a
// simulated device and on a real daemon.

/// Answers each line of the input with a line that begins with a `>`.
func answerCases() {
    while let line = readLine() {
        let words = line.split(separator: " ").map(String.init)
        guard !words.isEmpty else { continue }
        FileHandle.standardOutput.write(Data("> \(answer(words))\n".utf8))
    }
}

private func answer(_ words: [String]) -> String {
    let named = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "look": return look(policy(named))
    case "ask": return ask(policy(named), reuses: words.contains("reuse"))
    case "keep" where words.count > 2: return keep(named, as: words[2])
    case "read": return read(named)
    case "enclave": return makeEnclaveKey()
    case "group": return "\(SecItemAdd(item("grouped", in: named) as CFDictionary, nil))"
    default: return "not understood"
    }
}

private func policy(_ name: String) -> LAPolicy {
    name == "owner" ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
}

private func told(_ context: LAContext) -> String { context.evaluatedPolicyDomainState == nil ? "untold" : "told" }

private func look(_ policy: LAPolicy) -> String {
    let context = LAContext()
    var error: NSError?
    let isReady = context.canEvaluatePolicy(policy, error: &error)
    var kind = "too old"
    if #available(iOS 11.0, *) {
        switch context.biometryType {
        case .touchID: kind = "touchID"
        case .faceID: kind = "faceID"
        default: kind = "none"
        }
    }
    return "\(kind) \(isReady ? "ready" : "\(error?.code ?? 0)") \(told(context))"
}

private func ask(_ policy: LAPolicy, reuses: Bool) -> String {
    let context = LAContext()
    if reuses { context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration }
    let replied = DispatchSemaphore(value: 0)
    var answer = ""
    context.evaluatePolicy(policy, localizedReason: "answer a case") { success, error in
        answer = success ? "ok \(told(context))" : "\((error as? LAError)?.errorCode ?? 0)"
        replied.signal()
    }
    replied.wait()
    return answer
}

private func item(_ name: String, in group: String? = nil) -> [String: Any] {
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "cases", kSecAttrAccount as String: name,
        kSecValueData as String: Data("secret".utf8),
    ]
    if let group { item[kSecAttrAccessGroup as String] = group }
    return item
}

private func keep(_ guarded: String, as name: String) -> String {
    let flags: SecAccessControlCreateFlags
    switch guarded {
    case "present": flags = .biometryCurrentSet
    case "any": flags = .biometryAny
    case "passcode": flags = .devicePasscode
    default: flags = .userPresence
    }
    let isBound = guarded == "bound"
    let accessible = isBound ? kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly : kSecAttrAccessibleWhenUnlocked
    guard let rule = SecAccessControlCreateWithFlags(nil, accessible, flags, nil) else { return "no such rule" }
    var new = item(name)
    new[kSecAttrAccessControl as String] = rule
    return "\(SecItemAdd(new as CFDictionary, nil))"
}

private func read(_ name: String) -> String {
    var query = item(name)
    query[kSecValueData as String] = nil
    query[kSecReturnData as String] = true
    var result: AnyObject?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return status == errSecSuccess ? String(decoding: result as? Data ?? Data(), as: UTF8.self) : "\(status)"
}

private func makeEnclaveKey() -> String {
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
    ]
    var error: Unmanaged<CFError>?
    if SecKeyCreateRandomKey(attributes as CFDictionary, &error) != nil { return "made" }
    return "\(error.map { CFErrorGetCode($0.takeRetainedValue()) } ?? 0)"
}
