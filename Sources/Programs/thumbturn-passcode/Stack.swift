import CThumbLinux
import CThumbPAM
import ThumbAccess
import ThumbSecrets

/// One run of a PAM service for one account: authentication, then whether the account may be used.
final class Stack {
    /// Where PAM looks for services. If a service is in none of these, PAM would run `other`, whatever that loads, so it isn't run at all.
    private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/"]

    /// The answer to the first question whose answer isn't shown.
    private var password: SecretBytes?
    private let ask: (AccountQuestion) -> SecretBytes?
    /// How many seconds a module wants to pass after a failure.
    private var delay = 0.0

    private init(_ password: SecretBytes?, _ ask: @escaping (AccountQuestion) -> SecretBytes?) {
        self.password = password
        self.ask = ask
    }

    /// What the service says of the account with this password. `asking` answers its other questions; nil ends the conversation.
    static func judge(
        service: String, account uid: UInt32, password: SecretBytes?, asking: @escaping (AccountQuestion) -> SecretBytes?
    ) -> (AccountVerdict, delay: Double) {
        let isThere = folders.contains { unsafe access($0 + service, R_OK) == 0 }
        guard isThere, let entry = unsafe getpwuid(uid), let name = unsafe entry.pointee.pw_name else { return (.unavailable, 0) }
        let stack = Stack(password, asking)
        let verdict = stack.run(service, unsafe String(cString: name))
        return (verdict, stack.delay)
    }

    private func run(_ service: String, _ user: String) -> AccountVerdict {
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        var conversation = unsafe pam_conv(conv: Self.converse, appdata_ptr: own)
        var handle: OpaquePointer?
        guard unsafe pam_start(service, user, &conversation, &handle) == PAM_SUCCESS, let handle = unsafe handle else {
            return .unavailable
        }
        // PAM would sleep here. Instead the daemon lets the time pass, where it holds nobody up.
        let noted: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { status, delay, own in
            guard status != PAM_SUCCESS, let own = unsafe own else { return }
            unsafe Unmanaged<Stack>.fromOpaque(own).takeUnretainedValue().delay = Double(delay) / 1e6
        }
        unsafe pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(noted, to: UnsafeRawPointer.self))
        // An account without a password opens nothing, whatever the service's file says.
        var status = unsafe pam_authenticate(handle, Int32(bitPattern: UInt32(PAM_DISALLOW_NULL_AUTHTOK)))
        var verdict = Self.authentication(status)
        if verdict == .right {
            status = unsafe pam_acct_mgmt(handle, Int32(bitPattern: UInt32(PAM_DISALLOW_NULL_AUTHTOK)))
            verdict = Self.account(status)
        }
        unsafe pam_end(handle, status)
        return verdict
    }

    // MARK: What PAM's numbers mean here

    private static func authentication(_ status: Int32) -> AccountVerdict {
        switch status {
        case PAM_SUCCESS: .right
        case PAM_AUTH_ERR: .wrong
        case PAM_NEW_AUTHTOK_REQD, PAM_AUTHTOK_EXPIRED: .expired
        case PAM_MAXTRIES, PAM_PERM_DENIED, PAM_ACCT_EXPIRED: .locked
        default: .unavailable
        }
    }

    private static func account(_ status: Int32) -> AccountVerdict {
        switch status {
        case PAM_SUCCESS: .right
        case PAM_NEW_AUTHTOK_REQD, PAM_AUTHTOK_EXPIRED: .expired
        case PAM_ACCT_EXPIRED, PAM_PERM_DENIED, PAM_AUTH_ERR, PAM_USER_UNKNOWN: .locked
        default: .unavailable
        }
    }

    // MARK: The conversation

    private static let converse:
        @convention(c) (
            Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?, UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?,
            UnsafeMutableRawPointer?
        ) -> Int32 = { count, messages, responses, own in
            guard count > 0, count <= PAM_MAX_NUM_MSG, let messages = unsafe messages, let responses = unsafe responses,
                let own = unsafe own, let room = unsafe calloc(Int(count), MemoryLayout<pam_response>.stride)
            else { return PAM_CONV_ERR }
            let stack = unsafe Unmanaged<Stack>.fromOpaque(own).takeUnretainedValue()
            let answers = unsafe room.bindMemory(to: pam_response.self, capacity: Int(count))
            for index in 0..<Int(count) {
                guard let message = unsafe messages[index], let answered = unsafe stack.answer(message.pointee) else {
                    unsafe erase(answers, index)
                    return PAM_CONV_ERR
                }
                unsafe answers[index].resp = answered
            }
            unsafe responses.pointee = answers
            return PAM_SUCCESS
        }

    /// The answer, in memory that PAM frees. Messages that ask nothing get an empty one. nil ends the conversation.
    private func answer(_ message: pam_message) -> UnsafeMutablePointer<CChar>? {
        switch unsafe message.msg_style {
        case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON:
            let isHidden = unsafe message.msg_style == PAM_PROMPT_ECHO_OFF
            if isHidden, let typed = password {
                password = nil
                return unsafe Self.string(typed)
            }
            let text = unsafe message.msg.map { unsafe String(cString: $0) } ?? ""
            return unsafe ask(AccountQuestion(text: text, isHidden: isHidden)).flatMap {
                unsafe $0.hasZero ? nil : Self.string($0)
            }
        // Modules' messages are meant for a login on a terminal. The verdict says what matters.
        case PAM_TEXT_INFO, PAM_ERROR_MSG: return unsafe calloc(1, 1)?.assumingMemoryBound(to: CChar.self)
        default: return nil
        }
    }

    private static func string(_ secret: SecretBytes) -> UnsafeMutablePointer<CChar>? {
        guard let room = unsafe calloc(secret.count + 1, 1) else { return nil }
        unsafe secret.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { unsafe room.copyMemory(from: base, byteCount: bytes.count) }
        }
        return unsafe room.assumingMemoryBound(to: CChar.self)
    }

    private static func erase(_ answers: UnsafeMutablePointer<pam_response>, _ count: Int) {
        for index in 0..<count {
            guard let text = unsafe answers[index].resp else { continue }
            unsafe explicit_bzero(text, strlen(text))
            unsafe free(text)
        }
        unsafe free(answers)
    }
}
