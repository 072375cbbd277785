// swift-tools-version: 6.2
import PackageDescription

// The rooms of the house (docs/contributors/architecture.md). A folder is a room's name, a module bears the project's prefix, so that an
// app may have a `Crypto` or a `Client` of its own. scripts/check-house reads this file and checks the arrows.

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let testing: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
    .enableUpcomingFeature("ExistentialAny"),
]

// A C library, with the Debian packages that have its headers: SwiftPM shows them to whoever misses one.
func door(_ name: String, pkgConfig: String? = nil, apt: [String]) -> Target {
    .systemLibrary(name: "CThumb\(name)", path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt(apt)])
}

func room(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(path)", exclude: exclude, resources: resources,
        swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: strict)
}

// Examples are apps: written as their authors would write them, without the house's own settings.
func example(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Examples/\(folder)")
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests", exclude: exclude, swiftSettings: testing)
}

let package = Package(
    name: "thumbturn",
    products: [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "CoreFoundation", targets: ["CoreFoundation"]),
        .library(name: "Thumbturn", targets: ["Thumbturn"]),
        .library(name: "ThumbturnSimulator", targets: ["ThumbturnSimulator"]),
        .executable(name: "thumbturn", targets: ["thumbturn"]),
        .executable(name: "thumbturnd", targets: ["thumbturnd"]),
        .executable(name: "thumbturn-front", targets: ["thumbturn-front"]),
        .executable(name: "thumbturn-tpm", targets: ["thumbturn-tpm"]),
        .executable(name: "thumbturn-reader", targets: ["thumbturn-reader"]),
        .executable(name: "thumbturn-prompt", targets: ["thumbturn-prompt"]),
        .executable(name: "thumbturn-window-launcher", targets: ["thumbturn-window-launcher"]),
        .executable(name: "thumbturn-passcode", targets: ["thumbturn-passcode"]),
        .executable(name: "thumbturn-simulator", targets: ["thumbturn-simulator"]),
        .executable(name: "thumbturn-secrets", targets: ["thumbturn-secrets"]),
        .executable(name: "thumbturn-polkit", targets: ["thumbturn-polkit"]),
        .executable(name: "thumbturn-secret-service", targets: ["thumbturn-secret-service"]),
        .executable(name: "thumbturn-sign-in", targets: ["thumbturn-sign-in"]),
        .executable(name: "thumbturn-companion", targets: ["thumbturn-companion"]),
        .executable(name: "thumbturn-server", targets: ["thumbturn-server"]),
    ],
    targets: [
        door("Linux", apt: ["libc6-dev"]),
        door("OpenSSL", apt: ["libssl-dev"]),
        door("Argon2", apt: ["libargon2-dev"]),
        door("SQLite", apt: ["libsqlite3-dev"]),
        door("Postgres", apt: ["libpq-dev"]),
        door("HTTP", apt: ["libmicrohttpd-dev"]),
        door("Systemd", apt: ["libsystemd-dev"]),
        door("TSS", apt: ["libtss2-dev"]),
        door("PAM", apt: ["libpam0g-dev"]),
        // Linked by the programs that speak to a TPM. They never call it: libtss2 does.
        .target(
            name: "CThumbTSSContext", path: "Sources/C/TSSContext",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),

        room("ThumbSystem", "System", ["CThumbLinux"]),
        room("ThumbSecrets", "Secrets", ["ThumbSystem", "CThumbLinux"]),

        room("ThumbAccess", "Rules/Access", ["ThumbSecrets"]),
        room("ThumbAuthentication", "Rules/Authentication", ["ThumbAccess", "ThumbSecrets"]),
        room("ThumbKeychain", "Rules/Keychain", ["ThumbAccess", "ThumbAuthentication", "ThumbSecrets"]),
        room("ThumbMetering", "Rules/Metering", []),
        room("ThumbLogging", "Rules/Logging", []),
        room("ThumbCommands", "Rules/Commands", ["ThumbAccess"]),
        room("ThumbSSHAgent", "Rules/SSHAgent", ["ThumbAccess"]),
        room("ThumbSignIn", "Rules/SignIn", ["ThumbAccess"]),
        room("ThumbJSON", "Rules/JSON", []),
        room("ThumbCredentialForms", "Rules/CredentialForms", ["ThumbJSON", "ThumbSecrets"]),
        room("ThumbCompanion", "Rules/Companion", ["ThumbAccess", "ThumbSecrets"]),
        room("ThumbSecretService", "Rules/SecretService", ["ThumbAccess", "ThumbSecrets"]),

        room("ThumbCrypto", "Parts/Crypto", ["ThumbAccess", "ThumbSecrets", "CThumbOpenSSL", "CThumbArgon2"]),
        room("ThumbCompanions", "Parts/Companions", ["ThumbCompanion", "ThumbAccess", "ThumbCrypto", "ThumbSecrets"]),
        room("ThumbSQLite", "Parts/SQLite", ["CThumbSQLite"]),
        room("ThumbLoop", "Parts/Loop", ["ThumbSecrets", "ThumbSystem", "CThumbLinux"]),
        room("ThumbCarrying", "Parts/Carrying", ["ThumbAccess", "ThumbMetering", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbDaemonProcess", "Parts/DaemonProcess",
            ["ThumbCommands", "ThumbLogging", "ThumbLoop", "ThumbSecrets", "ThumbSystem", "CThumbLinux"]),
        room("ThumbPeers", "Parts/Peers", ["ThumbAccess", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbIdentities", "Parts/Identities",
            ["ThumbPeers", "ThumbCrypto", "ThumbAccess", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbBrokers", "Parts/Brokers",
            [
                "ThumbConversation", "ThumbCommands", "ThumbDaemonProcess", "ThumbLogging", "ThumbLoop", "ThumbSecrets",
                "CThumbLinux",
            ]),
        room("ThumbBus", "Parts/Bus", ["ThumbLoop", "ThumbSecrets", "CThumbSystemd", "CThumbLinux"]),
        room(
            "ThumbSensors", "Parts/Sensors",
            [
                "ThumbAuthentication", "ThumbMetering", "ThumbAccess", "ThumbConversation", "ThumbBrokers", "ThumbBus",
                "ThumbLoop", "ThumbSecrets", "ThumbSystem", "CThumbLinux",
            ]),
        room(
            "ThumbStorage", "Parts/Storage",
            [
                "ThumbKeychain", "ThumbAuthentication", "ThumbAccess", "ThumbCrypto", "ThumbSQLite", "ThumbSecrets",
                "ThumbSystem", "CThumbLinux",
            ]),
        room(
            "ThumbCustody", "Parts/Custody",
            [
                "ThumbKeychain", "ThumbMetering", "ThumbAccess", "ThumbConversation", "ThumbBrokers", "ThumbCrypto", "ThumbLoop",
                "ThumbSecrets", "ThumbSystem", "CThumbTSS", "CThumbLinux",
            ]),
        room(
            "ThumbHelpers", "Parts/Helpers",
            [
                "ThumbAuthentication", "ThumbAccess", "ThumbConversation", "ThumbLoop", "ThumbSecrets", "CThumbSystemd",
                "CThumbLinux",
            ]),
        room(
            "ThumbProtectedPrograms", "Parts/ProtectedPrograms", ["ThumbAccess", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbSSHAgentServer", "Parts/SSHAgentServer",
            ["ThumbSSHAgent", "ThumbAccess", "ThumbCrypto", "ThumbLoop", "ThumbSecrets", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbPrompting", "Parts/Prompting",
            ["ThumbAccess", "ThumbConversation", "ThumbLoop", "ThumbSecrets", "CThumbLinux"], exclude: ["Languages"]),
        room(
            "ThumbSimulation", "Parts/Simulation",
            ["ThumbAuthentication", "ThumbAccess", "ThumbSecrets"]),

        room("ThumbConversation", "Wire/Conversation", ["ThumbAccess", "ThumbSecrets"]),
        room(
            "ThumbClient", "Wire/Client",
            ["ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbLinux"]),
        room(
            "ThumbService", "Wire/Service",
            [
                "ThumbAccess", "ThumbAuthentication", "ThumbCompanion", "ThumbKeychain", "ThumbMetering", "ThumbSignIn",
                "ThumbConversation", "ThumbIdentities", "ThumbPeers", "ThumbProtectedPrograms", "ThumbLogging", "ThumbLoop",
                "ThumbSecrets", "CThumbLinux",
            ]),

        room(
            "ThumbSecretProvider", "Parts/SecretProvider",
            [
                "ThumbSecretService", "ThumbAccess", "ThumbBus", "ThumbClient", "ThumbCrypto", "ThumbIdentities", "ThumbLoop",
                "ThumbProtectedPrograms", "ThumbSecrets", "ThumbSystem", "CThumbLinux",
            ]),

        room(
            "ThumbPolkitAgent", "Parts/PolkitAgent",
            [
                "ThumbAccess", "ThumbBus", "ThumbClient", "ThumbConversation", "ThumbLoop", "ThumbPeers", "ThumbPrompting",
                "ThumbSecrets", "ThumbSystem", "CThumbLinux",
            ]),

        room("ThumbInside", "Wire/Inside", ["ThumbConversation", "ThumbPeers", "ThumbLoop", "ThumbSecrets"]),
        room(
            "ThumbFront", "Wire/Front",
            [
                "ThumbInside", "ThumbConversation", "ThumbPeers", "ThumbSensors", "ThumbDaemonProcess", "ThumbMetering",
                "ThumbBus", "ThumbLoop", "ThumbSystem",
            ]),

        room(
            "ThumbAssembly", "Assembly",
            [
                "ThumbService", "ThumbStorage", "ThumbCompanions", "ThumbCrypto", "ThumbCustody", "ThumbHelpers",
                "ThumbSimulation", "ThumbSensors",
                "ThumbBus", "ThumbLoop",
                "ThumbAuthentication", "ThumbKeychain", "ThumbAccess", "ThumbSecrets", "ThumbConversation", "CThumbLinux",
            ]),

        room(
            "ThumbLedgers", "Server/Ledgers",
            ["ThumbSignIn", "ThumbSQLite", "ThumbSecrets", "ThumbSystem", "CThumbPostgres", "CThumbLinux"]),
        room(
            "ThumbSignInServer", "Server/SignInServer",
            [
                "ThumbSignIn", "ThumbMetering", "ThumbLogging", "ThumbJSON", "ThumbAccess", "ThumbCrypto", "ThumbSecrets",
                "ThumbSystem", "CThumbHTTP", "CThumbLinux",
            ],
            // A link to docs/openapi.yaml, and the passwords that are tried first. In code, so that the program needs no file beside it.
            resources: [.embedInCode("openapi.yaml"), .embedInCode("Passwords/commonest.txt")]),

        room(
            "ThumbSecurityAPI", "Frameworks/SecurityAPI",
            ["ThumbClient", "ThumbCrypto", "ThumbSignIn", "ThumbAccess", "ThumbSecrets"],
            exclude: ["Status/StatusCodes.tsv"]),
        room(
            "ThumbLocalAuthenticationAPI", "Frameworks/LocalAuthenticationAPI",
            ["ThumbSecurityAPI", "ThumbClient", "ThumbAccess", "ThumbSecrets"]),
        room("Security", "Frameworks/Security", ["ThumbSecurityAPI"]),
        room("CoreFoundation", "Frameworks/CoreFoundation", ["ThumbSecurityAPI"]),
        room("LocalAuthentication", "Frameworks/LocalAuthentication", ["ThumbLocalAuthenticationAPI", "ThumbSecurityAPI"]),
        room("Thumbturn", "Frameworks/Thumbturn", ["LocalAuthentication", "ThumbSignIn", "ThumbClient", "ThumbAccess"]),
        room(
            "ThumbturnSimulator", "Frameworks/ThumbturnSimulator",
            [
                "ThumbAssembly", "ThumbService", "ThumbSimulation", "ThumbClient", "ThumbLoop", "ThumbAuthentication",
                "ThumbAccess",
                "ThumbSecrets", "ThumbSystem", "CThumbLinux",
            ]),

        .executableTarget(
            name: "thumbturn-window-launcher", path: "Sources/Programs/thumbturn-window-launcher",
            cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
        program(
            "thumbturn",
            [
                "ThumbClient", "ThumbCommands", "ThumbSSHAgent", "ThumbSSHAgentServer", "ThumbProtectedPrograms", "ThumbCrypto",
                "ThumbCredentialForms", "ThumbIdentities", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbLinux",
            ]),
        program(
            "thumbturn-bench",
            [
                "ThumbturnSimulator", "ThumbLocalAuthenticationAPI", "ThumbSecurityAPI", "ThumbClient", "ThumbStorage",
                "ThumbCustody", "ThumbCrypto", "ThumbKeychain", "ThumbSignIn", "ThumbBus", "ThumbConversation", "ThumbLoop",
                "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbTSSContext", "CThumbLinux", "thumbturn-test-fingerprint",
                "thumbturn-test-login", "thumbturn-test-wire",
            ]),
        example("thumbturn-demo", "Demo", ["Thumbturn", "LocalAuthentication", "ThumbturnSimulator"]),
        .target(
            name: "VaultScreens", dependencies: ["Thumbturn", "LocalAuthentication"], path: "Examples/LoginAndVault/Shared"),
        example("login-and-vault", "LoginAndVault/Terminal", ["VaultScreens", "Thumbturn"]),
        program(
            "thumbturnd",
            [
                "ThumbAssembly", "ThumbService", "ThumbInside", "ThumbPeers", "ThumbSensors", "ThumbConversation", "ThumbClient",
                "ThumbCommands", "ThumbDaemonProcess", "ThumbLogging",
                "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbTSSContext", "CThumbLinux",
            ]),
        program(
            "thumbturn-tpm",
            [
                "ThumbCustody", "ThumbBrokers", "ThumbCommands", "ThumbDaemonProcess", "ThumbLoop", "ThumbSystem",
                "CThumbTSSContext", "CThumbLinux",
            ]),
        program(
            "thumbturn-reader",
            [
                "ThumbSensors", "ThumbBrokers", "ThumbCrypto", "ThumbCommands", "ThumbDaemonProcess", "ThumbLoop", "ThumbAccess",
                "CThumbLinux",
            ]),
        program(
            "thumbturn-front",
            ["ThumbFront", "ThumbCommands", "ThumbDaemonProcess", "ThumbLogging", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        program("thumbturn-simulator", ["ThumbturnSimulator", "ThumbLoop", "CThumbLinux"]),
        program(
            "thumbturn-passcode",
            ["ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbPAM", "CThumbLinux"]),
        program(
            "thumbturn-secrets",
            [
                "ThumbSecretProvider", "ThumbBus", "ThumbCommands", "ThumbDaemonProcess", "ThumbLogging", "ThumbLoop",
                "ThumbAccess", "CThumbLinux",
            ]),
        program(
            "thumbturn-polkit",
            [
                "ThumbPolkitAgent", "ThumbBus", "ThumbClient", "ThumbCommands", "ThumbDaemonProcess", "ThumbLogging", "ThumbLoop",
                "CThumbLinux",
            ]),
        program("thumbturn-secret-service", ["ThumbBus", "ThumbLoop", "ThumbSystem", "CThumbLinux"]),
        program("thumbturn-sign-in", ["Thumbturn", "ThumbAccess"]),
        program(
            "thumbturn-companion",
            [
                "ThumbCarrying", "ThumbClient", "ThumbCommands", "ThumbDaemonProcess", "ThumbLoop", "ThumbAccess", "ThumbSecrets",
                "ThumbSystem", "CThumbLinux",
            ]),
        program(
            "thumbturn-server",
            ["ThumbSignInServer", "ThumbLedgers", "ThumbSignIn", "ThumbCommands", "ThumbLogging", "ThumbLoop"]),
        program(
            "thumbturn-prompt",
            ["ThumbPrompting", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbLinux"]),

        tests("System", ["ThumbSystem", "ThumbSecrets", "CThumbLinux", "thumbturn-test-programs"]),
        tests("Secrets", ["ThumbSecrets", "CThumbLinux", "thumbturn-test-programs"]),
        tests(
            "Crypto",
            ["ThumbCrypto", "ThumbAccess", "ThumbSecrets", "CThumbOpenSSL", "thumbturn-test-support", "thumbturn-test-programs"]),
        tests(
            "SecretService",
            [
                "ThumbSecretService", "ThumbAccess", "ThumbBus", "ThumbSecrets", "CThumbLinux", "thumbturn-secrets",
                "thumbturn-simulator", "thumbturnd", "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests(
            "PolkitAgent",
            [
                "ThumbPolkitAgent", "ThumbBus", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-daemon", "thumbturn-test-fingerprint", "thumbturn-test-programs",
            ]),
        tests("Vector", ["ThumbCrypto", "ThumbAccess", "ThumbSecrets", "thumbturn-test-tpm"], exclude: ["Vectors"]),
        tests("Access", ["ThumbAccess", "ThumbSecrets"]),
        tests("Metering", ["ThumbMetering"]),
        tests("Logging", ["ThumbLogging"]),
        tests(
            "Companion",
            [
                "ThumbCompanion", "ThumbCompanions", "ThumbCarrying", "ThumbLoop", "ThumbAccess", "ThumbCrypto", "ThumbSecrets",
                "ThumbSystem", "CThumbLinux", "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests("Brokers", ["ThumbBrokers", "ThumbConversation", "ThumbLoop", "CThumbLinux"]),
        tests(
            "Front",
            [
                "ThumbFront", "ThumbInside", "ThumbConversation", "ThumbPeers", "ThumbSensors", "ThumbLoop", "ThumbAccess",
                "ThumbSecrets", "CThumbLinux", "thumbturn-test-daemon",
            ]),
        tests("Peers", ["ThumbPeers", "ThumbLoop", "ThumbAccess", "CThumbLinux", "thumbturn-test-programs"]),
        tests(
            "Identities",
            [
                "ThumbIdentities", "ThumbPeers", "ThumbAccess", "CThumbLinux", "thumbturn-test-daemon",
                "thumbturn-test-programs", "thumbturn-test-identity",
            ]),
        tests(
            "Client",
            [
                "ThumbClient", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-programs",
            ]),
        tests("SignIn", ["ThumbSignIn", "ThumbCrypto", "ThumbAccess"], exclude: ["make-vectors", "vectors.json"]),
        tests(
            "CommandLine",
            [
                "thumbturn", "thumbturn-sign-in", "Thumbturn", "ThumbClient", "ThumbCommands", "ThumbCredentialForms",
                "ThumbProtectedPrograms",
                "ThumbSSHAgentServer", "ThumbCrypto", "ThumbAccess", "ThumbSecrets", "CThumbLinux", "thumbturn-test-programs",
                "thumbturn-test-daemon",
            ], exclude: ["played_kwallet.py", "provider.py", "transcripts"]),
        tests("CredentialForms", ["ThumbCredentialForms", "ThumbSecrets"]),
        tests("Commands", ["ThumbCommands", "thumbturn-test-programs"]),
        tests(
            "Storage",
            [
                "ThumbStorage", "ThumbKeychain", "ThumbAuthentication", "ThumbAccess", "ThumbSecrets", "CThumbSQLite",
                "thumbturn-test-programs",
            ], exclude: ["Fixtures"]),
        tests(
            "Frameworks",
            [
                "ThumbSecurityAPI", "ThumbLocalAuthenticationAPI", "Security", "LocalAuthentication", "ThumbAccess",
                "ThumbSecrets", "thumbturn-test-support", "thumbturn-test-programs",
            ]),
        tests("Authentication", ["ThumbAuthentication", "ThumbAccess", "ThumbSecrets", "thumbturn-test-programs"]),
        tests(
            "LocalAuthentication",
            [
                "LocalAuthentication", "ThumbturnSimulator", "ThumbLocalAuthenticationAPI", "ThumbSecurityAPI", "ThumbClient",
                "ThumbLoop", "ThumbAccess", "ThumbSecrets", "thumbturn-test-support", "thumbturn-test-programs",
            ]),
        tests(
            "Conversation",
            ["ThumbConversation", "ThumbAccess", "ThumbSecrets", "thumbturn-test-wire", "thumbturn-test-programs"],
            exclude: ["Corpus"]),
        tests(
            "Prompting",
            [
                "ThumbPrompting", "ThumbAccess", "ThumbConversation", "ThumbLoop", "ThumbSecrets", "thumbturn-test-programs",
            ]),
        tests("Loop", ["ThumbLoop", "ThumbSecrets", "CThumbLinux"]),
        tests(
            "Bus",
            [
                "ThumbBus", "ThumbLoop", "ThumbSecrets", "CThumbLinux", "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests(
            "Service",
            [
                "thumbturn-test-wire",
                "ThumbAssembly", "ThumbService", "ThumbHelpers", "ThumbSimulation", "ThumbConversation", "ThumbLoop",
                "ThumbKeychain", "ThumbAuthentication", "ThumbCompanion", "ThumbMetering", "ThumbAccess", "ThumbSecrets",
                "CThumbLinux",
                "thumbturn-test-login", "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests(
            "Keychain",
            [
                "ThumbKeychain", "ThumbAuthentication", "ThumbSignIn", "ThumbAccess", "ThumbSecrets", "ThumbCrypto",
                "ThumbClient", "ThumbAssembly", "ThumbService", "ThumbSimulation", "ThumbStorage", "ThumbLoop",
                "ThumbturnSimulator", "Security", "LocalAuthentication", "thumbturn-test-support", "thumbturn-test-programs",
                "thumbturn-test-store", "thumbturn-test-daemon",
            ]),
        tests(
            "SecKey",
            [
                "Security", "LocalAuthentication", "ThumbturnSimulator", "ThumbSecurityAPI", "ThumbClient", "ThumbCrypto",
                "ThumbSecrets", "thumbturn-test-support", "thumbturn-test-programs",
            ]),
        tests(
            "Daemon",
            [
                "ThumbConversation", "ThumbDaemonProcess", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-tpm", "thumbturn-test-fingerprint", "thumbturn-test-wire", "thumbturn-test-programs",
            ], exclude: ["relay.py"]),
        tests(
            "Thumbturn",
            [
                "Thumbturn", "ThumbturnSimulator", "LocalAuthentication", "thumbturn-test-support", "thumbturn-test-programs",
            ]),
        tests(
            "Backup",
            [
                "ThumbturnSimulator", "ThumbStorage", "ThumbKeychain", "ThumbClient", "ThumbLoop", "ThumbAccess", "ThumbSecrets",
                "thumbturn-test-support",
            ]),
        tests("Examples", ["CThumbLinux", "thumbturn-test-support", "thumbturn-test-programs"]),
        tests(
            "Crash",
            [
                "ThumbStorage", "ThumbKeychain", "ThumbAuthentication", "ThumbClient", "ThumbAccess", "ThumbSecrets",
                "CThumbLinux",
                "thumbturn-test-store", "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests(
            "Attack",
            [
                "thumbturn-test-wire",
                "ThumbturnSimulator", "ThumbStorage", "ThumbKeychain", "ThumbAuthentication", "ThumbConversation", "ThumbClient",
                "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbCrypto", "CThumbSQLite", "CThumbLinux", "thumbturn-test-store",
                "thumbturn-test-daemon", "thumbturn-test-tpm", "thumbturn-test-programs",
            ]),
        tests(
            "Sensors",
            [
                "thumbturn-test-wire",
                "ThumbSensors", "ThumbBus", "ThumbAuthentication", "ThumbConversation", "ThumbClient", "ThumbCrypto", "ThumbLoop",
                "ThumbAccess", "ThumbSecrets", "CThumbLinux", "thumbturn-test-fingerprint", "thumbturn-test-daemon",
                "thumbturn-test-programs",
            ]),
        tests(
            "SSHAgent",
            [
                "thumbturn", "ThumbSSHAgent", "ThumbSSHAgentServer", "ThumbturnSimulator", "ThumbClient", "ThumbCrypto",
                "ThumbLoop", "ThumbAccess", "ThumbSecrets", "ThumbSystem", "CThumbLinux", "thumbturn-test-daemon",
                "thumbturn-test-support", "thumbturn-test-programs",
            ], exclude: ["Corpus"]),
        // Builds a library of C and programs that use it, all by themselves.
        tests("Library", ["CThumbLinux", "thumbturn-test-programs"], exclude: ["C"]),
        tests(
            "Desktop",
            [
                "thumbturn-secrets", "thumbturnd", "thumbturn-simulator", "thumbturn-test-reader",
                "thumbturn-test-secret-service",
                "thumbturn-test-daemon", "thumbturn-test-programs",
            ]),
        tests("House", ["thumbturn-test-programs"]),
        tests("Soak", ["thumbturn-test-model"]),
        tests("SignInClients", ["thumbturn-test-programs"], exclude: ["schemathesis.toml", "schemathesis_hooks.py"]),
        tests(
            "Ledger",
            [
                "ThumbLedgers", "ThumbSignIn", "ThumbCrypto", "ThumbAccess", "ThumbSecrets", "CThumbSQLite", "CThumbLinux",
                "thumbturn-server", "thumbturn-test-postgres", "thumbturn-test-daemon", "thumbturn-test-disk",
                "thumbturn-test-programs",
            ]),
        tests(
            "SignInServer",
            [
                "ThumbSignInServer", "ThumbLedgers", "ThumbSignIn", "ThumbJSON", "ThumbCrypto", "ThumbAccess", "ThumbSecrets",
                "CThumbLinux", "thumbturn-test-daemon", "thumbturn-test-postgres", "thumbturn-test-programs",
            ]),
        tests(
            "Custody",
            [
                "ThumbCustody", "ThumbBrokers", "ThumbMetering", "ThumbConversation", "ThumbSystem", "ThumbAssembly",
                "ThumbStorage", "ThumbAuthentication", "ThumbKeychain", "ThumbAccess",
                "ThumbCrypto", "ThumbLoop",
                "ThumbSecrets", "CThumbTSS",
                "CThumbLinux", "ThumbClient", "thumbturn-test-tpm", "thumbturn-test-store", "thumbturn-test-daemon",
                "thumbturn-test-programs",
            ]),
        tests(
            "PAM",
            [
                "thumbturn-test-login", "thumbturn-test-wire",
                "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux", "thumbturn-test-daemon",
                "thumbturn-test-programs",
            ]),
        .target(
            name: "thumbturn-test-tpm", dependencies: ["ThumbSecrets", "CThumbTSS", "CThumbLinux", "thumbturn-test-programs"],
            path: "Tests/Support/TPM",
            swiftSettings: testing),
        .target(
            name: "thumbturn-test-postgres", dependencies: ["thumbturn-test-programs"], path: "Tests/Support/Postgres",
            swiftSettings: testing),
        .target(
            name: "thumbturn-test-programs", dependencies: ["CThumbLinux"], path: "Tests/Support/Programs", swiftSettings: testing
        ),
        .target(name: "thumbturn-test-support", path: "Tests/Support/Device", swiftSettings: testing),
        .target(
            name: "thumbturn-test-disk", path: "Tests/Support/Disk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "thumbturn-test-store",
            dependencies: ["ThumbStorage", "ThumbKeychain", "ThumbAccess", "ThumbSecrets", "thumbturn-test-disk"],
            path: "Tests/Support/Store", swiftSettings: testing),
        .target(
            name: "thumbturn-test-daemon",
            dependencies: [
                "ThumbStorage", "ThumbClient", "ThumbLoop", "CThumbLinux", "thumbturn-test-store", "thumbturn-test-programs",
            ],
            path: "Tests/Support/Daemon", swiftSettings: testing),
        .target(
            name: "thumbturn-test-wire", dependencies: ["ThumbConversation", "ThumbAccess", "ThumbSecrets"],
            path: "Tests/Support/Wire", swiftSettings: testing),
        .target(
            name: "thumbturn-test-fingerprint",
            dependencies: [
                "thumbturn-test-wire", "ThumbBus", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-daemon", "thumbturn-test-programs",
            ],
            path: "Tests/Support/Fingerprint", swiftSettings: testing),
        .target(
            name: "thumbturn-test-login",
            dependencies: [
                "ThumbConversation", "ThumbLoop", "CThumbLinux", "thumbturn-test-wire", "thumbturn-test-daemon",
                "thumbturn-test-programs",
            ],
            path: "Tests/Support/Login", swiftSettings: testing),
        tests(
            "Login",
            [
                "ThumbBus", "ThumbLoop", "ThumbSecrets", "CThumbLinux", "thumbturn-test-login", "thumbturn-test-fingerprint",
                "thumbturn-test-model", "thumbturn-test-daemon", "thumbturn-test-programs",
            ], exclude: ["C"]),
        tests("Fuzz", ["thumbturn-test-fuzzing"], exclude: ["Corpus"]),
        .target(name: "thumbturn-test-model", path: "Tests/Support/Model", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-soak",
            dependencies: [
                "thumbturn-test-model", "thumbturn-test-fingerprint", "thumbturn-test-daemon", "thumbturn-test-programs",
                "thumbturn-test-wire", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
            ], path: "Tests/Support/Soak", swiftSettings: testing),
        .target(
            name: "thumbturn-test-fuzzing",
            dependencies: [
                "Thumbturn", "ThumbCompanion", "ThumbCarrying", "ThumbConversation", "ThumbInside", "ThumbLoop", "ThumbStorage",
                "ThumbKeychain", "ThumbCrypto", "ThumbCustody", "ThumbSSHAgent", "ThumbSSHAgentServer", "ThumbSignIn",
                "ThumbSignInServer", "ThumbBus", "ThumbSensors", "ThumbPeers", "ThumbProtectedPrograms", "ThumbPrompting",
                "ThumbJSON", "ThumbCredentialForms", "ThumbSecretService", "ThumbPolkitAgent", "ThumbCommands", "ThumbAccess",
                "ThumbSecrets", "CThumbSystemd", "CThumbLinux",
            ],
            path: "Tests/Support/Fuzzing", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-identity", dependencies: ["ThumbIdentities", "ThumbDaemonProcess", "CThumbLinux"],
            path: "Tests/Support/Identity", swiftSettings: testing),
        .executableTarget(name: "thumbturn-test-attacker", path: "Tests/Support/Attacker"),
        .executableTarget(
            name: "thumbturn-test-crasher", dependencies: ["thumbturn-test-store", "ThumbStorage", "thumbturn-test-disk"],
            path: "Tests/Support/Crasher", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-client",
            dependencies: [
                "ThumbClient", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-wire",
            ],
            path: "Tests/Support/Client", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-seat", dependencies: ["ThumbHelpers", "ThumbAuthentication", "ThumbAccess", "ThumbLoop"],
            path: "Tests/Support/Seat", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-reader", dependencies: ["ThumbBus", "ThumbLoop", "CThumbLinux", "thumbturn-test-programs"],
            path: "Tests/Support/Reader", swiftSettings: testing),
        .target(
            name: "thumbturn-test-secret-service",
            dependencies: ["ThumbLoop", "CThumbLinux", "thumbturn-test-daemon", "thumbturn-test-programs"],
            path: "Tests/Support/SecretService", swiftSettings: testing),
        .executableTarget(
            name: "thumbturn-test-kept", dependencies: ["ThumbClient", "ThumbIdentities", "ThumbAccess", "ThumbSecrets"],
            path: "Tests/Support/Kept", swiftSettings: testing),
        .executableTarget(name: "thumbturn-test-app", dependencies: ["LocalAuthentication"], path: "Tests/Support/App"),
        .executableTarget(
            name: "thumbturn-test-ported", dependencies: ["LocalAuthentication"], path: "Tests/Support/Ported",
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ],
    swiftLanguageModes: [.v6]
)

// The window, and with it GTK, is built only where it is asked for (the Makefile asks): a manifest that always had it would tell every
// app's build of a library that the app never reaches.
if Context.environment["THUMBTURN_WINDOW"] == "1" {
    package.products.append(.executable(name: "thumbturn-window", targets: ["thumbturn-window"]))
    package.targets += [
        door("GTK", pkgConfig: "gtk4", apt: ["libgtk-4-dev"]),
        program(
            "thumbturn-window",
            [
                "ThumbPrompting", "ThumbClient", "ThumbConversation", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbGTK",
                "CThumbLinux",
            ]),
        .systemLibrary(
            name: "CVaultGTK", path: "Examples/LoginAndVault/CVaultGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        example("login-and-vault-window", "LoginAndVault/Window", ["VaultScreens", "Thumbturn", "CVaultGTK"]),
        tests(
            "Window",
            [
                "thumbturn-test-wire",
                "ThumbPrompting", "ThumbAssembly", "ThumbService", "ThumbHelpers", "ThumbSimulation",
                "ThumbConversation", "ThumbAuthentication", "ThumbLoop", "ThumbAccess", "ThumbSecrets", "CThumbLinux",
                "thumbturn-test-programs",
            ], exclude: ["reader.py"]),
    ]
}

// The program that fuzzes is built only where it is asked for (`scripts/fuzz` asks), with libFuzzer or to measure coverage.
if Context.environment["THUMBTURN_FUZZ"] == "1" {
    package.products.append(.executable(name: "thumbturn-fuzz", targets: ["thumbturn-fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "thumbturn-fuzz", dependencies: ["thumbturn-test-fuzzing"], path: "Tests/Support/Fuzzer",
            swiftSettings: testing))
}

// One room's tests and what they need, nothing else: `make test-room ROOM=Access` asks for it, and is done in a minute. Programs that
// the tests start and don't depend on are named beside it.
if let room = Context.environment["THUMBTURN_ROOM"] {
    var needed: Set<String> = []
    var coming = ["\(room)Tests"] + (Context.environment["THUMBTURN_PROGRAMS"] ?? "").split(separator: " ").map(String.init)
    while let name = coming.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): coming.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
