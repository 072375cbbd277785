import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn secret remove`
enum SecretRemove {
    static let command = Command(
        "remove", "remove a secret for good",
        discussion: [
            "Removes the secret; nothing brings it back but a backup. Nobody is asked: a secret that is gone can't be read."
        ],
        operands: [SecretName.known], options: [SecretName.accountOption],
        examples: [Example("Remove one of two secrets of the same name", "thumbturn secret remove mail --account anna")]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let name = try WantedSecret(invocation).kept().name
        let reason = "remove the \(name.shown)"
        try Daemon.keychain(about: name.thing, reason: reason) { () throws(KeychainFailure) in
            try DeviceClient.shared.remove(name.query(limit: nil, reason: reason))
        }
        return Outcome(.removed(name.thing), json: .object(name.json + [("removed", .flag(true))]))
    }
}
