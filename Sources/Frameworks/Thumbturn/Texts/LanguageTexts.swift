/// Sentences that name a sensor, or the same sentences without one.
struct SensorTexts: Sendable {
    let name: String
    let logIn: String
    let reason: String
    let available: String
    let notEnrolled: String
    let lockedOut: String
    let notAvailable: String
    let disconnected: String
    let passcodeNotSet: String
    let notRecognized: String
    let enrolmentChanged: String

    /// All of them, for tests that look at each.
    var all: [String] {
        [
            name, logIn, reason, available, notEnrolled, lockedOut, notAvailable, disconnected, passcodeNotSet, notRecognized,
            enrolmentChanged,
        ]
    }
}

/// All texts in one language.
struct LanguageTexts: Sendable {
    let plain: [Sensor: SensorTexts]
    let product: [Sensor: SensorTexts]
    let noSensor: SensorTexts
    /// Texts for errors that aren't about a sensor, by `LAError`'s number.
    let errors: [Int: String]
    let reason: String
    let alreadyInProgress: String
    let unknown: String
}
