public import ThumbSignIn

/// The settings of a server.
public struct ServerSettings: Sendable {
    /// Where it listens.
    public var listen: ListenAddress
    /// The origin that statements must name; nil means the place where it listens.
    public var origin: Origin?
    /// Whether anybody may make an account.
    public var isSignUpOpen = false
    /// How many requests a client may make in a second, and twice as many at once; 0 sets no limit.
    public var clientRate = 100
    /// How many operations may share a transaction and its commit. 1 commits each by itself; more than the limit isn't more.
    public var batch = SignInLimit.batch
    /// Whether its connections come from a proxy, which names its client in X-Forwarded-For.
    public var isBehindProxy = false
    /// TLS's chain and key, in PEM; nil for plain HTTP.
    public var certificate: (chain: [UInt8], key: [UInt8])?
    /// Which new passwords are taken.
    public var passwords = PasswordRule()
    /// Argon2id's passes and memory for new passwords.
    public var passwordPasses: UInt32 = 3
    /// The memory in KiB.
    public var passwordMemory: UInt32 = 64 * 1024
    /// Whether requests are written to the log.
    public var logsRequests = true
    /// For how many seconds a connection may be silent. Tests that need crowds of silent ones set more.
    var patience = Limits.patience
    /// Where the server's lines go.
    public var log = ServerLog()

    /// The settings of a server that listens there.
    public init(listen: ListenAddress) { self.listen = listen }

    /// What is dangerous about these settings, and what to do; nil if nothing is.
    public var danger: String? {
        // Behind a proxy it is the proxy that other machines reach.
        guard certificate == nil, !isBehindProxy, !listen.isLoopback else { return nil }
        return "plain HTTP on an address that other machines can reach: passwords and tokens can be read on their way; "
            + "use --tls-certificate and --tls-key, or a proxy and --behind-proxy"
    }
}

/// A sign-in server (docs/developers/sign-in.md) on a ledger.
public final class SignInServer: Sendable {
    /// The port it listens on.
    public let port: UInt16
    /// The origin that statements must name.
    public let origin: Origin
    let serving: Serving
    private let acceptor: Acceptor

    /// Starts a server, which runs until `stop`.
    ///
    /// `now` is the clock. Fails with `address` if it can't listen, with `origin` if none was given and the place where it listens isn't
    /// one, with `certificate` if TLS's files aren't valid, and with `http` if libmicrohttpd doesn't start.
    public init(
        _ settings: ServerSettings, ledger: any Ledger, now: @escaping @Sendable () -> Moment
    ) throws(ServerError) {
        let listener = try Listener(settings.listen)
        port = listener.port
        let isSecure = settings.certificate != nil
        guard let origin = settings.origin ?? Origin(isSecure: isSecure, host: settings.listen.host, port: listener.port) else {
            listener.close()
            throw ServerError(.origin, "the place it listens at is no origin; say which with --origin")
        }
        self.origin = origin
        serving = Serving(settings, origin: origin, ledger: ledger, now: now)
        let threads: [HTTPThread]
        do throws(ServerError) {
            threads = try HTTPThread.startAll(
                serving, settings.certificate.map { TLSCertificate(chain: $0.chain, key: $0.key) })
        } catch {
            serving.end()
            listener.close()
            throw error
        }
        acceptor = Acceptor(listener, threads, serving, isSecure: isSecure, logs: settings.logsRequests)
    }

    /// Serves new connections with another certificate. Those that are open go on with the one that they have, and end with their next
    /// answer.
    ///
    /// Fails with `certificate` if TLS's files aren't valid, and then changes nothing. It is for a server that has a certificate, and not
    /// to be called beside `stop`.
    public func replaceCertificate(chain: [UInt8], key: [UInt8]) throws(ServerError) {
        acceptor.replace(try HTTPThread.startAll(serving, TLSCertificate(chain: chain, key: key)))
    }

    /// Lets requests under way be answered, then ends. Call it once.
    public func stop() {
        acceptor.end()
        for thread in acceptor.threads { thread.end() }
        serving.end()
        serving.log.finish()
        acceptor.writeLog()
        serving.log.finish()
    }

    /// Makes everything that waits for time to pass look at the clock, so that tests needn't wait for the next second.
    func tick() { acceptor.tick(isForced: true) }
}
