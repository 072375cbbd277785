import CThumbHTTP

/// One of libmicrohttpd's threads, from its start to its end, and its connections.
@safe final class HTTPThread: @unchecked Sendable {
    // @unchecked: the daemon is the library's, which may be called from any thread.
    let peers: Peers
    private let daemon: OpaquePointer

    private init(_ peers: Peers, _ certificate: TLSCertificate?) throws(ServerError) {
        self.peers = peers
        unsafe daemon = try unsafe Library.start(peers, certificate)
    }

    /// Starts them all, or none.
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

    /// Takes an accepted connection over, or closes it and answers false.
    func add(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        unsafe MHD_add_connection(daemon, socket, address, length) == .YES
    }

    /// Lets suspended requests be answered, then ends the thread; once. The library's end with a suspended connection would end the process.
    func end() {
        peers.endSuspensions()
        unsafe MHD_stop_daemon(daemon)
    }
}
