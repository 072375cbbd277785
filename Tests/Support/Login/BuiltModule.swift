import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// pam_thumbturn.so as `scripts/login-module` builds it, in a folder that goes when the tests end.
public final class BuiltModule: Sendable {
    struct CannotBuild: Error { let kind: Kind }

    public enum Kind: String, CaseIterable, Sendable {
        case plain
        /// The sanitizers look on.
        case sanitized
        /// The application runs under pam_wrapper, which has the real libpam look for its services where a test has them.
        case wrapped
    }

    private static let plain = Result { try BuiltModule(.plain) }
    private static let wrapped = Result { try BuiltModule(.wrapped) }
    private static let sanitized = Result { try BuiltModule(.sanitized) }

    public static func get(_ kind: Kind) throws -> BuiltModule {
        switch kind {
        case .plain: try plain.get()
        case .sanitized: try sanitized.get()
        case .wrapped: try wrapped.get()
        }
    }

    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let folder: Scratch
    public var path: String { folder.path + "/pam_thumbturn.so" }
    /// What a program needs that knows nothing of the sanitizers.
    public let environment: [String: String]

    private init(_ kind: Kind) throws {
        folder = try Scratch(inMemory: false)
        // A user that runs sudo reaches it.
        chmod(folder.path, 0o755)
        let variables = kind == .sanitized ? ["SANITIZE": "address,undefined"] : [:]
        let script = Self.checkout.path + "/scripts/login-module"
        guard try Child("/bin/bash", [script, folder.path], environment: variables, path: "/usr/bin:/bin").end() == 0 else {
            throw CannotBuild(kind: kind)
        }
        environment =
            switch kind {
            case .plain: [:]
            case .sanitized:
                [
                    // The sanitizer stands before libcrypt's functions, and finds them only if they are there from the start.
                    "LD_PRELOAD": try Self.sanitizer() + ":libcrypt.so.1", "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
                    "UBSAN_OPTIONS": "halt_on_error=1",
                ]
            case .wrapped:
                ["LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": "/etc/pam.d"]
            }
    }

    /// The compiler's own library, which has to be there before all others.
    private static func sanitizer() throws -> String {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let pid = try spawn(
            ["/usr/bin/cc", "-print-file-name=libasan.so"], ["PATH": "/usr/bin:/bin"],
            [.nothing, .descriptor(writing), .nothing])
        close(writing)
        let said = FileHandle(fileDescriptor: reading, closeOnDealloc: false).readDataToEndOfFile()
        guard waited(for: pid) == 0 else { throw CannotBuild(kind: .sanitized) }
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
