import CThumbLinux
public import ThumbSystem

/// TCP sockets that reach no farther than the link they are on.
///
/// Every packet is sent with the greatest hop limit, and packets with less are dropped (RFC 5082). A router lowers it, so whoever answers is
/// on the same link.
public enum LinkSocket {
    private static let hops: Int32 = 255
    private static let version4 = Int32(IPPROTO_IP)
    private static let version6 = Int32(IPPROTO_IPV6)

    /// A socket that listens at a port, of this address or of all of them.
    ///
    /// - Parameter waits: whether accepting waits for somebody who connects.
    public static func listen(_ address: String?, port: UInt16, waits: Bool = true) throws(SystemError) -> Descriptor {
        // A socket for all addresses of version 6 is one for those of version 4 too, so it is tried first.
        let places = addresses(of: address, port, isPassive: true)
        var problem = SystemError(EADDRNOTAVAIL)
        for place in places.filter(\.isVersion6) + places.filter({ !$0.isVersion6 }) {
            do throws(SystemError) {
                let socket = try made(for: place, waits: waits)
                try hearLinkAlone(socket.number, place)
                set(socket.number, SOL_SOCKET, SO_REUSEADDR, 1)
                if place.isVersion6 { set(socket.number, version6, IPV6_V6ONLY, address == nil ? 0 : 1) }
                try unsafe place.check { address, length in unsafe bind(socket.number, address, length) }
                guard CThumbLinux.listen(socket.number, SOMAXCONN) == 0 else { throw .last }
                return socket
            } catch {
                problem = error
            }
        }
        throw problem
    }

    /// A connection to a host. Waits for it that many seconds at most, for each of its addresses.
    public static func connect(to host: String, port: UInt16, seconds: Double) throws(SystemError) -> Descriptor {
        var problem = SystemError(EHOSTUNREACH)
        for place in addresses(of: host, port, isPassive: false) {
            do throws(SystemError) {
                let socket = try made(for: place)
                var limit = timeval(tv_sec: Int(seconds), tv_usec: 0)
                // Linux ends a connect after this time too.
                _ = unsafe setsockopt(
                    socket.number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                try unsafe place.check { address, length in unsafe CThumbLinux.connect(socket.number, address, length) }
                // Not before: a machine where nobody listens says so with a usual limit, and that would be waited for in vain.
                try hearLinkAlone(socket.number, place)
                promptly(socket.number)
                return socket
            } catch {
                problem = error
            }
        }
        throw problem
    }

    /// Takes one waiting connection; nil if there is none.
    public static func accept(_ listener: Int32) -> Descriptor? {
        let fd = thumb_accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        return fd >= 0 ? taken(fd) : nil
    }

    /// Takes over a connection that somebody else has accepted.
    static func taken(_ fd: Int32) -> Descriptor {
        promptly(fd)
        return Descriptor(owning: fd)
    }

    /// The port that a listening socket got, if it asked for any.
    public static func port(of listener: Int32) -> UInt16? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(listener, $0, &length) }
        }
        // The port lies at the same place in an address of either version.
        return result == 0 ? UInt16(bigEndian: address.sin6_port) : nil
    }

    // MARK: Parts

    /// An address with its port, as the kernel takes it.
    private struct Place {
        let family: Int32
        let bytes: [UInt8]

        var isVersion6: Bool { family == AF_INET6 }

        func check(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws(SystemError) {
            let number = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
                guard let base = bytes.baseAddress else { return EINVAL }
                let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
                return uninterrupted { unsafe call(address, socklen_t(bytes.count)) } == 0 ? 0 : thumb_errno()
            }
            if number != 0 { throw SystemError(number) }
        }
    }

    private static func addresses(of host: String?, _ port: UInt16, isPassive: Bool) -> [Place] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = isPassive ? AI_PASSIVE : 0
        var found: UnsafeMutablePointer<addrinfo>? = nil
        guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return [] }
        defer { unsafe freeaddrinfo(found) }
        var places: [Place] = []
        var next = unsafe found
        while let place = unsafe next?.pointee {
            unsafe next = place.ai_next
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: place.ai_addr, count: Int(place.ai_addrlen)))
            places.append(Place(family: unsafe place.ai_family, bytes: bytes))
        }
        return places
    }

    /// A socket whose packets come from this link for everybody who looks.
    private static func made(for place: Place, waits: Bool = true) throws(SystemError) -> Descriptor {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
        let fd = socket(place.family, Int32(kind), 0)
        guard fd >= 0 else { throw .last }
        let made = Descriptor(owning: fd)
        // A socket of version 6 speaks version 4 too, under that version's own limit.
        guard set(fd, version4, IP_TTL, hops) else { throw .last }
        if place.isVersion6 { guard set(fd, version6, IPV6_UNICAST_HOPS, hops) else { throw .last } }
        return made
    }

    /// From now on what comes from farther than the link is dropped.
    private static func hearLinkAlone(_ fd: Int32, _ place: Place) throws(SystemError) {
        guard set(fd, version4, IP_MINTTL, hops) else { throw .last }
        if place.isVersion6 { guard set(fd, version6, IPV6_MINHOPCOUNT, hops) else { throw .last } }
    }

    /// A question is short, and somebody waits for it.
    private static func promptly(_ fd: Int32) { set(fd, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    @discardableResult
    private static func set(_ fd: Int32, _ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
        var value = value
        return unsafe setsockopt(fd, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
