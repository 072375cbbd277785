import Foundation
import Testing

@Suite("The layer's source")
struct SourceTests {
    @Test("It imports nothing that Apple's systems don't have")
    func imports() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Frameworks/Thumbturn").standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        #expect(files.count >= 10)
        var imports: Set<String> = []
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            imports.formUnion(text.matches(of: /(?m)^(?:\w+ )?import (.+)$/).map { String($0.1) })
        }
        #expect(imports == ["LocalAuthentication", "Observation"])
    }
}
