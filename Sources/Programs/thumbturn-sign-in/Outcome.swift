import Foundation
import ThumbAccess
import Thumbturn

/// What to print, and how the program ends. The numbers are those of `thumbturn help exit-codes`.
struct Outcome {
    var lines: [String]
    /// The same for programs.
    var members: [(name: String, value: String)]
    /// The name and objects of a list, for programs.
    var list: (name: String, objects: [[(name: String, value: String)]])?
    var status: Int32 = 0
    /// What went wrong and what to do about it, for standard error.
    var failure: (code: String, message: String, advice: String?)?

    init(_ lines: [String], _ members: [(name: String, value: String)], status: Int32 = 0) {
        (self.lines, self.members, self.status) = (lines, members, status)
    }

    init(_ session: SignIn.Session, _ word: String) {
        self.init(
            ["\(word) until \(Self.date(session.expires))."], [("state", "signedIn"), ("until", Self.date(session.expires))])
    }

    init(token session: SignIn.Session) {
        self.init([session.token], [("token", session.token), ("until", Self.date(session.expires))])
    }

    init(_ state: SignIn.State) {
        switch state {
        case .signedOut: self.init(["This device isn't enabled for that account."], [("state", "signedOut")], status: 1)
        case .enabled: self.init(["This device is enabled, but you are not signed in."], [("state", "enabled")])
        case .signedIn(let date):
            self.init(["Signed in until \(Self.date(date))."], [("state", "signedIn"), ("until", Self.date(date))])
        case .needsPassword(let loss):
            let why = Self.words(loss)
            self.init(
                ["The password is needed, because \(why)."], [("state", "needsPassword"), ("why", loss.rawValue)], status: 1)
        }
    }

    init(_ remains: SignIn.Remains) {
        switch remains {
        case .nothing: self.init(["This device is disabled. Nothing is left here or at the server."], [("left", "nothing")])
        case .atServer(let device, let error):
            self.init(
                [
                    "This device is disabled here: its key and token are gone.",
                    "The server still lists it as \(device). \(Self.failure(error).message)",
                    "Revoke it from another device; nobody can sign in with it.",
                ], [("left", "atServer"), ("device", device), ("error", Self.failure(error).code)])
        }
    }

    init(_ sessions: [SignIn.ListedSession]) {
        self.init(
            sessions.map { one in
                let way = one.device.map { "device \($0)" } ?? "password"
                let times = "since \(Self.date(one.began)), until \(Self.date(one.expires))"
                return "\(one.id)  \(times), by \(way)\(one.isCurrent ? " (this one)" : "")"
            }, [])
        list = (
            "sessions",
            sessions.map { one in
                [
                    ("session", one.id), ("began", Self.date(one.began)), ("expires", Self.date(one.expires)),
                    ("by", one.device ?? "password"), ("current", one.isCurrent ? "yes" : "no"),
                ]
            }
        )
    }

    init(_ devices: [SignIn.ListedDevice]) {
        func state(_ one: SignIn.ListedDevice) -> String {
            if one.isRevoked { return "revoked" }
            return one.lastUsed.map { "used \(Self.date($0))" } ?? "never used"
        }
        self.init(
            devices.map { one in
                let times = "since \(Self.date(one.registered)), \(state(one))"
                return "\(one.id)  \(SafeText(one.name))  \(times)\(one.isCurrent ? " (this one)" : "")"
            }, [])
        list = (
            "devices",
            devices.map { one in
                var object = [
                    ("device", one.id), ("name", one.name), ("registered", Self.date(one.registered)),
                    ("revoked", one.isRevoked ? "yes" : "no"), ("current", one.isCurrent ? "yes" : "no"),
                ]
                if let used = one.lastUsed { object.append(("lastUsed", Self.date(used))) }
                return object
            }
        )
    }

    init(_ error: SignInError) {
        self.init([], [], status: Self.status(error))
        failure = Self.failure(error, remedy: error.remedy)
    }

    // MARK: Saying it

    /// - Returns: the exit status.
    func told(asJSON: Bool) -> Int32 {
        if let failure {
            if asJSON {
                var members = [("code", Self.quoted(failure.code)), ("message", Self.quoted(failure.message))]
                members.append(("advice", failure.advice.map(Self.quoted) ?? "null"))
                members.append(("exitStatus", "\(status)"))
                let inner = members.map { "    \"\($0.0)\": \($0.1)" }.joined(separator: ",\n")
                return Self.write("{\n  \"error\": {\n\(inner)\n  }\n}\n") ? status : 74
            }
            Self.say("thumbturn: \(failure.message)")
            if let advice = failure.advice { Self.say("  \(advice)") }
            return status
        }
        var parts = members.map { "  \"\($0.name)\": \(Self.quoted($0.value))" }
        if let list {
            let objects = list.objects.map { object in
                "    {" + object.map { "\"\($0.name)\": \(Self.quoted($0.value))" }.joined(separator: ", ") + "}"
            }
            parts.append("  \"\(list.name)\": [\n" + objects.joined(separator: ",\n") + "\n  ]")
        }
        let object = parts.joined(separator: ",\n")
        return Self.write(asJSON ? "{\n\(object)\n}\n" : lines.map { $0 + "\n" }.joined()) ? status : 74
    }

    static func say(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8)) }

    private static func write(_ text: String) -> Bool {
        // The work is done. If whoever reads the result has read enough, this program ends without a word, as others of a pipeline do.
        signal(SIGPIPE, SIG_DFL)
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            return true
        } catch {
            say("thumbturn: The result could not be written.")
            return false
        }
    }

    /// No more escaping is needed: only codes, dates, base64url and words of ours are printed here.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    static func date(_ date: Date) -> String { date.formatted(.iso8601) }
}
