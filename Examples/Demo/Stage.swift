import Foundation
import LocalAuthentication

/// Tells what happens, and remembers whether it happened as told.
@MainActor final class Stage {
    private var number = 0
    private var failures = 0

    func title(_ text: String) { print("\n\(text)\n") }

    func step(_ text: String, _ body: @MainActor () async throws -> Bool) async {
        number += 1
        print("  \(number). \(text)")
        let isRight: Bool
        do {
            isRight = try await body()
        } catch {
            says("\(error)")
            isRight = false
        }
        judge(isRight)
    }

    func step(_ text: String, _ body: () -> Bool) {
        number += 1
        print("  \(number). \(text)")
        judge(body())
    }

    private func judge(_ isRight: Bool) {
        if isRight { return }
        failures += 1
        print("     ✗ this is not what should have happened")
    }

    func says(_ text: String) { print("     \(text)") }

    func name(_ status: OSStatus) -> String {
        let text = SecCopyErrorMessageString(status, nil).map { String($0) } ?? ""
        return "\(status) (\(text))"
    }

    func end() -> Never {
        device.uninstall()
        exit(failures == 0 ? 0 : 1)
    }
}
