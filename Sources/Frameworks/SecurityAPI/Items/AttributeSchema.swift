import ThumbAccess

/// Which values an attribute takes in a dictionary, and in which form they are kept.
enum AttributeKind: Sendable {
    /// Text or data, kept and returned as it came.
    case blob
    /// Text or a number, kept and returned as it came: protocols and schemes, named by four letters.
    case code
    case text
    case data
    /// A number, a Boolean or a text. A text that is exactly how a number of 32 bits prints is that number, "" is 0, and any other text is
    /// kept and returned as it came, as Apple's keychain does.
    case number
    case date
    /// `pdmn`: when the item can be read.
    case accessible
    /// `accc`: the access control.
    case accessControl
    /// `sync`, which is a special filter in a query.
    case synchronizable
    /// A bookkeeping column of Apple's store. It is dropped when writing, and refused as a filter.
    case bookkeeping
}

/// Which attributes an item of each class may have.
enum AttributeSchema {
    /// The attribute's kind in that class; nil if it doesn't belong to it.
    static func kind(of name: AttributeName, in itemClass: ItemClass) -> AttributeKind? {
        switch itemClass {
        case .genericPassword: genericPassword[name]
        case .internetPassword: internetPassword[name]
        case .certificate: certificate[name]
        case .key: key[name]
        case .identity: identity[name]
        }
    }

    private typealias Table = [AttributeName: AttributeKind]

    private static let genericPassword = table(every, password, [.blob: "acct svce gena"])
    private static let internetPassword = table(
        every, password, [.blob: "acct sdmn srvr path alis volm addr afps", .code: "ptcl atyp", .number: "port"])
    private static let certificate = table(every, certificateOnly)
    private static let key = table(every, keyOnly)
    // An identity is a key joined with its certificate.
    private static let identity = table(every, certificateOnly, keyOnly)

    private static let every: [AttributeKind: String] = [
        .blob: "labl", .text: "agrp vwht tkid", .date: "cdat mdat", .accessible: "pdmn", .accessControl: "accc",
        .synchronizable: "sync", .bookkeeping: "musr tomb",
    ]
    private static let password: [AttributeKind: String] = [
        .blob: "desc icmt", .number: "crtr type scrp invi nega cusi",
    ]
    private static let certificateOnly: [AttributeKind: String] = [
        .data: "subj issr slnr skid pkhh", .number: "ctyp cenc", .blob: "alis",
    ]
    private static let keyOnly: [AttributeKind: String] = [
        .blob: "klbl atag alis", .data: "toid", .date: "sdat edat",
        .number: """
        kcls type crtr bsiz esiz perm priv modi sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp
        """,
    ]

    private static func table(_ parts: [AttributeKind: String]...) -> Table {
        var table: Table = [:]
        for part in parts {
            for (kind, names) in part {
                for letters in names.split(separator: " ") {
                    // Only the literals above come here.
                    table[AttributeName(String(letters))!] = kind
                }
            }
        }
        return table
    }
}
