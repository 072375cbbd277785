internal import CThumbLinux
internal import ThumbAccess
internal import ThumbClient

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
        let system = try System(root: invocation.value(.root))
        if invocation.has(.listProtected) {
            guard invocation.operands.isEmpty, !invocation.has(.undo), !invocation.has(.protectedName) else {
                throw .usage("--list stands alone", invocation.path)
            }
            return Protecting.list(try Registry.read(system), system)
        }
        guard let path = invocation.operands.first else { throw .usage("PROGRAM is missing", invocation.path) }
        guard geteuid() == 0 else {
            throw Failure("onlyRoot", .failed, "only root can protect a program", advice: "run it with sudo")
        }
        if invocation.has(.undo) {
            guard !invocation.has(.protectedName) else { throw .usage("--undo takes no --name", invocation.path) }
            return try Protecting.undo(path, system)
        }
        return try Protecting.protect(path, named: invocation.value(.protectedName), system)
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

/// Protecting a program, step by step. What is done first harms nothing if the rest never comes: a line without a program of
/// its group protects nobody.
enum Protecting {
    static func protect(_ path: String, named wanted: String?, _ system: System) throws(Failure) -> Outcome {
        let file = try ProgramFile(path, system)
        let registry = try Registry.open(system)
        let known = registry.programs.programs.first { $0.path == ExactName(file.path) }
        if let known, let wanted, known.name != wanted {
            throw Failure("exists", .exists, "it is protected as '\(known.name)' already", advice: "--undo it first")
        }
        let name = known?.name ?? wanted ?? ProtectedProgram.name(of: file.path)
        guard ProtectedProgram.isName(name) else {
            throw Failure(
                "name", .usage, "a name has at most \(ProtectedProgram.nameLimit) small letters, digits, hyphens and underscores",
                advice: "choose one with --name")
        }
        if let program = ProtectedProgram.promptPrograms[name] {
            let places = Installed.places(of: program).map { system.inside($0) }
            guard places.contains(file.path) else {
                throw Failure(
                    "name", .failed, "'\(name)' is the name of what shows prompts: the installed \(program) alone can have it",
                    advice: "choose another with --name")
            }
        }
        try file.check(exceptGroup: known?.gid)
        if let known {
            try file.give(group: known.gid)
            return outcome("Protected", known)
        }
        let program = try register(name, file.path, registry, system)
        try file.give(group: program.gid)
        return outcome("Protected", program)
    }

    private static func register(
        _ name: String, _ path: String, _ registry: Registry, _ system: System
    ) throws(Failure) -> ProtectedProgram {
        guard !registry.programs.programs.contains(where: { $0.name == name }) else {
            throw Failure("exists", .exists, "another program is protected as '\(name)'", advice: "choose another with --name")
        }
        let gid = try system.makeGroup("thumbturn-" + name)
        guard let program = ProtectedProgram(gid: gid, name: name, path: ExactName(path)), registry.programs.add(program) else {
            throw Failure("registry", .failed, "the registry has no room for it, or can't hold its path")
        }
        try registry.write()
        return program
    }

    static func undo(_ path: String, _ system: System) throws(Failure) -> Outcome {
        let registry = try Registry.open(system)
        let plain = try? ProgramFile(path, system)
        guard let program = registry.programs.programs.first(where: { $0.path == ExactName(plain?.path ?? path) }) else {
            throw Failure(
                "notFound", .notFound, "that program isn't protected", advice: "'thumbturn protect --list' lists those that are")
        }
        // The file first: while it has its group, it is that program. One that is gone or was replaced has lost it already.
        if let plain { try plain.take(group: program.gid) }
        registry.programs.remove(program)
        try registry.write()
        try system.removeGroup("thumbturn-" + program.name)
        return outcome("No longer protected", program)
    }

    static func list(_ programs: ProtectedPrograms, _ system: System) -> Outcome {
        let rows = programs.programs.map { program in
            let isInForce = (try? ProgramFile(program.path.text, system))?.has(group: program.gid) ?? false
            return (program, isInForce)
        }
        let heads = ["NAME", "GROUP", "STATE", "PROGRAM"]
        let lines = rows.map { program, isInForce in
            [program.name, "\(program.gid)", isInForce ? "protected" : "replaced or gone", program.path.text]
        }
        let all: [JSON] = rows.map { program, isInForce in
            .object(fields(program) + [("protected", .flag(isInForce))])
        }
        return Outcome(
            rows.isEmpty ? [] : Columns.lines([heads] + lines), json: .object([("programs", .list(all))]),
            notices: rows.isEmpty ? ["No program is protected."] : [])
    }

    private static func fields(_ program: ProtectedProgram) -> [(String, JSON)] {
        [
            ("name", .text(program.name)), ("program", .text(program.path.text)), ("gid", .number(Int64(program.gid))),
            ("accessGroup", .text(GroupName.protected(program.name).text)),
        ]
    }

    private static func outcome(_ what: String, _ program: ProtectedProgram) -> Outcome {
        Outcome(
            ["\(what): \(program.path), access group '\(GroupName.protected(program.name))'"], json: .object(fields(program)))
    }
}

extension ProtectedProgram {
    /// What a program is called after its file: its letters, as far as a name may have them.
    static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        let letters = file.lowercased().utf8.map {
            isName(String(decoding: [UInt8(ascii: "a"), $0], as: UTF8.self)) ? $0 : UInt8(ascii: "-")
        }
        return String(decoding: letters.drop { $0 == UInt8(ascii: "-") }.prefix(nameLimit), as: UTF8.self)
    }
}
