import CThumbLinux
import ThumbAccess
import ThumbSystem

/// The part of a system's PAM that all its services have in common, as Debian's pam-auth-update makes it of the packages' profiles: this
/// machine's, or that of a system in a folder.
///
/// That program alone writes it. It knows what an administrator has changed, and leaves that as it is.
struct CommonPAM {
    private static let tool = "/usr/sbin/pam-auth-update"
    private static let profiles = "/usr/share/pam-configs"
    private static let services = "/etc/pam.d"
    private static let state = "/var/lib/pam"
    private static let common = "common-auth"
    private static let (ours, fprintds) = ("pam_thumbturn.so", "pam_fprintd.so")
    private static let fprintd = "fprintd"
    /// That fprintd's profile was in use before ours.
    private static let record = "/etc/thumbturn/fprintd-was-asking"
    private static let remark =
        "# fprintd's PAM profile was in use before Thumbturn's. When the last of ours is switched off, it is taken into use again.\n"
    /// The largest file that is read, in bytes. Those of PAM are small.
    private static let limit = 256 << 10

    /// The prefix of its paths; empty for this machine.
    let root: String

    // MARK: Looking

    var hasTool: Bool { unsafe access(Self.tool, X_OK) == 0 }
    func has(_ profile: PAMProfile) -> Bool { exists("\(Self.profiles)/\(profile.rawValue)") }
    /// Whether the profile is in use.
    func uses(_ profile: PAMProfile) -> Bool { asks(profile, in: Self.common) }
    /// Whether the profile is in use or not, as wanted, and so are those that go with it.
    func isDone(_ profile: PAMProfile, isUsed: Bool) -> Bool {
        let takesNote = words(behind: Self.ours, in: Self.common).contains { $0.first == "password" }
        return uses(profile) == isUsed && (profile.companions.isEmpty || takesNote == isUsed)
    }
    /// Whether every service asks fprintd's module, which waits for a finger and lets nobody type meanwhile.
    var usesFprintd: Bool { asksFprintd(in: Self.common) }
    /// A service of the profile's whose own file asks our module too, because somebody wrote that there.
    func writtenByHand(_ profile: PAMProfile) -> String? { profile.files.first { asks(profile, in: $0) } }
    /// A service of the profile's whose own file asks fprintd's module.
    func fprintdByHand(_ profile: PAMProfile) -> String? { profile.files.first { asksFprintd(in: $0) } }
    /// A service of the profile's that doesn't do as the common part says.
    func stranger(_ profile: PAMProfile) -> String? {
        profile.services.first { name in
            exists("\(Self.services)/\(name)") && !lines(of: name).contains { $0.last.map { $0 == Self.common } ?? false }
        }
    }

    private func asks(_ profile: PAMProfile, in service: String) -> Bool {
        // A line with another word, such as `password`, is for something else.
        words(behind: Self.ours, in: service).contains { $0.first == profile.word.map { Substring($0) } }
    }

    private func asksFprintd(in service: String) -> Bool { !words(behind: Self.fprintds, in: service).isEmpty }

    /// The words that a service's lines give a module.
    private func words(behind module: String, in service: String) -> [ArraySlice<Substring>] {
        lines(of: service).compactMap { line in
            // Where a session begins or a password changes, nobody is asked for a finger.
            guard line[0] == "auth" || line[0] == "-auth" else { return nil }
            return line.firstIndex { $0 == module || $0.hasSuffix("/" + module) }.map { line[($0 + 1)...] }
        }
    }

    /// A service's lines as words, without remarks.
    private func lines(of service: String) -> [[Substring]] {
        Self.lines(at: "\(root)\(Self.services)/\(service)")
            .map { $0.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
    }

    private func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }

