import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbIdentities

/// `thumbturn allow PROGRAM ITEM`: the owner's yes ahead, or taken back.
enum ReaderAllowance {
    static func perform(
        _ path: String, startedBy starter: String?, _ item: String, isAllowed: Bool
    ) throws(Failure) -> Outcome {
        _ = try Daemon.statusWithPasscode()
        let item = try KeptItems.item(item)
        var identity = try identity(of: path)
        if let starter { identity = ProgramIdentity.of(identity, for: try self.identity(of: starter)) }
        do throws(KeychainFailure) {
            if isAllowed {
                try DeviceClient.shared.allow(identity, name: KeptItem.words(of: identity), reference: item.reference)
            } else {
                try DeviceClient.shared.judge(identity, nil, on: item.wish)
            }
        } catch .itemNotFound where !isAllowed {
            throw .appNotFound(app: path, wish: KnownApps.words(item.wish, item))
        } catch {
            throw Failure(changing: .keptItem(item.shown), error)
        }
        return Outcome(
            .readerAllowed(KeptItem.words(of: identity), item.shown, isAllowed),
            json: .object([("program", .text(identity.text))] + item.json + [("isAllowed", .flag(isAllowed))]))
    }

    /// The identity that the program at that path has when it runs.
    private static func identity(of path: String) throws(Failure) -> ExactName {
        guard path.hasPrefix("/"), let identity = ProgramOnDisk.identity(of: path) else { throw .programUnknown(path) }
        return identity
    }
}
