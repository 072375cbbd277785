import ThumbAccess
import ThumbClient

extension MachineTraits {
    /// A machine's traits; those of this machine are asked of its daemon.
    init(of machine: SimulatedDevice.Machine) throws(ClientError) {
        switch machine {
        case .thisMachine: self = try .ofThisMachine()
        case .laptopWithReader: self = .laptopWithReader
        case .serverWithoutSensor: self = .serverWithoutSensor
        case .iPhone: self = .iPhone
        }
    }

    private static func ofThisMachine() throws(ClientError) -> MachineTraits {
        let client = DeviceClient.ofThisMachine()
        let status = try client.status()
        let failure = client.capability(of: .biometrics, context: client.makeContext()).failure
        return MachineTraits(status, failure)
    }

    /// - Parameter failure: why biometry can't be used there just now. A lockout isn't taken over: it is over once the passcode is given.
    init(_ status: DeviceStatus, _ failure: EvaluationFailure?) {
        let sensor: SimulatedDevice.Biometry =
            switch status.biometry {
            case .touchID: .touchID
            case .faceID: .faceID
            case .none: .none
            }
        self = .linux(sensor)
        isEnrolled = failure != .biometryNotEnrolled
        // A sensor that is there and can't be used: the owner is elsewhere, or the lid is closed. To an app these are one.
        isSeated = sensor == .none || failure != .biometryNotAvailable
        tellsEnrolments = status.sensor.tellsEnrolments
        level = status.biometryLevel
        hasPasscode = status.passcodeIsSet
        hasEnclave = status.enclave != nil
        // The login of system mode offers the account's password to the device.
        passesPasscodeOn = status.mode == .system && status.passcodeSource == .account
    }
}

extension SimulatedDevice.Machine {
    /// Why a device can't be made after this machine, and what to do about it; nil if it can.
    package var problem: String? {
        do throws(ClientError) {
            _ = try MachineTraits(of: self)
            return nil
        } catch {
            return error.advice
        }
    }
}
