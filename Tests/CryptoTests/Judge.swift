import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_programs

/// The `openssl` command, which knows nothing of this room, in a folder of its own for as long as it is asked.
final class Judge: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-judge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func put(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: folder.appending(path: name)) }

    func get(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: folder.appending(path: name))) }

    /// Writes both halves of a key: `name` as DER, for curves SEC 1's ECPrivateKey, and `name.pem`, the public half.
    func put(_ name: String, _ key: PrivateKey) throws {
        try put("\(name).pem", Array(key.publicKey.pem.utf8))
        guard case .elliptic(let curve) = key.kind else { return try put(name, key.external.exposed) }
        let oid: [UInt8] =
            switch curve {
            case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        let scalar = key.external.exposed.suffix(curve.fieldBytes)
        let content = [2, 1, 1, 4, UInt8(scalar.count)] + scalar + [0xA0, UInt8(oid.count)] + oid
        try put(name, [0x30, UInt8(content.count)] + content)
    }

    /// Whether the command, its words separated by blanks, says yes.
    func says(_ words: String) async throws -> Bool {
        let process = OwnProcess()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status = try await process.ended()
        try #require(status != 127, "the openssl command isn't here: scripts/setup brings it")
        return status == 0
    }

    /// What the command writes to the file `out`.
    func makes(_ words: String) async throws -> [UInt8] {
        let (command, rest) = (words.prefix { $0 != " " }, words.drop { $0 != " " })
        try #require(await says("\(command) -out out\(rest)"), "openssl \(words)")
        return try get("out")
    }
}

extension HashFunction {
    /// As the command calls it.
    var name: String {
        switch self {
        case .sha1: "sha1"
        case .sha224: "sha224"
        case .sha256: "sha256"
        case .sha384: "sha384"
        case .sha512: "sha512"
        }
    }
}
