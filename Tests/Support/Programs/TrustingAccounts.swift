import Foundation

/// A machine whose accounts take any password, as far as one program sees it: an `/etc/pam.d` of a test's own, and all else in
/// common with the others.
public final class TrustingAccounts: Sendable {
    private let folder: String

    public init() throws {
        folder = NSTemporaryDirectory() + "thumbturn-accounts-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let service = "auth required pam_permit.so\naccount required pam_permit.so\n"
        try Data(service.utf8).write(to: URL(filePath: folder + "/thumbturn"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What starts the program of these words there, in the same process.
    public func starting(_ words: [String]) -> [String] {
        let script = "/bin/mount --bind \"$1\" /etc/pam.d && shift && exec \"$@\""
        // Who isn't root gets the right to do so in a namespace, and stays who they are.
        let own = getuid() == 0 ? [] : ["--map-current-user", "--keep-caps"]
        return ["/usr/bin/unshare", "--mount", "--propagation", "private"] + own + ["/bin/sh", "-c", script, "sh", folder] + words
    }
}
