import CThumbLinux
import ThumbLoop
import ThumbSystem

/// Changes a simulated device while it runs: `thumbturn-simulator` lets the programs it serves act as the owner. A real device has no such
/// socket, whatever it is told.
public enum SimulatorControl {
    /// Longest line that is understood, including its end.
    public static let lineBytes = 1024
    /// Longest answer: a thousand prompts with a reason each.
    private static let answerBytes = 1 << 20

    /// Whether this program runs beside a simulated device.
    public static var isThere: Bool { Finding.environment("THUMBTURN_SIMULATOR") != nil }

    /// Sends one line and returns the lines of the answer.
    public static func tell(_ line: String) throws(ClientError) -> [String] {
        guard let path = Finding.environment("THUMBTURN_SIMULATOR"), case .success(let fd) = UnixSocket.connect(to: path) else {
            throw ClientError(.notFound, "nothing listens at $THUMBTURN_SIMULATOR")
        }
        defer { UnixSocket.close(fd) }
        guard UnixSocket.peer(of: fd)?.uid == getuid() else { throw ClientError(.impostor, Advice.impostor) }
        let bytes = Array((line + "\n").utf8)
        guard unsafe bytes.withUnsafeBytes({ unsafe send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == bytes.count
        else { throw ClientError(.connectionLost) }
        let answer: [UInt8]?
        do throws(SystemError) { answer = try Transfer.all(from: fd, atMost: answerBytes) } catch {
            throw ClientError(.connectionLost)
        }
        guard let answer, answer.last == 0x0a else { throw ClientError(.connectionLost) }
        return String(decoding: answer.dropLast(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
