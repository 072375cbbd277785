import CThumbLinux

/// The users of the machine's own file.
public enum LocalUsers {
    /// A user's name as the machine's own file has it: no name service's module is loaded into a process of the house.
    public static func name(of uid: UInt32) -> String? {
        guard let file = unsafe fopen("/etc/passwd", "re") else { return nil }
        defer { unsafe fclose(file) }
        while let entry = unsafe fgetpwent(file) {
            if unsafe entry.pointee.pw_uid == uid, let name = unsafe entry.pointee.pw_name { return unsafe String(cString: name) }
        }
        return nil
    }
}
