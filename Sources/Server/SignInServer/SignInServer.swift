public import ThumbSignIn

/// How a server serves.
public struct ServerSettings: Sendable {
    /// Where it listens.
    public var listen: ListenAddress
    /// What statements must name; nil for the place it listens at.
    public var origin: Origin?
    /// Whether anybody may make an account.
    public var isSignUpOpen = false
    /// Requests of a client in a second, and twice as many at once; 0 sets no limit.
    public var clientRate = 100
    /// Whether what connects is a proxy, which says in X-Forwarded-For who its client is.
    public var isBehindProxy = false
    /// TLS's chain and key, in PEM; nil for plain HTTP.
    public var certificate: (chain: [UInt8], key: [UInt8])?
    /// Argon2id's passes and memory for new passwords.
    public var passwordPasses: UInt32 = 3
    /// In KiB.
    public var passwordMemory: UInt32 = 64 * 1024
    /// Whether requests are written to standard error.
    public var logsRequests = true

    /// The settings of a server that listens there.
    public init(listen: ListenAddress) { self.listen = listen }
}

/// A sign-in server (docs/developers/sign-in.md) on a ledger.
public final class SignInServer: Sendable {
    /// The port it listens on.
    public let port: UInt16
    /// What statements must name.
    public let origin: Origin
    private let serving: Serving
    private let threads: [HTTPThread]
    private let acceptor: Acceptor

    /// Starts a server; it serves until `stop`.
    ///
    /// `now` is the clock. Fails with `address` where it can't listen, with `origin` where no origin was given and the place isn't one,
    /// with `certificate` where TLS's files aren't what they should be, and with `http` where libmicrohttpd doesn't start.
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

    /// Lets what is under way be answered, and ends; once.
    public func stop() {
        acceptor.end()
        for thread in threads { thread.end() }
        serving.end()
        acceptor.writeLog()
    }

    /// Has what waits for time to pass look at the clock: tests needn't wait for the next second.
    func tick() { acceptor.tick(isForced: true) }
}
