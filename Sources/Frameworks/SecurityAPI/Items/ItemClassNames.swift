import ThumbAccess

extension ItemClass {
    /// The value of `kSecClass` that names the class.
    var name: String {
        switch self {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        case .identity: "idnt"
        }
    }

    /// The class with that name; nil if there is none.
    init?(name: String) {
        guard let known = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// The class in the first four bytes of a persistent reference; nil if it isn't one of ours.
    init?(persistentRef: [UInt8]) {
        self.init(name: String(decoding: persistentRef.prefix(4), as: UTF8.self))
    }
}
