/// Why a program can't be protected, or why its protection can't be undone.
public enum ProtectionFailure: Error, Sendable, Hashable {
    // The program's file.
    /// Nothing lies at that path.
    case noFile(String)
    /// The path leads out of the folder that holds the system.
    case outsideSystem
    case unreadableProgram
    /// Not a regular file, or not everybody may run it.
    case notExecutable
    /// Others than root may write the file.
    case writable
    /// Others than root may put another file in its place.
    case replaceable
    case runsAsItsOwner
    case hasAnotherGroup
    /// The file system ignores set-group-ID bits.
    case bitIgnored
    case notAProgram
    case loaderReplaceable
    case librariesReplaceable
    case unchangeable

    // Its name.
    case knownAs(String)
    case badName
    /// The name of one of the prompts, which the named program alone may have.
    case promptName(String, program: String)
    case nameTaken(String)

    // The registry.
    case unreadableRegistry
    case registryFolder(String)
    case registryNotWritten
    case registryFull
    case notProtected

    // Its group.
    case groupNotMade(String)
    case groupMissing(String)
    case groupNotRemoved(String)
    case groupsUnreadable
    /// A program that makes or removes groups isn't there.
    case noTool(String)
}
