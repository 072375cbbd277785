import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn names`: what shells complete names with. It asks nobody, opens no secret and starts no daemon.
enum Names {
    /// What there are names of.
    enum Kind: String, Sendable, CaseIterable {
        case secrets, accounts, keys
        case sshKeys = "ssh-keys"
        case apps

        /// A value that shells complete with these names.
        func value(_ name: String, afterEquals: Bool = false) -> Value {
            .listed(name, kind: rawValue, afterEquals: afterEquals)
        }
    }

    /// How many seconds the daemon has to answer. A line that is being typed waits for it.
    private static let patience: UInt32 = 2

    static let command = Command.names(of: Kind.allCases.map(\.rawValue)) { invocation throws(Failure) in
        // Parsing accepts no other kind.
        guard let kind = Kind(rawValue: invocation.operands[0]), isReachable else { return outcome([]) }
        _ = signal(SIGALRM) { _ in _exit(0) }
        _ = alarm(patience)
        do throws(KeychainFailure) {
            return outcome(Set(try all(kind)).filter(isTypable).sorted())
        } catch .itemNotFound {
            return outcome([])
        } catch {
            throw Failure(error, about: .item)
        }
    }

    /// Whether something may listen. A key on the keyboard is no reason to start a daemon.
    private static var isReachable: Bool {
        DevicePlace().map { unsafe access($0.socket, F_OK) == 0 } ?? false
    }

    private static func all(_ kind: Kind) throws(KeychainFailure) -> [String] {
        switch kind {
        case .secrets: try texts(.genericPassword, .service)
        case .accounts: try texts(.genericPassword, .account)
        case .keys:
            try items(.key).filter { $0.attributes[.applicationTag] != SSHKey.tag }.compactMap { text($0, .applicationTag) }
        case .sshKeys: try items(.key).filter { $0.attributes[.applicationTag] == SSHKey.tag }.compactMap { text($0, .label) }
        case .apps: try DeviceClient.shared.apps().map(\.app.text)
        }
    }

    private static func texts(_ itemClass: ItemClass, _ attribute: AttributeName) throws(KeychainFailure) -> [String] {
        try items(itemClass).compactMap { text($0, attribute) }
    }

    private static func items(_ itemClass: ItemClass) throws(KeychainFailure) -> [FoundItem] {
        let attributes: Attributes = itemClass == .key ? [.keyClass: .number(1)] : [:]
        return try DeviceClient.shared.find(
            Query(
                itemClass: itemClass, attributes: attributes, sync: .any, limit: nil, shape: .attributes,
                asking: AskingTerms(permission: .fail)))
    }

    private static func text(_ item: FoundItem, _ attribute: AttributeName) -> String? {
        item.attributes[attribute].map { String(decoding: $0.comparable, as: UTF8.self) }
    }

    /// Whether a shell can offer the name as one line, and the parser takes it for a name.
    private static func isTypable(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-") && SafeText(name, limit: .max).description.hasSameBytes(as: name)
    }

    private static func outcome(_ names: [String]) -> Outcome {
        Outcome(lines: names, json: .object([("names", .list(names.map { .text($0) }))]))
    }
}
