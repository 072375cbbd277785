import Foundation
import Testing

@Suite("The README is true")
struct ReadmeTests {
    /// The ```swift blocks of the page, first to last.
    static func samples() throws -> [String] {
        let page = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
        return page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    @Test("Every sample, taken out of the page, compiles without a warning against what was just built")
    func samplesCompile() async throws {
        let samples = try Self.samples()
        #expect(samples.count == 2)
        let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-readme-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, sample) in samples.enumerated() {
            let file = folder.appending(path: "Sample\(number).swift")
            try file.write(sample)
            let outcome = try await run([
                "swiftc", "-c", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", file.path,
                "-I", try modules().path, "-o", folder.appending(path: "Sample\(number).o").path,
                "-Xcc", "-fmodule-map-file=\(checkout.path)/Sources/C/Linux/module.modulemap",
            ])
            #expect(outcome.status == 0, "sample \(number + 1):\n\(outcome.output)")
        }
    }

    @Test("Every page the README links to is there")
    func linksLead() throws {
        let page = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
        let links = page.matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
        #expect(links.count > 8)
        for link in links { #expect(FileManager.default.fileExists(atPath: checkout.appending(path: link).path), "\(link)") }
    }

    /// Where the modules of this very build are.
    private func modules() throws -> URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folder = bundle.deletingLastPathComponent().appending(path: "Modules")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        return checkout.appending(path: ".build/debug/Modules")
    }
}
