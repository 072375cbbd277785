import Foundation
import Testing

/// Another project's package that depends on ours by its path. It has a `Crypto`, a `Client` and a `Storage` of its own, code
/// for Apple's systems under `#if canImport(Security)`, and an app that uses the product `LocalAuthentication` alone.
///
/// Building it takes minutes the first time, so it stays in `.build/neighbour`, with a scratch folder of its own there (this
/// very `swift test` may hold the lock of ours).
enum Neighbour {
    /// The app, built twice, one after the other.
    static let builds = Task {
        try writePackage()
        var outcomes: [Outcome] = []
        for round in 1...2 {
            try writeSources(round: round)
            outcomes.append(try await build())
        }
        return outcomes
    }

    /// What an app on LocalAuthentication must never need: the headers of the other parts' libraries.
    static let hiddenHeaders = [
        "sqlite3.h", "security/pam_appl.h", "systemd/sd-bus.h", "tss2/tss2_esys.h", "microhttpd.h", "libpq-fe.h", "gtk/gtk.h",
    ]

    private static let home = checkout.appending(path: ".build/neighbour")
    private static let package = home.appending(path: "package")
    static let hidden = home.appending(path: "hidden")

    private static func build() async throws -> Outcome {
        try await run(
            [
                "swift", "build", "--package-path", package.path, "--scratch-path", home.appending(path: "scratch").path,
                "--product", "App", "-Xcc", "-I\(hidden.path)",
            ])
    }

    /// The command that compiles the app, out of the build system's plan.
    static func commandForApp() throws -> String {
        let plan = try String(contentsOf: home.appending(path: "scratch/debug.yaml"), encoding: .utf8)
        let compiling = plan.split(separator: "\n").filter {
            $0.contains(#""-module-name","App""#) && $0.contains(#""-emit-module""#)
        }
        return try #require(compiling.first, "the plan names no compiling of App").description
    }

    /// Headers that come before the system's and say who included them.
    static func writeHiddenHeaders() throws {
        for header in hiddenHeaders {
            try keep("#error \"an app on LocalAuthentication reached for \(header)\"\n", at: hidden.appending(path: header))
        }
    }

    private static func writePackage() throws {
        try writeHiddenHeaders()
        // Harness is never built here; it puts every room of ours on the same map as the neighbour's.
        try keep(
            """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "neighbour",
                dependencies: [.package(path: "\(checkout.path)")],
                targets: [
                    .target(name: "Crypto"),
                    .target(name: "Client"),
                    .target(name: "Storage"),
                    .executableTarget(
                        name: "App",
                        dependencies: [
                            "Crypto", "Client", "Storage",
                            .product(name: "LocalAuthentication", package: "\(checkout.lastPathComponent)"),
                        ]),
                    .target(
                        name: "Harness",
                        dependencies: [.product(name: "ThumbturnSimulator", package: "\(checkout.lastPathComponent)")]),
                ])

            """, at: package.appending(path: "Package.swift"))
        for name in ["Crypto", "Client"] {
            try keep("public let name\(name) = \"\(name)\"\n", at: source(name))
        }
        try keep("public let nameHarness = \"Harness\"\n", at: source("Harness"))
    }

    /// The files that have to be compiled in every build, because what they see may have changed.
    private static func writeSources(round: Int) throws {
        try source("Storage").write(
            """
            // \(UUID()), build \(round)
            #if canImport(Security)
            #error("the neighbour was taken for an Apple system")
            #endif
            public let nameStorage = "Storage"

            """)
        try package.appending(path: "Sources/App/main.swift").write(
            """
            // \(UUID()), build \(round)
            import Client
            import Crypto
            import LocalAuthentication
            import Storage

            let context = LAContext()
            print(nameClient, nameCrypto, nameStorage, type(of: context))

            """)
    }

    private static func source(_ target: String) -> URL {
        package.appending(path: "Sources/\(target)/\(target).swift")
    }

    /// Writes only what differs, so that nothing is compiled again without need.
    private static func keep(_ text: String, at file: URL) throws {
        if let present = try? String(contentsOf: file, encoding: .utf8), present == text { return }
        try file.write(text)
    }
}
