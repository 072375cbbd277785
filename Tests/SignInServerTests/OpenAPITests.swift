import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("The description")
struct OpenAPITests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs")

    @Test("What is served is docs/openapi.yaml, byte by byte")
    func same() async throws {
        let reply = try await onThread { try HouseServer().wire().ask("GET", "/openapi.yaml", body: nil) }
        #expect(reply.status == 200)
        #expect(reply.headers["content-type"] == "application/yaml")
        #expect(Data(reply.body) == (try Data(contentsOf: Self.docs.appending(path: "openapi.yaml"))))
    }

    @Test("It has every operation, with every status that the server has for it, and no other route")
    func operations() throws {
        let text = try String(contentsOf: Self.docs.appending(path: "openapi.yaml"), encoding: .utf8)
        // Of YAML only what this file's own form needs: paths, methods and statuses by their indentation.
        var (found, path, method): (Set<String>, String, String) = ([], "", "")
        var statuses: [String: Set<Int>] = [:]
        for line in text.components(separatedBy: "\n") {
            if let match = line.wholeMatch(of: /\ \ (\/\S*):/) { path = String(match.1) }
            if let match = line.wholeMatch(of: /\ {4}(get|post|patch|delete|put|head):/) {
                method = match.1.uppercased()
                found.insert("\(method) \(path)")
            }
            if let match = line.wholeMatch(of: /\ {8}'(\d+)':/) {
                statuses["\(method) \(path)", default: []].insert(Int(match.1)!)
            }  // Digits.
        }
        let known = Set(
            Operation.allCases.map {
                "\($0.method.rawValue) \($0.route.rawValue.replacingOccurrences(of: "DEVICE", with: "{device}"))"
            })
        #expect(found == known)
        for operation in statuses.values { #expect(operation.isSuperset(of: [400, 408, 411, 413, 414, 429, 431, 503])) }
        let described = Set(statuses.values.flatMap { $0 })
        // 405 is for what isn't described.
        #expect(described.union([405]) == Set(Tally.statuses))
    }

    @Test("docs/developers/sign-in.md has every refusal with its status")
    func refusals() throws {
        let text = try String(contentsOf: Self.docs.appending(path: "developers/sign-in.md"), encoding: .utf8)
        for refusal in SignInRefusal.allCases {
            #expect(text.contains("| \(refusal.status) | `\(refusal.rawValue)` |"), "\(refusal)")
        }
    }

    @Test("No refusal's words are longer than the description says")
    func messages() { for refusal in SignInRefusal.allCases { #expect((1...200).contains(refusal.message.count)) } }
}
