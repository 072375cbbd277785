import CThumbHTTP
import CThumbLinux
import ThumbSignIn

/// TLS's key and chain, in PEM.
struct TLSCertificate: Sendable {
    let chain: [UInt8]
    let key: [UInt8]

    /// Why TLS can't begin with them. The library says no more than that it can't.
    var refusal: ServerError {
        guard Self.contains(chain, "-----BEGIN CERTIFICATE-----") else {
            return ServerError(.certificate, "the file of --tls-certificate has no certificate in PEM")
        }
        if Self.contains(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----") || Self.contains(key, "Proc-Type: 4,ENCRYPTED") {
            return ServerError(
                .certificate, "the key in the file of --tls-key is encrypted; the server needs it without a passphrase")
        }
        guard Self.contains(key, "PRIVATE KEY-----") else {
            return ServerError(.certificate, "the file of --tls-key has no private key in PEM")
        }
        return ServerError(
            .certificate,
            "the key of --tls-key isn't that of the first certificate of --tls-certificate, or one of the files is damaged")
    }

    /// As bytes, because a text would be one more copy of the key.
    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }
}

/// libmicrohttpd: its threads, and the functions that it calls. Each `HTTPThread` has a daemon of its own with one thread and no listening
/// socket, because our own thread accepts and counts connections and hands them out in turn.
enum Library {
    @unsafe static func start(_ peers: Peers, _ certificate: TLSCertificate?) throws(ServerError) -> OpaquePointer {
        let own = unsafe Unmanaged.passUnretained(peers).toOpaque()
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
        if certificate != nil { flags |= MHD_USE_TLS.rawValue }
        var options = unsafe [
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: Limits.connections, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: Limits.connectionMemory, ptr_value: nil),
            MHD_OptionItem(option: .STRICT_FOR_CLIENT, value: 1, ptr_value: nil),
            MHD_OptionItem(option: .URI_LOG_CALLBACK, value: unsafeBitCast(requestBegan, to: Int.self), ptr_value: own),
            MHD_OptionItem(option: .NOTIFY_COMPLETED, value: unsafeBitCast(requestEnded, to: Int.self), ptr_value: own),
            MHD_OptionItem(
                option: .NOTIFY_CONNECTION, value: unsafeBitCast(connectionChanged, to: Int.self), ptr_value: own),
            MHD_OptionItem(option: .UNESCAPE_CALLBACK, value: unsafeBitCast(leaveEscapes, to: Int.self), ptr_value: own),
        ]
        // The library doesn't copy these. They must end with a zero byte, and stay until it has read them, which it does at its start.
        var key = (certificate?.key ?? []) + [0]
        var chain = (certificate?.chain ?? []) + [0]
        let daemon: OpaquePointer? = unsafe key.withUnsafeMutableBytes { key in
            unsafe chain.withUnsafeMutableBytes { chain in
                if certificate != nil {
                    unsafe options += [
                        MHD_OptionItem(option: .HTTPS_MEM_KEY, value: 0, ptr_value: key.baseAddress),
                        MHD_OptionItem(option: .HTTPS_MEM_CERT, value: 0, ptr_value: chain.baseAddress),
                    ]
                }
                unsafe options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
                return unsafe options.withUnsafeMutableBufferPointer { options in
                    guard let start = options.baseAddress else { return nil }
                    return unsafe withVaList([Int32(MHD_OPTION.ARRAY.rawValue), start, Int32(MHD_OPTION.END.rawValue)]) {
                        unsafe MHD_start_daemon_va(flags, 0, nil, nil, requestMoved, own, $0)
                    }
                }
            }
        }
        unsafe key.withUnsafeMutableBytes { if let base = $0.baseAddress { unsafe explicit_bzero(base, $0.count) } }
        guard let daemon = unsafe daemon else {
            throw certificate?.refusal ?? ServerError(.http, "HTTP doesn't start")
        }
        return unsafe daemon
    }

    // MARK: What it calls, on its own thread

    private static let connectionChanged: MHD_NotifyConnectionCallback = { own, connection, context, change in
        guard let own = unsafe own, let connection = unsafe connection, let context = unsafe context else { return }
        let peers = unsafe Unmanaged<Peers>.fromOpaque(own).takeUnretainedValue()
        switch change {
        case .CONNECTION_NOTIFY_STARTED:
            let peer = unsafe Peer(
                peers, socket: unsafe thumb_http_socket(connection), address: ClientAddress(unsafe thumb_http_peer(connection)))
            peers.add(peer)
            unsafe context.pointee = Unmanaged.passRetained(peer).toOpaque()
        default:
            guard let peer = unsafe context.pointee else { return }
            let ended = unsafe Unmanaged<Peer>.fromOpaque(peer).takeRetainedValue()
            peers.remove(ended)
            peers.serving.metrics.connections.leave(ended.client)
            ended.exchange = nil
            unsafe context.pointee = nil
        }
    }

    /// Called when the first line of a request has arrived.
    private static let requestBegan:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, connection in
            guard let connection = unsafe connection, let context = unsafe thumb_http_context(connection) else { return nil }
            let peer = unsafe Unmanaged<Peer>.fromOpaque(context).takeUnretainedValue()
            let length = unsafe target.map { unsafe strlen($0) } ?? 0
            peer.exchange = unsafe Exchange(peer, connection, targetLength: Int(length))
            peer.peers.move(peer, to: .arriving(Uptime.seconds()))
            return unsafe context
        }

    /// Called when the headers have arrived, or a piece of the body, or all of it, or what the request waited for.
    private static let requestMoved: MHD_AccessHandlerCallback = { _, connection, path, method, _, bytes, count, own in
        guard let own = unsafe own?.pointee, let count = unsafe count, let path = unsafe path, let method = unsafe method else {
            return .NO
        }
        let peer = unsafe Unmanaged<Peer>.fromOpaque(own).takeUnretainedValue()
        guard let exchange = peer.exchange else { return .NO }
        if !exchange.hasBegun {
            return exchange.begin(unsafe String(cString: method), unsafe String(cString: path)) ? .YES : .NO
        }
        if unsafe count.pointee > 0, let bytes = unsafe bytes {
            // This is the library's own memory, which it doesn't need any more. It may contain a password, so it is erased.
            let piece = unsafe UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(mutating: bytes), count: Int(count.pointee))
            defer { if let base = piece.baseAddress { unsafe explicit_bzero(base, piece.count) } }
            unsafe count.pointee = 0
            return unsafe exchange.take(UnsafeRawBufferPointer(piece)) ? .YES : .NO
        }
        return exchange.proceed() ? .YES : .NO
    }

    private static let requestEnded: MHD_RequestCompletedCallback = { _, _, own, _ in
        guard let own = unsafe own?.pointee else { return }
        let peer = unsafe Unmanaged<Peer>.fromOpaque(own).takeUnretainedValue()
        peer.exchange = nil
        peer.peers.move(peer, to: .idle(Uptime.seconds()))
    }

    /// Paths are compared as they were sent.
    private static let leaveEscapes:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
        ) -> Int = { _, _, text in unsafe text.map { unsafe Int(strlen($0)) } ?? 0 }
}
