import ThumbJSON
import ThumbSecrets

/// A JSON object that may have a secret in it. It stays in locked memory; only what isn't secret is taken out as text.
struct SecretJSON: Sendable {
    private let input: SecretBytes
    private let object: JSONObject

    /// Fails with `malformed` unless the bytes are one object and nothing else.
    init(_ input: SecretBytes) throws(FormRefusal) {
        self.input = input
        do throws(JSONMalformed) {
            object = try input.withByteSpan { bytes throws(JSONMalformed) in try JSONObject(bytes) }
        } catch {
            throw .malformed
        }
    }

    private init(_ input: SecretBytes, _ object: JSONObject) { (self.input, self.object) = (input, object) }

    /// A text that isn't secret; nil if there is none of that name. Fails with `malformed` for another value, `tooLong` and `unspeakable`.
    func text(_ name: StaticString) throws(FormRefusal) -> String? {
        guard let (range, hasEscapes) = try place(name) else { return nil }
        guard range.count <= FormLimit.textBytes else { throw .tooLong }
        let bytes = input.withByteSpan { JSONText.decoded($0, range, hasEscapes: hasEscapes) }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { throw .unspeakable }
        return text
    }

    /// A text that stays secret; nil if there is none of that name.
    func secret(_ name: StaticString) throws(FormRefusal) -> SecretBytes? {
        guard let (range, hasEscapes) = try place(name) else { return nil }
        var count = 0
        input.withByteSpan { JSONText.decode($0, range, hasEscapes: hasEscapes) { _ in count += 1 } }
        do {
            return try SecretBytes.written(count: count) { put in
                input.withByteSpan { JSONText.decode($0, range, hasEscapes: hasEscapes) { put($0) } }
            }
        } catch {
            throw .noMemory
        }
    }

    /// An object in it; nil if there is none of that name.
    func object(_ name: StaticString) throws(FormRefusal) -> SecretJSON? {
        switch object.value(name) {
        case nil: return nil
        case .object(let range):
            do throws(JSONMalformed) {
                let inner = try input.withByteSpan { bytes throws(JSONMalformed) in try JSONObject(bytes, in: range) }
                return SecretJSON(input, inner)
            } catch {
                throw .malformed
            }
        case .text, .number, .other: throw .malformed
        }
    }

    /// Whether a number is written exactly so.
    func isNumber(_ name: StaticString, _ written: String) -> Bool {
        guard case .number(let range)? = object.value(name) else { return false }
        return input.holds(written, in: range)
    }

    /// Where a text stands.
    private func place(_ name: StaticString) throws(FormRefusal) -> (Range<Int>, hasEscapes: Bool)? {
        switch object.value(name) {
        case nil: return nil
        case .text(let range, let hasEscapes): return (range, hasEscapes)
        case .object, .number, .other: throw .malformed
        }
    }
}
