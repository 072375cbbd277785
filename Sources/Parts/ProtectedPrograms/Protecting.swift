public import ThumbAccess

/// Protects a program or undoes that, step by step.
///
/// The first step does no harm if the others never come: a line of the registry without a program of its group protects nobody.
public enum Protecting {
    /// Gives a program a group of its own, or gives one that has been replaced its group again.
    ///
    /// - Parameters:
    ///   - wanted: The name that it should have; nil for a name made from its file's name.
    ///   - ownPlaces: Where a program of Thumbturn's own is installed; no other program may have its name.
    public static func protect(
        _ path: String, named wanted: String?, on machine: Machine, ownPlaces: (_ program: String) -> [String]
    ) throws(ProtectionFailure) -> ProtectedProgram {
        let file = try ProgramFile(path, machine)
        let registry = try HeldRegistry.open(on: machine)
        let known = registry.programs.programs.first { $0.path == ExactName(file.path) }
        if let known, let wanted, known.name != wanted { throw .knownAs(known.name) }
        let name = known?.name ?? wanted ?? ProtectedProgram.name(of: file.path)
        guard ProtectedProgram.isName(name) else { throw .badName }
        if let program = ProtectedProgram.ownPrograms[name] {
            let places = ownPlaces(program).map { machine.inside($0) }
            guard places.contains(file.path) else { throw .promptName(name, program: program) }
        }
        try file.check(exceptGroup: known?.gid)
        let program = if let known { known } else { try register(name, file.path, registry, machine) }
        try file.give(group: program.gid)
        return program
    }

    private static func register(
        _ name: String, _ path: String, _ registry: HeldRegistry, _ machine: Machine
    ) throws(ProtectionFailure) -> ProtectedProgram {
        guard !registry.programs.programs.contains(where: { $0.name == name }) else { throw .nameTaken(name) }
        let gid = try machine.makeGroup(group(of: name))
        do throws(ProtectionFailure) {
            guard let program = ProtectedProgram(gid: gid, name: name, path: ExactName(path)), registry.programs.add(program)
            else {
                throw .registryFull
            }
            try registry.write()
            return program
        } catch {
            // A group that no line of the registry names would be in the way of the next try.
            try machine.removeGroup(group(of: name))
            throw error
        }
    }

    /// Makes a protected program an ordinary one.
    public static func undo(_ path: String, on machine: Machine) throws(ProtectionFailure) -> ProtectedProgram {
        let registry = try HeldRegistry.open(on: machine)
        // A file that is gone can still be undone, by the path in the registry.
        let file = try? ProgramFile(path, machine)
        guard let program = registry.programs.programs.first(where: { $0.path == ExactName(file?.path ?? path) }) else {
            throw .notProtected
        }
        // The file comes first: as long as it has the group, it counts as that program. A missing or replaced file has lost the group
        // already.
        if let file { try file.take(group: program.gid) }
        registry.programs.remove(program)
        try registry.write()
        try machine.removeGroup(group(of: program.name))
        return program
    }

    /// Every program of the registry, and whether its file has its group at this moment.
    public static func list(on machine: Machine) throws(ProtectionFailure) -> [(program: ProtectedProgram, isInForce: Bool)] {
        try RegistryFile.read(on: machine).programs.map { program in
            // A file that is gone or can't be read has no group.
            ((program: program, isInForce: (try? ProgramFile(program.path.text, machine))?.has(group: program.gid) ?? false))
        }
    }

    private static func group(of name: String) -> String { "thumbturn-" + name }
}

extension ProtectedProgram {
    /// The name that a program gets from its file: those letters of it that a name may have.
    static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        let letters = file.lowercased().utf8.map {
            isName(String(decoding: [UInt8(ascii: "a"), $0], as: UTF8.self)) ? $0 : UInt8(ascii: "-")
        }
        return String(decoding: letters.drop { $0 == UInt8(ascii: "-") }.prefix(nameLimit), as: UTF8.self)
    }
}
