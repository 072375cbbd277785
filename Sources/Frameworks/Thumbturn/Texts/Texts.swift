public import LocalAuthentication

/// What to tell a person about sensors, results and errors, in English or Japanese.
///
/// Every sentence names the sensor that the device has, or none. On Apple's systems sensors have the names that their owners know;
/// elsewhere they are called what they are.
public struct Texts: Sendable {
    /// How sensors are named.
    public enum Naming: Sendable, Hashable {
        /// By what they are: a fingerprint, a face.
        case plain
        /// By the names they have on Apple's devices.
        case product

        /// The naming that fits the system.
        public static var ofSystem: Naming {
            #if canImport(Darwin)
            .product
            #else
            .plain
            #endif
        }
    }

    let language: LanguageTexts
    let naming: Naming

    /// The texts for a locale: Japanese for Japanese, English for all others.
    public init(_ locale: Locale = Texts.userLocale, naming: Naming = .ofSystem) {
        language = locale.language.languageCode?.identifier == "ja" ? .japanese : .english
        self.naming = naming
    }

    /// The person's locale. Foundation's own `Locale.current` doesn't look at the environment on Linux and is always English.
    public static var userLocale: Locale {
        #if canImport(Darwin)
        .current
        #else
        locale(in: ProcessInfo.processInfo.environment)
        #endif
    }

    /// The locale that the environment asks for, with the variables of setlocale(3) in their order.
    static func locale(in environment: [String: String]) -> Locale {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let bare = name.prefix { $0 != "." && $0 != "@" }
        return Locale(identifier: bare == "C" || bare == "POSIX" ? "en_001" : String(bare))
    }

    func words(_ sensor: Sensor?) -> SensorTexts {
        guard let sensor else { return language.noSensor }
        let table = naming == .plain ? language.plain : language.product
        return table[sensor] ?? language.noSensor
    }

    // MARK: Sentences

    /// The sensor's name for a settings page.
    public func name(_ sensor: Sensor?) -> String { words(sensor).name }

    /// The title of a button that starts an attempt. Without a sensor it asks for the passcode.
    public func loginTitle(_ support: BiometrySupport) -> String { words(support.sensor).logIn }

    /// The reason to show if an app gives none.
    public func reason(_ policy: LAPolicy, _ sensor: Sensor?) -> String {
        policy == .deviceOwnerAuthenticationWithBiometrics ? words(sensor).reason : language.reason
    }

    /// Whether the sensor can be used and, if not, what its owner can do about it.
    public func text(_ support: BiometrySupport) -> String {
        let words = words(support.sensor)
        return switch support {
        case .available: words.available
        case .notEnrolled: words.notEnrolled
        case .lockedOut: words.lockedOut
        case .denied, .absent: words.notAvailable
        case .disconnected: words.disconnected
        case .passcodeNotSet: words.passcodeNotSet
        case .unknown: language.unknown
        }
    }

    /// What went wrong.
    public func text(_ error: LAError, _ sensor: Sensor?) -> String {
        let words = words(sensor)
        return switch error.code {
        case .authenticationFailed: words.notRecognized
        case .biometryNotAvailable: words.notAvailable
        case .biometryNotEnrolled: words.notEnrolled
        case .biometryLockout: words.lockedOut
        case .biometryNotPaired, .biometryDisconnected: words.disconnected
        default: language.errors[error.errorCode] ?? language.unknown
        }
    }

    /// What to say about a result. nil if there is nothing to say: after success, and after a cancel by the person or the app.
    public func text(_ result: AuthenticationResult, _ sensor: Sensor?) -> String? {
        switch result {
        case .success, .cancelled(by: .user), .cancelled(by: .app): nil
        case .cancelled(by: .system): text(LAError(.systemCancel), sensor)
        case .fallbackChosen: text(LAError(.userFallback), sensor)
        case .unavailable(let error), .failed(let error): text(error, sensor)
        case .alreadyInProgress: language.alreadyInProgress
        case .enrolmentChanged: words(sensor).enrolmentChanged
        }
    }
}
