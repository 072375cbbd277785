import ThumbAccess

@testable import ThumbSecretService

/// What a store has about an item that other programs keep, and where on the bus they look for it.
enum KeptFormTarget {
    static let target = FuzzTarget(
        "kept-forms", longest: 512,
        sources: [
            "Sources/Rules/SecretService/Items/ItemAttributes.swift", "Sources/Rules/SecretService/Names/SecretPath.swift",
            "Sources/Rules/SecretService/Names/ItemName.swift",
            "Sources/Rules/SecretService/Items/SecretCollection.swift#aliases",
        ],
        words: [
            "/org/freedesktop/secrets", "/collection/", "/aliases/", "/session/", "/prompt/", "login", "default", "xdg:schema",
        ],
        seeds: { seeds },
        parse: { input in
            if let path = String(validating: input, as: UTF8.self), let meaning = SecretPath(path) {
                try must(meaning.text.utf8.elementsEqual(path.utf8), "an object has two paths")
            }
            if let aliases = SecretCollection.aliases(kept: input) {
                let collection = SecretCollection(name: .login, label: "", aliases: aliases)
                try must(collection.keptAliases == input, "aliases are written another way than they are read")
            }
            guard let attributes = ItemAttributes(kept: input) else { return nil }
            let pairs = attributes.pairs
            let again = try accepted({ () throws(ServiceFailure) in try ItemAttributes(pairs.reversed()) }, or: { _ in false })
            try must(again?.bytes == input, "attributes are written another way than they are read")
            try must(attributes.contain(attributes) && attributes.contain(.none), "attributes don't contain themselves")
            for pair in pairs {
                try must(attributes[pair.name] == pair.value, "an attribute has another value under its name")
                let one = try accepted({ () throws(ServiceFailure) in try ItemAttributes([pair]) }, or: { _ in false })
                try must(one.map(attributes.contain) == true, "one of the attributes isn't among them")
            }
            return pairs.last.map { Array($0.value.utf8) }
        })

    private static var seeds: [[UInt8]] {
        func texts(_ texts: [String]) -> [UInt8] { texts.flatMap { [0, 0, 0, UInt8($0.utf8.count)] + Array($0.utf8) } }
        return [
            [], texts(["a", "bugs"]), texts(["a", "", "b", "bugs", "xdg:schema", "x"]), texts(["default", "login_2"]),
            texts(["b", "1", "a", "2"]),
        ]
            + ["", "/collection/login", "/collection/a_b/12", "/collection/login/mine", "/aliases/default", "/aliases/default/7"]
            .map { Array((SecretPath.root + $0).utf8) }
            + ["/session/1", "/prompt/18446744073709551615", "/prompt/01"].map { Array((SecretPath.root + $0).utf8) }
    }
}
