import LocalAuthentication

/// Converts between values and the bytes that are kept.
enum VaultValue {
    static func data(_ value: some Encodable) throws(VaultError) -> Data {
        if let data = value as? Data { return data }
        if let text = value as? String { return Data(text.utf8) }
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw .unreadable
        }
    }

    static func value<Value: Decodable>(_ data: Data, as type: Value.Type) throws(VaultError) -> Value {
        if let data = data as? Value { return data }
        if type == String.self {
            guard let text = String(validating: data, as: UTF8.self) as? Value else { throw .unreadable }
            return text
        }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            // The decoder's message may quote the secret.
            throw .unreadable
        }
    }
}
