import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbProtectedPrograms

/// `thumbturn protect`
enum Protect {
    static let command = Command(
        "protect", "keep other programs from posing as a program (as root)",
        discussion: [
            "Gives a program a system group of its own and lets it run with that group (set-group-ID). The daemon then "
                + "recognizes the program by its group, which no other program can have, and keeps its items separate from those "
                + "of other programs.",
            "The program must belong to root, be writable by nobody else, and be a binary, not a script. Programs that it starts have its group "
                + "too, unless it gives the group up first. When you install a new version of the file, protect it again; it then has the "
                + "items of the old one. With --undo the items stay, and wait for a program that is protected under the same name.",
            "Don't protect a program that runs others, such as a shell, an interpreter or env(1): every program that starts it would have "
                + "its items. You are warned if you do.",
            "With the system service, only two programs can show prompts: the installed thumbturn-prompt under the name `prompt`, and "
                + "thumbturn-window-launcher under the name `window`; and only the installed thumbturn-secrets, under the name `secrets`, can "
                + "keep the passwords of others. No other program can have these names.",
            "In user mode your other programs can replace the daemon, so protection doesn't keep them out.",
        ],
        operands: [Operand(.file("PROGRAM"), "the program's path; none with --list", .optional)],
        options: [name, undo, list, root],
        examples: [
            Example(
                "Protect a program, and see which programs are protected", "sudo thumbturn protect /usr/bin/vault",
                "thumbturn protect --list")
        ]
    ) { invocation throws(Failure) in
        try check(invocation)
        do throws(ProtectionFailure) {
            let machine = try Machine(root: invocation.value(root), run: Tool.run)
            if invocation.has(list) { return outcome(try Protecting.list(on: machine)) }
            let path = invocation.operands[0]
            if invocation.has(undo) {
                let program = try Protecting.undo(path, on: machine)
                return Outcome(
                    .unprotected(program.path.description, group: group(program)), json: .object(fields(program)))
            }
            let program = try Protecting.protect(
                path, named: invocation.value(name), on: machine, ownPlaces: Installed.places)
            let runsAnything = ProgramWords.runsAnything(program.path)
            return Outcome(
                .protected(program.path.description, group: group(program)),
                json: .object(fields(program) + [("runsAnything", .flag(runsAnything))]),
                asides: runsAnything ? [.protectedRunsAnything(program.path.description)] : [])
        } catch {
            throw .protection(error)
        }
    }

    private static let name = Option(
        "name", "what to call its group and its prompts, instead of the file's name", .text("NAME"))
    private static let undo = Option("undo", "remove the program's protection")
    private static let list = Option("list", "list the programs that are protected")
    private static let root = Option(
        "root", "work on a system that lies in this folder, for instance while making an image", .folder("FOLDER"))

    private static func check(_ invocation: Invocation) throws(Failure) {
        if invocation.has(list) {
            guard invocation.operands.isEmpty, !invocation.has(undo), !invocation.has(name) else {
                throw .usage(.together("--list", with: "PROGRAM, --undo or --name"), invocation.path)
            }
            return
        }
        if invocation.operands.isEmpty { throw .misuse(Misuse(.missing("PROGRAM"), invocation.path)) }
        if invocation.has(undo), invocation.has(name) { throw .usage(.together("--undo", with: "--name"), invocation.path) }
        guard geteuid() == 0 else { throw .onlyRoot }
    }

    // MARK: Printing

    private static func outcome(_ programs: [(program: ProtectedProgram, isInForce: Bool)]) -> Outcome {
        let heads = ["NAME", "GROUP", "STATE", "PROGRAM"]
        let rows = programs.map { program, isInForce in
            [program.name, "\(program.gid)", isInForce ? "protected" : "replaced or gone", program.path.text]
        }
        let all: [JSON] = programs.map { program, isInForce in
            .object(fields(program) + [("protected", .flag(isInForce))])
        }
        return Outcome(
            lines: programs.isEmpty ? [] : Columns.lines([heads] + rows), json: .object([("programs", .list(all))]),
            asides: programs.isEmpty ? [.noProtectedPrograms] : [])
    }

    private static func fields(_ program: ProtectedProgram) -> [(String, JSON)] {
        [
            ("name", .text(program.name)), ("program", .text(program.path.text)), ("gid", .number(Int64(program.gid))),
            ("accessGroup", .text(group(program))),
        ]
    }

    private static func group(_ program: ProtectedProgram) -> String { GroupName.protected(program.name).text }
}
