import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("The server under a service manager")
struct ServiceManagerTests {
    @Test("It says when it is ready, when it reads its files again and has done so, and when it ends")
    func told() async throws {
        let (told, health, status) = try await onThread {
            let folder = try Folder()
            let place = folder.path + "/notify"
            let notices = try Notices(at: place)
            let bank = try ServerProgram(["--client-rate", "0"], folder: folder, environment: ["NOTIFY_SOCKET": place])
            var told = [notices.next()]
            let health = try bank.wire().ask("GET", "/health", body: nil).status
            kill(bank.pid, SIGHUP)
            told += [notices.next(), notices.next()]
            let status = bank.end()
            told.append(notices.next())
            return (told, health, status)
        }
        #expect(told == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"])
        #expect(health == 200 && status == 0)
    }
}
