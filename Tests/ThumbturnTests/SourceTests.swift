import Foundation
import Testing

@Suite("The layer's source")
struct SourceTests {
    @Test("It imports nothing that Apple's systems don't have, but for signing in and the session's events, which aren't there")
    func imports() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Frameworks/Thumbturn").standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(files.count >= 10)
        var imports: Set<String> = []
        var ofLinux: Set<String> = []
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let found = text.matches(of: /(?m)^(?:\w+ )?import (.+)$/).map { String($0.1) }
            if text.hasPrefix("#if os(Linux)\n") { ofLinux.formUnion(found) } else { imports.formUnion(found) }
        }
        #expect(imports == ["LocalAuthentication", "Observation"])
        #expect(ofLinux == ["LocalAuthentication", "ThumbSignIn", "FoundationNetworking", "ThumbClient", "ThumbAccess"])
    }
}
