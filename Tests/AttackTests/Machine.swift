import CThumbLinux
import Foundation
import ThumbClient
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// A simulated device in a process of its own: a daemon whose session can be locked, and whose programs share one group.
final class Machine {
    private let folder: Scratch
    private let simulator = OwnProcess()
    private let hands = Pipe()
    let socket: String

    init() throws {
        folder = try Scratch()
        socket = folder.path + "/socket"
        simulator.executableURL = builtPrograms.appending(path: "thumbturn-simulator")
        simulator.arguments = ["--folder", folder.path, "--enrolled", "me", "--access-groups", "tests"]
        let said = Pipe()
        (simulator.standardInput, simulator.standardOutput) = (hands, said)
        try simulator.run()
        guard Self.line(said) == "ready" else { throw CannotStart(program: "thumbturn-simulator") }
    }

    deinit {
        // It ends when its standard input does.
        try? hands.fileHandleForWriting.close()
        simulator.waitUntilExit()
    }

    var image: MemoryImage { MemoryImage(of: simulator.processIdentifier) }

    func client() -> DeviceClient {
        let socket = socket
        return DeviceClient { try? UnixSocket.connect(to: socket).get() }
    }

    func control(_ line: String) throws {
        let fd = try UnixSocket.connect(to: folder.path + "/control").get()
        let file = FileHandle(fileDescriptor: fd, closeOnDealloc: true)
        file.write(Data((line + "\n").utf8))
        let answer = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        guard answer.hasPrefix("ok") else { throw CannotStart(program: "\(line): \(answer)") }
    }

    static func line(_ pipe: Pipe) -> String {
        String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}

/// An app that takes a secret and lets it go, one step for each line it is given.
final class HoldingApp {
    private let app = OwnProcess()
    private let (hands, said) = (Pipe(), Pipe())

    init(socket: String, _ arguments: [String] = ["hold"]) throws {
        app.executableURL = builtPrograms.appending(path: "thumbturn-test-app")
        app.arguments = arguments
        app.environment = ["PATH": "/usr/bin:/bin", "THUMBTURN_SOCKET": socket]
        (app.standardInput, app.standardOutput) = (hands, said)
        try app.run()
        _ = Machine.line(said)
    }

    deinit {
        try? hands.fileHandleForWriting.close()
        app.waitUntilExit()
    }

    var image: MemoryImage { MemoryImage(of: app.processIdentifier) }

    /// Goes one step on; what it says then.
    func step() -> String {
        hands.fileHandleForWriting.write(Data("\n".utf8))
        return Machine.line(said)
    }
}
