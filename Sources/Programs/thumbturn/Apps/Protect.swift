internal import CThumbLinux
internal import ThumbAccess
internal import ThumbClient
internal import ThumbProtectedPrograms

extension Command {
    static let protect: Command = .init(
        name: "protect", summary: "make a program one that no other can pose as (as root)",
        discussion: [
            "Gives a program a system group of its own and lets it run with that group (set-group-ID). The daemon then knows it by "
                + "that group, which no other program can have, and keeps its items apart from everybody else's.",
            "The program has to be root's, written by nobody else, and a program itself, not a script. Whatever it runs in turn has "
                + "its group too, unless it gives it up first. A new version of the file has to be protected again, and then has "
                + "the items of the old one. With --undo they stay where they are, and wait for a program of that name.",
            "Where the system's daemon serves, only two programs show prompts: the installed thumbturn-prompt under the name 'prompt', "
                + "and thumbturn-window-launcher under the name 'window'. No other program can have these names.",
            "As the user's own daemon Thumbturn can be replaced by any program of that user, and protects no program from that one.",
        ],
        operands: [Operand(name: "PROGRAM", help: "its path; none with --list", isOptional: true)],
        options: [.protectedName, .undo, .listProtected, .root]
    ) { invocation throws(Failure) in
        let isListed = invocation.has(.listProtected)
        if isListed, !invocation.operands.isEmpty || invocation.has(.undo) || invocation.has(.protectedName) {
            throw .usage("--list stands alone", invocation.path)
        }
        if !isListed, invocation.operands.isEmpty { throw .usage("PROGRAM is missing", invocation.path) }
        if invocation.has(.undo), invocation.has(.protectedName) { throw .usage("--undo takes no --name", invocation.path) }
        guard isListed || geteuid() == 0 else {
            throw Failure("onlyRoot", .failed, "only root can protect a program", advice: "run it with sudo")
        }
        do throws(ProtectionFailure) {
            let machine = try Machine(root: invocation.value(.root), run: Spawned.quietly)
            if isListed { return ProtectedList.outcome(try Protecting.list(on: machine)) }
            let path = invocation.operands[0]
            if invocation.has(.undo) {
                return ProtectedList.outcome("No longer protected", try Protecting.undo(path, on: machine))
            }
            let program = try Protecting.protect(
                path, named: invocation.value(.protectedName), on: machine, promptPlaces: Installed.places)
            return ProtectedList.outcome("Protected", program)
        } catch {
            throw Failure(error)
        }
    }
}

extension Command.Option {
    static let protectedName = Command.Option(
        name: "name", help: "what its group and its prompts are called; the file's name unless told", value: .text("NAME"))
    static let undo = Command.Option(name: "undo", help: "make it a program like any other")
    static let listProtected = Command.Option(name: "list", help: "list the programs that are protected")
    static let root = Command.Option(
        name: "root", help: "work in a system that lies in this folder, as when an image is made", value: .file("FOLDER"))
}

/// Protected programs, as they are printed.
private enum ProtectedList {
    static func outcome(_ programs: [(program: ProtectedProgram, isInForce: Bool)]) -> Outcome {
        let heads = ["NAME", "GROUP", "STATE", "PROGRAM"]
        let lines = programs.map { program, isInForce in
            [program.name, "\(program.gid)", isInForce ? "protected" : "replaced or gone", program.path.text]
        }
        let all: [JSON] = programs.map { program, isInForce in
            .object(fields(program) + [("protected", .flag(isInForce))])
        }
        return Outcome(
            programs.isEmpty ? [] : Columns.lines([heads] + lines), json: .object([("programs", .list(all))]),
            notices: programs.isEmpty ? ["No program is protected."] : [])
    }

    static func outcome(_ what: String, _ program: ProtectedProgram) -> Outcome {
        Outcome(
            ["\(what): \(program.path), access group '\(GroupName.protected(program.name))'"], json: .object(fields(program)))
    }

    private static func fields(_ program: ProtectedProgram) -> [(String, JSON)] {
        [
            ("name", .text(program.name)), ("program", .text(program.path.text)), ("gid", .number(Int64(program.gid))),
            ("accessGroup", .text(GroupName.protected(program.name).text)),
        ]
    }
}
