public import ThumbSystem

/// Where the store of a user's own daemon is. The code that starts that daemon or repairs the store needs to know.
public enum UserStore {
    /// The folder that follows from the user's environment and account.
    public static var folder: DataFolder { DataFolder("thumbturn", sign: "keybag") }

    /// The file that a running daemon has locked.
    static var lock: String {
        // Without a place for the store there is no daemon that has it, and no such file.
        ((try? arguments().last) ?? folder.ofAccount ?? "") + "/lock"
    }

    /// The daemon's arguments: the folder that the environment names. None for the account's folder, which the daemon finds by itself.
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
