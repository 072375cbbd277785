import CThumbLinux
import ThumbClient
import ThumbCommands
import ThumbSSHAgentServer

/// `thumbturn ssh-agent`
enum SSHAgent {
    static let command = Command(
        "ssh-agent", "run an SSH agent that can ask you before each signature",
        discussion: [
            "Runs until you end it, and prints the line that tells a shell where it listens. Its keys are those of "
                + "`thumbturn ssh-key`. For each signature you are asked as the key's protection says. The prompt shows which host "
                + "it is for, if OpenSSH tells the agent.",
            "The agent signs only sign-ins to a server and signatures with a namespace, as git(1) makes them. It doesn't add, "
                + "remove or lock keys, because any program that reaches its socket could ask for that.",
        ],
        options: [socket],
        examples: [
            Example("Run the agent in a terminal of its own, where it asks you", "thumbturn ssh-agent"),
            Example(
                "Use it in another terminal", "export SSH_AUTH_SOCK=$XDG_RUNTIME_DIR/thumbturn/ssh-agent", "ssh-add -l"),
        ]
    ) { invocation throws(Failure) in
        let agent = try listen(invocation.value(socket))
        let signals = AgentSignals()
        if invocation.wantsJSON {
            try Output.write(JSON.object([("socket", .optional(agent.path))]).printed())
        } else if let path = agent.path {
            try Output.write([.text("SSH_AUTH_SOCK=\(shellQuoted(path)); export SSH_AUTH_SOCK;\n")])
        }
        AgentServer(AgentKeys()) { Output.say("thumbturn ssh-agent: \($0)") }.serve(agent.descriptor, until: signals.descriptor)
        agent.remove()
        // Everything was printed at the beginning.
        return Outcome(handedOn: Exit.done.rawValue)
    }

    private static let socket = Option(
        "socket", "where to listen, instead of `ssh-agent` in the folder of the daemon's socket", .file("PATH"))

    private static func listen(_ named: String?) throws(Failure) -> AgentSocket {
        do throws(AgentSocketFailure) {
            if let taken = try AgentSocket.taken() { return taken }
            if let path = named ?? ownSocket { return try AgentSocket.made(at: path) }
        } catch {
            throw .agentSocket(error)
        }
        throw .noRuntimeFolder
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

/// The signals that end other programs. The agent waits for them as for other events, and then ends.
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
