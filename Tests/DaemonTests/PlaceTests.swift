import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

/// A user without an account, as containers have them: nothing but variables says where anything is.
private final class Stranger: Sendable {
    private static let uid: uid_t = 54_321
    let folder: URL
    var socket: String { folder.path + "/run/thumbturn/socket" }

    init() throws {
        folder = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        for name in ["", "run", "data", "home"] {
            let place = folder.appending(path: name).path
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            chown(place, Self.uid, Self.uid)
        }
    }

    deinit {
        endDaemon()
        // A folder that can't be removed is a temporary folder left behind, nothing more.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs one of ours as this user, with those of the variables, and waits for its end. A daemon that it started goes on.
    func run(_ words: [String], _ variables: [String: String]) throws -> (status: Int32, said: String) {
        let become = ["/usr/bin/setpriv", "--reuid", "\(Self.uid)", "--regid", "\(Self.uid)", "--clear-groups"]
        let around = [
            "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path + "/run", "THUMBTURN_LIBEXEC": builtPrograms.path,
        ]
        let program = try Program(
            become + [Home.program(words[0])] + words.dropFirst(), environment: around.merging(variables) { $1 })
        while try program.line() != nil {}
        return (program.status(), program.said)
    }

    func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + path) }

    func endDaemon() {
        guard case .success(let fd) = UnixSocket.connect(to: socket), let pid = UnixSocket.peer(of: fd)?.pid else { return }
        UnixSocket.close(fd)
        let process = pidfd_open(pid, 0)
        guard process >= 0 else { return }
        defer { close(process) }
        kill(pid, SIGTERM)
        var wait = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, 60_000)
    }
}

@Suite("Where a user's own daemon keeps its store", .enabled(if: getuid() == 0, "takes root, to be a user without an account"))
struct PlaceTests {
    private let asking = ["thumbturn", "passcode", "status", "--json"]
    /// How that ends where the daemon answered that there is none.
    private static let noPasscode: Int32 = 1

    @Test(
        "a user without an account has it where $XDG_DATA_HOME says, else in the home that $HOME says",
        arguments: [("XDG_DATA_HOME", "data", "data/thumbturn"), ("HOME", "home", "home/.local/share/thumbturn")])
    func variables(name: String, folder: String, place: String) async throws {
        let stranger = try Stranger()
        let (status, said) = try await onThread { try stranger.run(asking, [name: "\(stranger.folder.path)/\(folder)"]) }
        #expect(status == Self.noPasscode && said.contains("isSet"), "\(said)")
        #expect(stranger.has(place + "/keybag"))
    }

    @Test("without either the client says what to set, and starts nothing")
    func nowhere() async throws {
        let stranger = try Stranger()
        let (status, said) = try await onThread { try stranger.run(asking, [:]) }
        #expect(status != 0 && said.contains("set HOME or XDG_DATA_HOME to a folder of your own"), "\(said)")
        #expect(!stranger.has("run/thumbturn/socket"))
    }

    @Test("a folder that others can write is refused by the client and by the daemon, and nothing is written there")
    func writable() async throws {
        let stranger = try Stranger()
        let data = stranger.folder.path + "/data"
        chmod(data, 0o770)
        let client = try await onThread { try stranger.run(asking, ["XDG_DATA_HOME": data]) }
        #expect(
            client.status != 0 && client.said.contains("$XDG_DATA_HOME leads to \(data), which others can write"),
            "\(client.said)")
        let daemon = try await onThread { try stranger.run(["thumbturnd", "--idle", "1"], ["XDG_DATA_HOME": data]) }
        #expect(daemon.status == 78 && daemon.said.contains("$XDG_DATA_HOME leads to \(data)"), "\(daemon.said)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: data) == [])
    }

    @Test("a folder of another user's is refused, as after sudo with that user's variables")
    func anothers() async throws {
        let stranger = try Stranger()
        let roots = stranger.folder.path + "/roots"
        try FileManager.default.createDirectory(atPath: roots, withIntermediateDirectories: false)
        for name in ["HOME", "XDG_DATA_HOME"] {
            let (status, said) = try await onThread { try stranger.run(asking, [name: roots]) }
            #expect(status != 0 && said.contains("$\(name) leads to \(roots), which belongs to another user"), "\(said)")
        }
    }

    @Test("started by hand it finds the same places as a client, and a test's reader is refused at that store")
    func byHand() async throws {
        let stranger = try Stranger()
        let around = ["XDG_DATA_HOME": stranger.folder.path + "/data"]
        let (launched, asked) = try await onThread {
            (try stranger.run(["thumbturnd", "--launch"], around), try stranger.run(asking, around))
        }
        #expect(launched.status == 0 && asked.status == Self.noPasscode, "\(launched.said) \(asked.said)")
        #expect(stranger.has("data/thumbturn/keybag"))
        stranger.endDaemon()
        let lied = try await onThread {
            try stranger.run(
                ["thumbturnd", "--state", stranger.folder.path + "/data/thumbturn", "--bus", "unix:path=/nowhere"], around)
        }
        #expect(lied.status == 64 && lied.said.contains("needs a store of its own"), "\(lied.said)")
    }

    @Test("a test's reader is refused at the user's store by whatever path, and anywhere if nothing says which store that is")
    func otherPaths() async throws {
        let stranger = try Stranger()
        let (folder, data) = (stranger.folder.path, stranger.folder.path + "/data")
        let around = ["XDG_DATA_HOME": data]
        let launched = try await onThread { try stranger.run(["thumbturnd", "--launch"], around) }
        #expect(launched.status == 0, "\(launched.said)")
        stranger.endDaemon()
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: data)
        let places: [(String, [String: String])] = [
            ("\(folder)/link/thumbturn", around), ("\(data)/../data/thumbturn", around), ("\(data)/thumbturn/deeper", around),
            (data, around), ("\(folder)/home", [:]),
        ]
        for (state, variables) in places {
            let words = ["thumbturnd", "--state", state, "--bus", "unix:path=/nowhere", "--idle", "1"]
            let lied = try await onThread { try stranger.run(words, variables) }
            #expect(lied.status == 64 && lied.said.contains("needs a store of its own"), "\(state): \(lied.said)")
        }
    }
}

@Suite("Two daemons with two stores") struct TwoStoresTests {
    @Test("the second one leaves the first one's socket alone and says so")
    func second() async throws {
        let home = try Home()
        let other = home.folder.path + "/other"
        let (first, status, still) = try await onThread {
            let first = try home.ask("pid")
            let second = try Program(
                [Home.program("thumbturnd"), "--serve", "--socket", home.socket, "--state", other, "--bus", "none"],
                environment: home.environment)
            return (first, second.status(), try home.ask("pid"))
        }
        #expect(status == 75 && first != nil && first == still)
        let log = try String(contentsOfFile: other + "/daemon.log", encoding: .utf8)
        #expect(log.contains("another daemon, with another store, listens at this socket"))
    }
}
