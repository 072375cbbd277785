/// A JSON object under construction.
struct JSONWriter {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isFirst = true

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func add(_ name: StaticString, _ text: String) {
        begin(name)
        Self.put(text, to: &bytes)
    }

    mutating func add(_ name: StaticString, _ number: Int64) {
        begin(name)
        bytes += String(number).utf8
    }

    mutating func add(_ name: StaticString, _ isTrue: Bool) {
        begin(name)
        bytes += (isTrue ? "true" : "false").utf8
    }

    /// Adds a list of finished objects.
    mutating func add(_ name: StaticString, _ objects: [[UInt8]]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += object
        }
        bytes.append(UInt8(ascii: "]"))
    }

    consuming func ended() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func begin(_ name: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        bytes += name.description.utf8
        bytes += "\":".utf8
    }

    private static func put(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
