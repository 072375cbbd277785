/// Why a program can't be protected, or why its protection can't be undone.
public enum ProtectionFailure: Error, Sendable, Hashable {
    // The program's file.
    /// There is nothing at that path.
    case noFile(String)
    /// The path leads out of the folder that holds the system.
    case outsideSystem
    case unreadableProgram
    /// It isn't a regular file, or not everybody may run it.
    case notExecutable
    /// Others besides root may write the file.
    case writable
    /// Others besides root may put another file in its place.
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
    /// The name of one of the prompts, which only that prompt may have.
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
    /// A program that makes or removes groups is missing.
    case noTool(String)
}
