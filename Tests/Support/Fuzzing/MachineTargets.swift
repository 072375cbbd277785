import ThumbAccess
import ThumbSecrets

@testable import ThumbCustody
@testable import ThumbPeers
@testable import ThumbProtectedPrograms

/// What says which sandbox a program is in: Flatpak's file, an AppArmor label, control groups.
enum SandboxTarget {
    static let target = FuzzTarget(
        "sandbox", longest: 400, sources: ["Sources/Rules/Access/Callers/Sandbox.swift"],
        words: ["[Application]", "name=", "snap.", " (enforce)", "app-flatpak-", ".scope", "\\x2d"], seeds: { seeds },
        parse: { input in
            let groups = Sandbox.flatpaks(cgroup: input)
            try must(groups.count <= input.count, "more apps than bytes")
            if case .snap(let name)? = Sandbox.snap(label: input) {
                try must((1...60).contains(name.utf8.count) && isWord(name), "'\(name)' is a snap")
            }
            guard let sandbox = Sandbox.flatpak(info: input) else { return nil }
            guard case .flatpak(let name) = sandbox else { throw Wrong("Flatpak's file names a snap") }
            try must((3...190).contains(name.utf8.count) && name.contains(".") && isWord(name), "'\(name)' is an app")
            try must(
                GroupName.owner(of: GroupName.sandboxed(sandbox)) == .program(name, .sandboxed), "'\(name)' has another group")
            return Array(name.utf8)
        })

    /// Names have no byte that means something in a path or in a group's name.
    private static func isWord(_ name: String) -> Bool {
        name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f && $0 != 0x3a && $0 != 0x5c }
    }

    private static var seeds: [[UInt8]] {
        [
            "[Application]\nname=org.example.App\nruntime=a\n[Context]\nname=other.b\n", "[Application]\n name = a.b \n",
            "[Application]\nname=a.b\nname=c.d\n", "snap.example.app (enforce)", "snap.example_key.app (enforce)\n",
            "snap.Example.app (complain)", "unconfined",
            "0::/user.slice/app.slice/app-flatpak-org.example.App-4711.scope\n",
            "0::/app-flatpak-org.exa\\x2dmple-1.scope/a\n1:name=systemd:/app-flatpak-x.scope\n",
        ].map { Array($0.utf8) }
    }
}

/// A program's file, as it is looked at before it gets a group.
enum ELFTarget {
    static let target = FuzzTarget(
        "elf", longest: 640, sources: ["Sources/Parts/ProtectedPrograms/ELFFile.swift"], seeds: { seeds },
        parse: { input in
            let file = try accepted {
                try ELFFile(input)
            } or: {
                $0 is ELFFile.Unreadable
            }
            guard let file else { return nil }
            let texts = file.libraryFolders + [file.loader ?? ""]
            try must(texts.allSatisfy { !$0.utf8.contains(0) }, "a path has a zero byte in it")
            try must(file.libraryFolders.allSatisfy { !$0.utf8.contains(0x3a) }, "a folder is two")
            return file.libraryFolders.first.map { Array($0.utf8) }
        })

    private static func little(_ number: Int, _ count: Int) -> [UInt8] { bigEndian(number, bytes: count).reversed() }

    /// A program of two segments and more: one that is loaded, one with the dynamic entries, and what else is given.
    private static func program(_ entries: [(tag: Int, value: Int)], segments more: [[UInt8]] = [], kind: Int = 3) -> [UInt8] {
        let head = 64
        let count = 2 + more.count
        let dynamic = head + 56 * count
        let strings = dynamic + 16 * (entries.count + 2)
        func segment(_ kind: Int, _ offset: Int, _ size: Int) -> [UInt8] {
            little(kind, 4) + little(0, 4) + little(offset, 8) + little(offset, 8) + little(offset, 8) + little(size, 8)
                + little(size, 8) + little(8, 8)
        }
        var file: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8)
        file += little(kind, 2) + little(62, 2) + little(1, 4) + little(0, 8) + little(head, 8) + little(0, 8)
        file += little(0, 4) + little(64, 2) + little(56, 2) + little(count, 2) + [UInt8](repeating: 0, count: 6)
        file += segment(1, 0, 4096) + segment(2, dynamic, 16 * (entries.count + 2)) + more.flatMap(\.self)
        for entry in [(tag: 5, value: strings)] + entries + [(tag: 0, value: 0)] {
            file += little(entry.tag, 8) + little(entry.value, 8)
        }
        return file + Array("\0/usr/lib/example:$ORIGIN/lib\0/lib64/ld.so\0".utf8)
    }

    private static var seeds: [[UInt8]] {
        let plain = program([])
        // The loader's name is the last of the texts.
        let start = plain.count + 56 - Array("/lib64/ld.so\0".utf8).count
        var loader = little(3, 4) + little(0, 4) + little(start, 8)
        loader += [UInt8](repeating: 0, count: 40)
        return [
            plain, program([(29, 1)]), program([(15, 1)]), program([(29, 1), (15, 1)], kind: 2), program([], segments: [loader]),
            program([], kind: 1), Array(plain.prefix(60)), [0x7f, 0x45, 0x4c, 0x46, 1, 1],
        ]
    }
}

