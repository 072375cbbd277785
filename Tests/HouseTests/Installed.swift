import Foundation

/// Every program that `make install` wants to be there.
let installedPrograms = [
    "thumbturn", "thumbturnd", "thumbturn-front", "thumbturn-tpm", "thumbturn-reader", "thumbturn-prompt", "thumbturn-window",
    "thumbturn-window-launcher", "thumbturn-passcode", "thumbturn-simulator", "thumbturn-secret-service",
    "thumbturn-secrets", "thumbturn-polkit", "thumbturn-companion", "thumbturn-sign-in", "thumbturn-server",
]

/// Those of them that print man pages of their own.
let describedPrograms = [
    "thumbturn", "thumbturnd", "thumbturn-front", "thumbturn-tpm", "thumbturn-reader", "thumbturn-companion", "thumbturn-secrets",
    "thumbturn-polkit", "thumbturn-server",
]

/// The programs that are installed, as scripts that print their arguments: what they are doesn't matter to where they go. Asked for their man
/// pages, they name two. With them lies what says of what they are linked.
func makePrograms(in folder: URL, _ names: [String] = installedPrograms) throws {
    for name in names {
        let section = name == "thumbturn" ? 1 : 8
        let script = """
            #!/bin/sh
            [ "$*" = man-page ] && printf '%s\\n' \(name).\(section) \(name)-help.\(section) || echo "$@"

            """
        try folder.appending(path: name).write(script, executable: true)
    }
    try folder.appending(path: "thumbturn.spdx.json").write("{}\n")
    try folder.appending(path: "pam_thumbturn.so").write("module\n")
}

/// The files below a folder, links among them, by their paths in it.
func files(below root: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: root.path) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { path in
        let type = try? FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)[.type] as? FileAttributeType
        return type != .typeDirectory
    }.sorted()
}
