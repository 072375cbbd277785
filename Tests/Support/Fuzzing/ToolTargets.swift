import ThumbCredentialForms
import ThumbSecrets

/// What git says to a helper: lines.
enum GitTarget {
    static let target = FuzzTarget(
        "git-credentials", longest: 512,
        sources: [
            "Sources/Rules/CredentialForms/GitCredential.swift", "Sources/Rules/CredentialForms/KeyedLines.swift",
        ],
        words: ["protocol=", "host=", "path=", "username=", "password=", "capability[]=state", "state[]=thumbturn.kept=1"],
        seeds: { seeds },
        parse: { input in
            let secret = try SecretBytes(copying: input)
            if let line = try accepted({ () throws(FormRefusal) in try secret.oneLine() }, or: { $0 == .unspeakable }) {
                try must(!(0..<line.count).contains { line[$0] == 0x0A || line[$0] == 0 }, "a line has more than one")
            }
            guard let credential = try accepted({ () throws(FormRefusal) in try GitCredential(secret) }, or: { $0 != .noMemory })
            else { return nil }
            // By bytes: as characters, a slash and a mark that joins it are one.
            try must(
                !credential.scheme.isEmpty && credential.place.utf8.starts(with: (credential.scheme + "://").utf8),
                "a place without a protocol")
            for text in [credential.scheme, credential.host, credential.path, credential.user] {
                try must(text?.utf8.contains { $0 == 0x0A || $0 == 0 } != true, "a text has an end of a line in it")
            }
            // Written again, it says the same.
            var lines = "protocol=\(credential.scheme)\nhost=\(credential.host)\n"
            if let path = credential.path { lines += "path=\(path)\n" }
            if let user = credential.user { lines += "username=\(user)\n" }
            if credential.keepsState { lines += "capability[]=state\n" }
            if credential.isOurs { lines += "state[]=\(GitCredential.state)\n" }
            var bytes = Array(lines.utf8)
            if let password = credential.password {
                bytes += Array("password=".utf8) + password.plainBytes(in: 0..<password.count) + [0x0A]
            }
            let again = try GitCredential(SecretBytes(copying: bytes))
            try must(
                again.place == credential.place && again.user == credential.user && again.password == credential.password
                    && again.keepsState == credential.keepsState && again.isOurs == credential.isOurs,
                "what was read isn't read again")
            return credential.password.map { $0.plainBytes(in: 0..<$0.count) }
        })

    private static var seeds: [[UInt8]] {
        [
            "protocol=https\nhost=example.com\n", "protocol=https\nhost=a:1\npath=b/c\nusername=d\npassword=bugs\n\nrest",
            "protocol=cert\nhost=\npath=/a\npassword=\n", "capability[]=state\nprotocol=a\nhost=b\nstate[]=thumbturn.kept=1\n",
            "wwwauth[]=x\nprotocol=a\nhost=b\noauth_refresh_token=x\n", "host=a/b\nprotocol=x\n", "=x\n", "a line\r\n",
        ].map { Array($0.utf8) }
    }
}

/// What docker, cargo and kubectl say in JSON, and ssh in words.
enum ToolTarget {
    static let target = FuzzTarget(
        "tool-requests", longest: 512,
        sources: [
            "Sources/Rules/CredentialForms/SecretJSON.swift", "Sources/Rules/CredentialForms/DockerCredential.swift",
            "Sources/Rules/CredentialForms/CargoRequest.swift", "Sources/Rules/CredentialForms/KubernetesExec.swift",
            "Sources/Rules/CredentialForms/AskpassPrompt.swift",
        ],
        words: [
            "\"ServerURL\":", "\"Username\":", "\"Secret\":", "\"v\":1", "\"registry\":", "\"index-url\":", "\"kind\":",
            "\"token\":", "\"ExecCredential\"", "\"apiVersion\":", "Enter passphrase for key '", "[sudo] ",
        ],
        seeds: { seeds },
        parse: { input in
            let secret = try SecretBytes(copying: input)
            if let server = try accepted(
                { () throws(FormRefusal) in try DockerCredential.server(in: secret) }, or: { $0 != .noMemory })
            {
                try must(!server.isEmpty && !server.utf8.contains(0x0A), "a registry isn't a line")
            }
            _ = try accepted({ () throws(FormRefusal) in try KubernetesExec(secret) }, or: { $0 != .noMemory })
            if let request = try accepted({ () throws(FormRefusal) in try CargoRequest(secret) }, or: { $0 != .noMemory }) {
                switch request {
                case .get(let index), .logout(let index), .login(let index, _, _):
                    try must(!index.isEmpty && !index.utf8.contains(0), "a registry has no index")
                case .unknown: break
                }
            }
            if let prompt = String(validating: input, as: UTF8.self) {
                switch AskpassPrompt(prompt) {
                case .passphrase(let file), .wrongPassphrase(let file):
                    try must(!file.isEmpty && prompt.contains(file), "a file isn't in its prompt")
                    try must(prompt.hasSuffix(": ") && !prompt.utf8.contains(0x0A), "half a prompt is answered")
                case .sudo, .unknown: break
                }
            }
            guard
                let credential = try accepted({ () throws(FormRefusal) in try DockerCredential(secret) }, or: { $0 != .noMemory })
            else { return nil }
            try must(!credential.server.isEmpty && !credential.user.isEmpty, "half a credential is taken")
            return credential.secret.plainBytes(in: 0..<credential.secret.count)
        })

