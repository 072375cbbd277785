import CThumbLinux

/// The users in the machine's own file.
public enum LocalUsers {
    /// A user's name in the machine's own file. No name service's module is loaded into our processes.
    public static func name(of uid: UInt32) -> String? {
        guard let file = unsafe fopen("/etc/passwd", "re") else { return nil }
        defer { unsafe fclose(file) }
        while let entry = unsafe fgetpwent(file) {
            if unsafe entry.pointee.pw_uid == uid, let name = unsafe entry.pointee.pw_name { return unsafe String(cString: name) }
        }
        return nil
    }
}
