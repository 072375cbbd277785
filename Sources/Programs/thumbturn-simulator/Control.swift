import CThumbLinux
import ThumbLoop
import ThumbturnSimulator

/// Lets programs act as the simulated owner. One line on each connection says what happens, and the last line back says whether it did.
struct Control {
    /// Longest line: a verb and a passcode, which is its longest argument, with some room to spare.
    static let lineLimit = 1024
    /// A client says at once what it wants, so others don't wait longer than this for it.
    static let millisecondsForLine: Int32 = 2000

    private let device: SimulatedDevice
    private let listener: Int32

    init?(_ device: SimulatedDevice, at path: String) {
        guard case .success(let fd) = UnixSocket.listen(at: path) else { return nil }
        self.device = device
        listener = fd
    }

    /// Serves until the other end of `end` is closed.
    func serve(until end: Int32) {
        while true {
            var waits = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            if unsafe poll(&waits, 2, -1) < 0 { continue }
            if waits[1].revents != 0 {
                var byte: UInt8 = 0
                if unsafe read(end, &byte, 1) <= 0 { return }
            }
            if waits[0].revents != 0, let peer = UnixSocket.accept(listener) {
                // Only this user's programs may act as this device's owner.
                if UnixSocket.peer(of: peer)?.uid == getuid(), let line = Self.line(from: peer) {
                    Self.say(answer(to: line), to: peer)
                }
                UnixSocket.close(peer)
            }
        }
    }

    /// One whole line; nil if none comes.
    private static func line(from fd: Int32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < lineLimit {
            var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, millisecondsForLine) == 1 else { return nil }
            var room = [UInt8](repeating: 0, count: lineLimit)
            let count = unsafe room.withUnsafeMutableBytes { unsafe read(fd, $0.baseAddress, $0.count) }
            guard count > 0 else { return nil }
            bytes += room.prefix(count)
            if let end = bytes.firstIndex(of: 0x0a) { return String(decoding: bytes[..<end], as: UTF8.self) }
        }
        return nil
    }

    /// Answers a line: a verb, and its argument after one blank.
    private func answer(to line: String) -> String {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        do throws(Settings.Problem) {
            return parts.count == 2 ? try perform(parts[0], parts[1]) : try perform(parts[0])
        } catch {
            return "error: \(error.message)"
        }
    }

    private func perform(_ verb: String) throws(Settings.Problem) -> String {
        switch verb {
        case "approve": device.approveEverything()
        case "passcode": device.setPasscode(nil)
        case "lock": device.lock()
        case "unlock": try check(device.unlock(with: .biometry), "biometry can't be used now")
        case "restart": device.restart()
        case "prompts": return device.prompts.map { Self.line($0) + "\n" }.joined() + "ok"
        case "unused": return "\(device.unusedAnswers)\nok"
        default: throw Self.unknown
        }
        return "ok"
    }

    private func perform(_ verb: String, _ text: String) throws(Settings.Problem) -> String {
        switch verb {
        case "answer":
            guard let answer = SimulatedDevice.Answer(text, separator: " ") else {
                throw Settings.Problem(message: "an answer is one of: \(SimulatedDevice.Answer.names), passcode TEXT")
            }
            device.answerAlways(nil)
            device.answer(answer)
        case "enroll":
            try check(!text.isEmpty, "a finger or face needs a name")
            device.enroll(text)
        case "remove": try check(device.removeEnrolment(text), "nobody of that name is enrolled")
        case "passcode":
            try check((4...256).contains(text.utf8.count), "a passcode has 4 to 256 bytes")
            device.setPasscode(text)
        case "unlock": try check(device.unlock(with: .passcode(text)), "that passcode is not right")
        case "pair":
            try check(!text.isEmpty, "a companion needs a name")
            device.pairCompanion(text)
        case "unpair": try check(device.removeCompanion(text), "no companion of that name is paired")
        case "companions-near": device.companionsAreNear = try isOn(text)
        case "permission": device.biometryPermission = try isOn(text)
        case "reader": device.readerIsConnected = try isOn(text)
        case "consent": device.asksConsent = try isOn(text)
        case "allow":
            guard let allowance = SimulatedDevice.Allowance(text) else {
                throw Settings.Problem(message: "software-keys and weak-enrolment can be allowed")
            }
            device.allow(allowance)
        case "advance":
            guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
                throw Settings.Problem(message: "that is not a number of seconds")
            }
            device.advance(by: seconds)
        default: throw Self.unknown
        }
        return "ok"
    }

    private static let unknown = Settings.Problem(
        message:
            "there is no such verb, or it needs other words after it; run 'thumbturn simulate control --help' to see them all")

    private func check(_ isRight: Bool, _ message: String) throws(Settings.Problem) {
        if !isRight { throw Settings.Problem(message: message) }
    }

    private func isOn(_ text: String) throws(Settings.Problem) -> Bool {
        try check(text == "on" || text == "off", "say on or off")
        return text == "on"
    }

    /// How a prompt ended, which program it was for and what it said. A reason of several lines becomes one line.
    private static func line(_ prompt: SimulatedDevice.Prompt) -> String {
        let outcome =
            switch prompt.outcome {
            case .success?: "success"
            case .failure?: "failure"
            case .cancelled?: "cancelled"
            case nil: "up"
            }
        return "\(outcome) \(prompt.appName): \(prompt.reason)".split(separator: "\n").joined(separator: " ")
    }

    static func say(_ text: String, to fd: Int32) {
        let bytes = Array((text + "\n").utf8)
        var place = 0
        while place < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(fd, $0.baseAddress! + place, $0.count - place) }
            if count <= 0 { return }
            place += count
        }
    }
}
