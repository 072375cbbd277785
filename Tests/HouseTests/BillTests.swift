import Foundation
import Testing
import thumbturn_test_programs

/// What scripts/sbom writes, as far as SPDX 2.3 demands it.
private struct Bill: Decodable {
    struct Creation: Decodable { let created: String, creators: [String] }
    struct Reference: Decodable { let referenceCategory: String, referenceType: String, referenceLocator: String }
    struct Package: Decodable {
        let SPDXID: String, name: String, versionInfo: String, downloadLocation: String, filesAnalyzed: Bool
        let licenseConcluded: String, licenseDeclared: String, copyrightText: String
        let externalRefs: [Reference]?
    }
    struct Checksum: Decodable { let algorithm: String, checksumValue: String }
    struct File: Decodable {
        let SPDXID: String, fileName: String, checksums: [Checksum]
        let licenseConcluded: String, licenseInfoInFiles: [String], copyrightText: String
    }
    struct Relation: Decodable, Hashable { let spdxElementId: String, relationshipType: String, relatedSpdxElement: String }

    let spdxVersion: String, dataLicense: String, SPDXID: String, name: String, documentNamespace: String
    let creationInfo: Creation
    let documentDescribes: [String]
    let packages: [Package], files: [File], relationships: [Relation]
}

@Suite("The bill of materials") struct BillTests {
    private static let programs = ["thumbturn", "thumbturnd", "thumbturn-server"]

    private func written(
        _ folder: String = builtPrograms.path, _ programs: [String] = programs, _ variables: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(
            [checkout.appending(path: "scripts/sbom").path, folder] + programs,
            environment: ownEnvironment.merging(variables) { $1 })
    }

    private func bill(_ outcome: Outcome) throws -> Bill {
        try #require(outcome.status == 0, "\(outcome.output)")
        return try JSONDecoder().decode(Bill.self, from: Data(outcome.output.utf8))
    }

    @Test("It has the shape of SPDX 2.3: every field that must be there, names that may be, and no relation to nothing")
    func shape() async throws {
        let bill = try bill(try await written())
        #expect(bill.spdxVersion == "SPDX-2.3" && bill.dataLicense == "CC0-1.0" && bill.SPDXID == "SPDXRef-DOCUMENT")
        #expect(URL(string: bill.documentNamespace)?.scheme == "https" && !bill.documentNamespace.contains("#"))
        #expect(bill.creationInfo.created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        #expect(bill.creationInfo.creators.allSatisfy { $0.hasPrefix("Tool: ") } && !bill.creationInfo.creators.isEmpty)
        let names = [bill.SPDXID] + bill.packages.map(\.SPDXID) + bill.files.map(\.SPDXID)
        #expect(names.count == Set(names).count)
        for name in names { #expect(name.wholeMatch(of: /SPDXRef-[A-Za-z0-9.\-]+/) != nil, "\(name)") }
        for relation in bill.relationships {
            #expect(names.contains(relation.spdxElementId) && names.contains(relation.relatedSpdxElement), "\(relation)")
            #expect(["DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "STATIC_LINK"].contains(relation.relationshipType))
        }
        #expect(bill.relationships.count == Set(bill.relationships).count)
        for package in bill.packages {
            #expect(!package.name.isEmpty && !package.versionInfo.isEmpty && !package.filesAnalyzed)
            for reference in package.externalRefs ?? [] {
                #expect(reference.referenceCategory == "PACKAGE-MANAGER" && reference.referenceType == "purl")
                #expect(
                    reference.referenceLocator.wholeMatch(of: /pkg:(deb\/debian|generic)\/[^@\s]+@[^@\s+~]+/) != nil,
                    "\(reference)")
            }
        }
        for file in bill.files {
            #expect(file.fileName.hasPrefix("./") && file.checksums.map(\.algorithm) == ["SHA1", "SHA256"])
            #expect(file.checksums.map(\.checksumValue.count) == [40, 64])
        }
        #expect(bill.files.map(\.fileName).sorted() == Self.programs.map { "./\($0)" }.sorted())
        // Everything in it is there for a program.
        let used = Set(bill.relationships.map(\.relatedSpdxElement))
        #expect(bill.packages.allSatisfy { used.contains($0.SPDXID) })
    }

