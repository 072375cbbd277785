internal import CThumbLinux
internal import ThumbLoop
internal import ThumbturnSimulator

/// The simulated owner's hands: one line a connection says what happens, one line back says whether it did.
struct Control {
    /// Longest line: a name and a word or two.
    static let lineLimit = 1024

    private let device: SimulatedDevice
    private let listener: Int32

    init?(_ device: SimulatedDevice, at path: String) {
        guard case .success(let fd) = UnixSocket.listen(at: path) else { return nil }
        self.device = device
        listener = fd
    }

    /// Serves until `end` is closed at its other side.
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
                // Only this user's programs may be this device's owner.
                if UnixSocket.peer(of: peer)?.uid == getuid() { Self.say(perform(Self.line(from: peer)), to: peer) }
                UnixSocket.close(peer)
            }
        }
    }

    private static func line(from fd: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: lineLimit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(fd, $0.baseAddress, $0.count) }
        let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)
        return text.split(separator: " ").map(String.init)
    }

    private func perform(_ words: [String]) -> String {
        let rest = Array(words.dropFirst())
        switch (words.first ?? "", rest.count) {
        case ("answer", 1...2):
            guard let answer = SimulatedDevice.Answer(words: rest) else { return "error: there is no such answer" }
            device.answerAlways(nil)
            device.answer(answer)
        case ("approve", 0): device.approveEverything()
        case ("enroll", 1): device.enroll(rest[0])
        case ("remove", 1): guard device.removeEnrolment(rest[0]) else { return "error: nobody of that name is enrolled" }
        case ("passcode", 0): device.setPasscode(nil)
        case ("passcode", 1):
            guard (4...256).contains(rest[0].utf8.count) else { return "error: a passcode has 4 to 256 bytes" }
            device.setPasscode(rest[0])
        case ("lock", 0): device.lock()
        case ("unlock", 0): guard device.unlock(with: .biometry) else { return "error: biometry can't be used now" }
        case ("unlock", 1): guard device.unlock(with: .passcode(rest[0])) else { return "error: that passcode is not right" }
        case ("permission", 1): device.biometryPermission = rest[0] == "on"
        case ("consent", 1): device.asksConsent = rest[0] == "on"
        case ("advance", 1):
            guard let seconds = Double(rest[0]), seconds >= 0, seconds.isFinite else { return "error: not a number of seconds" }
            device.advance(by: seconds)
        case ("restart", 0): device.restart()
        case ("prompts", 0):
            return device.prompts.map { "\($0.outcome.map { "\($0)" } ?? "up") \($0.appName): \($0.reason)" }
                .joined(separator: "\n") + "\nok"
        default:
            return
                "error: it knows answer, approve, enroll, remove, passcode, lock, unlock, permission, consent, advance, restart, prompts"
        }
        return "ok"
    }

    static func say(_ text: String, to fd: Int32) {
        let bytes = Array((text + "\n").utf8)
        unsafe bytes.withUnsafeBytes { _ = unsafe write(fd, $0.baseAddress, $0.count) }
    }
}
