import ThumbJSON
import ThumbSecrets
import ThumbSignIn

/// The next step in answering a request. A flow is a chain of these. If a step waits for the ledger, for a stretched password or for a
/// turn, it goes on in its closure, on one of HTTP's threads.
enum Step {
    case answer(Answer)
    /// The ledger does this, in the same transaction as everything else that is waiting.
    case settle(Deed, (DeedOutcome) throws(SignInRefusal) -> Step)
    /// Waits until no other request here is trying a password of that account.
    case turn(AccountName, () throws(SignInRefusal) -> Step)
    /// Stretches the password; nil if that couldn't be done.
    case stretch(SecretBytes, salt: [UInt8], passes: UInt32, kibibytes: UInt32, (SecretBytes?) throws(SignInRefusal) -> Step)
}

/// A request, with its body.
struct Request {
    let operation: Operation
    /// The part of the path that stands for DEVICE.
    let device: String?
    /// SHA-256 of the session's token, if the operation needs one.
    let token: Digest32?
    let body: Body?
}

/// The members of a body. All of them must be there, except optional ones, and there must be no others.
struct Members {
    private let object: JSONObject
    private let body: Body

    /// - Throws: `.malformed`, or `.members`.
    init(_ body: Body, needed: [StaticString], allowed: [StaticString] = []) throws(SignInRefusal) {
        self.body = body
        object = try body.withSpan { bytes throws(SignInRefusal) in
            do throws(JSONMalformed) { return try JSONObject(bytes) } catch { throw .malformed }
        }
        var known = 0
        for name in needed {
            guard object.value(name) != nil else { throw .members }
            known += 1
        }
        for name in allowed where object.value(name) != nil { known += 1 }
        guard known == object.members.count else { throw .members }
        for member in object.members {
            guard case .text = member.value else { throw .members }
        }
    }

    func bytes(_ name: StaticString) throws(SignInRefusal) -> [UInt8] {
        guard case .text(let range, let hasEscapes)? = object.value(name) else { throw .members }
        return try body.withSpan { bytes in JSONText.decoded(bytes, range, hasEscapes: hasEscapes) }
    }

    func text(_ name: StaticString) throws(SignInRefusal) -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// Nil if there is no such member.
    func optionalText(_ name: StaticString) throws(SignInRefusal) -> String? {
        object.value(name) == nil ? nil : try text(name)
    }

    func account() throws(SignInRefusal) -> AccountName {
        guard let account = AccountName(try text("account")) else { throw .value }
        return account
    }

    /// Bytes that are sent in base64url.
    func decoded(_ name: StaticString) throws(SignInRefusal) -> [UInt8] {
        guard let bytes = Base64URL.decoded(try bytes(name)) else { throw .value }
        return bytes
    }

    func has(_ name: StaticString) -> Bool { object.value(name) != nil }

    /// The password, read from the body directly into secret memory.
    func password(_ name: StaticString = "password") throws(SignInRefusal) -> SecretBytes {
        guard case .text(let range, let hasEscapes)? = object.value(name) else { throw .members }
        return try body.withSpan { bytes throws(SignInRefusal) in
            var (count, characters) = (0, 0)
            JSONText.decode(bytes, range, hasEscapes: hasEscapes) { byte in
                count += 1
                // Every byte begins a character, unless it continues one.
                if byte & 0xC0 != 0x80 { characters += 1 }
            }
            guard (1...Limits.password).contains(characters) else { throw .value }
            let secret = try? unsafe SecretBytes(count: count) { memory in
                var place = 0
                JSONText.decode(bytes, range, hasEscapes: hasEscapes) {
                    unsafe memory[place] = $0
                    place += 1
                }
            }
            guard let secret else { throw .busy }
            return secret
        }
    }
}
