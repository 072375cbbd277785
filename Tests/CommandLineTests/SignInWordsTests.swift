import Testing
import Thumbturn

@testable import thumbturn_sign_in

/// What `thumbturn sign-in` says when it can't do what it was asked, read as a list.
@Suite("What signing in says") struct SignInWordsTests {
    static let errors: [SignInError] = [
        .cancelled, .notAuthenticated, .enrolmentUnknown, .cannotAsk, .needsPassword(.enrolmentChanged), .needsPassword(.keyGone),
        .needsPassword(.revoked), .needsPassword(.unknownAtServer), .notEnabled, .noSession, .wrongPassword, .tooLate,
        .slowDown(seconds: 3), .tooManyDevices, .accountLocked, .noDevice, .unknownDevice, .lastWayIn, .passwordTooShort,
        .passwordTooCommon,
        .unreachable, .badAnswer, .refused("unknown"), .badName, .noEnclave, .notPermitted, .unavailable, .failed(-50),
    ]

    @Test("Each is a sentence, and so is what to do next", arguments: 0..<errors.count)
    func sentences(_ number: Int) {
        let (code, message, advice) = Outcome.failure(Self.errors[number])
        #expect(code.first?.isLowercase == true)
        for text in [message, advice].compactMap({ $0 }) {
            #expect(text.first?.isUppercase == true && text.hasSuffix(".") && !text.contains(".."), "\(text)")
        }
    }

    @Test("Wherever there is something to do, it is said what")
    func steps() {
        let silent = Self.errors.filter { Outcome.failure($0).advice == nil }.map { Outcome.failure($0).code }
        #expect(silent == ["userCanceled", "refused", "missingEntitlement"])
    }

    @Test("For an unknown enrolment the command is named that mends it on this machine")
    func remedy() {
        let advice = Outcome.failure(.enrolmentUnknown, remedy: "sudo thumbturn system-mode on").advice
        #expect(advice == "Run 'sudo thumbturn system-mode on', or use '--protect biometry' for any enrolled finger or face.")
        #expect(Outcome.failure(.enrolmentUnknown).advice?.hasPrefix("Run 'thumbturn doctor', or") == true)
        #expect(SignInError.noEnclave.remedy == "thumbturn allow software-keys" && SignInError.wrongPassword.remedy == nil)
    }

    @Test("What is shown to sign in is what the key takes, on the device as it is")
    func shown() {
        let cases: [(Vault.Guard, BiometrySupport, String)] = [
            (.presence, .absent, "your passcode"), (.presence, .notEnrolled(.touchID), "your passcode"),
            (.presence, .available(.touchID), "your finger or your passcode"),
            (.presence, .lockedOut(.faceID), "your face or your passcode"), (.passcode, .available(.touchID), "your passcode"),
            (.currentBiometry, .available(.touchID), "your finger"), (.biometry, .available(.faceID), "your face"),
            (.biometry, .absent, "your finger or your face"),
        ]
        for (guarded, support, words) in cases { #expect(Outcome.shown(guarded, on: support) == words) }
    }
}
