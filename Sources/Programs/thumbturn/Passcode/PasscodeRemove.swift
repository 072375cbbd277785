internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let passcodeRemove: Command = .init(
        name: "remove", summary: "remove the passcode, and every secret that only it opens",
        discussion: [
            "Asks for the passcode, then removes it. Secrets of the class 'when-passcode-set' are removed with it, for good; the "
                + "others open without it from then on, as far as their protection can still be shown."
        ]
    ) { _ throws(Failure) in
        guard try Device.status().passcodeIsSet else { throw .noPasscode }
        do throws(KeychainFailure) {
            try DeviceClient.shared.removePasscode()
        } catch {
            throw Failure(passcode: error)
        }
        return Outcome(
            ["The passcode is removed."], json: .object([("passcode", .object([("isSet", .flag(false))]))]))
    }
}
