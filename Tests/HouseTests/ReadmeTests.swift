import Foundation
import Testing

@Suite("Pages with samples are true")
struct ReadmeTests {
    /// The pages, with the number of their samples and fewer links than they have.
    static let pages = [("README.md", 2, 8), ("docs/developers/everyday.md", 10, 0)]

    static func text(_ page: String) throws -> String {
        try String(contentsOf: checkout.appending(path: page), encoding: .utf8)
    }

    /// The ```swift blocks of a page, first to last.
    static func samples(_ page: String) throws -> [String] {
        try text(page).components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    }

    @Test("Every sample, taken out of its page, compiles without a warning against what was just built", arguments: pages)
    func samplesCompile(page: String, count: Int, fewerLinks: Int) async throws {
        let samples = try Self.samples(page)
        #expect(samples.count == count)
        let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-readme-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        // As the package manager does it: an app gets the doors of all that it depends on, and the simulator is the whole house.
        let doors = ["Linux", "OpenSSL", "Argon2", "SQLite", "Systemd", "TSS"].flatMap {
            ["-Xcc", "-fmodule-map-file=\(checkout.path)/Sources/C/\($0)/module.modulemap"]
        }
        for (number, sample) in samples.enumerated() {
            let file = folder.appending(path: "Sample\(number).swift")
            try file.write(sample)
            let outcome = try await run(
                [
                    "swiftc", "-c", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", file.path,
                    "-I", try modules().path, "-o", folder.appending(path: "Sample\(number).o").path,
                ] + doors)
            #expect(outcome.status == 0, "sample \(number + 1):\n\(outcome.output)")
        }
    }

    @Test("Every page that one of them links to is there", arguments: pages + [("docs/developers/sign-in.md", 0, 5)])
    func linksLead(page: String, count: Int, fewerLinks: Int) throws {
        let links = try Self.text(page).matches(of: /\]\(([^)#:]+)\)/).map { String($0.1) }
        #expect(links.count > fewerLinks)
        let folder = checkout.appending(path: page).deletingLastPathComponent()
        for link in links { #expect(FileManager.default.fileExists(atPath: folder.appending(path: link).path), "\(link)") }
    }

    /// Where the modules of this very build are.
    private func modules() throws -> URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folder = bundle.deletingLastPathComponent().appending(path: "Modules")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        return checkout.appending(path: ".build/debug/Modules")
    }
}
