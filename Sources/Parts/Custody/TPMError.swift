import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Why a TPM didn't do what it was asked.
struct TPMError: Error, Sendable, CustomStringConvertible {
    enum Code: Sendable {
        /// There is none, or it can't be reached.
        case absent
        /// It went away in the middle.
        case lost
        /// Too many wrong authorizations: it waits.
        case locked
        /// The key is another TPM's.
        case foreign
        /// What we had in it is gone or has no room: its handles mean nothing any more, and another try from the start may do.
        case stale
        /// The input is none that the operation takes.
        case parameter
        /// What was kept doesn't fit what the TPM says of it.
        case damaged
        /// There was no memory, locked memory or any, to ask or to hold the answer.
        case outOfMemory
        case refused
    }

    let code: Code
    /// The stack's own number; 0 where we refused.
    let number: UInt32
    /// What was being done, in words of ours.
    let text: StaticString

    init(_ code: Code, _ text: StaticString, number: UInt32 = 0) {
        self.code = code
        self.text = text
        self.number = number
    }

    /// Reads a code that isn't success. The layer that it comes from stands in its third byte.
    init(number: UInt32, _ text: StaticString) {
        self.init(Self.code(number), text, number: number)
    }

    private static func code(_ number: UInt32) -> Code {
        let layer = number >> 16 & 0xFF
        let low = number & 0xFFFF
        switch layer {
        // The TPM itself; a resource manager that speaks for it.
        case 0, 11, 12: return chipCode(low)
        // The way to it.
        case 10: return .lost
        // A response that was cut short, or a stack that found no memory.
        case 7, 8: return low == 17 || low == 19 ? .lost : low == 23 ? .outOfMemory : .refused
        default: return .refused
        }
    }

    private static func chipCode(_ low: UInt32) -> Code {
        switch low {
        case 0x921: .locked
        // It was started anew and waits for its start-up command.
        case 0x100: .stale
        // No room, or a gap in the session contexts: 901 to 906.
        case 0x901...0x906: .stale
        // A handle or session that isn't there: 910 to 91E.
        case 0x910...0x91E: .stale
        default: formatOne(low)
        }
    }

    /// Codes about one parameter, handle or session, whose number stands in the bits that are left out here.
    private static func formatOne(_ low: UInt32) -> Code {
        guard low & 0x80 != 0 else { return .refused }
        return switch low & 0xBF {
        // A handle that isn't there.
        case 0x8B: .stale
        // A wrapped key of another parent, or a changed one; an authorization that isn't the key's.
        case 0x9F, 0x8E, 0xA2: .damaged
        default: .refused
        }
    }

    /// Whether what was opened is of no use after it: nobody is there, the handles mean nothing, or the stack and the TPM have not
    /// the same session in mind any more, because a response wasn't what it should be.
    var endsLink: Bool {
        let isStacks = (7...9).contains(number >> 16 & 0xFF)
        return code == .lost || code == .stale || isStacks
    }

    /// Whether it says that an authorization isn't the object's, whichever session it came in.
    var isWrongAuthorization: Bool {
        let layer = number >> 16 & 0xFF
        return [0, 11, 12].contains(layer) && number & 0x80 != 0 && [0x8E, 0xA2].contains(number & 0xBF)
    }

    var failure: KeychainFailure {
        switch code {
        case .absent: .custodianAbsent
        case .lost: .custodianLost
        case .locked: .custodianLocked
        case .foreign: .custodianForeign
        case .parameter: .parameter
        case .damaged: .damaged
        case .outOfMemory: .outOfMemory
        case .stale, .refused: .internalFailure
        }
    }

    /// What the TPM's keeper said.
    init(_ failure: KeychainFailure, number: UInt32) {
        let code: Code =
            switch failure {
            case .custodianAbsent: .absent
            case .custodianLost: .lost
            case .custodianLocked: .locked
            case .custodianForeign: .foreign
            case .parameter: .parameter
            case .damaged: .damaged
            case .outOfMemory: .outOfMemory
            default: .refused
            }
        self.init(code, "asking the TPM's keeper", number: number)
    }

    /// For the log: what was done, and the number.
    var description: String { "\(text): \(code), 0x\(String(number, radix: 16))" }
}

extension TPMError {
    /// Runs `body`, which holds a secret, and says that memory was wanting where it was: the TPM had no part in it.
    static func holding(_ body: () throws -> SecretBytes) throws(TPMError) -> SecretBytes {
        do {
            return try body()
        } catch let error as SecretError {
            throw TPMError(KeychainFailure(custody: error) == .outOfMemory ? .outOfMemory : .refused, "holding a secret")
        } catch {  // Nothing else is thrown where a secret is held.
            throw TPMError(.refused, "holding a secret")
        }
    }

    /// The SHA-256 of some bytes; fails as libcrypto does.
    static func hash(_ bytes: [UInt8], _ text: StaticString) throws(TPMError) -> [UInt8] {
        do {
            return try HashFunction.sha256.hash(bytes)
        } catch {
            throw TPMError(KeychainFailure(custody: error) == .outOfMemory ? .outOfMemory : .refused, text)
        }
    }
}
