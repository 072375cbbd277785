import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Why a TPM didn't do what it was asked to do.
struct TPMError: Error, Sendable, CustomStringConvertible {
    enum Code: Sendable {
        /// There is none, or it can't be reached.
        case absent
        /// It went away during a command.
        case lost
        /// Too many wrong authorizations: it waits.
        case locked
        /// The key belongs to another TPM.
        case foreign
        /// What we had in it is gone, or there is no room for it. Our handles mean nothing any more; starting over may help.
        case stale
        /// The operation doesn't take this input.
        case parameter
        /// The kept data doesn't fit what the TPM says about it.
        case damaged
        /// There was no memory, locked or other, to ask or to hold the answer.
        case outOfMemory
        case refused
    }

    let code: Code
    /// The stack's own error number; 0 if we refused.
    let number: UInt32
    /// What was being done, in our own words.
    let text: StaticString

    init(_ code: Code, _ text: StaticString, number: UInt32 = 0) {
        self.code = code
        self.text = text
        self.number = number
    }

    /// Reads a code that isn't success. Its third byte says which layer it comes from.
    init(number: UInt32, _ text: StaticString) {
        self.init(Self.code(number), text, number: number)
    }

    private static func code(_ number: UInt32) -> Code {
        let layer = number >> 16 & 0xFF
        let low = number & 0xFFFF
        switch layer {
        // The TPM itself, or a resource manager that speaks for it.
        case 0, 11, 12: return chipCode(low)
        // The connection to it.
        case 10: return .lost
        // A response that was cut short, or a stack that found no memory.
        case 7, 8: return low == 17 || low == 19 ? .lost : low == 23 ? .outOfMemory : .refused
        default: return .refused
        }
    }

    private static func chipCode(_ low: UInt32) -> Code {
        switch low {
        case 0x921: .locked
        // The TPM was reset and waits for its start-up command.
        case 0x100: .stale
        // No room, or a gap in the session contexts: 901 to 906.
        case 0x901...0x906: .stale
        // A handle or session that isn't there: 910 to 91E.
        case 0x910...0x91E: .stale
        default: formatOne(low)
        }
    }

    /// Codes about one parameter, handle or session. The bits with its number are left out here.
    private static func formatOne(_ low: UInt32) -> Code {
        guard low & 0x80 != 0 else { return .refused }
        return switch low & 0xBF {
        // A handle that isn't there.
        case 0x8B: .stale
        // A wrapped key that was changed or has another parent; or a wrong authorization.
        case 0x9F, 0x8E, 0xA2: .damaged
        default: .refused
        }
    }

    /// Whether the link is of no use after this error: the TPM is gone, the handles mean nothing, or the stack and the TPM no longer agree
    /// about the session, because a response was malformed.
    var endsLink: Bool {
        let isStacks = (7...9).contains(number >> 16 & 0xFF)
        return code == .lost || code == .stale || isStacks
    }

    /// Whether it says that an authorization is wrong for the object, whichever session that was in.
    var isWrongAuthorization: Bool {
        let layer = number >> 16 & 0xFF
        return [0, 11, 12].contains(layer) && number & 0x80 != 0 && [0x8E, 0xA2].contains(number & 0xBF)
    }

    /// Whether it says that an object's policy isn't met.
    var isUnmetPolicy: Bool {
        let layer = number >> 16 & 0xFF
        return [0, 11, 12].contains(layer) && number & 0x80 != 0 && number & 0xBF == 0x9D
    }

    /// Whether it says that a register has changed since a session was shown it.
    var wasMeasuredMeanwhile: Bool { [0, 11, 12].contains(number >> 16 & 0xFF) && number & 0xFFFF == 0x128 }

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

    /// An error that the TPM's keeper reported.
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
    /// Runs `body`, which holds a secret. If memory is missing, the error says so: that isn't the TPM's fault.
    static func holding(_ body: () throws -> SecretBytes) throws(TPMError) -> SecretBytes {
        do {
            return try body()
        } catch let error as SecretError {
            throw TPMError(KeychainFailure(custody: error) == .outOfMemory ? .outOfMemory : .refused, "holding a secret")
        } catch {  // Holding a secret throws nothing else.
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
