import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("The server's memory", .enabled(if: geteuid() == 0, "takes root")) struct MemoryTests {
    @Test("When a request is over nothing is left of its passwords, whatever they were for")
    func passwords() async throws {
        let (statuses, found) = try await onThread {
            let bank = try ServerProgram()
            let wire = try bank.wire()
            // Nearly as long as they may be: what is written over the beginning of one leaves its end.
            let marks = ["Zx9qTulip", "Zx9qCrocus", "Zx9qThistle"]
            let passwords = marks.map { String(repeating: $0 + " ", count: 20) }
            let right = ["account": "anna", "password": passwords[0]]
            var statuses = [try wire.ask("POST", "/v1/accounts", right).status]
            let session = try wire.ask("POST", "/v1/sessions", right)
            statuses.append(session.status)
            let change = ["password": passwords[0], "new_password": passwords[1]]
            statuses.append(try wire.ask("PUT", "/v1/password", change, token: session.string("token")).status)
            let wrong = ["account": "anna", "password": passwords[2]]
            statuses.append(try wire.ask("POST", "/v1/sessions", wrong).status)
            // The answer may be here a moment before its request is over.
            var found = Set(marks)
            for _ in 0..<20 where !found.isEmpty { found = try MemoryImage(of: bank.pid).found(marks) }
            return (statuses, found)
        }
        #expect(statuses == [201, 201, 200, 401])
        #expect(found.isEmpty)
    }

    @Test("Not even the user whom the server runs as may look into it")
    func untraced() async throws {
        let (uid, owners, status) = try await onThread {
            let (folder, uid) = (try Folder(), FreshUser.next)
            let program = folder.path + "/thumbturn-server"
            try FileManager.default.copyItem(at: builtPrograms.appending(path: "thumbturn-server"), to: URL(filePath: program))
            guard chmod(program, 0o755) == 0, chown(folder.path, uid, uid) == 0 else {
                throw ServerProgram.CannotStart(said: "no program of its own")
            }
            let (process, output) = (OwnProcess(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments = [
                "--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "--", program, "--listen", "127.0.0.1:0",
                "--database", folder.path + "/sign-in.db",
            ]
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, output)
            try process.run()
            guard !output.fileHandleForReading.availableData.isEmpty else { throw ServerProgram.CannotStart(said: "nothing") }
            func user(of path: String) throws -> UInt32? {
                (try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? NSNumber)?.uint32Value
            }
            // What lies below /proc of a process is its user's, but root's where nobody may trace it.
            let owners = try [folder.path + "/sign-in.db", "/proc/\(process.processIdentifier)/environ"].map { try user(of: $0) }
            process.terminate()
            process.waitUntilExit()
            return (uid, owners, process.terminationStatus)
        }
        #expect(owners == [uid, 0] && status == 0)
    }
}
