/// What the kernel and `/proc` say of the program at the other end of a connection.
public struct PeerFacts: Sendable, Hashable {
    /// The file that a program runs.
    public struct File: Sendable, Hashable {
        /// As the kernel has it.
        public var path: ExactName
        public var place: ProgramPlace
        /// What tells this file from any other, and from a later version of itself: number, size, and the time of its last change, which
        /// nobody can set.
        public var stamp: [UInt8]
        /// Whether the path is the name of the program's own group: it is text, and leads everybody to this file.
        public var isName: Bool
        /// The SHA-256 of its contents; empty unless somebody took it.
        public var digest: [UInt8]

        public init(path: ExactName, place: ProgramPlace, stamp: [UInt8], isName: Bool, digest: [UInt8] = []) {
            self.path = path
            self.place = place
            self.stamp = stamp
            self.isName = isName
            self.digest = digest
        }
    }

    /// What an interpreter runs.
    public enum Run: Sendable, Hashable {
        /// The script in that file.
        case script(File)
        /// A text of its command line, by the SHA-256 of the text.
        case text(digest: [UInt8])
        /// A module, by its name.
        case module(ExactName)
        /// What somebody types or sends to it.
        case interactive
        /// Nobody can tell.
        case unknown
    }

    /// What of a program has contents that count.
    public enum Part: UInt8, Sendable, Hashable, CaseIterable {
        /// The interpreter's own file.
        case program = 1
        /// The script, or the text of the command line.
        case run = 2
    }

    /// What confines a program.
    public enum Confinement: Sendable, Hashable {
        case none
        case sandbox(Sandbox)
        /// In a sandbox that can't be identified.
        case unnamed
    }

    /// The file it runs; nil if it lets nobody look.
    public var file: File?
    public var confinement: Confinement
    /// What it runs if its file is an interpreter; nil for every other program.
    public var run: Run?

    /// Tells the files that run from others that took the same paths; empty if they can't be seen.
    public var stamps: [UInt8] {
        switch run {
        case .script(let script)?: (file?.stamp ?? []) + script.stamp
        case .text(let digest)?: (file?.stamp ?? []) + digest
        case .module?, .interactive?, .unknown?, nil: file?.stamp ?? []
        }
    }

    public init(file: File?, confinement: Confinement, run: Run? = nil) {
        self.file = file
        self.confinement = confinement
        self.run = run
    }
}
