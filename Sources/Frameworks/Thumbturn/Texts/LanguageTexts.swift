/// Sentences in which a sensor is named, or, for no sensor, none is.
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

/// All that is said in one language.
struct LanguageTexts: Sendable {
    let plain: [Sensor: SensorTexts]
    let product: [Sensor: SensorTexts]
    let noSensor: SensorTexts
    /// By `LAError`'s number: the errors that aren't about a sensor.
    let errors: [Int: String]
    let reason: String
    let alreadyInProgress: String
    let unknown: String
}
