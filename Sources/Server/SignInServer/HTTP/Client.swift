import CThumbHTTP

/// The client for which requests are counted: an IPv4 address, or the IPv6 /64 of one subscriber.
struct Client: Hashable, Sendable {
    private let high: UInt64
    private let isVersion6: Bool

    init(_ address: ClientAddress) { (high, isVersion6) = (address.high, address.isVersion6) }

    init(_ address: UnsafePointer<sockaddr>?) { self.init(unsafe ClientAddress(address)) }

    /// Reads an address as proxies write it; nil if it isn't one.
    init?(text: Substring) {
        guard let address = ClientAddress(text: text) else { return nil }
        self.init(address)
    }
}

/// A client's whole address.
struct ClientAddress: Hashable, Sendable {
    /// The bytes as they travel: an IPv4 address alone, or the first half of an IPv6 address.
    let high: UInt64
    private let low: UInt64
    let isVersion6: Bool

    static let unknown = ClientAddress(high: 0, low: 0, isVersion6: false)

    private init(high: UInt64, low: UInt64, isVersion6: Bool) {
        (self.high, self.low, self.isVersion6) = (high, low, isVersion6)
    }

    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .unknown
            return
        }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let four = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            self.init(high: UInt64(four.sin_addr.s_addr), low: 0, isVersion6: false)
        case AF_INET6:
            let six = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            self.init(six.sin6_addr)
        default: self = .unknown
        }
    }

    private init(_ address: in6_addr) {
        var address = address
        let words = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        let (first, second) = unsafe withUnsafeBytes(of: words.1) { bytes in
            unsafe (bytes.loadUnaligned(as: UInt32.self), bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }
        // An IPv4 client on a socket for both families has the address ::ffff:a.b.c.d.
        if words.0 == 0, first == UInt32(0xFFFF).bigEndian {
            self.init(high: UInt64(second), low: 0, isVersion6: false)
        } else {
            self.init(high: words.0, low: words.1, isVersion6: true)
        }
    }

    /// Reads an address as proxies write it; nil if it isn't one.
    init?(text: Substring) {
        var text = String(text.drop { $0 == " " })
        while text.hasSuffix(" ") { text.removeLast() }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        }
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            self.init(high: UInt64(four.s_addr), low: 0, isVersion6: false)
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// Whether it is this machine, for this machine alone.
    var isLoopback: Bool {
        // The first byte of an IPv4 address is the first one in memory.
        isVersion6 ? high == 0 && low == UInt64(1).bigEndian : UInt32(truncatingIfNeeded: high).bigEndian >> 24 == 127
    }

    /// The address in its usual form.
    var text: String {
        guard isVersion6 else {
            let bytes = unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: high)) { unsafe [UInt8]($0) }
            return bytes.map { String($0) }.joined(separator: ".")
        }
        var words = (high, low)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(AF_INET6, &words, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
