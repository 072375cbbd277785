internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let secretRemove: Command = .init(
        name: "remove", summary: "remove a secret for good",
        discussion: ["Removes the secret. Nobody is asked: what is gone can't be read."],
        operands: [.secretName], options: [.account]
    ) { invocation throws(Failure) in
        let name = SecretName(invocation)
        try Device.connect()
        let reason = "remove the \(name.shown)"
        try Device.keychain(about: name.shown, reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.remove(name.query(limit: nil, reason: reason))
        }
        return Outcome(["Removed: \(name.shown)"], json: .object(name.json + [("removed", .flag(true))]))
    }
}
