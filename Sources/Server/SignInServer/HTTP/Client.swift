import CThumbHTTP

/// The client for which requests are counted: an IPv4 address, or the IPv6 /64 of one subscriber.
struct Client: Hashable, Sendable {
    private let high: UInt64
    private let isVersion6: Bool

    static let unknown = Client(high: 0, isVersion6: false)

    private init(high: UInt64, isVersion6: Bool) {
        self.high = high
        self.isVersion6 = isVersion6
    }

    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            self = .unknown
            return
        }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let four = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            self.init(high: UInt64(four.sin_addr.s_addr), isVersion6: false)
        case AF_INET6:
            let six = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            self.init(six.sin6_addr)
        default: self = .unknown
        }
    }

    private init(_ address: in6_addr) {
        var address = address
        let words = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe (
                bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
                bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
            )
        }
        // An IPv4 client on a socket for both families has the address ::ffff:a.b.c.d.
        if words.0 == 0, words.1 == UInt32(0xFFFF).bigEndian {
            self.init(high: UInt64(words.2), isVersion6: false)
        } else {
            self.init(high: words.0, isVersion6: true)
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
            self.init(high: UInt64(four.s_addr), isVersion6: false)
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }
}
