import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbSystem

/// What thumbturn-secret-service has to say, for instance the contents of the Secret Service: the records of docs/users/moving-in.md, one
/// by one.
final class SecretServiceReader {
    struct Item {
        let label: String
        let attributes: [(name: String, value: String)]
        let secret: SecretBytes
    }

    enum Record {
        case total(Int)
        case item(Item)
        case left(String, String)
        /// An item was copied to another provider, or was there already.
        case moved, present
        /// Who has the name of the Secret Service.
        case nobody
        case provider(String, process: UInt32, isOurs: Bool)
        case end
    }

    /// Longest text, in bytes. The other program's own limit is smaller.
    private static let textLimit = 64 << 10

    private let process: Child
    private var output: Descriptor?

    init(_ words: [String]) throws(Failure) {
        let name = "thumbturn-secret-service"
        guard let program = Installed.program(name) else {
            throw .programMissing(name, code: "noSecretService")
        }
        do throws(SystemError) {
            let pipe = try PipeEnds()
            process = try Spawn(
                program, [name] + words, environment: .own,
                descriptors: .only([nil, pipe.writing.number, 2]), hasOwnSession: true
            ).start()
            output = pipe.takenReading()
        } catch {
            throw .secretServiceUnreadable
        }
    }

    /// The other program ends when nobody reads any more.
    deinit {
        output = nil
        _ = process.wait()
    }

    func next() throws(Failure) -> Record {
        switch try byte() {
        case 1: return .total(Int(try number()))
        case 2:
            let label = try text()
            let count = Int(try byte()) << 8 | Int(try byte())
            var attributes: [(name: String, value: String)] = []
            for _ in 0..<count { attributes.append((try text(), try text())) }
            return .item(Item(label: label, attributes: attributes, secret: try secret()))
        case 3:
            let label = try text()
            return .left(label, try reason())
        case 4: return .end
        case 6: return .moved
        case 7: return .present
        case 8: return .nobody
        case 9: return .provider(try text(), process: try number(), isOurs: try byte() == 1)
        case 5: throw try failure()
        default: throw .secretServiceUnreadable
        }
    }

    private func reason() throws(Failure) -> String {
        switch try byte() {
        case 1: "it is locked"
        case 2: "it lasts only until you log out"
        case 3: "it could not be read"
        case 4: "it is too large"
        case 5: "it was refused where it should go"
        case 6: "it is there already, and was changed since it was copied"
        default: throw .secretServiceUnreadable
        }
    }

    private func failure() throws(Failure) -> Failure {
        switch try byte() {
        case 1: .noSessionBus
        case 2: .noSecretService
        case 3: .secretServiceStopped
        case 4: .secretsService(.notStarted)
        case 5: .secretsService(.notEnded)
        default: .secretServiceUnreadable
        }
    }

    // MARK: Bytes

    private func byte() throws(Failure) -> UInt8 { try bytes(1)[0] }
    private func number() throws(Failure) -> UInt32 { try bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }

    private func text() throws(Failure) -> String {
        let count = Int(try number())
        guard count <= Self.textLimit else { throw .secretServiceUnreadable }
        return String(decoding: try bytes(count), as: UTF8.self)
    }

    private func bytes(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe bytes.withUnsafeMutableBytes({ unsafe fill($0) }) else { throw .secretServiceUnreadable }
        return bytes
    }

    /// Reads directly into locked memory.
    private func secret() throws(Failure) -> SecretBytes {
        let count = Int(try number())
        guard count <= QueryLimit.secretBytes + Self.textLimit else { throw .secretServiceUnreadable }
        var isWhole = true
        let secret = try? unsafe SecretBytes(count: count) { isWhole = unsafe fill($0) }
        guard isWhole else { throw .secretServiceUnreadable }
        guard let secret else { throw .noLockedMemory }
        return secret
    }

    private func fill(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
        do throws(SystemError) {
            switch output {
            case .some(let output): return try unsafe Transfer.fill(memory, from: output.number) == memory.count
            case .none: return false
            }
        } catch {
            return false
        }
    }
}
