internal import CThumbLinux
internal import ThumbClient
internal import ThumbSSHAgentServer

extension Command {
    static let sshAgent: Command = .init(
        name: "ssh-agent", summary: "be the SSH agent, with keys that ask for their owner",
        discussion: [
            "Listens until it is told to end, and prints the line that tells a shell where. Its keys are those of 'thumbturn ssh-key'. "
                + "Each signature asks for the owner as the key's protection says, and the prompt tells which host it is for, where "
                + "OpenSSH tells the agent.",
            "It signs what says what it is for: a sign-in to a server, or a signature with a namespace, as git makes them. Adding "
                + "keys, removing them and locking the agent are refused: that is not for whoever reaches its socket.",
        ],
        options: [.socket]
    ) { invocation throws(Failure) in
        let socket = try socket(invocation.value(.socket))
        let signals = AgentSignals()
        if invocation.wantsJSON {
            try Output.write(JSON.object([("socket", .optional(socket.path))]).printed())
        } else if let path = socket.path {
            try Output.write([.text("SSH_AUTH_SOCK=\(shellQuoted(path)); export SSH_AUTH_SOCK;\n")])
        }
        AgentServer(AgentKeys()) { Output.say("thumbturn ssh-agent: \($0)") }.serve(socket.descriptor, until: signals.descriptor)
        socket.remove()
        var ended = Outcome([], json: .null)
        // What there was to say was said at the beginning.
        ended.handedOn = Exit.done.rawValue
        return ended
    }

    private static func socket(_ named: String?) throws(Failure) -> AgentSocket {
        do throws(AgentSocketFailure) {
            if let taken = try AgentSocket.taken() { return taken }
            if let path = named ?? ownSocket { return try AgentSocket.made(at: path) }
        } catch {
            throw Failure(error)
        }
        throw Failure(
            "noFolder", .failed, "there is no runtime folder that only this user can write", advice: "give --socket PATH")
    }

    private static var ownSocket: String? {
        let named = unsafe thumb_secure_getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
        return RuntimeFolder.path(uid: getuid(), environment: named).map { $0 + "/ssh-agent" }
    }

    private static func shellQuoted(_ path: String) -> String {
        let isPlain = path.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "/._-0123456789".unicodeScalars.contains($0))
        }
        return isPlain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension Command.Option {
    static let socket = Command.Option(
        name: "socket", help: "where to listen, instead of ssh-agent in the folder of the daemon's socket", value: .file("PATH"))
}

/// What ends the agent: the signals that end other programs, taken as something to wait for.
private struct AgentSignals {
    let descriptor: Int32

    init() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGHUP, SIGINT, SIGTERM] { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    }
}

extension Failure {
    /// The agent has no socket to listen on.
    init(_ failure: AgentSocketFailure) {
        switch failure {
        case .falseSocket: self.init("falseSocket", .failed, "what was passed in isn't a socket that listens")
        case .agentRuns: self.init("agentRuns", .exists, "an agent listens at that socket already")
        case .inTheWay: self.init("inTheWay", .exists, "at that path is something that isn't a socket of yours")
        case .folderIsOpen:
            self.init(
                "folderIsOpen", .failed, "others can enter the folder of that socket",
                advice: "put it into a folder of yours with mode 0700")
        case .pathTooLong(let limit):
            self.init(
                "noSocket", .failed, "the socket can't be made",
                advice: "its path is longer than the \(limit) bytes a socket's may have")
        case .notMade:
            self.init("noSocket", .failed, "the socket can't be made", advice: "look whether its folder is there")
        }
    }
}