    private static var seeds: [[UInt8]] {
        [
            #"{"ServerURL":"https://x/","Username":"a","Secret":"bugs"}"#,
            #"{"ServerURL":"\u0061","Username":"b","Secret":"\n"}"#,
            #"{"v":1,"registry":{"index-url":"sparse+https://x/"},"kind":"get"}"#,
            #"{"v":1,"registry":{"index-url":"x"},"kind":"login","token":"t","login-url":"u"}"#,
            #"{"v":1,"registry":{"index-url":"x"},"kind":"logout"}"#, #"{"v":1,"kind":"x"}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{}}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"}"#, "https://x/\n",
            "Enter passphrase for key '/a/b': ", "Enter passphrase for c (will confirm each use): ",
            "Bad passphrase, try again for d: ", "[sudo] password for a: ",
        ].map { Array($0.utf8) }
    }
}

/// What age says to a plugin, in both of its tasks, and what a file's header says.
enum AgeTarget {
    static let target = FuzzTarget(
        "age-plugin", longest: 1024,
        sources: ["AgeStanza", "AgePhase", "AgeKey", "BareBase64", "Bech32"].map {
            "Sources/Rules/CredentialForms/\($0).swift"
        },
        words: [
            "-> ", "add-recipient ", "add-identity ", "wrap-file-key", "recipient-stanza 0 ", "done", "thumbturn ",
            "age1thumbturn1", "AGE-PLUGIN-THUMBTURN-1",
        ],
        seeds: { seeds },
        parse: { input in
            var reader = AgeStanzaReader()
            var phases = [AgePhase(.wrap), AgePhase(.unwrap)]
            for line in input.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
                let secret = try SecretBytes(copying: line)
                guard
                    let taken = try accepted(
                        { () throws(FormRefusal) in (stanza: try reader.take(secret), ()) }, or: { $0 != .noMemory })
                else { return nil }
                guard let stanza = taken.stanza else { continue }
                try must(!stanza.words.isEmpty, "a stanza has no words")
                try writeAgain(stanza)
                for place in phases.indices {
                    _ = try accepted(
                        { () throws(FormRefusal) in try phases[place].take(stanza) }, or: { $0 == .malformed || $0 == .tooLong })
                }
            }
            return try field(phases)
        })

    /// The sealed key of the last stanza of ours, as it stands in the input.
    private static func field(_ phases: [AgePhase]) throws -> [UInt8]? {
        for text in phases[0].recipients + phases[0].identities {
            if let key = AgeKey(recipient: text) { try must(key.recipient == text.lowercased(), "a recipient isn't itself") }
            if let key = AgeKey(identity: text) { try must(key.identity == text.uppercased(), "an identity isn't itself") }
        }
        var tag: [UInt8]?
        for stanza in phases[1].stanzas {
            let wrapping = try accepted(
                { () throws(FormRefusal) in (wrapping: try AgeWrapping(stanza.words, body: stanza.body), ()) },
                or: { $0 == .malformed })
            guard let wrapping = wrapping?.wrapping else { continue }
            try must(wrapping.words == stanza.words, "a wrapping is another when it is written")
            tag = Array(wrapping.words[1].utf8)
        }
        return tag
    }

    private static func writeAgain(_ stanza: AgeStanza) throws {
        let body = stanza.body.plainBytes(in: 0..<stanza.body.count)
        var reader = AgeStanzaReader()
        var again: AgeStanza?
        for line in AgeStanza.lines(stanza.words, body).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            again = try reader.take(SecretBytes(copying: line))
        }
        try must(again?.words == stanza.words && again?.body == stanza.body, "a stanza is another when it is written")
    }

    private static var seeds: [[UInt8]] {
        let point = (0..<AgeKey.pointBytes).map { UInt8($0) }
        guard let key = AgeKey(point: point) else { return [] }
        let wrapping = AgeWrapping(tag: [1, 2, 3, 4], share: key, sealed: [UInt8](repeating: 5, count: AgeWrapping.sealedBytes))
        let fileKey = [UInt8](repeating: 6, count: AgeWrapping.fileKeyBytes)
        return [
            AgeStanza.lines(["add-recipient", key.recipient]) + AgeStanza.lines(["wrap-file-key"], fileKey),
            AgeStanza.lines(["add-identity", key.identity])
                + AgeStanza.lines(["recipient-stanza", "0"] + wrapping.words, wrapping.sealed) + AgeStanza.lines(["done"]),
            AgeStanza.lines(["recipient-stanza", "0", "X25519", "x"], [1]) + AgeStanza.lines(["grease-x"]),
            AgeStanza.lines(["x"], [UInt8](repeating: 7, count: 100)), "-> a\nQR\n", "-> a  b\n\n", "x\n",
        ].map { Array($0.utf8) }
    }
}
