import ThumbBus
import thumbturn_test_programs

/// Calls of the Secret Service whose parts are all valid for a bus, and don't fit together.
struct OddCalls {
    private var dice: Dice

    private static let paths = [
        "/", "/org/freedesktop/secrets", "/org/freedesktop/secrets/collection/login",
        "/org/freedesktop/secrets/collection/login/1",
        "/org/freedesktop/secrets/collection/none", "/org/freedesktop/secrets/collection/session",
        "/org/freedesktop/secrets/collection/login/18446744073709551616", "/org/freedesktop/secrets/aliases/default",
        "/org/freedesktop/secrets/aliases/none/1", "/org/freedesktop/secrets/session/1", "/org/freedesktop/secrets/prompt/1",
        "/org/freedesktop/portal/desktop",
    ]
    private static let members: [(interface: String, names: [String])] = [
        (
            "org.freedesktop.Secret.Service",
            [
                "OpenSession", "CreateCollection", "SearchItems", "Unlock", "Lock", "GetSecrets", "ReadAlias", "SetAlias",
                "Nothing",
            ]
        ),
        ("org.freedesktop.Secret.Collection", ["Delete", "SearchItems", "CreateItem"]),
        ("org.freedesktop.Secret.Item", ["Delete", "GetSecret", "SetSecret"]),
        ("org.freedesktop.Secret.Session", ["Close"]), ("org.freedesktop.Secret.Prompt", ["Prompt", "Dismiss"]),
        ("org.freedesktop.DBus.Properties", ["Get", "GetAll", "Set"]), ("org.freedesktop.DBus.Introspectable", ["Introspect"]),
        ("org.freedesktop.impl.portal.Secret", ["RetrieveSecret"]), ("org.example.Nothing", ["Nothing"]),
    ]
    private static let texts = [
        "", "plain", "dh-ietf1024-sha256-aes128-cbc-pkcs7", "default", "org.freedesktop.Secret.Item", "Label", "Attributes",
        "org.freedesktop.Secret.Item.Label", "org.freedesktop.Secret.Item.Attributes", "\u{1F}", "é", "\u{65}\u{301}",
        String(repeating: "long", count: 2000),
    ]

    init(_ seed: UInt64) { dice = Dice(seed) }

    mutating func next(_ service: String) -> BusCall {
        let (interface, names) = Self.members[dice.roll(Self.members.count)]
        return BusCall(
            service, Self.paths[dice.roll(Self.paths.count)], interface, names[dice.roll(names.count)],
            (0..<dice.roll(5)).map { _ in value(3) })
    }

    private mutating func text() -> BusValue { .string(Self.texts[dice.roll(Self.texts.count)]) }

    /// A value that holds others at most so deep.
    private mutating func value(_ depth: Int) -> BusValue {
        switch dice.roll(depth > 0 ? 15 : 8) {
        case 0: text()
        case 1: .path(Self.paths[dice.roll(Self.paths.count)])
        case 2: .bool(dice.roll(2) == 0)
        case 3: .int32(Int32(truncatingIfNeeded: dice.next()))
        case 4: .uint64(dice.next())
        case 5: .byte(UInt8(dice.roll(256)))
        case 6: .double(.nan)
        case 7: .bytes((0..<dice.roll(300)).map { _ in 0xff })
        case 8: .variant(value(depth - 1))
        case 9: .structure((0..<1 + dice.roll(4)).map { _ in value(depth - 1) })
        case 10: .array((0..<1 + dice.roll(4)).map { _ in text() })
        case 11: .array((0..<1 + dice.roll(40)).map { _ in .path(Self.paths[dice.roll(Self.paths.count)]) })
        case 12: .array((0..<1 + dice.roll(4)).map { _ in .entry([text(), text()]) })
        case 13: .array((0..<1 + dice.roll(4)).map { _ in .entry([text(), .variant(value(depth - 1))]) })
        // As a secret is sent, in nobody's session.
        default: .structure([.path("/org/freedesktop/secrets/session/\(dice.roll(9))"), .bytes([]), .bytes([1]), text()])
        }
    }
}
