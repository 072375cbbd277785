import ThumbAccess

extension SimulatedDevice {
    /// A machine that a simulated device is as strict as, so that a test that passes on the one passes on the other.
    ///
    /// A device made without one is lenient: nobody is asked about apps, every change of the enrolment is noticed, and software holds the
    /// keys of the Secure Enclave.
    public enum Machine: Sendable, Hashable, CaseIterable {
        /// This machine, as its own Thumbturn describes it when the device is made: its sensor, whether somebody is enrolled, whether an
        /// enrolment can be told from another, whether its owner sits at it, its passcode and what holds its keys.
        case thisMachine
        /// A laptop with a fingerprint reader on the first day: in user mode, without a TPM. It can't tell which fingers are enrolled.
        case laptopWithReader
        /// A server that its owner reaches over SSH: no sensor, no TPM.
        case serverWithoutSensor
        /// An iPhone with Face ID. It asks about each app that wants face recognition.
        case iPhone
    }

    /// What an owner may allow although it protects less, as with `thumbturn allow`.
    public enum Allowance: Sendable, Hashable, CaseIterable {
        /// Keys of the Secure Enclave are held in software if there is no TPM.
        case softwareKeys
        /// The names of the enrolled fingers stand for an enrolment that can't be told.
        case weakEnrolment

        var allowance: ThumbAccess.Allowance {
            switch self {
            case .softwareKeys: .softwareKeys
            case .weakEnrolment: .weakEnrolment
            }
        }
    }
}

/// How one machine differs from another, as far as an app can notice.
struct MachineTraits: Sendable {
    var sensor: SimulatedDevice.Biometry
    var isEnrolled = true
    /// Whether it tells one enrolment from another.
    var tellsEnrolments = true
    /// How much a match at its sensor proves.
    var level = BiometryLevel.strong
    /// Whether its owner sits at it.
    var isSeated = true
    var hasPasscode = true
    /// Whether something holds keys that must not leave it.
    var hasEnclave = true
    var asksConsent = false
    /// Whether the login says that the session was unlocked by biometry.
    var reportsBiometricUnlocks = true
    /// Whether the login passes on the passcode with which the session was unlocked.
    var passesPasscodeOn = true
    /// Whether the lines that a daemon writes to its log go to standard error.
    var isLogged = false

    /// A device that makes a test's life easy.
    static func lenient(_ sensor: SimulatedDevice.Biometry) -> MachineTraits { MachineTraits(sensor: sensor) }

    /// A Linux machine, whose login tells the daemon nothing.
    static func linux(_ sensor: SimulatedDevice.Biometry) -> MachineTraits {
        var traits = MachineTraits(sensor: sensor)
        (traits.asksConsent, traits.isLogged) = (true, true)
        (traits.reportsBiometricUnlocks, traits.passesPasscodeOn) = (false, false)
        return traits
    }

    static var laptopWithReader: MachineTraits {
        var traits = linux(.touchID)
        (traits.tellsEnrolments, traits.hasEnclave) = (false, false)
        return traits
    }

    static var serverWithoutSensor: MachineTraits {
        var traits = linux(.none)
        (traits.isSeated, traits.hasEnclave) = (false, false)
        return traits
    }

    static var iPhone: MachineTraits {
        var traits = MachineTraits(sensor: .faceID)
        (traits.asksConsent, traits.isLogged) = (true, true)
        return traits
    }
}
