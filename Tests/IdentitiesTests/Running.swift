import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbIdentities
import thumbturn_test_programs

@testable import ThumbPeers

/// A process of a test's, ended with this object.
final class Running {
    let pid: pid_t
    private let input: Int32
    private let output: Int32

    /// - Parameter folder: where it runs; the tests' own folder without one.
    init(_ words: [String], _ environment: [String: String] = ["PATH": "/usr/bin:/bin"], in folder: String? = nil) throws {
        let (toIt, fromIt) = (try makePipe(), try makePipe())
        defer { for end in [toIt.reading, fromIt.writing] { close(end) } }
        (input, output) = (toIt.writing, fromIt.reading)
        let words = folder.map { ["/usr/bin/env", "-C", $0] + words } ?? words
        pid = try spawn(words, environment, [.descriptor(toIt.reading), .descriptor(fromIt.writing), .descriptor(2)])
        // The kernel lets the tests go on while it still puts the program into memory. Nobody is known meanwhile.
        for _ in 0..<1000 where ProcessFolder(of: pid)?.stat()?.places.contains(0) != false { usleep(1000) }
    }

    deinit {
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        close(input)
        close(output)
    }

    /// Waits until it has written a line, and returns that.
    @discardableResult func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == 0x0a { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        throw CannotStart(program: "a line of process \(pid)")
    }

    func say(_ line: String) { _ = write(input, line + "\n", line.utf8.count + 1) }

    /// Closes its input.
    func found(_ facts: ReaderFacts = ReaderFacts()) -> ReaderFacts.Found? { facts.of(pid: pid, uid: getuid(), groups: []) }
    var identity: String? { found()?.reader.identity.text }
}

/// A folder of a test's. Below `/tmp` anybody could change it, and below `/opt` only root.
final class Folder {
    let path: String

    init(_ top: String = "/tmp") throws {
        path = "\(top)/thumbturn-identity-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        chmod(path, 0o755)
    }

    // What can't be removed is a folder of a test's left behind, nothing more.
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a script, and waits until its stamp is older than a process that is started now can be.
    @discardableResult func write(_ name: String, _ text: String) throws -> String {
        try writeScript(text, to: path + "/" + name)
        usleep(40_000)
        return path + "/" + name
    }

    @discardableResult func copy(_ source: String, _ name: String) throws -> String {
        try copyProgram(at: source, to: path + "/" + name)
        return path + "/" + name
    }

    /// The form of a file of this folder in an identity.
    func changeable(_ path: String) throws -> String {
        let sum = Process()
        let pipe = Pipe()
        sum.executableURL = URL(filePath: "/usr/bin/sha256sum")
        sum.arguments = [path]
        sum.standardOutput = pipe
        try sum.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        sum.waitUntilExit()
        return "\(path) sha256:\(text.prefix(64))"
    }
}
