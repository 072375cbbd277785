import ThumbAccess
import ThumbProtectedPrograms
import ThumbSSHAgentServer

extension ProtectionFailure {
    /// A program can't be protected, or its protection can't be undone.
    var words: Words {
        switch self {
        case .noFile(let path):
            Words("notFound", .notFound, "There is no '\(SafeText(path, limit: 60))'.", "Check the path.")
        case .outsideSystem:
            Words("notFound", .notFound, "The path leads out of the system in --root.", "Give a path inside it.")
        case .unreadableProgram:
            Words("notFound", .notFound, "There is no such program, or it can't be read.", "Check the path.")
        case .notExecutable: refused("This isn't a program that everybody may run.", "Run 'chmod a+rx' on it first.")
        case .writable:
            refused("Users other than root can write to the program.", "Run 'chown root' and 'chmod go-w' on it first.")
        case .replaceable:
            refused("Users other than root can put another program in its place.", "Move it to where only root can write.")
        case .runsAsItsOwner: refused("The program already runs as its owner (set-user-ID).")
        case .hasAnotherGroup: refused("The program already runs with a group of its own, for another purpose.")
        case .bitIgnored:
            refused("The program's file system ignores set-group-ID (nosuid).", "Move the program to another file system.")
        case .notAProgram:
            refused(
                "This isn't a program for this machine, but a script or something else.",
                "Protect the program that runs it, or turn it into a program.")
        case .loaderReplaceable: refused("The program is loaded by another one, which users other than root can replace.")
        case .librariesReplaceable:
            refused("The program loads libraries from a folder that users other than root can write to.")
        case .unchangeable: refused("The program's file can't be changed.", "Check whether its file system is read-only.")
        case .knownAs(let name):
            Words("exists", .exists, "The program is already protected as '\(name)'.", "Undo that first, with --undo.")
        case .badName:
            Words(
                "name", .usage,
                "A name has at most \(ProtectedProgram.nameLimit) small letters, digits, hyphens and underscores.",
                "Choose one with --name.")
        case .promptName(let name, let program):
            Words(
                "name", .failed,
                "Only the installed \(program) can be called '\(name)', because "
                    + (ProtectedProgram.promptPrograms[name] != nil
                        ? "that program shows prompts." : "the daemon believes what that program says."),
                "Choose another name with --name.")
        case .nameTaken(let name):
            Words("exists", .exists, "Another program is protected as '\(name)'.", "Choose another name with --name.")
        case .unreadableRegistry:
            failed("registry", "The registry can't be read or understood: \(ProtectedPrograms.path).", "Look into that file.")
        case .registryFolder(let path):
            failed(
                "registry", "The registry's folder can't be made, or users other than root can write to it: \(path).",
                "Check who may write to it.")
        case .registryNotWritten:
            failed("registry", "The registry can't be written: \(ProtectedPrograms.path).", "Check whether the disk is full.")
        case .registryFull: failed("registry", "The registry is full, or can't hold the program's path.")
        case .notProtected:
            Words(
                "notFound", .notFound, "That program isn't protected.",
                "Run 'thumbturn protect --list' to see which programs are.")
        case .groupNotMade(let name):
            failed(
                "groupadd", "The group '\(name)' can't be made.",
                "If there is a group of that name, run 'groupdel \(name)' first.")
        case .groupMissing(let name):
            failed("groupadd", "The group '\(name)' was made, but it isn't in the system's file of groups.")
        case .groupNotRemoved(let name):
            failed(
                "groupdel", "The program isn't protected any more, but its group '\(name)' can't be removed.",
                "Run 'groupdel \(name)'.")
        case .groupsUnreadable: failed("groupadd", "The system's file of groups can't be read.")
        case .noTool(let path):
            failed(
                "noGroups", "The program that changes groups can't be run: \(path).", "Install the package 'passwd' or 'shadow'.")
        }
    }

    private func refused(_ message: String, _ next: String? = nil) -> Words { failed("notProtectable", message, next) }
    private func failed(_ code: String, _ message: String, _ next: String? = nil) -> Words { Words(code, .failed, message, next) }
}

extension AgentSocketFailure {
    /// The SSH agent has no socket to listen on.
    var words: Words {
        switch self {
        case .falseSocket:
            Words(
                "falseSocket", .failed, "The service manager passed something that isn't a listening socket.",
                "Check its unit.")
        case .agentRuns:
            Words("agentRuns", .exists, "An agent already listens on that socket.", "Use it, or choose another --socket.")
        case .inTheWay:
            Words("inTheWay", .exists, "Something that isn't a socket of yours is in the way.", "Choose another --socket.")
        case .folderIsOpen:
            Words(
                "folderIsOpen", .failed, "Others can enter the socket's folder.",
                "Put the socket into a folder of yours with mode 0700.")
        case .pathTooLong(let limit):
            Words(
                "noSocket", .failed, "The socket's path is longer than \(limit) bytes.", "Choose a shorter one with --socket.")
        case .notMade:
            Words("noSocket", .failed, "The socket can't be made.", "Check that its folder exists.")
        }
    }
}
