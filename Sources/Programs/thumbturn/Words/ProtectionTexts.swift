internal import ThumbAccess
internal import ThumbProtectedPrograms

extension Failure {
    /// A program can't be protected.
    init(_ failure: ProtectionFailure) {
        func refused(_ message: String, _ advice: String? = nil) -> Failure {
            Failure("notProtectable", .failed, message, advice: advice)
        }
        func group(_ code: String, _ message: String, _ advice: String? = nil) -> Failure {
            Failure(code, .failed, message, advice: advice)
        }
        self =
            switch failure {
            case .noFile(let path): Failure("notFound", .notFound, "there is no '\(SafeText(path, limit: 60))'")
            case .outsideSystem: Failure("notFound", .notFound, "that leads out of the system")
            case .unreadableProgram: Failure("notFound", .notFound, "there is no such program, or it can't be read")
            case .notExecutable: refused("that isn't a program that everybody may run")
            case .writable: refused("others than root can write the program", "make it root's: chown root, chmod go-w")
            case .replaceable:
                refused("others than root can put another program in its place", "move it where only root can write")
            case .runsAsItsOwner: refused("it runs as its owner (set-user-ID) already")
            case .hasAnotherGroup: refused("it runs with a group of its own already, for another purpose")
            case .bitIgnored: refused("its file system takes no set-group-ID programs (nosuid)")
            case .notAProgram:
                refused(
                    "it isn't a program for this machine but a script or something else", "protect what runs it, or a program")
            case .loaderReplaceable: refused("it is loaded by a program that others than root can replace")
            case .librariesReplaceable: refused("it loads libraries from a folder that others than root can write")
            case .unchangeable: refused("its file can't be changed", "is its file system read-only?")
            case .knownAs(let name):
                Failure("exists", .exists, "it is protected as '\(name)' already", advice: "--undo it first")
            case .badName:
                Failure(
                    "name", .usage,
                    "a name has at most \(ProtectedProgram.nameLimit) small letters, digits, hyphens and underscores",
                    advice: "choose one with --name")
            case .promptName(let name, let program):
                Failure(
                    "name", .failed, "'\(name)' is the name of what shows prompts: the installed \(program) alone can have it",
                    advice: "choose another with --name")
            case .nameTaken(let name):
                Failure(
                    "exists", .exists, "another program is protected as '\(name)'", advice: "choose another with --name")
            case .unreadableRegistry: group("registry", "the registry can't be read or isn't one: \(ProtectedPrograms.path)")
            case .registryFolder(let path): group("registry", "the registry's folder can't be made or isn't root's: \(path)")
            case .registryNotWritten: group("registry", "the registry can't be written: \(ProtectedPrograms.path)")
            case .registryFull: group("registry", "the registry has no room for it, or can't hold its path")
            case .notProtected:
                Failure(
                    "notFound", .notFound, "that program isn't protected",
                    advice: "'thumbturn protect --list' lists those that are")
            case .groupNotMade(let name):
                group(
                    "groupadd", "the group '\(name)' can't be made",
                    "a group of that name may be there: 'groupdel \(name)' removes it")
            case .groupMissing(let name):
                group("groupadd", "the group '\(name)' was made and isn't in the system's file of groups")
            case .groupNotRemoved(let name):
                group("groupdel", "it is a program like any other now; its group '\(name)' can't be removed")
            case .groupsUnreadable: group("groupadd", "the system's file of groups can't be read")
            case .noTool(let path):
                group("noGroups", "\(path) can't be run", "it comes with the package 'passwd' or 'shadow'")
            }
    }
}