    private static func lines(at path: String) -> [String] {
        let bytes = Transfer.file(path, atMost: limit) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    // MARK: Changing

    /// What using a profile, or no longer using it, would change, line by line. pam-auth-update finds it out in a copy.
    func preview(_ profile: PAMProfile, isUsed: Bool) throws(ProfileFailure) -> [String] {
        let folder: TemporaryFolder
        do throws(SystemError) { folder = try TemporaryFolder("thumbturn-pam-") } catch { throw .noCopy }
        defer { folder.remove() }
        for (place, parent) in [(Self.services, "/etc"), (Self.profiles, "/usr/share"), (Self.state, "/var/lib")] {
            guard Tool.run("/usr/bin/mkdir", ["mkdir", "-p", folder.path + parent]) == 0,
                Tool.run("/usr/bin/cp", ["cp", "-r", "--", root + place, folder.path + parent]) == 0
            else { throw .noCopy }
        }
        try CommonPAM(root: folder.path).update(words(for: profile, isUsed: isUsed), isElsewhere: true)
        return FolderNames.all(in: folder.path + Self.services).sorted().flatMap { name in
            let path = "\(Self.services)/\(name)"
            let (old, new) = (Self.lines(at: root + path), Self.lines(at: folder.path + path))
            let changed =
                old.filter { !new.contains($0) }.map { "  - " + $0 } + new.filter { !old.contains($0) }.map { "  + " + $0 }
            return changed.isEmpty ? [] : ["\(path):"] + changed.map { SafeText($0, limit: 200).description }
        }
    }

    /// Has pam-auth-update use a profile, or no longer use it.
    func change(_ profile: PAMProfile, isUsed: Bool) throws(ProfileFailure) {
        let words = words(for: profile, isUsed: isUsed)
        let isFirst = !uses(profile) && !uses(profile.other)
        if isUsed, isFirst { try note(usesFprintd) }
        try update(words, isElsewhere: !root.isEmpty)
        guard uses(profile) == isUsed else { throw .notUpdated(isUsed: isUsed) }
        if !isUsed, !uses(profile.other) { try note(false) }
    }

    /// Ours and fprintd's profile can't both be in use: its module would wait for a finger before anybody can type.
    private func words(for profile: PAMProfile, isUsed: Bool) -> [String] {
        let profiles = [profile.rawValue] + profile.companions
        if isUsed { return ["--enable"] + profiles + ["--disable", Self.fprintd] }
        let returns = exists(Self.record) && exists("\(Self.profiles)/\(Self.fprintd)") && !uses(profile.other)
        return ["--disable"] + profiles + (returns ? ["--enable", Self.fprintd] : [])
    }

    /// - Parameter isElsewhere: whether this machine's own answers to packages' questions don't matter, and must not change.
    private func update(_ words: [String], isElsewhere: Bool) throws(ProfileFailure) {
        let answers: TemporaryFolder? = isElsewhere ? try Self.answers() : nil
        defer { answers?.remove() }
        let place = root.isEmpty ? [] : ["--root", root]
        let status = Tool.run(
            Self.tool, ["pam-auth-update"] + place + words,
            variables: ["DEBIAN_FRONTEND=noninteractive"]
                + (answers.map { ["DEBCONF_SYSTEMRC=\($0.path)/debconf.conf"] } ?? []))
        guard let status else { throw .noTool }
        guard status == 0 else { throw .toolFailed }
    }

    /// A folder with databases for debconf that nobody else has.
    private static func answers() throws(ProfileFailure) -> TemporaryFolder {
        let folder: TemporaryFolder
        do throws(SystemError) { folder = try TemporaryFolder("thumbturn-pam-") } catch { throw .noCopy }
        let path = folder.path
        let setting = """
            Config: configdb
            Templates: templatedb

            Name: configdb
            Driver: File
            Filename: \(path)/config.dat

            Name: templatedb
            Driver: File
            Filename: \(path)/templates.dat

            """
        do throws(ReplacedFile.Setback) { try ReplacedFile.put(setting, at: path + "/debconf.conf") } catch {
            folder.remove()
            throw .noCopy
        }
        return folder
    }

    /// Keeps in mind whether fprintd's profile is to come back.
    private func note(_ returns: Bool) throws(ProfileFailure) {
        let path = root + Self.record
        guard returns else {
            if unsafe unlink(path) != 0, thumb_errno() != ENOENT { throw .recordNotRemoved }
            return
        }
        do throws(ReplacedFile.Setback) { try ReplacedFile.put(Self.remark, at: path, mode: 0o644) } catch {
            throw .recordNotWritten
        }
    }
}