/// Files below /etc that others write: the registry of protected programs, and the users inside containers.
enum MachineFileTarget {
    static let target = FuzzTarget(
        "machine-files", longest: 400,
        sources: [
            "Sources/Rules/Access/Callers/ProtectedPrograms.swift",
            "Sources/Parts/Peers/SubordinateUsers.swift#SubordinateUsers.ranges",
        ],
        words: ["thumbturn-prompt", "65534", "4294967295", "/usr/bin/", "anna:100000:65536"], seeds: { seeds },
        parse: { input in
            try must(
                SubordinateUsers.ranges(input).allSatisfy { $0.upperBound <= 2 * UInt64(UInt32.max) },
                "a range of users is too long")
            guard let registry = ProtectedPrograms(input) else { return nil }
            let programs = registry.programs
            try must(ProtectedPrograms(Array(registry.text.utf8)) == registry, "a registry isn't read as it is written")
            try must(programs.count <= ProtectedPrograms.limit, "\(programs.count) programs are protected")
            let counts = [Set(programs.map(\.gid)).count, Set(programs.map(\.name)).count, Set(programs.map(\.path)).count]
            try must(counts.allSatisfy { $0 == programs.count }, "two programs have one group, one name or one path")
            for program in programs {
                try must(registry[program.gid] == program, "a group is another program's")
                try must(program.gid != 0 && program.gid != 65534 && program.gid != .max, "group \(program.gid) is a program's")
                _ = program.showsPrompts
            }
            guard let first = programs.first else { return nil }
            var changed = registry
            changed.remove(first)
            try must(changed.programs.count == programs.count - 1 && changed.add(first), "a program isn't put back")
            return Array(first.name.utf8)
        })

    private static var seeds: [[UInt8]] {
        [
            "# comment\n990 vault /usr/bin/vault\n991 prompt /usr/libexec/thumbturn/thumbturn-prompt\n", "", "\n",
            "990 vault /usr/bin/a program\n", "0990 vault /usr/bin/vault\n", "990 vault /usr/../vault\n",
            "65534 vault /usr/bin/vault\n",
            "990 vault /usr/bin/vault\n990 bank /usr/bin/bank\n", "anna:100000:65536\nbert:165536:65536\n:1:\n",
        ].map { Array($0.utf8) }
    }
}

/// The ledger of the TPM's keeper.
enum KeeperLedgerTarget {
    static let target = FuzzTarget(
        "keeper-ledger", longest: 240, sources: ["Sources/Parts/Custody/Keeper/KeeperLedger.swift"],
        words: ["thumbturn-tpm 1\n", "counter ", "guess ", "end\n"], mark: "4711", seeds: { seeds },
        parse: { input in
            guard let ledger = KeeperLedger(input) else { return nil }
            try must(ledger.text.utf8.elementsEqual(input), "a ledger has two forms")
            try must(KeeperLedger(Array(ledger.text.utf8)) == ledger, "a ledger isn't read as it is written")
            let users = Set(ledger.counters.values)
            try must(
                users.reduce(0) { $0 + ledger.counters(of: $1).count } == ledger.counters.count, "a counter has no user, or two")
            return ledger.guesses.guesses.first.map { Array(String($0).utf8) }
        })

    private static var seeds: [[UInt8]] {
        [
            "thumbturn-tpm 1\nend\n",
            "thumbturn-tpm 1\ncounter 1000 1c00001\ncounter 1001 1c00002\nguess 123456\nguess 1000\nend\n",
            "thumbturn-tpm 1\nguess 100000\ncounter 1000 1c00001\nend\n", "thumbturn-tpm 2\nend\n",
            "thumbturn-tpm 1\nguess 01\nend\n",
        ].map { Array($0.utf8) }
    }
}

/// Keys and seals that a TPM wrapped, and the word that says where the TPM is.
enum TPMFormTarget {
    private static let custody = "Sources/Parts/Custody/"

    static let target = FuzzTarget(
        "tpm-forms", longest: 320,
        sources: [
            custody + "TPMKeyMaterial.swift", custody + "TPMSeal.swift", custody + "TPMRoute.swift#TPMRoute.init",
            custody + "TPMRoute.swift#TPMRoute.word",
        ],
        words: ["device", "tabrmd", "swtpm:/"], seeds: { try seeds() },
        parse: { input in
            let text = String(decoding: input, as: UTF8.self)
            if let route = TPMRoute(text) { try must(route.word.hasSameBytes(as: text), "a way to the TPM has two words") }
            let seal = try accepted { () throws(TPMError) -> TPMSeal in
                try TPMSeal(input)
            } or: {
                $0.code == .damaged
            }
            if let seal { try must(seal.bytes == input, "a seal isn't written as it was read") }
            let material = try accepted { () throws(TPMError) -> TPMKeyMaterial in
                try TPMKeyMaterial(secret(input))
            } or: {
                $0.code == .damaged
            }
            guard let material else { return nil }
            try must(try material.encoded().plain == input, "a key's material isn't written as it was read")
            let own = TPMSeal(material)
            try must(try own.material(under: material.authorization).encoded().plain == input, "a seal has another material")
            let longest = [material.parent, material.area, material.wrapped].map(\.count).max() ?? 0
            try must(longest <= TPMKeyMaterial.mostBytes, "a part of \(longest) bytes is read")
            return material.parent
        })

    private static func seeds() throws -> [[UInt8]] {
        let material = TPMKeyMaterial(
            parent: [UInt8](1...8), authorization: secret([UInt8](repeating: 7, count: 32)), area: [1, 2], wrapped: [3])
        let bytes = try material.encoded().plain
        return [
            bytes, TPMSeal(material).bytes, Array(bytes.dropLast()), Array("device".utf8), Array("tabrmd".utf8),
            Array("swtpm:/run/tpm".utf8), Array("swtpm:/a,b".utf8),
        ]
    }
}
