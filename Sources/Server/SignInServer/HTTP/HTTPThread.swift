import CThumbHTTP

/// One of libmicrohttpd's threads, from start to end, and its connections.
@safe final class HTTPThread: @unchecked Sendable {
    // @unchecked: the library owns the daemon, and any thread may call the library.
    let peers: Peers
    private let daemon: OpaquePointer

    private init(_ peers: Peers, _ certificate: TLSCertificate?) throws(ServerError) {
        self.peers = peers
        unsafe daemon = try unsafe Library.start(peers, certificate)
    }

    /// Starts all of them, or none.
    static func startAll(_ serving: Serving, _ certificate: TLSCertificate?) throws(ServerError) -> [HTTPThread] {
        var started: [HTTPThread] = []
        do throws(ServerError) {
            for records in serving.metrics.records { started.append(try HTTPThread(Peers(serving, records), certificate)) }
        } catch {
            for thread in started { thread.end() }
            throw error
        }
        return started
    }

    /// Takes an accepted connection over. If that fails, closes it and returns false.
    func add(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        unsafe MHD_add_connection(daemon, socket, address, length) == .YES
    }

    /// Lets requests under way be answered, then ends the thread. Call it once. If the library ended with a suspended connection, that
    /// would end the process.
    func end() {
        // Whoever doesn't read an answer isn't waited for any longer than at other times. Nobody is told any more that a request is slow.
        while !peers.areRequestsOver(within: .seconds(1)) { peers.sweep(at: Uptime.seconds(), isSecure: true) }
        unsafe MHD_stop_daemon(daemon)
    }
}
