import ThumbSystem

/// A fingerprint reader on the USB bus, and what libfprint's own list says about it. A reader without a driver is there all the same, and
/// its owner wants to know which of the two is missing.
struct USBReader: Sendable, Hashable {
    enum Support: Sendable, Hashable {
        case driver(String)
        /// libfprint knows it, and knows that it has no driver for it.
        case unsupported
    }

    /// Vendor and product, as `lsusb` writes them.
    let id: String
    let support: Support

    /// The list that comes with udev, made from all of libfprint's drivers.
    static let list = "/usr/lib/udev/hwdb.d/60-autosuspend-libfprint-2.hwdb"
    static let devices = "/sys/bus/usb/devices"
    /// That list takes 25 KiB.
    private static let listLimit = 1 << 20

    /// The first reader on the bus.
    static func find(devices: String = devices, list: String = list) -> USBReader? {
        guard let text = Transfer.file(list, atMost: listLimit) else { return nil }
        let known = table(String(decoding: text, as: UTF8.self))
        for name in FolderNames.all(in: devices).sorted() {
            func number(_ file: String) -> String? {
                Transfer.file("\(devices)/\(name)/\(file)", atMost: 64).map { bytes in
                    String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self).lowercased()
                }
            }
            guard let vendor = number("idVendor"), let product = number("idProduct") else { continue }
            if let support = known["\(vendor):\(product)"] { return USBReader(id: "\(vendor):\(product)", support: support) }
        }
        return nil
    }

    /// The readers by id. Each block of the list has a comment with the driver's name, or a remark that there is none.
    static func table(_ list: String) -> [String: Support] {
        var found: [String: Support] = [:]
        var support: Support?
        for line in list.split(separator: "\n") {
            if line.hasPrefix("# Supported by libfprint driver ") {
                support = .driver(String(line.dropFirst("# Supported by libfprint driver ".count)))
            } else if line.hasPrefix("# Known unsupported devices") {
                support = .unsupported
            } else if line.hasPrefix("usb:v"), line.utf8.count >= 14, let support {
                let digits = line.dropFirst(5).prefix(9).split(separator: "p", omittingEmptySubsequences: false)
                guard digits.count == 2, digits.allSatisfy({ $0.count == 4 && $0.allSatisfy(\.isHexDigit) }) else { continue }
                found[digits.joined(separator: ":").lowercased()] = support
            }
        }
        return found
    }
}
