public import ThumbSystem

/// The store of a user's own daemon: where it is, for who starts that daemon or mends the store.
public enum UserStore {
    /// Where it is by the user's environment and account.
    public static var folder: DataFolder { DataFolder("thumbturn", sign: "keybag") }

    /// What the daemon is told of it: the folder that the environment names. Nothing where it is the account's, which it finds by itself.
    static func arguments() throws(ClientError) -> [String] {
        if let state = Finding.environment("THUMBTURN_STATE") { return ["--state", state] }
        let folder = Self.folder
        do throws(DataFolder.Problem) {
            let path = try folder.find()
            return path == folder.ofAccount ? [] : ["--state", path]
        } catch {
            throw ClientError(.notFound, "there is no place for the store: \(error)")
        }
    }
}
