public import ThumbSecrets

/// What an age client tells a plugin before the plugin's turn, for either of its tasks.
///
/// C2SP's age-plugin has the protocol. Commands that aren't known are passed over, as that page demands: some are sent to see that they are.
public struct AgePhase: Sendable {
    /// The plugin's tasks, as the client names them.
    public enum Task: String, Sendable, CaseIterable {
        case wrap = "recipient-v1"
        case unwrap = "identity-v1"
    }

    /// A stanza of a file's header.
    public struct FileStanza: Sendable {
        public let file: Int
        /// Which one of the file's it is.
        public let number: Int
        /// From its type on.
        public let words: [String]
        public let body: [UInt8]
    }

    /// The most things that are taken. Nobody encrypts to more people, and a header with more is somebody's attempt to fill memory.
    public static let most = 1024

    /// Recipients and identities, as they are written.
    public private(set) var recipients: [String] = []
    public private(set) var identities: [String] = []
    /// The keys of files that are to be wrapped.
    public private(set) var fileKeys: [SecretBytes] = []
    public private(set) var stanzas: [FileStanza] = []

    private let task: Task

    /// Nothing yet.
    public init(_ task: Task) { self.task = task }

    /// Takes a stanza; true if it says that the client is done. Fails with `malformed` for a command that isn't formed so, and `tooLong`.
    public mutating func take(_ stanza: AgeStanza) throws(FormRefusal) -> Bool {
        let (command, rest) = (stanza.words[0], stanza.words.dropFirst())
        switch (command, task) {
        case ("done", _): return true
        case ("add-recipient", .wrap): recipients.append(try Self.one(rest))
        case ("add-identity", _): identities.append(try Self.one(rest))
        case ("wrap-file-key", .wrap):
            guard stanza.body.count == AgeWrapping.fileKeyBytes else { throw .malformed }
            fileKeys.append(stanza.body)
        case ("recipient-stanza", .unwrap): stanzas.append(try fileStanza(Array(rest), stanza.body))
        default: break
        }
        guard recipients.count + identities.count + fileKeys.count + stanzas.count <= Self.most else { throw .tooLong }
        return false
    }

    private static func one(_ words: ArraySlice<String>) throws(FormRefusal) -> String {
        guard words.count == 1, let word = words.first else { throw .malformed }
        return word
    }

    private func fileStanza(_ words: [String], _ body: SecretBytes) throws(FormRefusal) -> FileStanza {
        guard words.count >= 2, let file = Int(words[0]), file >= stanzas.last?.file ?? 0 else { throw .malformed }
        // What is sealed to somebody is no secret.
        return FileStanza(
            file: file, number: stanzas.count { $0.file == file }, words: Array(words.dropFirst()),
            body: body.plainBytes(in: 0..<body.count))
    }
}
