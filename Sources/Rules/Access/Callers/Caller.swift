/// How surely a caller is known. Never reported as more than it is.
public enum CallerClass: UInt8, Sendable, Hashable {
    /// Its path and bundle identifier are labels to show, not proof: any program of the user can claim them.
    case consented = 0
    /// A sandbox confines it; an unsandboxed program can still pose as it.
    case sandboxed = 1
    /// A root-owned set-group-ID program, known by its group: sound.
    case protected = 2
}

/// The program at the other end of a connection, as the kernel knows it.
public struct Caller: Sendable, Hashable {
    public let uid: UInt32
    public let pid: Int32
    public let kind: CallerClass
    /// The audit's name for the program: its file's name, or a name that proves more.
    public let name: String
    /// What a prompt says about the program. The daemon found this out; the app's own words are kept apart from it.
    public let program: ProgramWords
    /// Tells its file from another that took the same path; empty if the file can't be seen.
    public let file: [UInt8]
    /// The access groups it may use, its own first.
    public var groups: [ExactName]
    /// Whether it may make groups besides these, and be let into the groups of others.
    public let mayShare: Bool
    /// Why it wants face recognition, in its own words.
    public let faceUsage: String?
    /// Where its user sits.
    public let place: CallerPlace

    /// The group that its items, and the owner's answers about it, are kept under.
    public var own: ExactName { groups.first ?? "" }

    public init(
        uid: UInt32, pid: Int32, kind: CallerClass, name: String, groups: [ExactName], mayShare: Bool = false,
        faceUsage: String? = nil, place: CallerPlace = .unknown, program: ProgramWords? = nil, file: [UInt8] = []
    ) {
        self.uid = uid
        self.pid = pid
        self.kind = kind
        self.name = name
        self.groups = groups
        self.mayShare = mayShare
        self.faceUsage = faceUsage
        self.place = place
        self.program = program ?? ProgramWords(kind: kind, name: ExactName(name))
        self.file = file
    }
}

/// The three ways a device can run.
public enum DeviceMode: UInt8, Sendable, Hashable {
    case user = 1
    case system = 2
    case simulated = 3
}