    @Test("Each library that a program loads is in it, with the Debian package that has it and that package's version")
    func libraries() async throws {
        let bill = try bill(try await written())
        for program in Self.programs {
            let linked = Set(
                bill.relationships.filter {
                    $0.spdxElementId == "SPDXRef-program-\(program)" && $0.relationshipType == "DYNAMIC_LINK"
                }
                .map(\.relatedSpdxElement))
            let section = try await run(["readelf", "-dW", builtPrograms.appending(path: program).path])
            let needed = section.lines.compactMap { $0.firstMatch(of: /\(NEEDED\).*\[(.+)\]/).map { String($0.1) } }
            #expect(needed.count > 3)
            // A debug build loads Swift's own libraries, which no package of Debian's has.
            for library in needed where library.hasPrefix("libswift") {
                #expect(linked.contains("SPDXRef-library-\(library.replacing("_", with: "-"))"), "\(library)")
            }
        }
        let core = try #require(bill.packages.first { $0.name == "libswiftCore.so" })
        #expect(try await run(["swift", "--version"]).output.contains("Swift version \(core.versionInfo) "))
        #expect(core.licenseDeclared == "Apache-2.0 WITH Swift-exception")
        let version = try await run(["dpkg-query", "-W", "-f", "${Version}", "libssl3"])
        let openssl = try #require(bill.packages.first { $0.name == "libssl3" })
        #expect(openssl.versionInfo == version.output && openssl.externalRefs?.count == 1)
        let users = bill.relationships.filter { $0.relatedSpdxElement == openssl.SPDXID }.map(\.spdxElementId)
        #expect(users.contains("SPDXRef-program-thumbturnd"))
        let http = try #require(bill.packages.first { $0.name == "libmicrohttpd12" })
        #expect(
            bill.relationships.filter { $0.relatedSpdxElement == http.SPDXID }.map(\.spdxElementId) == [
                "SPDXRef-program-thumbturn-server"
            ])
    }

    @Test("The same programs give the same bytes, and SOURCE_DATE_EPOCH is its date")
    func reproducible() async throws {
        let (one, two) = (try await written(), try await written())
        #expect(one.status == 0 && one.output == two.output)
        #expect(
            try bill(try await written(builtPrograms.path, ["thumbturn"], ["SOURCE_DATE_EPOCH": "86400"])).creationInfo.created
                == "1970-01-02T00:00:00Z")
    }

    @Test("A program that was stripped is refused, because what is linked into it can't be seen any more")
    func stripped() async throws {
        try await withTemporaryFolder { folder in
            let program = folder.appending(path: "thumbturn-prompt").path
            let strip = try await run(["strip", "-o", program, builtPrograms.appending(path: "thumbturn-prompt").path])
            try #require(strip.status == 0, "\(strip.output)")
            let outcome = try await written(folder.path, ["thumbturn-prompt"])
            #expect(outcome.status != 0 && outcome.output.contains("is stripped"), "\(outcome.output)")
        }
    }

    @Test("What of Swift is linked into a program is named with the toolchain's version and a licence")
    func runtime() async throws {
        try await withTemporaryFolder { folder in
            let source = folder.appending(path: "main.swift")
            try source.write("import Foundation\nprint(Date.now.formatted(), Thread.isMainThread)\n")
            let built = try await run(
                ["swiftc", "-static-stdlib", source.path, "-o", folder.appending(path: "clock").path], environment: ownEnvironment
            )
            try #require(built.status == 0, "\(built.output)")
            let bill = try bill(try await written(folder.path, ["clock"]))
            let linked = Set(bill.relationships.filter { $0.relationshipType == "STATIC_LINK" }.map(\.relatedSpdxElement))
            let parts = bill.packages.filter { linked.contains($0.SPDXID) }
            let version = try await run(["swift", "--version"])
            #expect(
                Set(parts.map(\.name)).isSuperset(
                    of: ["swift-runtime", "swift-foundation", "swift-corelibs-foundation", "swift-foundation-icu"]),
                "\(parts.map(\.name))")
            for part in parts {
                #expect(version.output.contains("Swift version \(part.versionInfo) "))
                #expect(["Apache-2.0 WITH Swift-exception", "Unicode-3.0"].contains(part.licenseDeclared))
            }
        }
    }
}
